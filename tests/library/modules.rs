//! Resources in Debian's modules, all of which compile: every attribute is known, and every literal
//! value is allowed.

use analysis::library;
use analysis::signatures::{Attribute, AttributeKind};
use analysis::types::reader::{self, BuiltInTypes, TypeNames};
use analysis::types::{Type, is_instance};
use analysis::values::Value;
use pupil_tests::corpus;
use syntax::ast::{AstNode, AttributeOperation, Expr, ResourceDefaults, ResourceExpr};
use syntax::validation::PuppetVersion;

use crate::assert_no_problems;

/// Resolves unknown names to resource types that modules define.
struct Resources;

impl TypeNames for Resources {
    fn lookup(&self, name: &str) -> Option<Type> {
        Some(Type::resource(name, None))
    }
}

/// Checks whether an attribute accepts a value.
fn allowed(attribute: &Attribute, type_: &Type, value: &Value) -> bool {
    let fits = |value: &Value| is_instance(type_, value) == Some(true) || listed(attribute, value);
    match value {
        Value::Undef => true,
        Value::Array(them) if attribute.kind == AttributeKind::Property => {
            fits(value) || them.iter().all(fits)
        }
        value => fits(value),
    }
}

/// Compares numbers by their source form.
fn listed(attribute: &Attribute, value: &Value) -> bool {
    matches!(value, Value::Integer(it) if attribute.values.contains(&it.to_string()))
}

/// Returns the problem with an attribute of a resource; `None` if its value is not a literal.
fn wrong(type_name: &str, operation: &AttributeOperation, checked: &mut usize) -> Option<String> {
    let AttributeOperation::Attribute(operation) = operation else {
        return None;
    };
    let name = operation.name_token()?.text().to_owned();
    let found = library::resource_type(type_name, PuppetVersion::V8)?;
    let own = found.attributes.iter().find(|it| it.name == name);
    let Some(attribute) = own.or(library::metaparameter(&name)) else {
        return Some(format!("no attribute {name} on {type_name}"));
    };
    let value = operation.value()?;
    let literal = reader::read_literal(&value, &Resources).ok()?;
    let type_ = reader::read(attribute.type_.as_ref()?, &BuiltInTypes).ok()?;
    *checked += 1;
    let text = value.syntax().text();
    (!allowed(attribute, &type_, &literal)).then(|| format!("{type_name}.{name} => {text}"))
}

#[test]
#[ignore = "needs Debian's modules"]
fn attributes_in_debian_modules_are_valid() {
    let files = corpus::read_all(&corpus::modules_dir()).expect("the modules are installed");
    let (mut found, mut checked) = (Vec::new(), 0);
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".pp")) {
        let tree = syntax::parse(text, corpus::dialect(path)).tree();
        for node in tree.syntax().descendants() {
            let resource = ResourceExpr::cast(node.clone());
            let defaults = ResourceDefaults::cast(node);
            let type_name = match (&resource, &defaults) {
                (Some(it), _) => it.type_name(),
                (_, Some(it)) => it.type_ref(),
                _ => continue,
            };
            let Some(Expr::QualifiedName(_) | Expr::QualifiedReference(_)) = type_name else {
                continue;
            };
            let type_name = type_name
                .map(|it| it.syntax().text().to_string())
                .unwrap_or_default();
            let type_name = type_name.trim().to_lowercase();
            let bodies = resource.into_iter().flat_map(|it| it.bodies());
            let operations = bodies.flat_map(|it| it.operations());
            let operations = operations.chain(defaults.into_iter().flat_map(|it| it.operations()));
            for operation in operations {
                let wrong = wrong(&type_name, &operation, &mut checked);
                found.extend(wrong.map(|it| format!("{path}: {it}")));
            }
        }
    }
    assert_no_problems(&found);
    assert!(checked > 3000, "only {checked} values were checked");
}
