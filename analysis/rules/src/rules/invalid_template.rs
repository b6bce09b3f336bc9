use base::FileInput;
use hir::body::{PathKind, Reference, ReferenceName};
use hir::resolve::Definition;
use library::KnownFunction;
use library::ruby::{ErbProblem, ErbProblemKind};
use syntax::{Severity, SyntaxKind, SyntaxNode};

use crate::assets::{AssetChecker, AssetKind};
use crate::checker::{Checker, Resolution};
use crate::erb_templates::{self, RubyTemplate, TemplateProblem, erb_template};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports syntax errors in ERB templates.
    ///
    /// ## What it does
    ///
    /// Finds blocks, brackets, strings and tags that are never closed, an `end`, `else` or `elsif` without its block,
    /// block parameters without `do`, and other code that Ruby cannot parse. `<%= … %>` must contain a complete
    /// expression, so a block such as `<% if @x %>` must not start with `<%=`.
    ///
    /// Checks the constant templates of `inline_template`. `pupil check` also checks the ERB templates of the workspace.
    ///
    /// Also reports code that Ruby accepts, but that loses text, as a warning:
    ///
    /// * A comment in `<% … %>` that hides the text after the tag, up to the next line of code. `<%# … %>` does not.
    /// * A tag at the end of the template that is never closed, whose code becomes part of the output.
    /// * EPP templates that `template` evaluates. In Ruby, `$name` is a global variable.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the template is rendered. The errors of Ruby name lines of the generated code.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Array[String] $hosts = [],
    /// ) {
    ///   notice(inline_template('<% @hosts.each do |host| %> <%= host %>')) # <-
    ///   notice(inline_template('<%= @hosts.each do |host| %> <%= host %> <% end %>')) # <-
    ///   notice(inline_template('<% @hosts.each |host| %> <%= host %><% end %>')) # <-
    ///   notice(inline_template('<%= @hosts.join(", ") # all hosts %>')) # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Array[String] $hosts = [],
    /// ) {
    ///   notice(inline_template('<% @hosts.each do |host| %> <%= host %><% end %>'))
    ///   notice(inline_template('<%= @hosts.join(", ") %><%# all hosts %>'))
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// Errors that depend on constructs whose ends are hard to find, such as heredocs, in the same template.
    ///
    /// ## Fix
    ///
    /// No fix is available: the correct place of the missing code is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `<%# pupil: ignore[invalid-template] %>` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-template = "off"
    /// ```
    pub(crate) static INVALID_TEMPLATE = {
        code: "invalid-template",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Reference(check_reference),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_inline_template),
            Check::Asset(AssetKind::Template, check_file),
        ],
    }
}

fn check_file(checker: &mut AssetChecker<'_>) {
    erb_templates::check_file(checker, &INVALID_TEMPLATE, problems);
}

fn check_inline_template(checker: &mut Checker<'_>, node: &SyntaxNode) {
    erb_templates::check_call(checker, node, &INVALID_TEMPLATE, problems);
}

fn problems(template: &RubyTemplate<'_>) -> Vec<TemplateProblem> {
    let found = template.names.problem.iter().map(|it| TemplateProblem {
        range: it.range,
        severity: severity(it),
        message: message(&it.kind),
        replacement: None,
    });
    found.collect()
}

fn severity(problem: &ErbProblem) -> Severity {
    match problem.is_rejected {
        true => INVALID_TEMPLATE.severity,
        false => Severity::Warning,
    }
}

fn message(kind: &ErbProblemKind) -> String {
    match kind {
        ErbProblemKind::UnclosedTag(word)
        | ErbProblemKind::Unclosed(word)
        | ErbProblemKind::UnclosedLiteral(word) => format!("unclosed `{word}`"),
        ErbProblemKind::UnclosedInOutput(word) => format!("unclosed `{word}` in `<%= … %>`"),
        ErbProblemKind::Unexpected(word) => format!("unexpected `{word}`"),
        ErbProblemKind::UnexpectedInOutput(word) => format!("unexpected `{word}` in `<%= … %>`"),
        ErbProblemKind::HidingComment => {
            "comment hides the code or text after the tag; use `<%# … %>` instead".to_owned()
        }
        ErbProblemKind::TextInCase => "unexpected text between `case` and `when`".to_owned(),
        ErbProblemKind::MissingDo => "missing `do` before block parameters".to_owned(),
        ErbProblemKind::Undef => "unexpected `undef`; did you mean `nil`?".to_owned(),
        ErbProblemKind::Other => "syntax error".to_owned(),
    }
}

