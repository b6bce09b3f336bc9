use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use base::Fix;
use hiera::interpolation::Method;
use rustc_hash::FxHashMap;

use crate::data::{Content, DataChecker, DataInterpolation};
use crate::rule::{Check, Rule, declare_rule};
use crate::suggest::{hint, similar};

declare_rule! {
    /// Reports interpolations in data that fail.
    ///
    /// ## What it does
    ///
    /// Checks `%{…}` in the strings of data: unknown methods, `alias` with other text around it, a method whose
    /// argument has no quotes, and keys that look up themselves, also through other keys of the file.
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
    /// * Recursion through a key that a higher level always overrides.
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
    let all = checker.interpolations();
    for it in &all {
        match &it.content {
            Content::Variable(name) => check_variable(checker, it, name),
            Content::Method(name, _) => check_method(checker, it, name),
        }
    }
    check_recursion(checker, &all);
}

fn check_method(checker: &mut DataChecker<'_>, at: &DataInterpolation, name: &str) {
    match Method::of_name(name) {
        None => {
            let near = similar(name, Method::NAMES);
            let message = format!("unknown interpolation method `{name}`{}", hint(near));
            let fix = near.and_then(|it| {
                let label = format!("Replace with `{it}`");
                replaced(checker, at, label, at.written.replacen(name, it, 1))
            });
            let found = checker.report(&INVALID_INTERPOLATION, at.range, message);
            found.fixes.extend(fix);
        }
        Some(Method::Alias) if !at.is_whole => {
            let message = "`alias` must be the whole string; use `lookup` inside of others";
            let (old, new) = (Method::Alias.name(), Method::Lookup.name());
            let label = format!("Replace with `{new}`");
            let fix = replaced(checker, at, label, at.written.replacen(old, new, 1));
            let found = checker.report(&INVALID_INTERPOLATION, at.range, message);
            found.fixes.extend(fix);
        }
        Some(_) => {}
    }
}

/// Reports a method that is read as a variable, because its argument has no quotes.
fn check_variable(checker: &mut DataChecker<'_>, at: &DataInterpolation, name: &str) {
    let Some((method, rest)) = name.split_once('(') else {
        return;
    };
    let argument = rest.strip_suffix(')').unwrap_or(rest);
    if Method::of_name(method.trim()).is_none() {
        return;
    }
    let plain = argument.trim().trim_matches(['\'', '"']);
    let message = format!("the argument of `{method}` must be a string in quotes");
    let quote = match checker.source(at.range).contains('"') {
        true => '"',
        false => '\'',
    };
    let fixed = format!("%{{{}({quote}{plain}{quote})}}", method.trim());
    let fix = replaced(checker, at, format!("Replace with `{fixed}`"), fixed);
    let found = checker.report(&INVALID_INTERPOLATION, at.range, message);
    found.fixes.extend(fix.filter(|_| rest.ends_with(')')));
}

/// Returns a fix that replaces an interpolation, unless it contains escapes.
fn replaced(
    checker: &DataChecker<'_>,
    at: &DataInterpolation,
    label: String,
    text: String,
) -> Option<Fix> {
    let is_exact = checker.source(at.range) == at.written;
    is_exact.then(|| checker.suggested(label, at.range, text))
}

/// Reports the interpolations through which keys look up themselves. Puppet interpolates the whole value of
/// a root key, also if only a part of it is looked up.
fn check_recursion(checker: &mut DataChecker<'_>, all: &[DataInterpolation]) {
    let mut lookups: BTreeMap<&str, Vec<(Arc<str>, usize)>> = BTreeMap::new();
    for (index, it) in all.iter().enumerate() {
        if let Some(key) = it.looked_up_key() {
            lookups.entry(&it.key).or_default().push((key.root, index));
        }
    }
    let is_read_here = |key: &str| checker.is_value_of(key);
    let mut cycles = Vec::new();
    for (from, edges) in &lookups {
        for (to, index) in edges {
            if let Some(path) = path_to(&lookups, to, from)
                && path.iter().all(|it| is_read_here(it))
            {
                cycles.push((*index, path));
            }
        }
    }
    cycles.sort();
    for (index, path) in cycles {
        let key = &all[index].key;
        let message = match &path[..] {
            [_] => format!("`{key}` looks up itself"),
            path => {
                let names: Vec<String> = path.iter().map(|it| format!("`{it}`")).collect();
                format!(
                    "`{key}` looks up itself through {}",
                    names[..names.len() - 1].join(", ")
                )
            }
        };
        checker.report(&INVALID_INTERPOLATION, all[index].range, message);
    }
}

/// Returns the shortest path of lookups from a key to another, with both of them.
fn path_to(
    lookups: &BTreeMap<&str, Vec<(Arc<str>, usize)>>,
    from: &str,
    to: &str,
) -> Option<Vec<String>> {
    let mut parents: FxHashMap<&str, Option<&str>> = FxHashMap::default();
    parents.insert(from, None);
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        if at == to {
            let mut path = vec![at.to_owned()];
            let mut last = at;
            while let Some(Some(parent)) = parents.get(last) {
                path.push((*parent).to_owned());
                last = parent;
            }
            path.reverse();
            return Some(path);
        }
        for (next, _) in lookups.get(at).into_iter().flatten() {
            if !parents.contains_key(&**next) {
                parents.insert(next, Some(at));
                queue.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::messages;

    #[test]
    fn finds_recursion_through_keys() {
        let data = "//- data/common.yaml\nx: \"%{lookup('y')}\"\ny: {a: \"%{alias('z.b')}\"}\n\
                    z: [\"%{hiera('x')}\"]\nw: \"%{lookup('x')}\"\nv: {a: 1, b: \"%{lookup('v.a')}\"}\n";
        assert_eq!(
            messages(&INVALID_INTERPOLATION, data),
            [
                "`%{lookup('y')}`: `x` looks up itself through `y`, `z`",
                "`%{alias('z.b')}`: `y` looks up itself through `z`, `x`",
                "`%{hiera('x')}`: `z` looks up itself through `x`, `y`",
                "`%{lookup('v.a')}`: `v` looks up itself",
            ]
        );
    }

    #[test]
    fn values_of_higher_levels_end_recursion() {
        let data = "//- hiera.yaml\nversion: 5\nhierarchy:\n- {name: a, path: a.yaml}\n\
                    - {name: n, path: \"%{trusted.certname}.yaml\"}\n- {name: b, path: b.yaml}\n\
                    //- data/b.yaml\nx: \"%{lookup('y')}\"\ny: \"%{lookup('x')}\"\n";
        let with = |file: &str| messages(&INVALID_INTERPOLATION, &format!("{data}//- data/{file}"));
        assert_eq!(with("a.yaml\ny: 1\n"), [""; 0]);
        assert_eq!(with("node.yaml\ny: 1\n").len(), 2);
        assert_eq!(with("a.yaml\nz: 1\n").len(), 2);
    }
}
