//! The names that Bolt adds to plans: its functions and data types, and the members of its objects.

mod plan_types;
mod tasks;
mod yaml_plan;

use base::FileInput;
use hir::body::ReferenceName;
use hir::{Item, ItemKind, canonical_name};
use library::BoltType;
use library::products;
use library::signatures::Function;
use salsa::Database;
use syntax::SyntaxKind;
use syntax::ast::{AstNode, Definition, MethodCall};

use crate::cursor::CursorContext;

pub(crate) use plan_types::PlanTypes;
pub(crate) use tasks::{
    Task, TaskParameter, find_task, parameters_in, sent_file, task_metadata, tasks_of,
};
pub(crate) use yaml_plan::{RunnableName, runnable_name_at};

/// A name of Bolt.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BoltName {
    /// A function.
    Function(&'static Function),
    /// A data type.
    Type(&'static BoltType),
    /// A member of the objects of a data type, by its name.
    Member(&'static BoltType, &'static str),
}

/// Checks whether a file contains plans, where all names of Bolt exist.
pub(crate) fn is_plan_file(db: &dyn Database, file: FileInput) -> bool {
    file.spec(db).dialect.tasks
}

/// Checks whether Bolt may evaluate an item: a plan, or a function or type alias that plans use.
fn runs_in_bolt(db: &dyn Database, item: Item<'_>) -> bool {
    let kinds = [ItemKind::Plan, ItemKind::Function, ItemKind::TypeAlias];
    is_plan_file(db, item.file(db)) || kinds.contains(&item.kind(db))
}

/// Returns the functions of Bolt that exist at a place: in a plan all, in its `apply` blocks those that the catalog may
/// call.
pub(crate) fn functions_at(
    cursor: &CursorContext<'_>,
) -> impl Iterator<Item = &'static Function> + use<> {
    let is_plan = is_plan_file(cursor.db, cursor.file);
    let is_applied = is_applied(cursor);
    let all = products::functions_of_bolt().filter(move |_| is_plan);
    all.filter(move |it| !is_applied || !products::is_limited_to_plans(&it.name))
}

fn is_applied(cursor: &CursorContext<'_>) -> bool {
    let mut around = cursor.token.parent_ancestors();
    around.any(|it| it.kind() == SyntaxKind::APPLY_EXPR)
}

/// Checks whether a place is in the code of a plan itself: resources are declared in its `apply` blocks.
pub(crate) fn is_in_plan(cursor: &CursorContext<'_>) -> bool {
    matches!(cursor.definition, Some(Definition::PlanDefinition(_))) && !is_applied(cursor)
}

/// Returns the data types of Bolt that exist in the file at a place.
pub(crate) fn types_at(
    cursor: &CursorContext<'_>,
) -> impl Iterator<Item = &'static BoltType> + use<> {
    let is_plan = is_plan_file(cursor.db, cursor.file);
    products::documented_types_of_bolt().filter(move |_| is_plan)
}

/// Finds a function of Bolt by the name in a call.
pub(crate) fn function(name: &str) -> Option<&'static Function> {
    products::documented_function_of_bolt(&canonical_name(name))
}

/// Resolves a name that neither the workspace nor Puppet defines.
pub(crate) fn bolt_name(
    db: &dyn Database,
    item: Item<'_>,
    name: &ReferenceName,
) -> Option<BoltName> {
    let found = match name {
        ReferenceName::Function(name) => BoltName::Function(function(name)?),
        ReferenceName::Type(name) => BoltName::Type(products::type_of_bolt(name)?),
        _ => return None,
    };
    runs_in_bolt(db, item).then_some(found)
}

/// Resolves the name of a method call on an object of Bolt. Objects have methods of their own, so this precedes the
/// functions of this name.
pub(crate) fn bolt_member(
    db: &dyn Database,
    item: Item<'_>,
    name: &ReferenceName,
    range: syntax::TextRange,
) -> Option<BoltName> {
    let ReferenceName::Function(name) = name else {
        return None;
    };
    if !is_plan_file(db, item.file(db)) {
        return None;
    }
    let root = item.syntax(db);
    let element = root.covering_element(range);
    let call = element
        .ancestors()
        .find(|it| it.kind() == SyntaxKind::METHOD_CALL)?;
    let call = MethodCall::cast(call)?;
    call.name_token().filter(|it| it.text_range() == range)?;
    let types = PlanTypes::new(db, item.file(db));
    let receivers = types.objects(&call.receiver()?);
    receivers.iter().find_map(|it| {
        let member = it.member(name)?;
        Some(BoltName::Member(it, &member.name))
    })
}

#[cfg(test)]
mod tests {
    use crate::CompletionItem;
    use crate::fixture::Fixture;

