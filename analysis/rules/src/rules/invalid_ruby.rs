use base::suggest::{hint, is_slip, similar};
use hir::resolve;
use library::ruby::{
    FunctionFile, FunctionProblem, FunctionProblemKind, RubySyntaxErrorKind, file_syntax_error,
    function_file,
};
use salsa::Database;
use syntax::ast::{AstNode, QualifiedReference};
use syntax::{Severity, TextRange, TextSize};
use types::DATA_TYPES;

use crate::assets::{AssetChecker, AssetKind};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports Ruby files of a module that Puppet cannot load.
    ///
    /// ## What it does
    ///
    /// Examines the files in `lib` of a module:
    ///
    /// * Syntax errors: blocks, brackets, strings and block parameters that are never closed, an `end` or a bracket too
    ///   many, a missing comma.
    /// * Functions in `lib/puppet/functions` with another name than their file, and a misspelled `create_function`.
    /// * Dispatches to methods that do not exist or that do not accept their arguments, parameters in an order that
    ///   Puppet rejects, and misspelled calls in `dispatch`.
    /// * Data types of parameters that do not exist or cannot be parsed.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails where a function or type is used, with an error at the call. A fact that cannot be loaded is
    /// missing on all nodes.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   notice(example::double(2))
    /// }
    /// # file: lib/puppet/functions/example/double.rb
    /// Puppet::Functions.create_function(:'example::double') do
    ///   dispatch :double do # <-
    ///     param 'Intger', :number # <-
    ///   end
    ///
    ///   def twice(number)
    ///     number * 2
    ///   end
    /// end
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   notice(example::double(2))
    /// }
    /// # file: lib/puppet/functions/example/double.rb
    /// Puppet::Functions.create_function(:'example::double') do
    ///   dispatch :double do
    ///     param 'Integer', :number
    ///   end
    ///
    ///   def double(number)
    ///     number * 2
    ///   end
    /// end
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Syntax errors that no single change repairs: their place is unknown.
    /// * Methods of functions that include modules or define methods in other ways.
    ///
    /// A method that rejects only some of the calls that its dispatch accepts is a warning.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended code is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-ruby]` at the end of the line, or on a line of its own above it. To turn the rule
    /// off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-ruby = "off"
    /// ```
    pub(crate) static INVALID_RUBY = {
        code: "invalid-ruby",
        severity: Error,
        since: "0.3.0",
        checks: [Check::Asset(AssetKind::Ruby, check)],
    }
}

/// The folder of functions of the 4.x API.
const FUNCTIONS: &str = "lib/puppet/functions/";

fn check(checker: &mut AssetChecker<'_>) {
    let text = checker.file.text(checker.db).as_deref().unwrap_or_default();
    if let Some(found) = file_syntax_error(text) {
        let message = match &found.kind {
            RubySyntaxErrorKind::Unclosed(word) => format!("unclosed `{word}`"),
            RubySyntaxErrorKind::Unexpected(word) => format!("unexpected `{word}`"),
            RubySyntaxErrorKind::MissingComma => "missing `,`".to_owned(),
        };
        let without_do = match &found.kind {
            RubySyntaxErrorKind::Unexpected(word) if &**word == "end" => dispatch_without_do(text),
            _ => None,
        };
        return match without_do {
            Some(range) => report(checker, range, "missing `do` after `dispatch`"),
            None => report(checker, found.range, message),
        };
    }
    check_creation(checker, text);
    if !text.contains(CREATE_FUNCTION) {
        return;
    }
    let file = function_file(text);
    check_name(checker, &file);
    for problem in &file.problems {
        check_problem(checker, problem);
    }
    for (type_, range) in &file.types {
        check_type(checker, &file, type_, *range);
    }
}

/// The method of `Puppet::Functions` that defines a function.
const CREATE_FUNCTION: &str = "create_function";

/// Reports a misspelled `create_function` at the start of a function.
fn check_creation(checker: &mut AssetChecker<'_>, text: &str) {
    let files = checker.module.files(checker.db).iter();
    let mut paths = files.filter(|it| *it.1 == checker.file).map(|it| it.0);
    if !paths.any(|it| it.starts_with(FUNCTIONS)) {
        return;
    }
    for (start, line) in lines(text) {
        let Some(method) = line.strip_prefix("Puppet::Functions.") else {
            continue;
        };
        let length = method.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let name = &method[..length.unwrap_or(method.len())];
        if name != CREATE_FUNCTION && is_slip(name, CREATE_FUNCTION) {
            let at = start + line.len() - method.len();
            let message = format!("unknown method `{name}`{}", hint(Some(CREATE_FUNCTION)));
            report(checker, range_of(at, name), message);
        }
    }
}

