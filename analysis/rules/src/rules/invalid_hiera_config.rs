use base::suggest::{hint, is_slip, similar};
use std::ops::Range;

use hiera::document::{self, Data, Entry, Node, Scalar};
use hiera::interpolation::Method;
use hiera::{BACKENDS, LOCATIONS, version4};
use library::KnownFunction as F;
use rustc_hash::FxHashMap;
use syntax::validation::PuppetVersion;
use syntax::{Severity, TextRange, TextSize};

use crate::data::strings::Content;
use crate::project::hiera_config::{is_option_name, symbols_to_names};
use crate::project::{Owner, ProjectChecker, ProjectFile};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports mistakes in `hiera.yaml` that make Puppet reject the file.
    ///
    /// ## What it does
    ///
    /// Checks for YAML syntax errors and, in version 5, for unknown keys, hierarchy levels without
    /// a name or with a duplicate name, levels with several backends or several kinds of data
    /// locations, values of the wrong type, functions of the wrong kind or that do not exist, and
    /// interpolations with methods. A quoted version is a string, but Puppet requires an integer.
    /// Paths that match no file, and directories that do not exist, are reported, as warnings, if a
    /// similar one exists that no level reads, or if `data` or `hieradata` has the files.
    ///
    /// ## Why it matters
    ///
    /// Every lookup fails, and with it the compilation of each catalog that performs one.
    ///
    /// ## Example
    ///
    /// ```hiera.yaml wrong
    /// version: 5
    /// hierachy: [] # <-
    /// defaults:
    ///   datadir: data
    /// hierarchy:
    ///   - name: Nodes # <-
    ///     path: nodes.yaml
    ///   - path: common.yaml # <-
    ///     data_hash: yaml_data
    ///     lookup_key: eyaml_lookup_key # <-
    ///   - name: Others
    ///     data_hash: yaml_data
    ///     paths: others.yaml # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```hiera.yaml right
    /// version: 5
    /// defaults:
    ///   datadir: data
    ///   data_hash: yaml_data
    /// hierarchy:
    ///   - name: Nodes
    ///     paths: ["nodes/%{trusted.certname}.yaml", "common.yaml"]
    ///   - name: Secrets
    ///     lookup_key: eyaml_lookup_key
    ///     path: secrets.eyaml
    ///     options: { pkcs7_private_key: /k }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * The content of files of version 3. Such a file in an environment or a module is an error, for Puppet 7 a
    ///   warning: it ignores the file.
    /// * Version 4 is deprecated, which is a warning. Only the keys and backends of such files are checked.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended hierarchy is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-hiera-config]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-hiera-config = "off"
    /// ```
    pub(crate) static INVALID_HIERA_CONFIG = {
        code: "invalid-hiera-config",
        severity: Error,
        since: "0.1.0",
        checks: [Check::ProjectFile(check)],
    }
}

/// The top-level keys.
const TOP: [&str; 5] = [
    "version",
    "defaults",
    "hierarchy",
    "plan_hierarchy",
    "default_hierarchy",
];

/// The top-level keys that contain hierarchy levels.
const HIERARCHIES: [&str; 3] = ["hierarchy", "plan_hierarchy", "default_hierarchy"];

/// The keys of `defaults`.
const DEFAULTS: [&str; 5] = ["data_hash", "lookup_key", "data_dig", "datadir", "options"];

/// The other keys of a level.
const OTHERS: [&str; 3] = ["name", "options", "datadir"];

/// The functions of Puppet, with the key that sets them.
const FUNCTIONS: [(&str, F); 4] = [
    ("data_hash", F::YamlData),
    ("data_hash", F::JsonData),
    ("data_hash", F::HoconData),
    ("lookup_key", F::EyamlLookupKey),
];

/// Keys whose values are lists.
const LISTS: [&str; 4] = ["paths", "globs", "uris", "mapped_paths"];

