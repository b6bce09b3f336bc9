use std::ops::ControlFlow;

use base::suggest::{hint, similar};
use hiera::document::{Entry, Node};
use infer::PARAMETER_TYPE;
use rustc_hash::FxHashMap;
use syntax::{Severity, TextRange, TextSize};

use super::invalid_task::invalid_type;
use crate::assets::{AssetChecker, AssetKind};
use crate::rule::{Check, Rule, declare_rule};
use crate::yaml_plan::{RETURN, YamlPlan};

declare_rule! {
    /// Reports mistakes in plans that are written in YAML.
    ///
    /// ## What it does
    ///
    /// Checks `plans/*.yaml` as Bolt does when it loads the plan: the keys of the plan, of its parameters and of its
    /// steps, the names of steps, the types of parameters, and the syntax of code. `unknown-plan`,
    /// `unknown-parameter`, `missing-parameter` and `unknown-variable` check the names in steps.
    ///
    /// ## Why it matters
    ///
    /// Bolt rejects the plan.
    ///
    /// ## Example
    ///
    /// ```yaml wrong
    /// parameters:
    ///   targets:
    ///     type: TargetSpec
    /// steps:
    ///   - comand: uptime # <-
    ///     targets: $targets
    ///   - script: example/check.sh # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```yaml right
    /// parameters:
    ///   targets:
    ///     type: TargetSpec
    /// steps:
    ///   - command: uptime
    ///     targets: $targets
    ///   - script: example/check.sh
    ///     targets: $targets
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Types of parameters that only other modules define.
    /// * The resources of a `resources` step.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended plan is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-plan]` at the end of the line, or on a line of its own above it.
    /// To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-plan = "off"
    /// ```
    pub(crate) static INVALID_PLAN = {
        code: "invalid-plan",
        severity: Error,
        since: "0.3.0",
        checks: [Check::Asset(AssetKind::YamlPlan, check)],
    }
}

/// The keys of a plan.
const PLAN_KEYS: [&str; 6] = [
    "description",
    "parameters",
    "private",
    RETURN,
    "steps",
    "version",
];

/// The keys of a parameter.
const PARAMETER_KEYS: [&str; 3] = ["default", "description", PARAMETER_TYPE];

/// The keys of every step.
const COMMON_KEYS: [&str; 3] = ["description", "name", "targets"];

/// A kind of step, named by its key.
struct Action {
    key: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
}

const ACTIONS: [Action; 10] = [
    Action {
        key: "command",
        required: &["targets"],
        optional: &["catch_errors", "env_vars", "run_as"],
    },
    Action {
        key: "download",
        required: &["destination", "targets"],
        optional: &["catch_errors", "run_as"],
    },
    Action {
        key: "eval",
        required: &[],
        optional: &[],
    },
    Action {
        key: "message",
        required: &[],
        optional: &[],
    },
    Action {
        key: "plan",
        required: &[],
        optional: &["catch_errors", "parameters", "run_as"],
    },
    Action {
        key: "resources",
        required: &["targets"],
        optional: &["catch_errors", "noop", "run_as"],
    },
    Action {
        key: "script",
        required: &["targets"],
        optional: &[
            "arguments",
            "catch_errors",
            "env_vars",
            "pwsh_params",
            "run_as",
        ],
    },
    Action {
        key: "task",
        required: &["targets"],
        optional: &["catch_errors", "noop", "parameters", "run_as"],
    },
    Action {
        key: "upload",
        required: &["destination", "targets"],
        optional: &["catch_errors", "run_as"],
    },
    Action {
        key: "verbose",
        required: &[],
        optional: &[],
    },
];

impl Action {
    fn keys(&self) -> impl Iterator<Item = &'static str> {
        let own = [self.key].into_iter().chain(COMMON_KEYS);
        let others = self.required.iter().chain(self.optional).copied();
        own.chain(others)
    }
}

