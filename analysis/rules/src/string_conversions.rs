//! Code that makes strings of values: interpolations, and calls such as `join` and `String`.

use infer::Inferred;
use library::KnownFunction as F;
use syntax::ast::{AstNode, Expr, Interpolation};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::checker::Checker;

/// The nodes that may make strings of values.
pub(crate) const STRING_CONVERSIONS: &[SyntaxKind] = &[
    SyntaxKind::INTERPOLATION,
    SyntaxKind::CALL_EXPR,
    SyntaxKind::METHOD_CALL,
];

/// The type whose `new` function makes strings.
const STRING: &str = "String";

/// A value that becomes part of a string.
pub(crate) struct ConvertedValue<'db> {
    /// The range of the interpolation or argument.
    pub(crate) range: TextRange,
    pub(crate) value: &'db Inferred,
    /// Whether it is interpolated.
    pub(crate) is_interpolated: bool,
}

impl ConvertedValue<'_> {
    /// Returns the participle that describes the conversion.
    pub(crate) fn verb(&self) -> &'static str {
        match self.is_interpolated {
            true => "interpolated",
            false => "converted to a string",
        }
    }
}

impl<'db> Checker<'db> {
    /// Returns the values that a node makes strings of.
    pub(crate) fn converted_values(&self, node: &SyntaxNode) -> Vec<ConvertedValue<'db>> {
        if let Some(interpolation) = Interpolation::cast(node.clone()) {
            let value = interpolation.expr().and_then(|it| self.type_of(&it));
            let found = value.map(|value| ConvertedValue {
                range: node.text_range(),
                value,
                is_interpolated: true,
            });
            return found.into_iter().collect();
        }
        let arguments = converted_arguments(node).into_iter().flatten();
        let found = arguments.filter_map(|it| {
            Some(ConvertedValue {
                range: it.syntax().text_range(),
                value: self.type_of(&it)?,
                is_interpolated: false,
            })
        });
        found.collect()
    }
}

/// Returns the arguments of a call that become parts of a string.
fn converted_arguments(node: &SyntaxNode) -> Option<Vec<Expr>> {
    let (name, arguments) = Expr::cast(node.clone())?.named_call()?;
    let mut arguments = arguments.into_iter();
    let first = arguments.next()?;
    if name.text() == STRING {
        return Some(vec![first]);
    }
    match F::from_name(name.text())? {
        F::Sprintf => Some(arguments.collect()),
        F::Join => match first {
            Expr::ArrayExpr(list) => Some(list.elements().collect()),
            _ => None,
        },
        F::New if first.syntax().text() == STRING => Some(arguments.take(1).collect()),
        _ => None,
    }
}
