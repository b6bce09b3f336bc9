use base::FileInput;
use hiera::DataFile;
use hiera::merge::MergeStrategy;
use infer::{data_file, layer_files};
use rustc_hash::FxHashMap;
use syntax::TextRange;

use crate::data::{DataChecker, may_be_merged, options_of};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports values in data that a higher level always overrides.
    ///
    /// ## What it does
    ///
    /// For each root key, checks whether a file of a higher level that all nodes read has the key too, and the merge
    /// strategy of the key is `first`.
    ///
    /// ## Why it matters
    ///
    /// Puppet never uses the value. Changing it has no effect.
    ///
    /// ## Example
    ///
    /// ```hiera.yaml
    /// version: 5
    /// hierarchy:
    ///   - name: All
    ///     path: all.yaml
    ///   - name: Nodes
    ///     path: "nodes/%{trusted.certname}.yaml"
    /// ```
    ///
    /// ```data/all.yaml
    /// ntp_port: 123
    /// ```
    ///
    /// ```data/nodes/web1.yaml wrong
    /// ntp_port: 124 # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```hiera.yaml
    /// version: 5
    /// hierarchy:
    ///   - name: Nodes
    ///     path: "nodes/%{trusted.certname}.yaml"
    ///   - name: All
    ///     path: all.yaml
    /// ```
    ///
    /// ```data/all.yaml
    /// ntp_port: 123
    /// ```
    ///
    /// ```data/nodes/web1.yaml right
    /// ntp_port: 124
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Keys that code looks up with a merge strategy of its own, or mentions in any other way.
    /// * Values in the data of a module that the environment overrides.
    ///
    /// ## Fix
    ///
    /// No fix is available: the order of the levels may be wrong.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[hidden-data]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// hidden-data = "off"
    /// ```
    pub(crate) static HIDDEN_DATA = {
        code: "hidden-data",
        severity: Hint,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    let keys = checker
        .keys()
        .map(|it| (it.name().to_owned(), it.key_range));
    let keys: Vec<_> = keys.collect();
    let (db, environment) = (checker.db, checker.environment);
    let mut key_ranges: FxHashMap<FileInput, FxHashMap<String, TextRange>> = FxHashMap::default();
    for (key, range) in keys {
        let Some(file) = checker.overriding_file(&key) else {
            continue;
        };
        let options = options_of(db, environment, &key);
        let is_first = options.is_some_and(|it| it.merge == MergeStrategy::First);
        if !is_first || may_be_merged(db, environment, &key) {
            continue;
        }
        let files = layer_files(db, checker.module);
        let Some(place) = files.get(&file) else {
            continue;
        };
        let path = &place.path;
        let ranges = key_ranges.entry(file).or_insert_with(|| {
            let data = place.format().map(|it| data_file(db, file, it));
            data.map_or_else(FxHashMap::default, |it| ranges_by_key(&it))
        });
        let other = ranges.get(key.as_str()).copied();
        let message = format!("value of `{key}` is never used: `{path}` overrides it");
        let related = other.map(|it| checker.related_in(file, it, "the value that applies"));
        let found = checker.report(&HIDDEN_DATA, range, message);
        found.related.extend(related);
    }
}

/// Returns the ranges of the root keys of a file, of each the first one.
fn ranges_by_key(data: &DataFile) -> FxHashMap<String, TextRange> {
    let entries = data.entries().iter().rev();
    let ranges = entries.map(|it| (it.name().to_owned(), it.key_range));
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::HIDDEN_DATA;
    use crate::data::tests::messages;

    fn check(upper: &str, low: &str, more: &str) -> Vec<String> {
        let config = format!(
            "//- hiera.yaml\nversion: 5\nhierarchy:\n- {{name: a, {upper}}}\n- {{name: b, path: low.yaml}}\n"
        );
        let data = format!("//- data/up.yaml\na: 1\n//- data/low.yaml\n{low}");
        messages(&HIDDEN_DATA, &format!("{config}{data}{more}"))
    }

    #[test]
    fn finds_values_below_files_for_all_nodes() {
        let expected = ["`a`: value of `a` is never used: `data/up.yaml` overrides it"];
        for upper in [
            "path: up.yaml",
            "paths: [x.yaml, up.yaml, low.yaml]",
            "glob: u*.yaml",
        ] {
            assert_eq!(check(upper, "a: 2\nb: 1\n", ""), expected, "{upper}");
        }
        let upper = "paths: [low.yaml, up.yaml]";
        let expected = ["`a`: value of `a` is never used: `data/low.yaml` overrides it"];
        assert_eq!(check(upper, "a: 2\n", ""), expected);
    }

    #[test]
    fn accepts_values_that_may_apply() {
        let low = "a: 2\n";
        assert_eq!(check("path: \"%{facts.x}.yaml\"", low, ""), [""; 0]);
        assert_eq!(check("path: other.yaml", low, ""), [""; 0]);
        let options = "lookup_options: {a: {merge: unique}}\na: 2\n";
        assert_eq!(check("path: up.yaml", options, ""), [""; 0]);
        for call in [
            "lookup('a', Any, 'unique')",
            "lookup('a', { merge => unique })",
            "lookup({ name => 'a', merge => unique })",
            "lookup(['a'])",
            "'a'.lookup",
            "x('a') lookup('b')",
        ] {
            let code = format!("//- manifests/site.pp\n{call}\n");
            assert_eq!(check("path: up.yaml", low, &code), [""; 0], "{call}");
        }
    }

    #[test]
    fn plain_lookups_do_not_merge() {
        for call in [
            "lookup('a')",
            "lookup( \"a\" )",
            "lookup('a', String)",
            "lookup('a.b')",
            "hiera('a')",
        ] {
            let code = format!("//- manifests/site.pp\n{call}\n");
            assert_eq!(check("path: up.yaml", "a: 2\n", &code).len(), 1, "{call}");
        }
        let data = "a: 2\nb: \"%{lookup('a')} %{alias('a')}\"\n";
        assert_eq!(check("path: up.yaml", data, "").len(), 1);
    }
}