fn check(checker: &mut AssetChecker<'_>) {
    let plan = checker.yaml_plan();
    let root = match &plan.root {
        Ok(Some(root)) => root,
        Ok(None) => return report(checker, start(), "a plan must have an array of `steps`"),
        Err(error) => {
            let message = format!("invalid YAML: {}", error.message);
            return report(checker, error.range, message);
        }
    };
    let Some(entries) = root.entries() else {
        return report(checker, root.range, "a plan must be a hash with `steps`");
    };
    check_keys(checker, entries, &PLAN_KEYS, "a plan");
    check_private(checker, root);
    check_parameters(checker, root);
    match root.get("steps") {
        Some(it) if it.elements().is_none() => {
            report(checker, it.range, "`steps` must be an array");
        }
        Some(_) => {}
        None if has_typo_of(entries, "steps") => {}
        None => report(checker, start(), "a plan must have an array of `steps`"),
    }
    check_names(checker, &plan);
    for step in plan.steps() {
        check_step(checker, &plan, step);
    }
    if let Some(value) = root.get(RETURN) {
        check_code(checker, &plan, value);
    }
}

fn report(checker: &mut AssetChecker<'_>, range: TextRange, message: impl Into<String>) {
    checker.report_as(&INVALID_PLAN, Severity::Error, range, message);
}

fn start() -> TextRange {
    TextRange::empty(TextSize::new(0))
}

fn has_typo_of(entries: &[Entry], key: &str) -> bool {
    let mut entries = entries.iter();
    entries.any(|it| similar(&it.key, PLAN_KEYS) == Some(key))
}

/// Reports the keys that a hash must not have.
fn check_keys(checker: &mut AssetChecker<'_>, entries: &[Entry], known: &[&str], of: &str) {
    for entry in entries {
        if !known.contains(&entry.key.as_str()) {
            let near = hint(similar(&entry.key, known.iter().copied()));
            let message = format!("unknown key `{}` of {of}{near}", entry.key);
            report(checker, entry.key_range, message);
        }
    }
}

fn check_private(checker: &mut AssetChecker<'_>, root: &Node) {
    use hiera::document::{Data, Scalar};
    let is_valid = |it: &&Node| matches!(it.data, Data::Scalar(Scalar::Boolean(_) | Scalar::Null));
    if let Some(it) = root.get("private").filter(|it| !is_valid(it)) {
        report(checker, it.range, "`private` must be a Boolean");
    }
}

fn check_parameters(checker: &mut AssetChecker<'_>, root: &Node) {
    let Some(parameters) = root.get("parameters") else {
        return;
    };
    let Some(entries) = parameters.entries() else {
        return report(checker, parameters.range, "`parameters` must be a hash");
    };
    for entry in entries {
        check_name(checker, &entry.key, entry.key_range, "parameter name");
        match entry.value.entries() {
            Some(declaration) => check_declaration(checker, declaration),
            None if entry.value.is_null() => {}
            None => {
                let message = format!("the declaration of `{}` must be a hash", entry.key);
                report(checker, entry.value.range, message);
            }
        }
    }
}

fn check_declaration(checker: &mut AssetChecker<'_>, declaration: &[Entry]) {
    check_keys(checker, declaration, &PARAMETER_KEYS, "a parameter");
    let type_ = declaration.iter().find(|it| it.key == PARAMETER_TYPE);
    let Some(type_) = type_.filter(|it| !it.value.is_null()) else {
        return;
    };
    let problem = match type_.value.string() {
        Some(text) => invalid_type(checker, text),
        None => Some("`type` must be a string".to_owned()),
    };
    if let Some(problem) = problem {
        report(checker, type_.value.range, problem);
    }
}

fn check_name(checker: &mut AssetChecker<'_>, name: &str, range: TextRange, of: &str) {
    let is_part = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
    let starts_as_name = name.starts_with(|it: char| it.is_ascii_lowercase() || it == '_');
    if !starts_as_name || !name.chars().all(is_part) {
        let message = format!("invalid {of} `{name}`: expected lowercase letters, digits and `_`");
        report(checker, range, message);
    }
}

/// Checks the names of steps, which become variables.
fn check_names(checker: &mut AssetChecker<'_>, plan: &YamlPlan) {
    let parameters = plan.parameters().iter();
    let mut known: FxHashMap<&str, &str> = parameters
        .map(|it| (it.key.as_str(), "a parameter"))
        .collect();
    for name in plan.steps().iter().filter_map(|it| it.get("name")) {
        let Some(text) = name.text() else {
            continue;
        };
        check_name(checker, text, name.range, "step name");
        if let Some(other) = known.insert(text, "an earlier step") {
            let message = format!("`{text}` is already the name of {other}");
            report(checker, name.range, message);
        }
    }
}