/// Checks `hiera.yaml`. Files of version 3 are only checked for their version.
fn check(checker: &mut ProjectChecker<'_>) {
    if checker.file != ProjectFile::Hiera {
        return;
    }
    let (text, owner) = (checker.text, checker.context.owner);
    let root = match document::yaml(text) {
        Ok(root) => root,
        Err(error) => {
            let message = format!("invalid YAML: {}", error.message);
            return checker.report(&INVALID_HIERA_CONFIG, error.range, message);
        }
    };
    // Puppet treats an empty file as version 3.
    let Some(mut root) = root.filter(|it| !it.is_null()) else {
        return;
    };
    symbols_to_names(&mut root);
    let mut config = ConfigChecker { checker };
    let Some(entries) = root.entries() else {
        let message = "expected a hash; Puppet falls back to the defaults of Hiera 3";
        return config.report(root.range, message);
    };
    let version = entries.iter().find(|it| it.key == "version");
    let number = version.and_then(|it| it.value.text());
    if let (Some(entry), Some("3" | "4" | "5")) = (version, number)
        && is_quoted(entry, text)
    {
        let message = "invalid version: expected an integer, found a quoted string";
        config.report(entry.value.range, message);
        if number != Some("5") {
            return;
        }
    }
    match Version::of(version, text) {
        Version::Number(5) => config.version5(&root, entries, owner),
        Version::Number(4) => config.version4(&root, entries, version),
        Version::Unknown => {}
        Version::Number(3) => {
            let at = version.map_or_else(
                || TextRange::at(root.range.start(), TextSize::new(0)),
                |it| it.key_range.cover(it.value.range),
            );
            config.version3(at, owner);
        }
        Version::Number(other) => {
            let message = format!("unsupported version {other}: expected 3, 4 or 5");
            config.report(version.map_or(root.range, |it| it.value.range), message);
        }
        Version::Wrong => {
            let message = "invalid version: expected the integer 3, 4 or 5";
            config.report(version.map_or(root.range, |it| it.value.range), message);
        }
    }
}

/// The version of the file.
enum Version {
    Number(i64),
    /// A value that Puppet rejects.
    Wrong,
    Unknown,
}

impl Version {
    fn of(version: Option<&Entry>, text: &str) -> Version {
        // The default is 3, even if the value is null or `false`.
        let Some(entry) = version else {
            return Version::Number(3);
        };
        let written = TextRange::new(entry.key_range.end(), entry.value.range.end());
        let written = text.get(Range::<usize>::from(written)).unwrap_or_default();
        match &entry.value.data {
            Data::Alias(_) => Version::Unknown,
            // A tag determines the type of the value.
            _ if written.contains('!') => Version::Unknown,
            Data::Scalar(Scalar::Null | Scalar::Boolean(false)) => Version::Number(3),
            Data::Scalar(Scalar::Integer(it)) => Version::Number(*it),
            Data::Scalar(Scalar::String(it)) if is_quoted(entry, text) && **it == *"5" => {
                Version::Number(5)
            }
            Data::Scalar(_) | Data::List(_) | Data::Map(_) => Version::Wrong,
        }
    }
}

fn is_quoted(entry: &Entry, text: &str) -> bool {
    let written = text.get(Range::<usize>::from(entry.value.range));
    written.is_some_and(|it| it.starts_with(['\'', '"']))
}

struct ConfigChecker<'a, 'b> {
    checker: &'a mut ProjectChecker<'b>,
}

impl ConfigChecker<'_, '_> {
    fn report(&mut self, range: TextRange, message: impl Into<String>) {
        self.checker.report(&INVALID_HIERA_CONFIG, range, message);
    }

    /// Reports a file of version 3, which is only valid in the global layer.
    fn version3(&mut self, at: TextRange, owner: Option<Owner>) {
        let place = match owner {
            Some(Owner::Module) => "a module",
            Some(Owner::Environment) => "an environment",
            None => return,
        };
        let (severity, verdict) = match self.checker.context.version {
            PuppetVersion::V7 => (Severity::Warning, "ignored"),
            PuppetVersion::V8 => (Severity::Error, "not supported"),
        };
        let message = format!("`hiera.yaml` version 3 is {verdict} in {place}");
        self.checker
            .report_as(&INVALID_HIERA_CONFIG, severity, at, message);
    }

