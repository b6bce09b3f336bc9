//! Checks the metatype `resources`, whose titles are resource types. From `type/resources.rb`.

use syntax::TextRange;
use syntax::ast::AstNode;
use syntax::ast::Expr;

use super::declared_sets::{AttributeSet, Setting};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::problem::{TypeProblemKind, ValueTarget};
use hir::resolve::Definition;
use types::Type;
use types::values::Value;

const METATYPE: &str = "resources";

impl InferenceContext<'_> {
    /// Reports a type whose resources cannot be purged.
    pub(super) fn purged_types(&mut self, expr: &Expr, titles: &Inferred, set: &AttributeSet) {
        // Another attribute may name the type.
        if !set.is_unset("name") {
            return;
        }
        let purge = match set.get("purge") {
            Setting::Set(it) if is_true(&it.value) => it.range,
            _ => None,
        };
        let names: Vec<String> = match &titles.value {
            Some(Value::String(it)) => vec![it.to_string()],
            Some(Value::Array(all)) => {
                let all = all.iter().filter_map(Value::as_str);
                all.map(str::to_owned).collect()
            }
            _ => return,
        };
        for name in names {
            self.purged_type(&name, expr.syntax().text_range(), purge);
        }
    }

    fn purged_type(&mut self, name: &str, title: TextRange, purge: Option<TextRange>) {
        match self.resource_type(name) {
            Some(Definition::Item(_)) => {
                let kind = TypeProblemKind::RefusedValue {
                    what: ValueTarget::Namevar(METATYPE.to_owned(), "name".to_owned()),
                    description: "the name of a resource type in Ruby".to_owned(),
                    expected: Type::Any,
                    actual: Type::string_value(name),
                };
                self.report(title, kind);
            }
            Some(Definition::ResourceType(type_)) => {
                let declared = type_.declared();
                let has_ensure = declared.attributes.iter().any(|it| it.name == "ensure");
                let Some(range) = purge.filter(|_| declared.complete && !has_ensure) else {
                    return;
                };
                let kind = TypeProblemKind::RefusedValue {
                    what: ValueTarget::Attribute(METATYPE.to_owned(), "purge".to_owned()),
                    description: format!("`false` for `{name}`, which has no `ensure`"),
                    expected: Type::Any,
                    actual: Type::Boolean(Some(true)),
                };
                self.check_against(type_.file(), |it| it.report(range, kind));
            }
            _ => {}
        }
    }
}

/// Checks for a value that Puppet takes for true.
fn is_true(value: &Inferred) -> bool {
    match &value.value {
        Some(Value::Boolean(it)) => *it,
        Some(Value::String(it)) => matches!(&**it, "true" | "yes"),
        _ => false,
    }
}
