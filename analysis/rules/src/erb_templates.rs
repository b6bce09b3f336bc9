//! Templates in ERB, in files and in calls of `inline_template`, and the names that exist nowhere.

mod calls;
mod fact_keys;
mod inline;
mod variable_types;
mod variables;

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::Item;
use hir::autoload::{NameKey, find_item};
use library::ruby::{ErbNames, erb_names};
use salsa::Database;
use syntax::{Severity, SyntaxNode, TextRange};

use crate::assets::{AssetChecker, is_erb_template, served_path};
use crate::checker::Checker;
use crate::index::usage_index::{CodeOwner, ruby_template_owners};
use crate::rule::Rule;

pub(crate) use calls::{missing_templates, unknown_functions};
pub(crate) use fact_keys::unknown_keys;
pub(crate) use variable_types::invalid_operands;
pub(crate) use variables::unknown_variables;

/// Returns the names in an ERB template.
#[salsa::tracked]
pub fn erb_template(db: &dyn Database, file: FileInput) -> ErbNames {
    erb_names(file.text(db).as_deref().unwrap_or_default())
}

/// Returns the classes and defined types that are known to render an ERB template.
pub fn template_owners<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    file: FileInput,
) -> Vec<Item<'db>> {
    let owners = ruby_template_owners(db, environment, file).iter();
    owners
        .filter_map(|it| definition(db, environment, it))
        .collect()
}

/// Returns the class or defined type that code belongs to; `None` for other code.
fn definition<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    owner: &CodeOwner,
) -> Option<Item<'db>> {
    let CodeOwner::Definition((kind, name)) = owner else {
        return None;
    };
    find_item(db, environment, *kind, NameKey::new(db, name.clone()))
}

/// The text of a template in a call of `inline_template`.
#[salsa::interned]
struct InlineText<'db> {
    #[returns(ref)]
    text: String,
}

/// Returns the names in a template of a call. Memoized, because several rules need them whenever code near the call
/// changes.
#[salsa::tracked]
fn inline_names<'db>(db: &'db dyn Database, text: InlineText<'db>) -> ErbNames {
    erb_names(text.text(db))
}

/// A template in ERB, with its context.
pub(crate) struct RubyTemplate<'a> {
    pub(crate) db: &'a dyn Database,
    pub(crate) environment: EnvironmentInput,
    pub(crate) names: &'a ErbNames,
    /// The module of the file; `None` for the template of a call.
    file_module: Option<ModuleInput>,
    /// The module that the template belongs to.
    module: Option<ModuleInput>,
    /// The classes and defined types that render it; `None` if other code does, or none is found.
    callers: Option<Vec<Item<'a>>>,
    /// Whether any code is known to render it.
    is_rendered: bool,
}

/// A problem in a template in ERB.
pub(crate) struct TemplateProblem {
    /// The range in the template.
    pub(crate) range: TextRange,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    /// A replacement of the source at the range.
    pub(crate) replacement: Option<String>,
}

