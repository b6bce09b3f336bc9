//! Return types of functions: the recorded result of a call must have the type that the stub
//! declares.

use std::collections::BTreeSet;

use analysis::library;
use analysis::signatures::{Arity, Overload};
use analysis::types::is_assignable;
use analysis::types::reader::{self, BuiltInTypes};
use pupil_tests::evaluations::{RecordedEvaluation, recording};
use pupil_tests::recordings;
use syntax::Dialect;
use syntax::ast::Expr;
use syntax::validation::PuppetVersion;

use crate::assert_no_problems;

/// A call, with the number of its arguments.
struct Call {
    name: String,
    arguments: usize,
    /// Whether an argument is a splat.
    spread: bool,
    block: bool,
}

fn spread(arguments: &[Expr]) -> bool {
    let source = |it: &Expr| syntax::ast::AstNode::syntax(it).text().to_string();
    arguments
        .iter()
        .any(|it| source(it).trim_start().starts_with('*'))
}

/// Returns the call that a source consists of.
fn last_call(source: &str) -> Option<Call> {
    if source.contains("function ") {
        return None;
    }
    let tree = syntax::parse(source, Dialect::default()).tree();
    match tree.statements().last()? {
        Expr::CallExpr(it) => Some(Call {
            name: it.name_token()?.text().to_owned(),
            arguments: it.arguments().len(),
            spread: spread(&it.arguments()),
            block: it.lambda().is_some(),
        }),
        Expr::MethodCall(it) => Some(Call {
            name: it.name_token()?.text().to_owned(),
            arguments: 1 + it.arguments().len(),
            spread: spread(&it.arguments()) || it.receiver().is_some_and(|it| spread(&[it])),
            block: it.lambda().is_some(),
        }),
        _ => None,
    }
}

fn accepts(overload: &Overload, call: &Call) -> bool {
    let parameters = overload.parameters.iter();
    let least =
        parameters.filter(|it| matches!(it.arity, Arity::Required | Arity::RequiredRepeated));
    let repeated = overload.parameters.last();
    let repeated =
        repeated.is_some_and(|it| matches!(it.arity, Arity::Repeated | Arity::RequiredRepeated));
    let block = match &overload.block {
        None => !call.block,
        Some(it) => call.block || it.optional,
    };
    let enough = least.count() <= call.arguments;
    let few = repeated || call.arguments <= overload.parameters.len();
    block && (call.spread || (enough && few))
}

/// Checks whether the type is within the return types of the overloads that accept the call; `None`
/// if one of them declares none.
fn fits(call: &Call, type_: &str) -> Option<bool> {
    let function = library::function(&call.name, PuppetVersion::V7)?;
    let overloads: Vec<_> = function
        .overloads
        .iter()
        .filter(|it| accepts(it, call))
        .collect();
    let promised: Option<Vec<_>> = overloads.iter().map(|it| it.returns.as_ref()).collect();
    let actual = reader::read(type_, &BuiltInTypes).ok()?;
    let promised = promised?;
    let one = |it: &&String| {
        let promised = reader::read(it, &BuiltInTypes).ok();
        promised.and_then(|it| is_assignable(&it, &actual)) == Some(true)
    };
    Some(promised.iter().any(one))
}

#[test]
fn results_match_the_return_types() {
    let cases: Vec<RecordedEvaluation> =
        recordings::read(&recording()).expect("the recording is in the repository");
    let (mut names, mut count, mut wrong) = (BTreeSet::new(), 0, Vec::new());
    for case in cases.iter().filter(|it| it.answer.ok) {
        let Some(call) = last_call(&case.source) else {
            continue;
        };
        let exact = case.answer.type_exact.as_ref();
        let type_ = exact.unwrap_or(&case.answer.type_detailed);
        match fits(&call, type_) {
            Some(true) => {
                count += 1;
                names.insert(call.name);
            }
            Some(false) => wrong.push(format!("{} has type {type_}", case.source)),
            None => {}
        }
    }
    assert_no_problems(&wrong);
    assert!(count > 1500, "only {count} results were checked");
    assert!(names.len() >= 40, "only {names:?} are called");
}
