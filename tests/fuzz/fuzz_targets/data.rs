//! Reads any text as data in YAML and JSON, as `hiera.yaml`, and as a key and a value of Hiera.

#![no_main]

use analysis::hiera::{DataFile, DataFormat, HieraConfig, LookupKey, interpolation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for path in ["data.yaml", "data.json", "data.eyaml"] {
        let Some(format) = DataFormat::of_path(path) else {
            continue;
        };
        let file = DataFile::parse(&text, format);
        let values = file.entries().iter().map(|it| it.value.range);
        let error = file.values.as_ref().err().map(|it| it.range);
        for range in values.chain(error) {
            assert!(pupil_fuzz::contains(&text, range), "{range:?} is not a range of the file");
        }
    }
    for in_module in [false, true] {
        if let Ok(config) = HieraConfig::read(&text, in_module) {
            let _ = (config.levels().count(), config.folders());
        }
    }
    if let Some(key) = LookupKey::parse(&text) {
        let _ = key.module();
    }
    for found in interpolation::interpolations(&text) {
        assert!(found.range.end <= text.len());
    }
});