fn check_step(checker: &mut AssetChecker<'_>, plan: &YamlPlan, step: &Node) {
    let Some(entries) = step.entries() else {
        return report(checker, step.range, "a step must be a hash");
    };
    let ControlFlow::Continue((entry, action)) = action(checker, step, entries) else {
        return;
    };
    let known: Vec<&str> = action.keys().collect();
    check_keys(
        checker,
        entries,
        &known,
        &format!("a `{}` step", action.key),
    );
    for required in action.required {
        let is_given = entries.iter().any(|it| it.key == *required);
        let is_misspelled = entries
            .iter()
            .any(|it| similar(&it.key, known.iter().copied()) == Some(*required));
        if !is_given && !is_misspelled {
            let message = format!("missing key `{required}` of a `{}` step", action.key);
            report(checker, entry.key_range, message);
        }
    }
    check_kinds(checker, entries);
    for entry in entries.iter().filter(|it| it.key != "name") {
        check_code(checker, plan, &entry.value);
    }
}

/// Returns the only action of a step, with its entry.
fn action<'a>(
    checker: &mut AssetChecker<'_>,
    step: &Node,
    entries: &'a [Entry],
) -> ControlFlow<(), (&'a Entry, &'static Action)> {
    let find = |key: &str| ACTIONS.iter().find(|it| it.key == key);
    let mut all = entries.iter().filter_map(|it| Some((it, find(&it.key)?)));
    let Some(first) = all.next() else {
        let names = || ACTIONS.iter().map(|it| it.key);
        let mut misspelled = entries
            .iter()
            .filter_map(|it| Some((it, similar(&it.key, names())?)));
        match misspelled.next() {
            Some((entry, near)) => {
                let message = format!("unknown key `{}`{}", entry.key, hint(Some(near)));
                report(checker, entry.key_range, message);
            }
            None => {
                let listed: Vec<String> = names().map(|it| format!("`{it}`")).collect();
                let message = format!("step without an action: expected {}", listed.join(", "));
                let range = entries.first().map_or(step.range, |it| it.key_range);
                report(checker, range, message);
            }
        }
        return ControlFlow::Break(());
    };
    if let Some((other, second)) = all.next() {
        let (one, two) = (first.1.key, second.key);
        let message = format!("a step cannot have both `{one}` and `{two}`");
        report(checker, other.key_range, message);
        return ControlFlow::Break(());
    }
    ControlFlow::Continue(first)
}

/// Checks the kinds of values that Bolt does not compute.
fn check_kinds(checker: &mut AssetChecker<'_>, entries: &[Entry]) {
    for Entry { key, value, .. } in entries {
        let expected = match key.as_str() {
            "parameters" if value.entries().is_none() => "a hash",
            "pwsh_params" if value.entries().is_none() && !value.is_null() => "a hash",
            "arguments" if value.elements().is_none() && !value.is_null() => "an array",
            "env_vars" if value.entries().is_none() && value.string().is_none() => "a hash",
            _ => continue,
        };
        report(checker, value.range, format!("`{key}` must be {expected}"));
    }
}

