//! Calls with unknown arguments: their values, and the resources and classes that they declare in any case.

use eval::{Evaluator, FlowResult, PartlyKnown, merge_partly};
use hir::title_pattern::TitlePattern;
use library::KnownFunction;
use syntax::SyntaxNode;
use types::values::Value;

use crate::functions::{Call, creates_resources};
use crate::possible_titles::possible_titles;
use crate::state::{Additions, Compiler, ScopeId};
use crate::values::{flattened, known_or_reason};

impl Compiler<'_> {
    /// Calls a function with unknown arguments, and returns its value if it is known at least in part.
    pub(crate) fn call_partly(
        &self,
        scope: ScopeId,
        evaluator: &Evaluator<'_>,
        name: &str,
        args: &[PartlyKnown],
    ) -> FlowResult<Option<PartlyKnown>> {
        let Some(function) = KnownFunction::from_name(name) else {
            return Ok(None);
        };
        let type_name = args.first().and_then(|it| it.as_ref().ok());
        if creates_resources(function) {
            self.check_created_type(scope, evaluator.call_site(), type_name)?;
        }
        match function {
            KnownFunction::Merge | KnownFunction::StdlibMerge | KnownFunction::DeepMerge => {
                let is_deep = function == KnownFunction::DeepMerge;
                let is_known = self.is_installed_with_stdlib(name);
                Ok(is_known.then(|| merged(args, is_deep)).flatten())
            }
            KnownFunction::CreateResources => {
                let call = Call::of(scope, evaluator);
                let outcome = self.create_resources(call, args);
                known_or_reason(outcome)
                    .map(Result::ok)
                    .map(|it| it.map(Ok))
            }
            function => self.call_with_known_elements(scope, evaluator, (name, function), args),
        }
    }

    /// Declares what the known elements in lists of titles, classes or references mean, although others are unknown.
    fn call_with_known_elements(
        &self,
        scope: ScopeId,
        evaluator: &Evaluator<'_>,
        (name, function): (&str, KnownFunction),
        args: &[PartlyKnown],
    ) -> FlowResult<Option<PartlyKnown>> {
        let Some(lists) = lists_of(function) else {
            return Ok(None);
        };
        let classes = possible_classes(function, args);
        let mut has_known = false;
        let mut known = Vec::with_capacity(args.len());
        for (index, argument) in args.iter().enumerate() {
            let is_list = lists.contains(&index);
            let value = match argument {
                Ok(value) => value.clone(),
                Err(unknown) if is_list => Value::array(unknown.known_values()),
                Err(_) => return Ok(None),
            };
            has_known |= is_list && !flattened([&value]).is_empty();
            known.push(value);
        }
        let is_partly_known = has_known || classes.is_some();
        let Some(call) = evaluator.call_site().filter(|_| is_partly_known) else {
            return Ok(None);
        };
        let rest = classes.map(Additions::Classes);
        let has_all_effects = rest.is_some();
        self.note_unknown_rest(scope, call, rest);
        if has_known && let Some(outcome) = self.call(scope, evaluator, name, &known, None) {
            let _value = known_or_reason(outcome)?;
        }
        Ok(has_all_effects.then(|| Err("some arguments are unknown".into())))
    }

    /// Records what the unknown elements may declare before the known ones are evaluated: any resource, or `additions`.
    fn note_unknown_rest(&self, scope: ScopeId, call: &SyntaxNode, additions: Option<Additions>) {
        self.add_gap_of(
            additions.unwrap_or_else(|| Additions::Code(call.clone())),
            scope,
            Some(call.text_range()),
            "some arguments are unknown",
        );
    }
}

/// Returns the patterns of the unknown names of classes that a call declares; `None` if it may declare any.
fn possible_classes(function: KnownFunction, args: &[PartlyKnown]) -> Option<Vec<TitlePattern>> {
    if !matches!(
        function,
        KnownFunction::Include | KnownFunction::Contain | KnownFunction::Require
    ) {
        return None;
    }
    let mut names = Vec::new();
    for unknown in args.iter().filter_map(|it| it.as_ref().err()) {
        names.extend(possible_titles(unknown, None)?);
    }
    let names: Vec<_> = names.into_iter().map(TitlePattern::canonical).collect();
    let has_module = |it: &TitlePattern| it.start_until("::").is_some();
    names.iter().all(has_module).then_some(names)
}

/// Merges hashes. Empty strings and `undef` count as empty hashes.
fn merged(hashes: &[PartlyKnown], is_deep: bool) -> Option<PartlyKnown> {
    let is_blank = |it: &Value| it.is_undef() || it.as_str() == Some("");
    let hashes = hashes.iter().filter(|it| !it.as_ref().is_ok_and(is_blank));
    let hashes: Vec<PartlyKnown> = hashes.cloned().collect();
    merge_partly(&hashes, is_deep)
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