    const PROJECT: &str = r#"
//- modules/proj/tasks/t1.json
{
  "description": "Says it.",
  "parameters": {
    "type": { "type": "String", "description": "Loud or not." },
    "message": { "type": "Optional[String]" }
  }
}
//- modules/proj/tasks/t1.sh
echo
//- modules/proj/tasks/t1.b.rb
puts
//- modules/proj/files/f.txt
text
//- modules/proj/scripts/s.sh
echo
//- modules/proj/functions/results.pp
function proj::results() >> ResultSet { run_task('proj::t1', 'a') }
//- modules/proj/plans/init.pp
plan proj(TargetSpec $targets, ResultSet $given) {
"#;

    fn fixture(body: &str) -> Fixture {
        Fixture::new(&format!("{PROJECT}{body}\n}}"))
    }

    fn hover(body: &str) -> String {
        let fixture = fixture(body);
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().hover(file, offset);
        found.map_or_else(String::new, |it| it.to_markdown(|_| None))
    }

    fn stub(body: &str) -> String {
        let fixture = fixture(body);
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().goto_definition(file, offset);
        found
            .and_then(|it| it.built_in)
            .map_or_else(String::new, |it| it.source.text[it.name_range].to_owned())
    }

    fn targets(body: &str) -> Vec<String> {
        let fixture = fixture(body);
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().goto_definition(file, offset);
        let targets = found.map(|it| it.targets).unwrap_or_default();
        targets.iter().map(|it| fixture.target(it)).collect()
    }

    fn completions_in(code: &str) -> Vec<CompletionItem> {
        let fixture = Fixture::new(code);
        let (file, offset) = fixture.cursor();
        fixture.analysis().completions(file, offset).items
    }

    fn labels(body: &str) -> Vec<String> {
        let found = completions_in(&format!("{PROJECT}{body}\n}}"));
        found.into_iter().map(|it| it.label).collect()
    }

    #[track_caller]
    fn assert_offered(body: &str, wanted: &[&str], unwanted: &[&str]) {
        let found = labels(body);
        for it in wanted {
            assert!(found.iter().any(|label| label == it), "{it}: {found:?}");
        }
        for it in unwanted {
            assert!(!found.iter().any(|label| label == it), "{it}: {found:?}");
        }
    }

    #[test]
    fn functions_and_types_have_stubs() {
        assert_eq!(stub("run_ta<^>sk('proj::t1', $targets)"), "run_task");
        assert_eq!(stub("out::mess<^>age('x')"), "out::message");
        assert_eq!(stub("$x = $targets =~ Target<^>Spec"), "TargetSpec");
        assert_eq!(stub("$given.ok_<^>set"), "'ok_set'");
        assert_eq!(stub("no_such_fun<^>ction($targets)"), "");
    }

    #[test]
    fn hovers_show_signatures() {
        let found = hover("run_comm<^>and('id', $targets)");
        assert!(
            found.contains("run_command(String[1] $command, TargetSpec $targets"),
            "{found}"
        );
        assert!(found.contains(">> ResultSet"), "{found}");
        let found = hover("$x = $targets =~ Result<^>Set");
        assert!(found.contains("`error_set`"), "{found}");
        let found = hover("$given.fi<^>rst");
        assert!(
            found.contains("ResultSet.first >> Optional[Variant[Result, ApplyResult]]"),
            "{found}"
        );
        // `first` of another value is not that of Bolt.
        assert_eq!(hover("$x = [1].fi<^>rst"), "");
    }

    #[test]
    fn hovers_show_the_types_of_variables() {
        let shown = |body: &str, expected: &str| {
            let found = hover(body);
            assert!(found.contains(expected), "{body}: {found}");
        };
        shown(
            "$r = run_task('proj::t1', $targets)\nnotice($<^>r)",
            "ResultSet $r",
        );
        shown(
            "$r = get_targets($targets)\nnotice($<^>r)",
            "Array[Target] $r",
        );
        shown("$given.each |$<^>r| { }", "Variant[Result, ApplyResult] $r");
        shown("$r = apply($targets) { }\nnotice($<^>r)", "ResultSet $r");
        shown("$r = proj::results()\nnotice($<^>r)", "ResultSet $r");
        shown("$<^>r = run_task('proj::t1', $targets)", "ResultSet $r");
        shown(
            "$<^>r = run_task('a', $targets).first",
            "Optional[Variant[Result, ApplyResult]] $r",
        );
        assert!(!hover("$<^>r = run_plan('proj')").contains("Result"));
        assert!(!hover("$r = run_plan('proj')\nnotice($<^>r)").contains("Result"));
    }

    #[test]
    fn strings_lead_to_tasks_and_files() {
        let task = "run_task('proj::<^>t1', $targets)";
        let metadata = "modules/proj/tasks/t1.json ``";
        assert_eq!(targets(task), ["modules/proj/tasks/t1.sh ``", metadata]);
        let found = hover(task);
        assert!(
            found.contains("task proj::t1(\n  String $type,\n"),
            "{found}"
        );
        assert!(found.contains("Says it."), "{found}");
        let parameter = "run_task('proj::t1', $targets, 'ty<^>pe' => 'x')";
        assert_eq!(targets(parameter), ["modules/proj/tasks/t1.json `type`"]);
        assert!(hover(parameter).contains("Loud or not."));
        let file = "upload_file('proj/f<^>.txt', '/x', $targets)";
        assert_eq!(targets(file), ["modules/proj/files/f.txt ``"]);
        let script = "run_script('proj/scripts/s<^>.sh', $targets)";
        assert_eq!(targets(script), ["modules/proj/scripts/s.sh ``"]);
        assert_eq!(targets("run_task('proj::no<^>', $targets)"), [""; 0]);
        assert_eq!(targets("run_script('proj/no<^>.sh', $targets)"), [""; 0]);
    }

    #[test]
    fn completes_functions_and_types() {
        assert_offered("run_<^>", &["run_task", "run_plan", "run_command"], &[]);
        assert_eq!(labels("run_<^>")[..2], ["run_task", "run_plan"]);
        assert_offered("out::<^>", &["out::message", "out::verbose"], &[]);
        assert_offered("$x = $targets =~ <^>", &["TargetSpec", "ResultSet"], &[]);
        // A catalog cannot run tasks.
        assert_offered("apply($targets) { <^> }", &["facts"], &["run_task"]);
        let code = "//- modules/a/manifests/init.pp\nclass a { run_<^> }";
        assert!(completions_in(code).iter().all(|it| it.label != "run_task"));
    }

    #[test]
    fn completes_members() {
        let of_result = ["ok", "value", "target", "error"];
        assert_offered(
            "$given.<^>",
            &["ok", "first", "error_set", "names", "each"],
            &["target"],
        );
        assert_offered(
            "$r = run_task('proj::t1', $targets)\n$r.ok_set.<^>",
            &["count"],
            &[],
        );
        assert_offered("$given.each |$r| { $r.<^> }", &of_result, &["error_set"]);
        assert_offered(
            "$given.filter |$r| { $r.ok }.map |$r| { $r.<^> }",
            &of_result,
            &[],
        );
        assert_offered("notice($given[0].<^>)", &of_result, &["names"]);
        assert_offered("$given.first.<^>", &of_result, &["names"]);
        assert_offered(
            "get_targets($targets).each |$t| { $t.<^> }",
            &["name", "uri"],
            &[],
        );
        assert_offered(
            "run_task_with('proj::t1', $targets) |$t| { $t.<^> }",
            &["uri"],
            &[],
        );
        assert_offered("$x = 'a'\n$x.<^>", &["upcase"], &["ok", "error_set"]);
        assert_offered("Target.new('a').<^>", &["uri"], &[]);
    }

    #[test]
    fn completes_names_and_parameters_of_tasks() {
        assert_offered("run_task('<^>', $targets)", &["proj::t1"], &[]);
        let inserted = |body: &str| {
            let found = completions_in(&format!("{PROJECT}{body}\n}}"));
            let found = found.into_iter().find(|it| it.label == "message");
            found.map(|it| it.insert)
        };
        let key = Some("'message' => ".to_owned());
        assert_eq!(inserted("run_task('proj::t1', $targets, <^>)"), key);
        assert_eq!(
            inserted("run_task('proj::t1', $targets, 'type' => 'x', <^>)"),
            key
        );
        assert_eq!(inserted("run_task('proj::t1', $targets, { <^> })"), key);
        let name = Some("message".to_owned());
        assert_eq!(
            inserted("run_task('proj::t1', $targets, { '<^>' => 1 })"),
            name
        );
        let rest = "run_task('proj::t1', $targets, 'message' => 1, <^>)";
        assert_offered(rest, &["type"], &["message"]);
        assert_offered("run_plan('proj', <^>)", &["given"], &[]);
    }

    #[test]
    fn signature_help_shows_overloads() {
        let fixture = fixture("run_command('id', <^>)");
        let (file, offset) = fixture.cursor();
        let help = fixture.analysis().signature_help(file, offset);
        let help = help.expect("help");
        assert_eq!(help.signatures.len(), 2);
        assert_eq!(help.signatures[0].active, Some(1));
        assert!(
            help.signatures[0]
                .label
                .starts_with("run_command(String[1] $command, ")
        );
    }
}