    /// Checks a file of version 4, which Puppet reads with a warning.
    fn version4(&mut self, root: &Node, entries: &[Entry], version: Option<&Entry>) {
        let at = version.map_or(root.range, |it| it.key_range.cover(it.value.range));
        let message = "`hiera.yaml` version 4 is deprecated; convert it to version 5";
        let severity = Severity::Warning;
        self.checker
            .report_as(&INVALID_HIERA_CONFIG, severity, at, message);
        self.keys(entries, &version4::TOP, "`hiera.yaml` version 4");
        let levels = root.get("hierarchy").and_then(Node::elements);
        for level in levels.unwrap_or_default() {
            let Some(entries) = level.entries() else {
                continue;
            };
            self.keys(entries, &version4::LEVEL, "hierarchy level of version 4");
            for key in ["name", "backend"] {
                if level.get(key).is_none() {
                    let message = format!("missing key `{key}` in hierarchy level");
                    self.report(start_of(level), message);
                }
            }
            let backend = level.get("backend");
            if let Some((name, at)) = backend.and_then(|it| Some((it.string()?, it.range)))
                && !version4::BACKENDS.contains(&name)
            {
                let near = hint(similar(name, version4::BACKENDS));
                self.report(at, format!("unknown backend `{name}`{near}"));
            }
        }
        self.methods();
    }

    fn version5(&mut self, root: &Node, entries: &[Entry], owner: Option<Owner>) {
        self.keys(entries, &TOP, "`hiera.yaml`");
        let defaults = root.get("defaults");
        if let Some(entries) = defaults.and_then(Node::entries) {
            self.keys(entries, &DEFAULTS, "`defaults`");
            self.only_one(entries, &BACKENDS, "backend");
            for entry in entries
                .iter()
                .filter(|it| BACKENDS.contains(&it.key.as_str()))
            {
                self.function_name(entry);
            }
        }
        // Without `defaults`, Puppet uses its built-in backend.
        let usual = match defaults.map(|it| &it.data) {
            None | Some(Data::Scalar(Scalar::Null) | Data::Alias(_)) => true,
            Some(Data::Map(entries)) => entries
                .iter()
                .any(|it| BACKENDS.contains(&it.key.as_str()) || it.key == "<<"),
            Some(_) => true,
        };
        for entry in entries
            .iter()
            .filter(|it| HIERARCHIES.contains(&it.key.as_str()))
        {
            if entry.key == "default_hierarchy" && owner == Some(Owner::Environment) {
                self.report(
                    entry.key_range,
                    "`default_hierarchy` is only allowed in a module",
                );
            }
            self.hierarchy(entry, usual, defaults.filter(|it| !it.is_null()), owner);
        }
        self.methods();
        self.paths(owner);
        self.datadirs(owner);
    }

    fn hierarchy(
        &mut self,
        entry: &Entry,
        usual: bool,
        defaults: Option<&Node>,
        owner: Option<Owner>,
    ) {
        let levels = match &entry.value.data {
            Data::List(levels) => levels,
            Data::Scalar(Scalar::Null) | Data::Alias(_) => return,
            _ => {
                let message = format!("`{}` must be an array of hierarchy levels", entry.key);
                return self.report(entry.value.range, message);
            }
        };
        let mut names: FxHashMap<&str, TextRange> = FxHashMap::default();
        for level in levels {
            self.level(level, usual, defaults, owner);
            let name = level
                .get("name")
                .and_then(|it| Some((it.text()?, it.range)));
            if let Some((name, at)) = name
                && names.insert(name, at).is_some()
            {
                self.report(at, format!("duplicate hierarchy level `{name}`"));
            }
        }
    }

    fn level(&mut self, level: &Node, usual: bool, defaults: Option<&Node>, owner: Option<Owner>) {
        let entries = match &level.data {
            Data::Map(entries) => entries,
            Data::Alias(_) => return,
            _ => return self.report(level.range, "hierarchy level must be a hash with a `name`"),
        };
        // Merged keys are not resolved.
        if entries.iter().any(|it| it.key == "<<") {
            return;
        }
        self.keys(entries, &level_keys(), "hierarchy level");
        self.only_one(entries, &BACKENDS, "backend");
        self.only_one(entries, &LOCATIONS, "data location");
        let has = |names: &[&str]| entries.iter().any(|it| names.contains(&it.key.as_str()));
        if !has(&["name"]) {
            self.report(start_of(level), "missing key `name` in hierarchy level");
        }
        if !usual && !has(&BACKENDS) {
            let message = "missing backend: set `data_hash`, `lookup_key` or `data_dig` here or in `defaults`";
            self.report(start_of(level), message);
        }
        for entry in entries {
            self.value(entry, owner);
        }
        self.function(level, defaults);
    }

