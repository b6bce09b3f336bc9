//! `Puppetfile`.

use rustc_hash::FxHashMap;
use syntax::TextRange;

use super::metadata::short_name;
use super::{InstalledModule, Report, Surroundings, meant};
use crate::ruby::{PuppetfileCall, puppetfile};
use crate::rules::{INVALID_PUPPETFILE, MISSING_DEPENDENCY, UNMET_DEPENDENCY};
use crate::values::Version;

/// What the tools that read it know.
const KNOWN: [&str; 3] = ["mod", "forge", "moduledir"];

pub(super) fn check(text: &str, around: &Surroundings, report: &mut Report) {
    let Some(file) = puppetfile(text) else { return };
    if let Some(at) = file.broken {
        return report.add(&INVALID_PUPPETFILE, at, "Ruby cannot read this");
    }
    let mut seen: FxHashMap<String, TextRange> = FxHashMap::default();
    for call in &file.calls {
        if call.name != "mod" {
            // Other code may define what is called.
            let near = meant(&call.name, &KNOWN).filter(|_| !file.has_code);
            if let Some(near) = near.filter(|_| !KNOWN.contains(&call.name.as_str())) {
                let message = format!("`{}` is not known here; did you mean `{near}`?", call.name);
                report.add(&INVALID_PUPPETFILE, call.name_range, message);
            }
            continue;
        }
        let Some((name, at)) = call.text(0) else {
            continue;
        };
        if !is_name(name) {
            let message = format!("`{name}` is no name of a module: it must be `author/name`");
            report.add(&INVALID_PUPPETFILE, at, message);
            continue;
        }
        let short = short_name(name);
        if seen.insert(short.to_owned(), at).is_some() {
            let message = format!("the module `{short}` is listed twice");
            report.add(&INVALID_PUPPETFILE, at, message);
        }
        if call.count == 1 && short == name {
            let message = format!("where `{name}` comes from is not said, and it has no author");
            report.add(&INVALID_PUPPETFILE, at, message);
        }
        match around.module(short) {
            Some(found) => version(call, found, report),
            None if around.complete => {
                let message = format!("the module `{short}` is not installed");
                report.add(&MISSING_DEPENDENCY, at, message);
            }
            None => {}
        }
    }
}

/// Whether this is the name of a module, maybe with its author.
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

/// Whether the version that is named is the one that is there.
fn version(call: &PuppetfileCall, found: &InstalledModule, report: &mut Report) {
    let (Some((text, at)), Some(there)) = (call.text(1), found.version.as_deref()) else {
        return;
    };
    let (Some(wanted), Some(version)) = (Version::parse(text), Version::parse(there)) else {
        return;
    };
    if wanted != version {
        let message = format!("version {there} of `{}` is installed", found.name);
        report.add(&UNMET_DEPENDENCY, at, message);
    }
}
