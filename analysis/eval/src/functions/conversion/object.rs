//! Constructors of object types: `Error(…)`, `Deferred(…)`, and those of types defined in Puppet.
//! They accept a hash or positional arguments.

use std::sync::Arc;

use super::conversion_error;
use crate::control_flow::{ControlFlow, FlowResult};
use types::ObjectType;
use types::values::{ObjectValue, Value};

/// The index of the signature for a hash.
const HASH: usize = 0;

/// Attribute names that collide with methods of every Ruby object.
const RESERVED: &[&str] = &[
    "class",
    "dup",
    "freeze",
    "hash",
    "initialize",
    "inspect",
    "instance_of?",
    "method",
    "object_id",
    "respond_to?",
    "send",
    "to_s",
];

pub(super) fn object(ty: &Arc<ObjectType>, which: usize, args: &[Value]) -> FlowResult {
    let attributes = ty.all_attributes();
    if attributes.keys().any(|it| RESERVED.contains(&&**it)) {
        return Err(ControlFlow::unknown(
            "attribute named like a method of Ruby",
        ));
    }
    // Puppet fails if an attribute overrides an inherited one.
    if attributes.values().any(|it| it.is_override) {
        return Err(ControlFlow::unknown("object with an overridden attribute"));
    }
    if let (HASH, [Value::Hash(named)]) = (which, args) {
        let object = ObjectValue::new(ty, |name| {
            let given = attributes.get(name).is_some_and(|it| it.is_given());
            named.get_str(name).filter(|_| given).cloned()
        });
        return Ok(Value::Object(object));
    }
    let given = attributes.iter().filter(|(_, it)| it.is_given());
    let (optional, required): (Vec<_>, Vec<_>) = given.partition(|(_, it)| it.value.is_some());
    if args.len() < required.len() {
        return Err(conversion_error(format!(
            "missing arguments for `{}`",
            ty.label()
        )));
    }
    let names: Vec<&Arc<str>> = required
        .into_iter()
        .chain(optional)
        .map(|it| it.0)
        .collect();
    let object = ObjectValue::new(ty, |name| {
        let index = names.iter().position(|it| ***it == *name)?;
        args.get(index).cloned()
    });
    Ok(Value::Object(object))
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    const POINT: &str = "type P = Object[{ attributes => {
        x => { type => Integer, value => 5 }, y => String, z => Optional[Integer]
    }, constants => { c => 9 } }]\n";

    #[test]
    fn accepts_a_hash_or_positional_arguments() {
        let run = |source: &str| run(&format!("{POINT}{source}"));
        assert_eq!(run("P('a', 1)"), "P({'x' => 1, 'y' => 'a'})");
        assert_eq!(run("P({ y => 'a' })"), "P({'y' => 'a'})");
        assert_eq!(run("P({ y => 'a', c => 1 })"), "error");
        assert_eq!(run("P(1)"), "error");
        assert_eq!(
            run("$p = P('a')\n[$p.x, $p.y, $p.z, $p.c]"),
            "[5, 'a', undef, 9]"
        );
        assert_eq!(run("P('a').x(1)"), "error");
        assert_eq!(run("P('a') == P('a', 5)"), "true");
        assert_eq!(run("Init[P]('a')"), "P({'y' => 'a'})");
        assert_eq!(
            run("type Q = Object[{ parent => P, attributes => { q => Integer } }]\nQ('a', 1)"),
            { "Q({'y' => 'a', 'q' => 1})" }
        );
    }

    #[test]
    fn built_in_object_types() {
        assert_eq!(run("Error('m', 'k').kind"), "'k'");
        assert_eq!(run("Error('m').message"), "'m'");
        assert_eq!(
            run("Deferred('join', [1])"),
            "Deferred({'name' => 'join', 'arguments' => [1]})"
        );
        assert_eq!(run("Deferred('X')"), "error");
        assert_eq!(
            run("Object[{ attributes => { a => Integer } }](1)"),
            "error"
        );
    }
}