    /// Checks the function of a level, and the locations and options that it requires.
    fn function(&mut self, level: &Node, defaults: Option<&Node>) {
        let backend = |node: &Node| {
            let mut entries = node.entries().unwrap_or_default().iter();
            entries
                .find(|it| BACKENDS.contains(&it.key.as_str()))
                .cloned()
        };
        let own = backend(level);
        let inherited = defaults.map_or(Some(F::YamlData.name().to_owned()), |it| {
            Some(backend(it)?.value.string()?.to_owned())
        });
        if let Some(own) = &own {
            self.function_name(own);
        }
        let name = own
            .as_ref()
            .map_or(inherited.as_deref(), |it| it.value.string());
        let Some((_, known)) = FUNCTIONS.iter().find(|it| Some(it.1.name()) == name) else {
            return;
        };
        let function = known.name();
        let has = |names: &[&str]| names.iter().any(|it| level.get(it).is_some());
        if !has(&LOCATIONS) || has(&["uri", "uris"]) {
            let message =
                format!("`{function}` needs a `path`, `paths`, `glob`, `globs` or `mapped_paths`");
            self.report(start_of(level), message);
        }
        let options = level.get("options").or_else(|| defaults?.get("options"));
        let has_options = options
            .and_then(Node::entries)
            .is_some_and(|it| !it.is_empty());
        if *known != F::EyamlLookupKey && has_options {
            let at = level.find_entry("options").map(|it| it.key_range);
            let message = format!("`{function}` does not accept options");
            self.report(at.unwrap_or(start_of(level)), message);
        }
    }

    /// Checks the name of a function against those of Puppet.
    fn function_name(&mut self, entry: &Entry) {
        let Some(name) = entry.value.string() else {
            return;
        };
        let range = entry.value.range;
        if let Some((kind, _)) = FUNCTIONS.iter().find(|it| it.1.name() == name) {
            if *kind != entry.key {
                let message = format!("`{name}` must be set as `{kind}`, found `{}`", entry.key);
                self.report(range, message);
            }
            return;
        }
        let around = self.checker.context;
        let functions = &around.functions;
        if let Some((module, _)) = name.split_once("::")
            && around.module(module).is_some()
            && !functions.is_empty()
            && !functions.contains(name)
        {
            let near = similar(name, functions.iter().map(String::as_str));
            let message = format!("unknown function `{name}`{}", hint(near));
            return self.report(range, message);
        }
        if functions.contains(name) {
            return;
        }
        let known = FUNCTIONS.iter().map(|it| it.1.name());
        let known = known.chain(functions.iter().map(String::as_str));
        if let Some(near) = similar(name, known).filter(|it| is_slip(name, it)) {
            let message = format!("unknown function `{name}`{}", hint(Some(near)));
            self.checker
                .report_as(&INVALID_HIERA_CONFIG, Severity::Warning, range, message);
        }
    }

