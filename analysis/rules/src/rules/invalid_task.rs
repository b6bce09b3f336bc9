use base::suggest::{hint, similar};
use hiera::document::{self, Data, Entry, Node};
use infer::{PARAMETER_TYPE, WorkspaceTypes};
use syntax::ast::{AstNode, Expr, QualifiedReference};
use syntax::{Dialect, Severity, TextRange, TextSize};
use types::reader::is_data_type;

use crate::assets::{AssetChecker, AssetKind};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports mistakes in the metadata of tasks.
    ///
    /// ## What it does
    ///
    /// Checks `tasks/*.json` for JSON syntax errors, misspelled keys, values of the wrong kind, names and types of
    /// parameters that are invalid, and for the files of the task: those in `implementations`, or the one with the
    /// name of the task.
    ///
    /// ## Why it matters
    ///
    /// Puppet and Bolt reject the task, or ignore the key.
    ///
    /// ## Example
    ///
    /// ```json wrong
    /// {
    ///   "description": "Restarts a service",
    ///   "input_methd": "stdin", # <-
    ///   "parameters": {
    ///     "service": { "type": "string" } # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```json right
    /// {
    ///   "description": "Restarts a service",
    ///   "input_method": "stdin",
    ///   "parameters": {
    ///     "service": { "type": "String[1]" }
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Custom keys, unless they look like a misspelling of a known one.
    /// * Types of other modules.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended metadata is unknown.
    ///
    /// ## Suppression
    ///
    /// JSON has no comments. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-task = "off"
    /// ```
    pub(crate) static INVALID_TASK = {
        code: "invalid-task",
        severity: Warning,
        since: "0.3.0",
        checks: [Check::Asset(AssetKind::TaskMetadata, check)],
    }
}

/// The keys of the metadata. From the schema of tasks of the Forge.
const KEYS: [&str; 11] = [
    "description",
    "extensions",
    "files",
    "implementations",
    "input_method",
    "moved_to",
    "parameters",
    "private",
    "puppet_task_version",
    "remote",
    "supports_noop",
];

/// The keys of a parameter.
const PARAMETER_KEYS: [&str; 5] = [
    "default",
    "description",
    "sensitive",
    PARAMETER_TYPE,
    "value",
];

const INPUT_METHODS: [&str; 4] = ["both", "environment", "powershell", "stdin"];

fn check(checker: &mut AssetChecker<'_>) {
    let text = checker.file.text(checker.db).as_deref().unwrap_or_default();
    if text.is_empty() {
        return;
    }
    let root = match document::json(text) {
        Ok(Some(root)) => root,
        Ok(None) => return report_error(checker, start(), "invalid JSON: the file is empty"),
        Err(error) => {
            let message = format!("invalid JSON: {}", error.message);
            return report_error(checker, error.range, message);
        }
    };
    let Some(entries) = root.entries() else {
        return report_error(checker, root.range, "expected a JSON object");
    };
    check_keys(checker, entries, &KEYS);
    check_input_method(checker, &root);
    check_files(checker, &root);
    for (name, declaration) in parameters(&root) {
        check_parameter(checker, name, declaration);
    }
}

/// Reports what Puppet rejects.
fn report_error(checker: &mut AssetChecker<'_>, range: TextRange, message: impl Into<String>) {
    checker.report_as(&INVALID_TASK, Severity::Error, range, message);
}

fn report(checker: &mut AssetChecker<'_>, range: TextRange, message: impl Into<String>) {
    checker.report(&INVALID_TASK, range, message);
}

fn start() -> TextRange {
    TextRange::empty(TextSize::new(0))
}

fn check_keys(checker: &mut AssetChecker<'_>, entries: &[Entry], known: &[&str]) {
    let unknown = entries
        .iter()
        .filter(|it| !known.contains(&it.key.as_str()));
    for entry in unknown {
        let near = similar(&entry.key, known.iter().copied());
        if near.is_some() {
            let message = format!("unknown key `{}`{}", entry.key, hint(near));
            report(checker, entry.key_range, message);
        }
    }
}

fn check_input_method(checker: &mut AssetChecker<'_>, root: &Node) {
    let Some(node) = root.get("input_method") else {
        return;
    };
    let method = node.string().unwrap_or_default();
    if !INPUT_METHODS.contains(&method) {
        let near = hint(similar(method, INPUT_METHODS));
        let message = format!("unknown input method `{method}`{near}");
        report(checker, node.range, message);
    }
}

