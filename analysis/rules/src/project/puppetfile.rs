//! Checks of `Puppetfile`.

use rustc_hash::FxHashMap;
use syntax::TextRange;

use super::metadata::short_name;
use super::{InstalledModule, Report, Surroundings, meant};
use crate::{INVALID_PUPPETFILE, MISSING_DEPENDENCY, UNMET_DEPENDENCY};
use library::ruby::{PuppetfileCall, puppetfile};
use types::values::Version;

/// The directives that r10k and Code Manager support.
const KNOWN: [&str; 3] = ["mod", "forge", "moduledir"];

pub(super) fn check(text: &str, around: &Surroundings, report: &mut Report) {
    let Some(file) = puppetfile(text) else { return };
    if let Some(at) = file.broken {
        return report.add(&INVALID_PUPPETFILE, at, "invalid Ruby syntax");
    }
    let mut seen: FxHashMap<String, TextRange> = FxHashMap::default();
    for call in &file.calls {
        if call.name != "mod" {
            // Other code in the file may define the method.
            let near = meant(&call.name, &KNOWN).filter(|_| !file.has_code);
            if let Some(near) = near.filter(|_| !KNOWN.contains(&call.name.as_str())) {
                let message = format!("unknown directive `{}`; did you mean `{near}`?", call.name);
                report.add(&INVALID_PUPPETFILE, call.name_range, message);
            }
            continue;
        }
        let Some((name, at)) = call.text(0) else {
            continue;
        };
        if !is_name(name) {
            let message = format!("invalid module name `{name}`: expected `author/name`");
            report.add(&INVALID_PUPPETFILE, at, message);
            continue;
        }
        let short = short_name(name);
        if seen.insert(short.to_owned(), at).is_some() {
            let message = format!("duplicate module `{short}`");
            report.add(&INVALID_PUPPETFILE, at, message);
        }
        if call.count == 1 && short == name {
            let message = format!("module `{name}` has neither an author nor a source");
            report.add(&INVALID_PUPPETFILE, at, message);
        }
        match around.module(short) {
            Some(found) => version(call, found, report),
            None if around.complete => {
                let message = format!("module `{short}` is not installed");
                report.add(&MISSING_DEPENDENCY, at, message);
            }
            None => {}
        }
    }
}

/// Checks whether this is a module name, with or without an author.
fn is_name(name: &str) -> bool {
    let is_word = |it: &str| {
        let mut bytes = it.bytes();
        !it.is_empty() && bytes.all(|it| it.is_ascii_alphanumeric() || it == b'_')
    };
    match name.split_once(['-', '/']) {
        Some((author, name)) => is_word(author) && is_word(name),
        None => is_word(name),
    }
}

/// Reports an installed version that differs from the required one.
fn version(call: &PuppetfileCall, found: &InstalledModule, report: &mut Report) {
    let (Some((text, at)), Some(there)) = (call.text(1), found.version.as_deref()) else {
        return;
    };
    let (Some(wanted), Some(version)) = (Version::parse(text), Version::parse(there)) else {
        return;
    };
    if wanted != version {
        let message = format!(
            "module `{}` {there} is installed, but `{text}` is required",
            found.name
        );
        report.add(&UNMET_DEPENDENCY, at, message);
    }
}