    fn value(&mut self, entry: &Entry, owner: Option<Owner>) {
        let (key, at) = (entry.key.as_str(), entry.value.range);
        match &entry.value.data {
            Data::Alias(_) => {}
            Data::Scalar(Scalar::Null) if level_keys().contains(&key) => {
                self.report(entry.key_range, format!("missing value for `{key}`"));
            }
            Data::List(all) if LISTS.contains(&key) => {
                if key == "mapped_paths" && all.len() != 3 {
                    let message =
                        "`mapped_paths` expects 3 elements: a variable, a name and a path template";
                    self.report(at, message);
                } else if all.is_empty() {
                    self.report(at, format!("`{key}` must not be empty"));
                }
            }
            _ if LISTS.contains(&key) => self.report(at, format!("`{key}` must be an array")),
            Data::Map(options) if key == "options" => {
                let reserved = options
                    .iter()
                    .filter(|it| matches!(it.key.as_str(), "path" | "uri"));
                for option in reserved {
                    let message = format!("option `{}` is reserved by Hiera", option.key);
                    self.report(option.key_range, message);
                }
                for option in options.iter().filter(|it| !is_option_name(&it.key)) {
                    let message = format!(
                        "invalid option `{}`: a name starts with a letter, and contains letters, \
                         digits, `_` and `-`",
                        option.key
                    );
                    self.report(option.key_range, message);
                }
            }
            _ if key == "options" => self.report(at, "`options` must be a hash"),
            Data::Scalar(Scalar::Integer(_) | Scalar::Float(_) | Scalar::Boolean(_))
                if level_keys().contains(&key) =>
            {
                self.report(at, format!("`{key}` must be a string"));
            }
            Data::List(_) | Data::Map(_) if level_keys().contains(&key) => {
                self.report(at, format!("`{key}` must be a string"));
            }
            Data::Scalar(Scalar::String(name))
                if key == "hiera3_backend" && matches!(&**name, "yaml" | "json" | "hocon") =>
            {
                let message =
                    format!("`hiera3_backend: {name}` is replaced by `data_hash: {name}_data`");
                self.report(entry.key_range, message);
            }
            _ if key == "hiera3_backend" && owner.is_some() => {
                let message = "`hiera3_backend` is only allowed in the global layer";
                self.report(entry.key_range, message);
            }
            _ => {}
        }
    }

    /// Reports methods in interpolations.
    fn methods(&mut self) {
        for (content, range) in self.checker.hiera_interpolations() {
            let is_method = match &content {
                Content::Method(..) => true,
                Content::Variable(name) => name
                    .split_once('(')
                    .is_some_and(|(method, _)| Method::of_name(method.trim()).is_some()),
            };
            if is_method {
                self.report(range, "`hiera.yaml` can only interpolate variables");
            }
        }
    }

    /// Reports paths that match no file, while files of a similar name exist that no level reads.
    fn paths(&mut self, owner: Option<Owner>) {
        for (range, path, near) in self.checker.misspelled_hiera_paths(owner) {
            let message = format!("no file matches `{path}`; did you mean `{near}`?");
            let severity = Severity::Warning;
            self.checker
                .report_as(&INVALID_HIERA_CONFIG, severity, range, message);
        }
    }

    /// Reports folders of data that do not exist, while a similar one does.
    fn datadirs(&mut self, owner: Option<Owner>) {
        for (range, folder, near) in self.checker.misspelled_datadirs(owner) {
            let message = format!("directory `{folder}` not found; did you mean `{near}`?");
            let severity = Severity::Warning;
            self.checker
                .report_as(&INVALID_HIERA_CONFIG, severity, range, message);
        }
    }

    fn keys(&mut self, entries: &[Entry], known: &[&str], what: &str) {
        for entry in entries {
            let key = entry.key.as_str();
            // Puppet also accepts symbols.
            let name = key.strip_prefix(':').unwrap_or(key);
            if !known.contains(&name) && name != "<<" {
                let near = hint(similar(key, known.iter().copied()));
                let message = format!("unknown key `{key}` in {what}{near}");
                self.report(entry.key_range, message);
            }
        }
    }

    fn only_one(&mut self, entries: &[Entry], names: &[&str], what: &str) {
        let mut found = entries.iter().filter(|it| names.contains(&it.key.as_str()));
        let (Some(first), Some(second)) = (found.next(), found.next()) else {
            return;
        };
        let message = format!(
            "only one {what} is allowed, found `{}` and `{}`",
            first.key, second.key
        );
        self.report(second.key_range, message);
    }
}

/// Returns the keys of a hierarchy level.
fn level_keys() -> Vec<&'static str> {
    [&OTHERS[..], &BACKENDS, &LOCATIONS].concat()
}

/// Returns the range of the first key of a hierarchy level.
fn start_of(level: &Node) -> TextRange {
    let first = level.entries().and_then(<[Entry]>::first);
    first.map_or(level.range, |it| it.key_range)
}

#[cfg(test)]
mod tests {
    use crate::project::{self, Owner, ProjectContext, ProjectFile};
    use crate::testing::project_messages as messages;