/// Checks the files of the task. From `find_implementations` and `find_extra_files` in `module/task.rb`.
fn check_files(checker: &mut AssetChecker<'_>, root: &Node) {
    if let Some(files) = root.get("files").filter(|it| it.elements().is_none()) {
        report_error(checker, files.range, "`files` must be an array");
    }
    let Some(implementations) = root.get("implementations") else {
        return check_own_file(checker, root);
    };
    let Some(all) = implementations.elements() else {
        let message = "`implementations` must be an array";
        return report_error(checker, implementations.range, message);
    };
    for implementation in all {
        let requirements = implementation.get("requirements");
        if let Some(it) = requirements.filter(|it| it.elements().is_none() && !it.is_null()) {
            report_error(checker, it.range, "`requirements` must be an array");
        }
        let Some(name) = implementation.get("name") else {
            continue;
        };
        let text = name.string().unwrap_or_default();
        let path = format!("tasks/{text}");
        if !checker.module.files(checker.db).contains_key(&path) {
            let message = format!("file `{text}` not found in `tasks`");
            report_error(checker, name.range, message);
        }
    }
}

/// Checks that there is one file with the name of the task beside its metadata.
fn check_own_file(checker: &mut AssetChecker<'_>, root: &Node) {
    let files = checker.module.files(checker.db);
    let Some((path, _)) = files.iter().find(|it| *it.1 == checker.file) else {
        return;
    };
    let task = path.trim_end_matches(".json");
    let is_own = |it: &&String| {
        let stem = it.rsplit_once('.').map_or(it.as_str(), |it| it.0);
        stem == task
            && ![".json", ".md", ".conf"]
                .iter()
                .any(|end| it.ends_with(end))
    };
    let count = files.keys().filter(is_own).count();
    if count == 1 {
        return;
    }
    let name = task.trim_start_matches("tasks/");
    let brace = TextRange::at(root.range.start(), TextSize::new(1));
    let message = match count {
        0 => format!("no file for task `{name}` in `tasks`"),
        _ => format!("several files for task `{name}`: `implementations` must list them"),
    };
    report(checker, brace, message);
}

fn parameters(root: &Node) -> impl Iterator<Item = (&Entry, &[Entry])> {
    let all = root.get("parameters").and_then(Node::entries);
    let all = all.unwrap_or_default().iter();
    all.filter_map(|it| Some((it, it.value.entries()?)))
}

fn check_parameter(checker: &mut AssetChecker<'_>, name: &Entry, declaration: &[Entry]) {
    let is_name = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
    if !name.key.starts_with(|it: char| it.is_ascii_lowercase()) || !name.key.chars().all(is_name) {
        let message = format!(
            "invalid parameter name `{}`: expected lowercase letters, digits and `_`",
            name.key
        );
        report(checker, name.key_range, message);
    }
    check_keys(checker, declaration, &PARAMETER_KEYS);
    let Some(type_) = declaration.iter().find(|it| it.key == PARAMETER_TYPE) else {
        return;
    };
    let Data::Scalar(_) = &type_.value.data else {
        return;
    };
    let text = type_.value.string().unwrap_or_default();
    if let Some(problem) = invalid_type(checker, text) {
        report(checker, type_.value.range, problem);
    }
}

/// Returns why a string is not a type; `None` if it is one, or names that of another module.
pub(super) fn invalid_type(checker: &AssetChecker<'_>, text: &str) -> Option<String> {
    let parse = syntax::parse(text, Dialect::default());
    let root = parse.syntax();
    let is_type = |it: Expr| matches!(it, Expr::QualifiedReference(_) | Expr::AccessExpr(_));
    if !parse.errors().is_empty() || !root.children().find_map(Expr::cast).is_some_and(is_type) {
        let near = types::spelled_data_type(text);
        let near = near.map_or(String::new(), |it| format!("; did you mean `{it}`?"));
        return Some(format!("invalid type `{text}`{near}"));
    }
    let types = WorkspaceTypes::new(checker.db, Some(checker.environment));
    if types.read_text(text).is_some() {
        return None;
    }
    let names = root.descendants().filter_map(QualifiedReference::cast);
    let mut names = names.map(|it| it.text());
    names.find_map(|it| {
        let near = similar(&it, types::DATA_TYPES);
        (near.is_some() && !is_data_type(&it)).then(|| format!("unknown type `{it}`{}", hint(near)))
    })
}

