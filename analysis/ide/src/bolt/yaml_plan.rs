//! The plans and tasks that the steps of a plan in YAML name.

use base::FileInput;
use hir::ItemKind;
use hir::autoload::{NameKey, find_item};
use infer::{RunnableKind, yaml_plan_file};
use rules::{is_yaml_plan, runnable_at};
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::find_task;
use crate::search::module_path;
use crate::symbol::Symbol;

/// The name of a plan or task in a step.
pub(crate) struct RunnableName<'db> {
    pub(crate) range: TextRange,
    pub(crate) name: String,
    pub(crate) symbol: Symbol<'db>,
}

/// Returns the name at an offset of a plan in YAML; `None` in other files.
pub(crate) fn runnable_name_at<'db>(
    db: &'db dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<RunnableName<'db>> {
    module_path(db, file).filter(|it| is_yaml_plan(&it.1))?;
    let text = file.text(db).as_deref()?;
    let (kind, name, range) = runnable_at(text, offset)?;
    let environment = file.environment(db)?;
    let symbol = match kind {
        RunnableKind::Plan => {
            let key = NameKey::new(db, name.clone());
            let item = find_item(db, environment, ItemKind::Plan, key).map(Symbol::Item);
            item.or_else(|| yaml_plan_file(db, environment, &name).map(Symbol::File))?
        }
        RunnableKind::Task => {
            let task = find_task(db, environment, &name)?;
            let implementation = task.implementations.first().copied();
            Symbol::File(implementation.or(task.metadata)?)
        }
    };
    Some(RunnableName {
        range,
        name,
        symbol,
    })
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    const PROJECT: &str = "\
//- modules/proj/plans/first.pp
# The first plan.
plan proj::first (Integer $count) { }
//- modules/proj/plans/second.yaml
description: The second plan.
//- modules/proj/tasks/restart.json
{\"description\": \"Restarts.\", \"parameters\": {\"service\": {\"type\": \"String\"}}}
//- modules/proj/tasks/restart.sh
";

    fn at(step: &str) -> Fixture {
        Fixture::new(&format!(
            "{PROJECT}//- modules/proj/plans/main.yaml\nsteps:\n  - {step}\n    targets: all\n"
        ))
    }

    fn definitions(step: &str) -> String {
        let fixture = at(step);
        let (file, offset) = fixture.cursor();
        fixture.targets(fixture.analysis().goto_definition(file, offset))
    }

    #[test]
    fn navigates_to_plans_and_tasks() {
        for (step, expected) in [
            ("plan: proj::fi<^>rst", "plans/first.pp"),
            ("plan: proj::se<^>cond", "plans/second.yaml"),
            ("task: proj::re<^>start", "tasks/restart.sh"),
        ] {
            let found = definitions(step);
            assert!(found.contains(expected), "{step}: {found}");
        }
        assert!(!definitions("task: proj::no<^>such").contains("proj/tasks"));
    }

    #[test]
    fn shows_plans_and_tasks() {
        for (step, expected) in [
            ("plan: proj::fi<^>rst", "The first plan."),
            ("task: proj::re<^>start", "Restarts."),
        ] {
            let fixture = at(step);
            let (file, offset) = fixture.cursor();
            let found = fixture.analysis().hover(file, offset);
            let found = found.map_or_else(String::new, |it| it.to_markdown(|_| None));
            assert!(found.contains(expected), "{step}: {found}");
        }
    }
}
