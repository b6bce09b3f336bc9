//! Narrowing by calls: constraints on the arguments that hold after a call has returned.

use syntax::ast::Expr;

use super::calls::Call;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::alternatives;
use super::overloads::accepts;
use super::signatures::{ResolvedOverload, Signatures};
use library::KnownFunction as F;
use types::precise::{intersection, union, within};
use types::values::Value;
use types::{Type, is_resolved};

/// The maximum number of alternatives of a type to narrow to.
const MAX_ALTERNATIVES: usize = 4;

impl InferenceContext<'_> {
    /// Narrows the arguments of a call to the types of the parameters: a function that checks its
    /// arguments has failed otherwise.
    pub(super) fn narrow_arguments(&mut self, call: &Call, signatures: &Signatures, expr: &Expr) {
        if !signatures.checked || call.has_unknown_splat {
            return;
        }
        let written = written_arguments(expr);
        if written.len() != call.arguments.len() {
            return;
        }
        let may_narrow = |(written, given): &(Expr, &Inferred)| {
            given.value.is_none() && matches!(written, Expr::VariableExpr(_) | Expr::AccessExpr(_))
        };
        let arguments = written.into_iter().zip(&call.arguments).enumerate();
        let candidates: Vec<_> = arguments.filter(|it| may_narrow(&it.1)).collect();
        if candidates.is_empty() {
            return;
        }
        let overloads = signatures.overloads.iter();
        let overloads: Vec<_> = overloads
            .filter(|it| accepts(call, it) != Some(false))
            .collect();
        for (index, (written, given)) in candidates {
            if let Some(accepted) = accepted_type(&overloads, index)
                && !within(&given.type_, &accepted)
            {
                self.narrow_to(&written, &accepted);
            }
        }
    }

    /// Narrows the arguments of the functions of stdlib that fail for values other than those of a
    /// type.
    pub(super) fn narrow_validated(&mut self, function: F, arguments: &[Expr]) {
        match (function, arguments) {
            (F::ValidateLegacy, [type_, previous, value, ..]) => {
                let type_ = self.recorded_or_infer(type_).value;
                let previous = self.recorded_or_infer(previous).value;
                let previous = previous.as_ref().and_then(Value::as_str);
                let previous = previous.and_then(F::from_name).and_then(validated_type);
                // Until stdlib 9, a value that only the previous function accepts is accepted.
                if let (Some(Value::Type(type_)), Some(previous)) = (type_, previous)
                    && is_resolved(&type_)
                {
                    self.narrow_to(value, &union([type_, previous]));
                }
            }
            (F::ValidateRe, [value, ..]) => {
                self.narrow_to(value, &Type::optional(Type::STRING));
            }
            (function, all) => {
                for value in all {
                    if let Some(type_) = validated_type(function) {
                        self.narrow_to(value, &type_);
                    }
                }
            }
        }
    }

    fn narrow_to(&mut self, expr: &Expr, accepted: &Type) {
        self.narrow(expr, |it| {
            let narrowed = intersection(it, accepted);
            // Whether the call fails is reported elsewhere.
            Some(narrowed.unwrap_or_else(|| it.clone()))
        });
    }
}

/// Returns the values that a `validate_…` function accepts. The 3.x API passes `undef` as an empty
/// string.
fn validated_type(function: F) -> Option<Type> {
    Some(match function {
        F::ValidateArray => Type::any_array(),
        F::ValidateBool => Type::BOOLEAN,
        F::ValidateHash => Type::any_hash(),
        F::ValidateRe | F::ValidateString => Type::optional(Type::STRING),
        _ => return None,
    })
}

/// Returns the type of an argument that any of the overloads accepts; `None` if they accept every
/// value, or values of too many kinds for a useful type.
fn accepted_type(overloads: &[&ResolvedOverload], index: usize) -> Option<Type> {
    let parameters = overloads.iter().map(|it| it.parameter(index));
    let types = parameters.map(|it| it.map(|it| it.type_.clone()).filter(|it| !it.is_any()));
    let types: Option<Vec<Type>> = types.collect();
    let accepted = union(types.filter(|it| !it.is_empty())?);
    (alternatives(&accepted).len() <= MAX_ALTERNATIVES).then_some(accepted)
}

