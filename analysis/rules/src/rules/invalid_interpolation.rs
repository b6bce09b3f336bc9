use std::sync::Arc;

use hiera::interpolation::{Expression, Interpolation, Method, interpolations};
use rustc_hash::FxHashSet;
use syntax::TextRange;

use crate::data::{DataChecker, each_string};
use crate::rule::{Check, Rule, declare_rule};
use crate::suggest::{hint, similar};

declare_rule! {
    /// Reports interpolations in data that fail.
    ///
    /// ## What it does
    ///
    /// Checks `%{…}` in the strings of data: unknown methods, `alias` with other text around it, a method whose
    /// argument has no quotes, and a key that looks up itself.
    ///
    /// ## Why it matters
    ///
    /// The lookup fails, and with it the compilation of the catalog.
    ///
    /// ## Example
    ///
    /// ```data/common.yaml wrong
    /// domain: "%{looup('zone')}" # <-
    /// url: "https://%{alias('domain')}" # <-
    /// name: "%{lookup(domain)}" # <-
    /// zone: "%{lookup('zone')}" # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```data/common.yaml right
    /// zone: example.com
    /// domain: "%{lookup('zone')}"
    /// url: "https://%{lookup('domain')}"
    /// ```
    ///
    /// ## Exceptions
    ///
    /// None.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name of the method or adds the quotes.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-interpolation]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-interpolation = "off"
    /// ```
    pub(crate) static INVALID_INTERPOLATION = {
        code: "invalid-interpolation",
        severity: Error,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    let data = Arc::clone(&checker.data);
    let text = checker.text;
    let keys: FxHashSet<String> = checker.keys().map(|it| it.name().to_owned()).collect();
    for entry in data.entries() {
        if !keys.contains(entry.name()) {
            continue;
        }
        let mut strings = Vec::new();
        each_string(&entry.value, text, &mut |string, range| {
            if string.contains("%{") {
                strings.push((string.to_owned(), range));
            }
        });
        for (string, range) in strings {
            for part in interpolations(&string) {
                let at = range.part(part.range.clone());
                check_part(checker, entry.name(), (&string, &part), at);
            }
        }
    }
}

fn check_part(
    checker: &mut DataChecker<'_>,
    key: &str,
    (string, part): (&str, &Interpolation<'_>),
    range: TextRange,
) {
    match part.expression {
        Expression::Empty => {}
        Expression::Variable(name) => check_variable(checker, name, (string, part), range),
        Expression::Method(name, argument) => match Method::of_name(name) {
            None => {
                let near = similar(name, Method::NAMES);
                let message = format!("unknown interpolation method `{name}`{}", hint(near));
                let written = &string[part.range.clone()];
                let fix = near.map(|it| {
                    let label = format!("Replace with `{it}`");
                    checker.suggested(label, range, written.replacen(name, it, 1))
                });
                let fix = fix.filter(|_| checker.source(range) == written);
                let found = checker.report(&INVALID_INTERPOLATION, range, message);
                found.fixes.extend(fix);
            }
            Some(Method::Alias) if part.range != (0..string.len()) => {
                let message = "`alias` must be the whole string; use `lookup` inside of others";
                let written = &string[part.range.clone()];
                let fix = checker.suggested(
                    "Replace with `lookup`".to_owned(),
                    range,
                    written.replacen(Method::Alias.name(), Method::Lookup.name(), 1),
                );
                let is_exact = checker.source(range) == written;
                let found = checker.report(&INVALID_INTERPOLATION, range, message);
                found.fixes.extend(is_exact.then_some(fix));
            }
            Some(Method::Alias | Method::Lookup) if argument == key => {
                let message = format!("`{key}` looks up itself");
                checker.report(&INVALID_INTERPOLATION, range, message);
            }
            Some(_) => {}
        },
    }
}

/// Reports a method that is read as a variable, because its argument has no quotes.
fn check_variable(
    checker: &mut DataChecker<'_>,
    name: &str,
    (string, part): (&str, &Interpolation<'_>),
    range: TextRange,
) {
    let Some((method, rest)) = name.split_once('(') else {
        return;
    };
    let argument = rest.strip_suffix(')').unwrap_or(rest);
    if Method::of_name(method.trim()).is_none() {
        return;
    }
    let plain = argument.trim().trim_matches(['\'', '"']);
    let message = format!("the argument of `{method}` must be a string in quotes");
    let written = &string[part.range.clone()];
    let quote = match checker.source(range).contains('"') {
        true => '"',
        false => '\'',
    };
    let fixed = format!("%{{{}({quote}{plain}{quote})}}", method.trim());
    let is_exact = checker.source(range) == written && rest.ends_with(')');
    let fix = checker.suggested(format!("Replace with `{fixed}`"), range, fixed.clone());
    let found = checker.report(&INVALID_INTERPOLATION, range, message);
    found.fixes.extend(is_exact.then_some(fix));
}