/// Returns the `dispatch :name` that lacks its `do`, if there is only one.
fn dispatch_without_do(text: &str) -> Option<TextRange> {
    let without_do = |line: &str| {
        let name = line.trim().strip_prefix("dispatch")?.trim_start();
        let name = name.trim_start_matches('(').strip_prefix(':')?;
        let rest = name.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || it == '_');
        matches!(rest, "" | ")").then(|| line.trim().to_owned())
    };
    let mut found = lines(text).filter_map(|(start, line)| {
        let written = without_do(line)?;
        let indent = line.len() - line.trim_start().len();
        Some(range_of(start + indent, &written))
    });
    found.next().filter(|_| found.next().is_none())
}

/// Returns the lines of Ruby code with the offsets of their starts, except for comments.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end()))
    });
    lines.filter(|it| !it.1.trim_start().starts_with('#'))
}

fn range_of(start: usize, text: &str) -> TextRange {
    TextRange::at(TextSize::new(start as u32), TextSize::of(text))
}

fn report(checker: &mut AssetChecker<'_>, range: TextRange, message: impl Into<String>) {
    checker.report(&INVALID_RUBY, range, message);
}

/// Reports a function that is not the one that Puppet looks for in its file.
fn check_name(checker: &mut AssetChecker<'_>, file: &FunctionFile) {
    let files = checker.module.files(checker.db).iter();
    let mut paths = files.filter(|it| *it.1 == checker.file).map(|it| it.0);
    let path = paths.find_map(|it| it.strip_prefix(FUNCTIONS)?.strip_suffix(".rb"));
    let (Some(path), [(name, range)]) = (path, file.names.as_slice()) else {
        return;
    };
    let expected = path.replace('/', "::");
    if *name != expected {
        let message = format!("expected function `{expected}` in this file, found `{name}`");
        report(checker, *range, message);
    }
}

fn check_problem(checker: &mut AssetChecker<'_>, problem: &FunctionProblem) {
    let message = match &problem.kind {
        FunctionProblemKind::MissingMethod(name) => format!("no method `{name}` in this function"),
        FunctionProblemKind::UnknownCall(name, known) => {
            let Some(similar) = similar(name, known.iter().copied()) else {
                return;
            };
            format!("unknown method `{name}`{}", hint(Some(similar)))
        }
        FunctionProblemKind::RequiredAfterOptional => {
            "required parameter after an optional one".to_owned()
        }
        FunctionProblemKind::AfterRepeated => "parameter after a repeated one".to_owned(),
        FunctionProblemKind::ArgumentCount { method, always } => {
            return report_argument_count(checker, problem.range, method, *always);
        }
    };
    report(checker, problem.range, message);
}

fn report_argument_count(
    checker: &mut AssetChecker<'_>,
    range: TextRange,
    method: &str,
    always: bool,
) {
    if always {
        let message = format!("method `{method}` does not accept the arguments of its dispatch");
        return report(checker, range, message);
    }
    let message = format!("method `{method}` rejects some calls that its dispatch accepts");
    checker.report_as(&INVALID_RUBY, Severity::Warning, range, message);
}

/// Reports a data type that cannot be parsed, and the names in it that are unknown.
fn check_type(checker: &mut AssetChecker<'_>, file: &FunctionFile, type_: &str, range: TextRange) {
    let parse = syntax::parse(type_, syntax::Dialect::default());
    if let Some(error) = parse.errors().first() {
        let message = format!("invalid data type: {}", error.message);
        return report(checker, range, message);
    }
    let names = parse.tree().syntax().descendants();
    for name in names.filter_map(QualifiedReference::cast) {
        let text = name.text();
        if !file.local_types.contains(&text) {
            let name_range = name.syntax().text_range() + range.start();
            check_type_name(checker, &text, name_range);
        }
    }
}