/// Reports syntax errors in code.
fn check_code(checker: &mut AssetChecker<'_>, plan: &YamlPlan, value: &Node) {
    for code in plan.code(value).into_iter().filter(|it| it.is_plain()) {
        if let Some(error) = code.parse().errors().first() {
            // The code ends there, not the file.
            let message = error.message.replace("end of file", "the end");
            let message = format!("invalid code: {message}");
            report(checker, code.place(error.range), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::INVALID_PLAN;
    use crate::testing::reported_in_assets;

    /// Returns the diagnostics of a plan.
    fn found(plan: &str) -> Vec<String> {
        let files = format!("//- modules/m/manifests/init.pp\n//- modules/m/plans/p.yaml\n{plan}");
        reported_in_assets(&INVALID_PLAN, &files)
    }

    /// Returns the diagnostics of a step.
    fn in_step(step: &str) -> Vec<String> {
        found(&format!("steps:\n  - {}\n", step.replace('\n', "\n    ")))
    }

    #[test]
    fn accepts_plans_that_bolt_accepts() {
        for plan in [
            "steps: []",
            "description: a\nprivate: true\nversion: 1\nreturn: $a\nparameters:\n  a:\n    type: Optional[String]\n\
             \x20   default: x\n  b:\nsteps:\n  - message: hello\n",
            "parameters: { t: { type: TargetSpec } }\nsteps:\n  - name: out\n    command: hostname\n    targets: $t\n\
             \x20   env_vars: $t\n  - eval: |\n      $x = $out.map |$it| { $it }\n      $x\n",
            "steps:\n  - upload: m/a\n    destination: /b\n    targets: t\n  - plan: m::q\n    parameters: { a: \"${b\" }\n",
        ] {
            assert_eq!(found(plan), [""; 0], "{plan}");
        }
    }

    #[test]
    fn reports_keys_and_kinds_of_plans() {
        for (plan, expected) in [
            ("- a", "`- a`: a plan must be a hash with `steps`"),
            ("description: a", "``: a plan must have an array of `steps`"),
            (
                "stpes: []",
                "`stpes`: unknown key `stpes` of a plan; did you mean `steps`?",
            ),
            ("steps: {}", "`{}`: `steps` must be an array"),
            (
                "steps: []\nprivate: 'yes'",
                "`'yes'`: `private` must be a Boolean",
            ),
            (
                "steps: []\nparameters: []",
                "`[]`: `parameters` must be a hash",
            ),
            (
                "steps: []\nparameters: { A: }",
                "`A`: invalid parameter name `A`: expected lowercase letters, digits and `_`",
            ),
            (
                "steps: []\nparameters: { a: { typ: String } }",
                "`typ`: unknown key `typ` of a parameter; did you mean `type`?",
            ),
            (
                "steps: []\nparameters: { a: { type: string } }",
                "`string`: invalid type `string`; did you mean `String`?",
            ),
            (
                "steps: []\nparameters: { a: String }",
                "`String`: the declaration of `a` must be a hash",
            ),
        ] {
            assert_eq!(found(plan), [expected], "{plan}");
        }
    }

    #[test]
    fn reports_steps_that_bolt_rejects() {
        for (step, expected) in [
            ("hello", "`hello`: a step must be a hash"),
            (
                "comand: a",
                "`comand`: unknown key `comand`; did you mean `command`?",
            ),
            (
                "x: a",
                "`x`: step without an action: expected `command`, `download`, `eval`, `message`, `plan`, `resources`, \
                 `script`, `task`, `upload`, `verbose`",
            ),
            (
                "command: a\ntask: b\ntargets: c",
                "`task`: a step cannot have both `command` and `task`",
            ),
            (
                "command: a",
                "`command`: missing key `targets` of a `command` step",
            ),
            (
                "command: a\ntarget: b",
                "`target`: unknown key `target` of a `command` step; did you mean `targets`?",
            ),
            (
                "message: a\nparameters: {}",
                "`parameters`: unknown key `parameters` of a `message` step",
            ),
            (
                "task: a::b\ntargets: c\nparameters: []",
                "`[]`: `parameters` must be a hash",
            ),
            (
                "script: a/b\ntargets: c\narguments: d",
                "`d`: `arguments` must be an array",
            ),
            (
                "message: a\nname: B",
                "`B`: invalid step name `B`: expected lowercase letters, digits and `_`",
            ),
            (
                "eval: $a +",
                "``: invalid code: expected an expression after `+`, found the end",
            ),
        ] {
            assert_eq!(in_step(step), [expected], "{step}");
        }
    }

    #[test]
    fn reports_names_that_are_taken() {
        let plan = "parameters: { a: }\nsteps:\n  - { message: x, name: a }\n  - { message: x, name: b }\n\
                    \x20 - { message: x, name: b }\n";
        assert_eq!(
            found(plan),
            [
                "`a`: `a` is already the name of a parameter",
                "`b`: `b` is already the name of an earlier step",
            ]
        );
    }

    #[test]
    fn the_examples_of_the_page_have_the_marked_problems() {
        const MARK: &str = " # <-";
        let page = INVALID_PLAN.page();
        for (kind, expected) in [
            (
                "wrong",
                &[
                    "`comand`: unknown key `comand`; did you mean `command`?",
                    "`script`: missing key `targets` of a `script` step",
                ][..],
            ),
            ("right", &[]),
        ] {
            let (_, rest) = page.split_once(&format!("```yaml {kind}\n")).expect(kind);
            let (text, _) = rest.split_once("```").expect("the end of the block");
            assert_eq!(text.matches(MARK).count(), expected.len());
            assert_eq!(found(&text.replace(MARK, "")), expected);
        }
    }
}