    #[test]
    fn hiera_configs_depend_on_their_owner() {
        let old = "---\n:backends: [yaml]\n";
        assert_eq!(messages(ProjectFile::Hiera, old, None), [""; 0]);
        for owner in [Owner::Module, Owner::Environment] {
            assert_eq!(messages(ProjectFile::Hiera, old, Some(owner)).len(), 1);
        }
        let text = "version: 5\ndefault_hierarchy: []\n";
        assert_eq!(
            messages(ProjectFile::Hiera, text, Some(Owner::Module)),
            [""; 0]
        );
        assert_eq!(
            messages(ProjectFile::Hiera, text, Some(Owner::Environment)).len(),
            1
        );
    }

    #[test]
    fn a_quoted_version_is_not_a_number() {
        for version in ["\"5\"", "'5'", "'4'", "\"3\""] {
            for owner in [None, Some(Owner::Module), Some(Owner::Environment)] {
                let text = format!("version: {version}\nhierarchy: []\n");
                let found = messages(ProjectFile::Hiera, &text, owner);
                assert_eq!(found.len(), 1, "{text}: {found:?}");
                assert!(found[0].contains("a quoted string"), "{found:?}");
            }
        }
        // The rest of the file is checked nevertheless.
        let text = "version: '5'\nhierachy: []\n";
        assert_eq!(messages(ProjectFile::Hiera, text, None).len(), 2);
        let text = "version: &v 5\nhierarchy: []\n";
        assert_eq!(messages(ProjectFile::Hiera, text, None), [""; 0]);
    }

    /// Verified with Puppet 7.23: the version must be an integer; null and `false` mean 3.
    #[test]
    fn a_version_is_an_integer() {
        let of = |version: &str| {
            let text = format!("version: {version}\nhierachy: []\n");
            messages(ProjectFile::Hiera, &text, Some(Owner::Module)).concat()
        };
        for wrong in [
            "5.0", "true", "on", "[5]", "{}", "5.5", "4.2", "3.0", "abc", "5abc", "5e0", "''",
            "'abc'", "'0x5'",
        ] {
            assert!(of(wrong).contains("the integer"), "{wrong}: {}", of(wrong));
        }
        for fifth in ["5", "0x5", "005", "+5", "0_5", "0b101", "&x 5"] {
            assert!(of(fifth).contains("hierachy"), "{fifth}: {}", of(fifth));
        }
        for third in ["3", "null", "~", "", "false", "Off"] {
            assert!(of(third).contains("version 3"), "{third}: {}", of(third));
        }
        for other in ["6", "2", "0x10"] {
            assert!(
                of(other).contains("unsupported version"),
                "{other}: {}",
                of(other)
            );
        }
        for unsaid in ["!!int 5", "!!float 5"] {
            assert_eq!(of(unsaid), "", "{unsaid}");
        }
    }

    /// Verified with Puppet 7.23.
    #[test]
    fn checks_files_of_version_4() {
        let of = |rest: &str| {
            let text = format!("version: 4\n{rest}");
            messages(ProjectFile::Hiera, &text, Some(Owner::Environment))
        };
        let deprecated = "`hiera.yaml` version 4 is deprecated; convert it to version 5";
        assert_eq!(of(""), [deprecated]);
        let right = "hierarchy:\n- {name: a, backend: yaml, paths: [b], datadir: c}\n";
        assert_eq!(of(right), [deprecated]);
        assert_eq!(
            of("hierarchy:\n- {name: a, backend: yml, glob: b}\n- {path: x, backend: json}\n"),
            [
                deprecated,
                "unknown backend `yml`; did you mean `yaml`?",
                "unknown key `glob` in hierarchy level of version 4",
                "missing key `name` in hierarchy level"
            ]
        );
    }

    /// The messages about levels, each in the syntax of a flow map.
    fn of_levels(levels: &[&str], files: &[&str]) -> Vec<String> {
        let levels: Vec<String> = levels.iter().map(|it| format!("- {{{it}}}\n")).collect();
        let text = format!("version: 5\nhierarchy:\n{}", levels.concat());
        let around = ProjectContext {
            owner: Some(Owner::Environment),
            data_files: files.iter().map(|it| format!("data/{it}")).collect(),
            ..ProjectContext::default()
        };
        let found = project::check(ProjectFile::Hiera, &text, &around);
        found.into_iter().map(|it| it.message).collect()
    }

