//! Functions that take collections apart and put them together.

use super::Arguments;
use crate::infer::blocks::BlockResult;
use crate::infer::inferred::Inferred;
use crate::infer::operators::{merged, size_of};
use crate::types::precise::within;
use crate::types::{StringType, Type};

/// What a function gives.
pub(super) fn result(
    function: &str,
    arguments: &Arguments<'_>,
    _block: Option<&BlockResult>,
) -> Option<Inferred> {
    let all = arguments.all()?;
    let found = match (function, all) {
        ("merge", [first, rest @ ..]) => {
            let mut so_far = first.type_.clone();
            for it in rest {
                so_far = merged(&so_far, &it.type_)?;
            }
            so_far
        }
        ("length" | "size", [only]) => {
            let sized = Type::variant([
                Type::any_array(),
                Type::any_hash(),
                Type::String(StringType::Any),
            ]);
            if !within(&only.type_, &sized) {
                return None;
            }
            Type::Integer(size_of(&only.type_))
        }
        _ => return None,
    };
    Some(Inferred::of(found))
}
