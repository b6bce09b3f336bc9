//! Digests.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::puppet3_api::convert_arguments;
use super::{Call, Family};
use crate::control_flow::FlowResult;
use crate::expressions::Evaluator;
use types::values::Value;

pub(super) const FUNCTIONS: Family = &[
    ("md5", &[("Callable[Any, 0, Optional[Callable]]", md5)]),
    ("sha1", &[("Callable[Any, 0, Optional[Callable]]", sha1)]),
    (
        "sha256",
        &[("Callable[Any, 0, Optional[Callable]]", sha256)],
    ),
    // The default of the setting `digest_algorithm`.
    (
        "digest",
        &[("Callable[Any, 0, Optional[Callable]]", sha256)],
    ),
];

fn digest<D: Digest>(evaluator: &Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let args = convert_arguments(evaluator, call)?;
    let [Value::String(text)] = args.as_slice() else {
        return Err(call.error("expected one string"));
    };
    evaluator.budget.spend(text.len() as u64)?;
    Ok(Value::from(hex_digest::<D>(text)))
}

/// Returns the digest of a string in hexadecimal digits.
pub fn hex_digest<D: Digest>(text: &str) -> String {
    let bytes = D::digest(text.as_bytes());
    bytes.iter().map(|it| std::format!("{it:02x}")).collect()
}

fn md5(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    digest::<Md5>(evaluator, call)
}

fn sha1(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    digest::<Sha1>(evaluator, call)
}

fn sha256(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    digest::<Sha256>(evaluator, call)
}
