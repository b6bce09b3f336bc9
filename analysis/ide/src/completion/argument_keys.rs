//! Completes the keys of hashes that calls take apart: parameters of templates, and attributes of the
//! resources that a function creates.

use syntax::ast::{AstNode, CallExpr, Expr, HashExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::resource::{AttributeOwner, ResourceContext, attribute_info};
use super::values::existing_keys;
use super::{Candidate, Candidates, CompletionKind, DocumentedKind, score};
use hir::{canonical_name, resolve};
use infer::template_parameters;
use library::{KnownFunction, NamedEntity};

/// A hash in the arguments of a call.
struct ArgumentHash {
    function: KnownFunction,
    /// The first argument, if it is a literal.
    first: String,
    /// The index of the argument.
    index: usize,
    /// Whether the hash is the value of an entry of the argument.
    is_nested: bool,
}

/// Adds the keys that the called function looks for.
pub(super) fn argument_keys(acc: &mut Candidates<'_, '_>) {
    let Some(hash) = argument_hash(acc) else {
        return;
    };
    use KnownFunction::{CreateResources, EnsureResource, EnsureResources};
    match (hash.function, hash.index, hash.is_nested) {
        (CreateResources | EnsureResources, 1, true)
        | (CreateResources | EnsureResource | EnsureResources, 2, false) => {
            attributes(acc, &hash.first);
        }
        (function, 1, false) if function.names() == Some(NamedEntity::EppTemplate) => {
            parameters(acc, &hash.first);
        }
        _ => {}
    }
}

fn argument_hash(acc: &Candidates<'_, '_>) -> Option<ArgumentHash> {
    let mut hashes = acc.cursor.token.parent_ancestors();
    let inner = hashes.find(|it| HashExpr::can_cast(it.kind()))?;
    let parent = inner.parent()?;
    let (argument, is_nested) = match parent.kind() {
        SyntaxKind::HASH_ENTRY => (parent.parent()?, true),
        _ => (inner, false),
    };
    let list = argument.parent()?;
    let call = CallExpr::cast(list.parent()?)?;
    let arguments: Vec<SyntaxNode> = list
        .children()
        .filter(|it| Expr::can_cast(it.kind()))
        .collect();
    let first = arguments.first().cloned().and_then(Expr::cast)?;
    Some(ArgumentHash {
        function: KnownFunction::from_name(&canonical_name(call.name_token()?.text()))?,
        first: first.plain_text()?,
        index: arguments.iter().position(|it| *it == argument)?,
        is_nested,
    })
}

fn attributes(acc: &mut Candidates<'_, '_>, type_: &str) {
    let resource = ResourceContext {
        type_: canonical_name(type_),
        ..ResourceContext::default()
    };
    let (db, environment) = (acc.cursor.db, acc.cursor.environment);
    let Some(owner) = AttributeOwner::of(db, environment, &resource) else {
        return;
    };
    let metaparameters = library::metaparameters().iter();
    let metaparameters = metaparameters.map(|it| (attribute_info(it), 0));
    let own = owner.attributes(db).into_iter();
    let own = own.map(|it| (it, score::SAME_SCOPE));
    for (attribute, points) in own.chain(metaparameters) {
        let required = attribute.required && !attribute.namevar;
        let points = points + if required { score::TYPE_MATCH } else { 0 };
        let key = format!("{} {}", resource.type_, attribute.name);
        let documented = (DocumentedKind::Attribute, key);
        add(
            acc,
            &attribute.name,
            points,
            attribute.type_,
            Some(documented),
        );
    }
}

fn parameters(acc: &mut Candidates<'_, '_>, path: &str) {
    let (db, environment) = (acc.cursor.db, acc.cursor.environment);
    let template = resolve::epp_template(db, environment, path);
    let Some(all) = template.and_then(|it| template_parameters(db, it).as_ref()) else {
        return;
    };
    for it in all {
        let type_ = types::display_hover(it.type_());
        let points = if it.has_default() {
            0
        } else {
            score::TYPE_MATCH
        };
        add(acc, &it.name, points, Some(type_), None);
    }
}

fn add(
    acc: &mut Candidates<'_, '_>,
    name: &str,
    points: i64,
    type_: Option<String>,
    documented: Option<(DocumentedKind, String)>,
) {
    if existing_keys(acc.cursor).iter().any(|it| it == name) {
        return;
    }
    let mut candidate = Candidate::new(CompletionKind::Key, name)
        .detail(type_.map(|it| base::truncated(&it, 80)))
        .insert(acc.hash_key(name, &format!("'{name}'")));
    if let Some((kind, key)) = documented {
        candidate = candidate.documentation_key(kind, key);
    }
    acc.add(candidate.score(score::TYPE_MATCH + points));
}
