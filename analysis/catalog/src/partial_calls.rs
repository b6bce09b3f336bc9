//! Calls with unknown arguments: the resources and classes that they declare in any case.

use eval::{Evaluator, FlowResult, PartlyKnown};
use library::KnownFunction;
use syntax::SyntaxNode;
use types::values::Value;

use crate::state::{Additions, Compiler, ScopeId};
use crate::values::{flattened, known_or_reason};

impl Compiler<'_> {
    /// Declares what the known elements in lists of titles, classes or references mean, although others are unknown.
    pub(crate) fn call_partly(
        &self,
        scope: ScopeId,
        evaluator: &Evaluator<'_>,
        name: &str,
        args: &[PartlyKnown],
    ) -> FlowResult<()> {
        let Some(lists) = KnownFunction::from_name(name).and_then(lists_of) else {
            return Ok(());
        };
        let mut has_known = false;
        let mut known = Vec::with_capacity(args.len());
        for (index, argument) in args.iter().enumerate() {
            let is_list = lists.contains(&index);
            let value = match argument {
                Ok(value) => value.clone(),
                Err(unknown) if is_list => Value::array(unknown.known_values()),
                Err(_) => return Ok(()),
            };
            has_known |= is_list && !flattened([&value]).is_empty();
            known.push(value);
        }
        let Some(call) = evaluator.call_site().filter(|_| has_known) else {
            return Ok(());
        };
        self.note_unknown_rest(scope, call);
        match self.call(scope, evaluator, name, &known, None) {
            Some(outcome) => known_or_reason(outcome).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Records what the unknown elements may declare before the known ones are evaluated.
    fn note_unknown_rest(&self, scope: ScopeId, call: &SyntaxNode) {
        let additions = Additions::Code(call.clone());
        self.add_gap_of(
            additions,
            scope,
            Some(call.text_range()),
            "some arguments are unknown",
        );
    }
}

/// Returns the arguments of a function whose elements it treats one by one; `None` for other functions.
fn lists_of(function: KnownFunction) -> Option<std::ops::Range<usize>> {
    match function {
        KnownFunction::Include
        | KnownFunction::Contain
        | KnownFunction::Require
        | KnownFunction::Realize => Some(0..usize::MAX),
        KnownFunction::EnsurePackages => Some(0..1),
        KnownFunction::EnsureResource => Some(1..2),
        _ => None,
    }
}
