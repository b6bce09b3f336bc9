//! Reads and checks any text as each project file: of a module, of an environment, and of the tools that install modules.

#![no_main]

use analysis::hiera::document::{Data, Node, yaml_with_aliases};
use analysis::ide::project_hover;
use analysis::project::environment_conf;
use analysis::project::{InstalledModule, Owner, ProjectContext, ProjectFile, check};
use libfuzzer_sys::fuzz_target;
use syntax::TextSize;

/// Returns the context of a file, in which some names are known and some are not.
fn context(choice: u8) -> ProjectContext {
    let module = |name: &str, version: Option<&str>| InstalledModule {
        name: name.to_owned(),
        author: Some("puppetlabs".to_owned()),
        version: version.map(str::to_owned),
    };
    let names = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
    ProjectContext {
        modules: vec![module("stdlib", Some("9.4.0")), module("concat", None)],
        complete: choice & 1 != 0,
        owner: match choice & 2 {
            0 => Some(Owner::Environment),
            _ => Some(Owner::Module),
        },
        version: pupil_fuzz::version(choice),
        data_files: vec![
            "data/common.yaml".to_owned(),
            "data/os/Debian.yaml".to_owned(),
        ],
        custom_facts: names(&["role"]),
        functions: names(&["m::data"]),
        variables: (choice & 8 != 0).then(|| names(&["site"])),
        ..ProjectContext::default()
    }
}

/// Checks that each value is in the text, and returns the number of values.
fn count(node: &Node, text: &str) -> usize {
    assert!(
        pupil_fuzz::contains(text, node.range),
        "{:?} is not a range of the file",
        node.range
    );
    1 + match &node.data {
        Data::List(elements) => elements.iter().map(|it| count(it, text)).sum(),
        Data::Map(entries) => entries.iter().map(|it| count(&it.value, text)).sum(),
        _ => 0,
    }
}

fuzz_target!(|data: &[u8]| {
    // The first byte selects the context and the release.
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let around = context(choice);
    for file in ProjectFile::ALL {
        let found = check(file, &text, &around);
        for it in &found {
            assert!(
                pupil_fuzz::contains(&text, it.range),
                "{it:?} is not a range of the file"
            );
            for (_, edit) in it.fixes.iter().flat_map(|it| &it.edits) {
                assert!(
                    pupil_fuzz::contains(&text, edit.range),
                    "{edit:?} is not a range of the file"
                );
            }
        }
        assert!(
            found == check(file, &text, &around),
            "{} is checked in two ways",
            file.name()
        );
        let middle = text.floor_char_boundary(text.len() / 2);
        let _ = project_hover(file, &text, &around, TextSize::of(&text[..middle]));
    }
    for it in environment_conf::read(&text).problems {
        assert!(
            pupil_fuzz::contains(&text, it.range),
            "{it:?} is not a range of the file"
        );
    }
    // As `.fixtures.yml` is read.
    match yaml_with_aliases(&text) {
        Ok(root) => {
            let size = root.map_or(0, |it| count(&it, &text));
            assert!(size <= 2 * text.len() + 20_000, "{size} values");
        }
        Err(error) => assert!(
            pupil_fuzz::contains(&text, error.range),
            "{error:?} is not a range of the file"
        ),
    }
});