/// Reports an EPP template that `template` evaluates as ERB.
fn check_reference(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let ReferenceName::Path(PathKind::Template, path) = &reference.name else {
        return;
    };
    let Ok(Definition::File(file)) = resolution else {
        return;
    };
    if !path.ends_with(".epp") {
        return;
    }
    if let Some(severity) = severity_of_epp(checker, *file) {
        let (ruby, epp) = (KnownFunction::Template.name(), KnownFunction::Epp.name());
        let message =
            format!("`{ruby}` expects ERB, but `{path}` is an EPP template; use `{epp}` instead");
        checker.report_as(&INVALID_TEMPLATE, severity, reference.range, message);
    }
}

/// Returns how wrong it is to evaluate a template as ERB; `None` if the result is the same.
fn severity_of_epp(checker: &Checker<'_>, file: FileInput) -> Option<Severity> {
    let names = erb_template(checker.db, file);
    match &names.problem {
        Some(problem) if problem.is_rejected => Some(INVALID_TEMPLATE.severity),
        _ => (!names.globals.is_empty()).then_some(Severity::Warning),
    }
}

#[cfg(test)]
mod tests {
    use syntax::Severity;

    use super::INVALID_TEMPLATE;
    use crate::testing::{reported, severities};

    #[test]
    fn reports_what_ruby_rejects() {
        for (template, expected) in [
            ("<% if @a %>x", "`if`: unclosed `if`"),
            ("<% if @a %><% end %><% end %>", "`end`: unexpected `end`"),
            (
                "<%= @a.each do |b| %><% end %>",
                "`do`: unclosed `do` in `<%= … %>`",
            ),
            (
                "<% if @a %><%= end %>",
                "`end`: unexpected `end` in `<%= … %>`",
            ),
            ("<%= @a > <%= @b %>", "`<%=`: unclosed `<%=`"),
            (
                "<% case @a %> <% when 1 %><% end %>",
                "`case`: unexpected text between `case` and `when`",
            ),
            (
                "<% if @a == undef %><% end %>",
                "`undef`: unexpected `undef`; did you mean `nil`?",
            ),
            ("<% @a.each do |b c| %><% end %>", "`c`: syntax error"),
        ] {
            let code = format!("class m ($a, $b) {{ notice(inline_template('{template}')) }}");
            assert_eq!(reported(&INVALID_TEMPLATE, &code), [expected], "{template}");
            assert_eq!(
                severities(&INVALID_TEMPLATE, &code),
                [Severity::Error],
                "{template}"
            );
        }
    }

    #[test]
    fn warns_of_lost_text() {
        for template in ["<% # a %> x <%= @b %>", "x <%= @a"] {
            let code = format!("class m ($a, $b) {{ notice(inline_template('{template}')) }}");
            assert_eq!(
                severities(&INVALID_TEMPLATE, &code),
                [Severity::Warning],
                "{template}"
            );
        }
    }

    #[test]
    fn accepts_correct_templates() {
        for template in [
            "<% if @a %><%= @b %><% end %>",
            "<%# if %> <%% if %>",
            "<%= @a.map { |b| b }.join %>",
            "${if}",
        ] {
            let code = format!("class m ($a, $b) {{ notice(inline_template('{template}')) }}");
            assert_eq!(reported(&INVALID_TEMPLATE, &code), [""; 0], "{template}");
        }
    }

    #[test]
    fn reports_epp_templates_that_are_evaluated_as_erb() {
        let code = |template: &str| {
            format!(
                "//- modules/m/manifests/init.pp\nclass m ($a) {{ notice(template('m/a.epp')) }}\n\
                 //- modules/m/templates/a.epp\n{template}\n"
            )
        };
        let expected = [
            "`'m/a.epp'`: `template` expects ERB, but `m/a.epp` is an EPP template; use `epp` instead",
        ];
        assert_eq!(
            reported(&INVALID_TEMPLATE, &code("<%- | $a | -%>")),
            expected
        );
        assert_eq!(reported(&INVALID_TEMPLATE, &code("<%= $a %>")), expected);
        assert_eq!(reported(&INVALID_TEMPLATE, &code("port: 80")), [""; 0]);
    }
}