    /// Verified with Puppet 7.23.
    #[test]
    fn reports_functions_that_do_not_fit() {
        let of =
            |level: &str| of_levels(&[&format!("name: a, path: b.yaml, {level}")], &[]).join("; ");
        assert_eq!(of("options: {a: 1}"), "`yaml_data` does not accept options");
        assert_eq!(
            of("lookup_key: yaml_data"),
            "`yaml_data` must be set as `data_hash`, found `lookup_key`"
        );
        assert_eq!(
            of("data_hash: yml_data"),
            "unknown function `yml_data`; did you mean `yaml_data`?"
        );
        assert!(
            of("lookup_key: eyaml_lookup_key, options: {1a: 1}").contains("invalid option `1a`")
        );
        for right in [
            "lookup_key: eyaml_lookup_key, options: {pkcs7_private_key: /k, a: 1}",
            "data_hash: mine::data, options: {a: 1}",
            "lookup_key: hiera_vault",
        ] {
            assert_eq!(of(right), "", "{right}");
        }
        assert_eq!(
            of_levels(&["name: a"], &[]),
            ["`yaml_data` needs a `path`, `paths`, `glob`, `globs` or `mapped_paths`"]
        );
    }

    #[test]
    fn reports_methods_in_interpolations() {
        let of = |path: &str| {
            of_levels(
                &[&format!(
                    "name: \"%{{lookup('x')}}\", path: \"{path}.yaml\""
                )],
                &[],
            )
        };
        for wrong in ["%{lookup('x')}", "%{scope('x')}", "%{lookup(x)}"] {
            assert_eq!(
                of(wrong),
                ["`hiera.yaml` can only interpolate variables"],
                "{wrong}"
            );
        }
        assert_eq!(of("%{facts.role}"), [""; 0]);
        assert_eq!(
            of("%{::osfamily} %{facts.os.famly}"),
            [
                "`osfamily` is a legacy fact, which Puppet 8 omits by default; use `%{facts.os.family}` instead",
                "no key `famly` in fact `os`; did you mean `family`?"
            ]
        );
    }

    #[test]
    fn reports_misspelled_paths() {
        let files = ["common.yaml", "nodes/a.yaml", "other/x.yaml"];
        let of = |path: &str| of_levels(&[&format!("name: a, path: \"{path}\"")], &files);
        let near = |path: &str, near: &str| {
            let message = format!("no file matches `{path}`; did you mean `{near}`?");
            assert_eq!(of(path), [message]);
        };
        near("common", "common.yaml");
        near("common.yml", "common.yaml");
        near("comon.yaml", "common.yaml");
        near(
            "nodes/%{trusted.certname}",
            "nodes/%{trusted.certname}.yaml",
        );
        near(
            "node/%{trusted.certname}.yaml",
            "nodes/%{trusted.certname}.yaml",
        );
        for right in [
            "common.yaml",
            "secret.yaml",
            "nodes/%{x}.yaml",
            "roles/%{x}.yaml",
            "%{x}.yaml",
        ] {
            assert_eq!(of(right), [""; 0], "{right}");
        }
        let both = ["name: a, path: comon.yaml", "name: b, path: common.yaml"];
        assert_eq!(of_levels(&both, &files), [""; 0]);
    }

    #[test]
    fn symbols_are_accepted_as_keys() {
        let text = ":version: 5\n:hierarchy:\n- :name: a\n  :path: b\n";
        assert_eq!(messages(ProjectFile::Hiera, text, None), [""; 0]);
    }

    #[test]
    fn reports_mistakes_with_a_suggestion() {
        let text = "version: 5\nhierachy: []\n";
        assert_eq!(
            messages(ProjectFile::Hiera, text, None),
            ["unknown key `hierachy` in `hiera.yaml`; did you mean `hierarchy`?"]
        );
    }

    #[test]
    fn ignores_unknown_content() {
        for text in ["", "# only a comment\n", "---\n"] {
            assert_eq!(messages(ProjectFile::Hiera, text, None), [""; 0], "{text}");
        }
        let merged = "x: &x {name: a}\nversion: 5\nhierarchy:\n- <<: *x\n  path: b\n- *x\n";
        let found = messages(ProjectFile::Hiera, merged, None);
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