#[cfg(test)]
mod tests {
    use base::Diagnostic;

    use super::INVALID_TASK;
    use crate::testing::asset_findings;

    fn found(metadata: &str, files: &[&str]) -> Vec<String> {
        let found = diagnostics(metadata, files).into_iter();
        found.map(|it| it.message).collect()
    }

    fn diagnostics(metadata: &str, files: &[&str]) -> Vec<Diagnostic> {
        let files = files
            .iter()
            .map(|it| format!("//- modules/m/tasks/{it}\nx\n"));
        let files: String = files.collect();
        let text = format!("{files}//- modules/m/tasks/t.json\n{metadata}");
        asset_findings(&text)
    }

    #[test]
    fn the_examples_of_the_page_have_the_marked_problems() {
        const MARK: &str = " # <-";
        let page = INVALID_TASK.page();
        for (kind, count) in [("wrong", 2), ("right", 0)] {
            let (_, rest) = page.split_once(&format!("```json {kind}\n")).expect(kind);
            let (text, _) = rest.split_once("```").expect("the end of the block");
            let marked = text.lines().enumerate().filter(|it| it.1.ends_with(MARK));
            let marked: Vec<usize> = marked.map(|it| it.0).collect();
            let text = text.replace(MARK, "");
            let line =
                |it: &Diagnostic| text[..usize::from(it.range.start())].matches('\n').count();
            let found: Vec<usize> = diagnostics(&text, &["t.sh"]).iter().map(line).collect();
            assert_eq!(found, marked);
            assert_eq!(found.len(), count);
        }
    }

    #[test]
    fn reports_metadata_that_puppet_rejects() {
        for (metadata, expected) in [
            ("[]", "expected a JSON object"),
            (r#"{ "files": "m/files/a" }"#, "`files` must be an array"),
            (
                r#"{ "implementations": {} }"#,
                "`implementations` must be an array",
            ),
            (
                r#"{ "implementations": [{ "name": "t.ps1" }] }"#,
                "file `t.ps1` not found in `tasks`",
            ),
            (
                r#"{ "implementations": [{ "name": "t.sh", "requirements": "shell" }] }"#,
                "`requirements` must be an array",
            ),
        ] {
            assert_eq!(found(metadata, &["t.sh"]), [expected], "{metadata}");
        }
        let broken = found(r#"{ "description": "x",, }"#, &["t.sh"]);
        assert!(broken[0].starts_with("invalid JSON: "), "{broken:?}");
        assert_eq!(found("{}", &["u.sh"]), ["no file for task `t` in `tasks`"]);
        assert_eq!(
            found("{}", &["t.sh", "t.rb"]),
            ["several files for task `t`: `implementations` must list them"]
        );
    }

    #[test]
    fn reports_misspelled_keys_and_types() {
        let metadata = r#"{ "suports_noop": true, "input_method": "stdn", "parameters": {
            "Name": { "typ": "String" }, "a": { "type": "string" }, "b": { "type": "Optional[Strng]" },
            "c": { "type": "Enum[a" } } }"#;
        assert_eq!(
            found(metadata, &["t.sh"]),
            [
                "unknown key `suports_noop`; did you mean `supports_noop`?",
                "unknown input method `stdn`; did you mean `stdin`?",
                "invalid parameter name `Name`: expected lowercase letters, digits and `_`",
                "unknown key `typ`; did you mean `type`?",
                "invalid type `string`; did you mean `String`?",
                "unknown type `Strng`; did you mean `String`?",
                "invalid type `Enum[a`",
            ]
        );
    }

    #[test]
    fn accepts_valid_metadata() {
        let metadata = r#"{ "description": "x", "x-custom": 1, "input_method": "both", "files": [],
            "implementations": [{ "name": "t.sh", "requirements": ["shell"] }, { "name": "t.ps1" }],
            "parameters": { "a": { "type": "Optional[Enum[start, stop]]", "default": null }, "b": {},
            "c": { "type": "TargetSpec" }, "d": { "type": "Other::Type[1]", "sensitive": true } } }"#;
        assert_eq!(found(metadata, &["t.sh", "t.ps1"]), [""; 0]);
        assert_eq!(found(r#"{ "description": "x" }"#, &["t", "t.md"]), [""; 0]);
    }
}