impl<'a> RubyTemplate<'a> {
    /// Returns the template of a file; `None` if only its location suggests that it is one, but neither its name nor
    /// a call.
    fn of_file(checker: &AssetChecker<'a>) -> Option<RubyTemplate<'a>> {
        let (db, environment, file) = (checker.db, checker.environment, checker.file);
        let owners = ruby_template_owners(db, environment, file);
        let is_rendered = !owners.is_empty();
        if !is_rendered && !is_erb_template(served_path(db, file)?) {
            return None;
        }
        let callers = owners.iter().map(|it| definition(db, environment, it));
        let callers: Option<Vec<_>> = callers.collect();
        Some(RubyTemplate {
            db,
            environment,
            names: erb_template(db, file),
            file_module: Some(checker.module),
            module: Some(checker.module),
            callers: callers.filter(|_| is_rendered),
            is_rendered,
        })
    }

    /// Returns the template in a call of `inline_template`.
    fn of_call(checker: &Checker<'a>, text: String) -> RubyTemplate<'a> {
        let (db, item) = (checker.db, checker.item);
        let has_scope = item.kind(db).is_declarable();
        RubyTemplate {
            db,
            environment: checker.environment,
            names: inline_names(db, InlineText::new(db, text)),
            file_module: None,
            module: item.file(db).module(db),
            callers: has_scope.then(|| vec![item]),
            is_rendered: true,
        }
    }
}

/// Reports the problems that a function finds in a template of a file.
pub(crate) fn check_file(
    checker: &mut AssetChecker<'_>,
    rule: &'static Rule,
    problems: impl Fn(&RubyTemplate<'_>) -> Vec<TemplateProblem>,
) {
    let Some(template) = RubyTemplate::of_file(checker) else {
        return;
    };
    for problem in problems(&template) {
        let range = problem.range;
        let fix = problem.replacement;
        let fix = fix.map(|it| checker.replacement(range, it));
        let reported = checker.report_as(rule, problem.severity, range, problem.message);
        reported.fixes.extend(fix);
    }
}

/// Reports the problems that a function finds in the constant templates of a call of `inline_template`.
pub(crate) fn check_call(
    checker: &mut Checker<'_>,
    node: &SyntaxNode,
    rule: &'static Rule,
    problems: impl Fn(&RubyTemplate<'_>) -> Vec<TemplateProblem>,
) {
    for inline in inline::templates(checker, node) {
        for problem in problems(&RubyTemplate::of_call(checker, inline.text.clone())) {
            let range = inline.range_in_code(problem.range);
            checker.check_at_most(inline.limit(), |it| {
                it.report_as(rule, problem.severity, range, problem.message);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use base::Diagnostic;
    use syntax::{Severity, apply_edits};

    use crate::testing::asset_findings;

    /// Returns the messages about a template `m/a.erb`, with marks of their severities.
    fn messages(code: &str, template: &str) -> Vec<String> {
        messages_about(code, "a.erb", template)
    }

    fn messages_about(code: &str, name: &str, template: &str) -> Vec<String> {
        let found = diagnostics(code, name, template).into_iter();
        let messages = found.map(|it| match it.severity {
            Severity::Error => format!("E {}", it.message),
            Severity::Warning => format!("W {}", it.message),
            _ => format!("H {}", it.message),
        });
        messages.collect()
    }

    /// Returns the diagnostics of `unknown-variable` about a template of module `m`.
    fn diagnostics(code: &str, name: &str, template: &str) -> Vec<Diagnostic> {
        let text = format!(
            "//- modules/m/manifests/init.pp\n{code}\n//- modules/m/templates/{name}\n{template}\n"
        );
        let found = asset_findings(&text).into_iter();
        found.filter(|it| it.code == "unknown-variable").collect()
    }

    const CODE: &str = "class m ($indexes) { template('m/a.erb') }";

    #[test]
    fn reports_variables_that_exist_nowhere() {
        for (template, expected) in [
            (
                "<%= @indxees.join %>",
                "W unknown variable `@indxees`; did you mean `@indexes`?",
            ),
            (
                "<%= scope['indxees'] %>",
                "E unknown variable `indxees`; did you mean `indexes`?",
            ),
            (
                "<%= scope.lookupvar('::m::indxees') %>",
                "E unknown variable `indxees` in class `m`; did you mean `indexes`?",
            ),
            (
                "<%= @proxy_of_site %>",
                "H unknown variable `@proxy_of_site`",
            ),
        ] {
            assert_eq!(messages(CODE, template), [expected], "{template}");
        }
    }

    #[test]
    fn reports_names_without_the_right_sigil() {
        for (template, expected) in [
            (
                "<%= indexes.join %>",
                "E unknown variable `indexes`; did you mean `@indexes`?",
            ),
            ("<%= proxy_of_site %>", "E unknown variable `proxy_of_site`"),
            (
                "<%= $indexes %>",
                "W unknown variable `$indexes`; did you mean `@indexes`?",
            ),
            (
                "<%= @m::indexes.join %>",
                "E unknown variable `@m::indexes`; did you mean `scope['m::indexes']`?",
            ),
        ] {
            assert_eq!(messages(CODE, template), [expected], "{template}");
        }
        assert_eq!(
            messages("class m ($indexes) { }", "<%= indexes %>"),
            ["W unknown variable `indexes`; did you mean `@indexes`?"]
        );
        assert_eq!(
            messages("class m ($hash) { template('m/a.erb') }", "<%= hash %>"),
            ["W `hash` is a method of Ruby; did you mean `@hash`?"]
        );
    }

    #[test]
    fn replaces_names_with_those_that_are_meant() {
        for (template, expected) in [
            ("<%= @indxees %>", "<%= @indexes %>"),
            ("<%= scope['indxees'] %>", "<%= scope['indexes'] %>"),
            (
                "<%= scope['::m::indxees'] %>",
                "<%= scope['::m::indexes'] %>",
            ),
            (
                "<%= indexes %><%= $indexes %>",
                "<%= @indexes %><%= @indexes %>",
            ),
            ("<%= @m::indexes %>", "<%= scope['m::indexes'] %>"),
        ] {
            let found = diagnostics(CODE, "a.erb", template).into_iter();
            let fixes = found.flat_map(|it| it.fixes);
            let edits: Vec<_> = fixes.flat_map(|it| it.edits).map(|it| it.1).collect();
            assert_eq!(apply_edits(template, &edits).as_deref(), Some(expected));
        }
    }

    #[test]
    fn checks_templates_with_other_names_if_they_are_rendered() {
        let code = "class m ($indexes) { template('m/a.conf') }";
        let template = "<%= indexes %>";
        assert_eq!(
            messages_about(code, "a.conf", template),
            ["E unknown variable `indexes`; did you mean `@indexes`?"]
        );
        let other = "class m ($indexes) { }";
        assert_eq!(messages_about(other, "a.conf", template), [""; 0]);
    }

    #[test]
    fn accepts_variables_that_may_exist() {
        for template in [
            "<%= @indexes %> <%= @hostname %> <%= @facts['kernal'] %> <%= scope['m::indexes'] %>",
            "<% @indxees = [] %><%= @indxees %>",
            "<% unless @indxees.nil? %><%= @indxees %><% end %>",
            "<% if scope.exist?('indxees') %><%= scope['indxees'] %><% end %>",
            "<%# pupil: ignore[unknown-variable] %>\n<%= @indxees %>",
            "<%= @indxees %> <%# pupil: ignore %>",
            "<%# @indxees %> @indxees <%= '@indxees' %>",
            "<%= scope['other::indxees'] %>",
            "<%= @indexes::size %><%= hash %><%= rand %>",
            "<% indexes = @indexes %><%= indexes %>",
        ] {
            assert_eq!(messages(CODE, template), [""; 0], "{template}");
        }
        for code in [
            "class m ($indexes) { }",
            "class m ($indexes, $t = 'm/a.erb') { template($t) }",
            "class m ($indexes) { template('m/a.erb') [1].each |$indxees| { } }",
            "class m ($indexes) inherits other { template('m/a.erb') }",
            "function m ($indexes) { template('m/a.erb') }",
        ] {
            assert_eq!(messages(code, "<%= @indxees %>"), [""; 0], "{code}");
        }
    }
}