fn check_type_name(checker: &mut AssetChecker<'_>, name: &str, range: TextRange) {
    let (db, environment): (&dyn Database, _) = (checker.db, checker.environment);
    let Err(missing) = resolve::type_name(db, Some(environment), name) else {
        return;
    };
    let meant = DATA_TYPES.into_iter().find(|it| is_slip(name, it));
    let is_unknown = meant.is_some()
        || resolve::is_certainly_unknown(db, environment, Some(checker.module), &missing);
    if is_unknown {
        report(
            checker,
            range,
            format!("unknown type `{name}`{}", hint(meant)),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::asset_findings;

    /// Returns the severities and messages of a function `m::f`, which is in its file.
    fn messages(body: &str) -> Vec<String> {
        messages_of(
            "puppet/functions/m/f.rb",
            &format!("Puppet::Functions.create_function(:'m::f') do\n{body}\nend\n"),
        )
    }

    fn messages_of(path: &str, text: &str) -> Vec<String> {
        let code = "class m { }";
        let source =
            format!("//- modules/m/manifests/init.pp\n{code}\n//- modules/m/lib/{path}\n{text}");
        let found = asset_findings(&source).into_iter();
        found.map(|it| it.message).collect()
    }

    #[test]
    fn reports_what_puppet_cannot_load() {
        for (body, expected) in [
            (
                "dispatch :f do\nend\ndef g() end",
                "no method `f` in this function",
            ),
            (
                "dispatch :f do\nrequire_param 'Any', :a\nend\ndef f(a) end",
                "unknown method `require_param`; did you mean `required_param`?",
            ),
            (
                "dispatch :f do\nparam 'Hahs', :a\nend\ndef f(a) end",
                "unknown type `Hahs`; did you mean `Hash`?",
            ),
            (
                "dispatch :f do\nparam 'Any', :a\nend\ndef f(a, b) end",
                "method `f` does not accept the arguments of its dispatch",
            ),
            (
                "dispatch :f do\noptional_param 'Any', :a\nend\ndef f(a) end",
                "method `f` rejects some calls that its dispatch accepts",
            ),
            (
                "dispatch :f do\noptional_param 'Any', :a\nparam 'Any', :b\nend\ndef f(*a) end",
                "required parameter after an optional one",
            ),
            (
                "dispatch :f do\nparam 'Any, :a\nend\ndef f(a) end",
                "unclosed `'`",
            ),
        ] {
            assert_eq!(messages(body), [expected], "{body}");
        }
        let found = messages("dispatch :f do\nparam 'Array[', :a\nend\ndef f(a) end");
        assert!(found[0].starts_with("invalid data type: "), "{found:?}");
    }

    #[test]
    fn reports_functions_in_the_wrong_file_and_other_files() {
        let function = "Puppet::Functions.create_function(:'m::g') do\ndef g(a) end\nend\n";
        assert_eq!(
            messages_of("puppet/functions/m/f.rb", function),
            ["expected function `m::f` in this file, found `m::g`"]
        );
        let fact = "Facter.add('a') do\n  setcode do\n    'x'\nend\n";
        assert_eq!(messages_of("facter/a.rb", fact), ["unclosed `do`"]);
    }

    #[test]
    fn accepts_correct_files() {
        for body in [
            "dispatch :f do\nparam 'Array[Integer]', :a\nend\ndef f(a) end",
            "dispatch :f do\nparam 'Optional[Resource]', :a\nend\ndef f(a) end",
            "local_types do\ntype 'Own = Integer'\nend\ndispatch :f do\nparam 'Own', :a\nend\ndef f(a) end",
            "def f(a, b = 1) end",
        ] {
            assert_eq!(messages(body), [""; 0], "{body}");
        }
        assert_eq!(messages_of("facter/a.rb", "Facter.add('a') { }\n"), [""; 0]);
        let ignored = "# pupil: ignore[invalid-ruby]\nPuppet::Functions.create_function(:'m::g') do\ndef g(a) end\nend\n";
        assert_eq!(messages_of("puppet/functions/m/f.rb", ignored), [""; 0]);
    }

    #[test]
    fn reports_misspelled_starts_of_functions_and_dispatches() {
        let function = |text: &str| messages_of("puppet/functions/m/f.rb", text);
        assert_eq!(
            function("Puppet::Functions.create_functions(:'m::f') do\nend\n"),
            ["unknown method `create_functions`; did you mean `create_function`?"]
        );
        for right in [
            "Puppet::Functions.create_function(:'m::f') do\n  def f\n  end\nend\n",
            "Puppet::Functions.create_loaded_function(:f, l) do\nend\n",
            "# Puppet::Functions.create_functions(:f)\n",
        ] {
            assert_eq!(function(right), [""; 0], "{right}");
        }
        assert_eq!(
            messages("  dispatch :f\n    param 'String', :a\n  end\n  def f(a)\n    a\n  end"),
            ["missing `do` after `dispatch`"]
        );
    }
}