/// Returns the arguments of a call as they are written, with the receiver first; empty if an array
/// is unfolded into them.
fn written_arguments(call: &Expr) -> Vec<Expr> {
    let all: Vec<Expr> = match call {
        Expr::CallExpr(it) => it.arguments(),
        Expr::MethodCall(it) => it.receiver().into_iter().chain(it.arguments()).collect(),
        _ => Vec::new(),
    };
    match all.iter().any(|it| eval::splat(it).is_some()) {
        true => Vec::new(),
        false => all,
    }
}

#[cfg(test)]
mod tests {
    use crate::test_support::{revealed, revealed_in};

    /// Returns the type of `$x` in a class after a statement.
    fn after(parameter: &str, statement: &str) -> String {
        let text = format!("class m({parameter}) {{ {statement} notice($x) }}");
        revealed(&text).join(" | ")
    }

    #[test]
    fn arguments_match_the_parameters_of_functions() {
        assert_eq!(after("$x", "$y = versioncmp($x, '1')"), "String");
        assert_eq!(after("$x", "$y = $x.versioncmp('1')"), "String");
        assert_eq!(
            after("Optional[String] $x", "$y = versioncmp($x, '1')"),
            "String"
        );
        // A function that accepts everything, and one that is not known.
        assert_eq!(after("$x", "notice($x)"), "Any | Any");
        assert_eq!(after("$x", "$y = nowhere($x)"), "Any");
        // Arguments whose position is not known.
        assert_eq!(after("$x, $y", "$z = versioncmp(*$y, $x)"), "Any");
        // Only where the call has returned.
        assert_eq!(
            after("$x", "if $x { $y = versioncmp($x, '1') }"),
            "Optional[Variant[String, Boolean[false]]]"
        );
        assert_eq!(
            after("$x", "[1].each |$i| { $y = versioncmp($x, '1') }"),
            "Any"
        );
    }

    #[test]
    fn parts_match_the_parameters_of_functions() {
        let text =
            "class m(Hash $x) { $y = versioncmp($x['a'], '1') notice($x['a']) notice($x['b']) }";
        assert_eq!(revealed(text), ["String", "Any"]);
    }

    #[test]
    fn arguments_match_the_parameters_of_puppet_functions() {
        let found = revealed_in(
            "//- modules/m/manifests/init.pp
            class m($x, $y) { m::f($x, $y) notice($x) notice($y) }
            //- modules/m/functions/f.pp
            function m::f(Integer $a, $b) { }
            ",
        );
        assert_eq!(found, ["Integer", "Any"]);
    }

    #[test]
    fn arguments_match_validated_types() {
        let found = |statement: &str| {
            revealed_in(&format!(
                "//- modules/m/manifests/init.pp
                class m($x, $y, $z = 'a') {{ {statement} notice($x) notice($y) notice($z) }}
                //- modules/stdlib/lib/puppet/parser/functions/validate_bool.rb
                newfunction(:validate_bool) do |args| end
                //- modules/stdlib/lib/puppet/parser/functions/validate_string.rb
                newfunction(:validate_string) do |args| end
                //- modules/stdlib/lib/puppet/functions/validate_legacy.rb
                Puppet::Functions.create_function(:validate_legacy) do
                  def call(scope, *args)
                  end
                end
                "
            ))
        };
        let legacy = |type_: &str, previous: &str| {
            found(&format!("validate_legacy({type_}, '{previous}', $x)")).remove(0)
        };
        assert_eq!(
            found("validate_bool($x, $y)"),
            ["Boolean", "Boolean", "NotUndef"]
        );
        assert_eq!(
            found("validate_string($x, $z)"),
            ["Optional[String]", "Any", "String"]
        );
        // Until stdlib 9, only one of the two has to accept the value.
        assert_eq!(legacy("Boolean", "validate_bool"), "Boolean");
        assert_eq!(
            legacy("Integer", "validate_bool"),
            "Variant[Integer, Boolean]"
        );
        assert_eq!(legacy("Integer", "validate_integer"), "Any");
    }
}
