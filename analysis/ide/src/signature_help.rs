//! Signature help: the overloads of the called function or the parameters of the declared resource,
//! with the active parameter.

use syntax::ast::{AstNode, Attribute, Expr, ParameterList};
use syntax::{SyntaxKind, SyntaxNode, TextRange, TextSize};

use salsa::Database;

use super::completion::{AttributeOwner, ResourceContext, enclosing_resource};
use super::cursor::{CursorContext, token_before};
use super::{bolt, hover, markdown};
use base::FileInput;
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, canonical_name, signature as signature_of};
use infer::{ResolvedOverload, bolt_signatures, signatures_of};
use library::KnownFunction;
use library::signatures::{Doc, Function};
use types::{Type, display_hover};

/// The result of a signature help request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureHelp {
    /// The overloads, in the order in which Puppet tries them.
    pub signatures: Vec<CallSignature>,
    /// The index of the first overload that accepts the arguments.
    pub active: usize,
    /// Whether these are the attributes of a resource, which users read on request only.
    pub is_resource: bool,
}

/// A signature: an overload of a function, or a resource type with its attributes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallSignature {
    /// The signature as code.
    pub label: String,
    /// The documentation, in Markdown.
    pub documentation: Option<String>,
    /// The parameters, in order.
    pub parameters: Vec<CallParameter>,
    /// The index of the parameter at the cursor.
    pub active: Option<usize>,
}

/// A parameter of a [`CallSignature`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallParameter {
    /// The range in the label, in bytes.
    pub range: TextRange,
    /// The documentation, in Markdown.
    pub documentation: Option<String>,
}

/// Computes the signature help at an offset.
pub(crate) fn signature_help(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<SignatureHelp> {
    let cursor = CursorContext::new(db, file, offset)?;
    for node in cursor.token.parent_ancestors() {
        match node.kind() {
            SyntaxKind::ARGUMENT_LIST if is_inside(&cursor, &node) => {
                return call_help(&cursor, &node);
            }
            SyntaxKind::PARAMETER_LIST => return lambda_help(&cursor, &node),
            SyntaxKind::RESOURCE_BODY | SyntaxKind::RESOURCE_DEFAULTS => {
                return resource_help(&cursor, &node);
            }
            SyntaxKind::BLOCK | SyntaxKind::LAMBDA => return None,
            _ => {}
        }
    }
    None
}

/// Checks whether the cursor is between the parentheses of an argument list.
fn is_inside(cursor: &CursorContext<'_>, list: &SyntaxNode) -> bool {
    let word = cursor.token.text_range();
    let starts = list.first_token().is_some_and(|it| {
        let is_bracket = matches!(it.kind(), SyntaxKind::L_PAREN | SyntaxKind::WS_L_PAREN);
        !is_bracket || it.text_range().end() <= cursor.offset
    });
    let ends = list.last_token().is_some_and(|it| {
        it.kind() == SyntaxKind::R_PAREN && it.text_range().start() < word.start()
    });
    starts && !ends
}

/// Returns the overloads of the called function.
fn call_help(cursor: &CursorContext<'_>, list: &SyntaxNode) -> Option<SignatureHelp> {
    let call = Expr::cast(list.parent()?)?;
    let (name, receiver) = name_and_receiver(&call)?;
    let name = canonical_name(&name);
    let commas = list
        .children_with_tokens()
        .filter(|it| it.kind() == SyntaxKind::COMMA && it.text_range().end() <= cursor.offset);
    let index = commas.count() + usize::from(receiver.is_some());
    let arguments = list.children().filter_map(Expr::cast);
    let arguments = arguments.filter(|it| !cursor.is_within(it.syntax()));
    let passed: Vec<Expr> = receiver
        .into_iter()
        .chain(arguments)
        .take_while(|it| it.syntax().text_range().end() <= cursor.offset)
        .collect();
    let mut signatures = render_overloads(cursor, &name, index)?;
    let known = signatures_of(cursor.db, cursor.environment, &name);
    let known = known.or_else(|| bolt_signatures(&name));
    let known: &[ResolvedOverload] = known.map_or(&[], |it| &it.overloads);
    for (signature, overload) in signatures.iter_mut().zip(known) {
        signature.active = active_parameter(overload, index);
    }
    let mut fitting = known.iter();
    let active = fitting.position(|it| accepts(cursor, it, &passed, index));
    Some(SignatureHelp {
        is_resource: false,
        active: active.unwrap_or(0),
        signatures,
    })
}

/// Returns the name of the called function, and the receiver of a method call. A call of a type is one of `new`.
fn name_and_receiver(call: &Expr) -> Option<(String, Option<Expr>)> {
    match call {
        Expr::CallExpr(it) if is_type(it.callee()) => {
            Some((KnownFunction::New.name().to_owned(), it.callee()))
        }
        Expr::CallExpr(it) => Some((it.name_token()?.text().to_owned(), None)),
        Expr::MethodCall(it) => Some((it.name_token()?.text().to_owned(), Some(it.receiver()?))),
        _ => None,
    }
}

/// Checks whether an expression is a type: `Integer` or `Array[String]`.
fn is_type(callee: Option<Expr>) -> bool {
    match callee {
        Some(Expr::QualifiedReference(_)) => true,
        Some(Expr::AccessExpr(it)) => is_type(it.base()),
        _ => false,
    }
}

/// Returns the index of the parameter for an argument.
fn active_parameter(overload: &ResolvedOverload, index: usize) -> Option<usize> {
    overload.parameter(index)?;
    Some(index.min(overload.parameters.len().saturating_sub(1)))
}

/// Checks whether an overload can accept the given arguments and one more at the cursor.
fn accepts(
    cursor: &CursorContext<'_>,
    overload: &ResolvedOverload,
    passed: &[Expr],
    index: usize,
) -> bool {
    let fits = |(at, argument): (usize, &Expr)| {
        let Some(parameter) = overload.parameter(at) else {
            return false;
        };
        let inferred = cursor.infer_expr(argument);
        inferred.and_then(|it| it.is_a(&parameter.type_)) != Some(false)
    };
    let has_parameter = index == 0 || overload.parameter(index).is_some();
    has_parameter && passed.iter().enumerate().all(fits)
}

/// Renders the overloads of a function, for the argument at an index.
fn render_overloads(
    cursor: &CursorContext<'_>,
    name: &str,
    index: usize,
) -> Option<Vec<CallSignature>> {
    let Ok(found) = resolve::function(cursor.db, cursor.environment, name) else {
        let mut of_bolt = bolt::functions_at(cursor);
        of_bolt.find(|it| it.name == name)?;
        return bolt::function(name).map(|it| function_signatures(it, index));
    };
    match found {
        Definition::Function(it) => Some(function_signatures(it.declared(), index)),
        Definition::Item(it) if it.kind(cursor.db) == ItemKind::Function => {
            Some(vec![item_signature(cursor, it)])
        }
        _ => None,
    }
}

/// Renders the overloads of a function. In long ones, only the parameter of the argument at the index is whole.
fn function_signatures(function: &Function, index: usize) -> Vec<CallSignature> {
    let all = function.overloads.iter().map(|overload| {
        let docs = [&overload.doc, &function.doc];
        let mut parameters: Vec<(String, Option<String>)> = Vec::new();
        for parameter in &overload.parameters {
            let mut documentation = docs.iter();
            let documentation =
                documentation.find_map(|it| markdown::parameter_doc(it, &parameter.name));
            let text = hover::render_function_parameter(overload, parameter);
            parameters.push((text, documentation));
        }
        if let Some(block) = &overload.block {
            let type_ = block.type_.as_deref().unwrap_or("Callable");
            parameters.push((format!("{type_} &${}", block.name), None));
        }
        let lengths = parameters.iter().map(|it| it.0.chars().count());
        if lengths.sum::<usize>() > hover::MAX_SIGNATURE {
            let active = index.min(overload.parameters.len().saturating_sub(1));
            let others = parameters.iter_mut().enumerate();
            for (_, it) in others.filter(|it| it.0 != active) {
                it.0 = hover::shortened(&it.0);
            }
        }
        let returns = overload.returns.as_ref();
        let end = returns.map_or(")".to_owned(), |it| format!(") >> {it}"));
        let documentation = docs.into_iter().find_map(summary);
        build_signature(
            &format!("{}(", function.name),
            parameters,
            &end,
            documentation,
        )
    });
    all.collect()
}

/// Returns the description in documentation, without parameters and examples.
fn summary(doc: &Doc) -> Option<String> {
    let summary = doc.tags("summary").map(|it| it.text.clone());
    let all: Vec<String> = summary.chain([doc.text.clone()]).collect();
    let text = all.join("\n\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Renders the signature of a function, class or defined type in Puppet code.
fn item_signature(cursor: &CursorContext<'_>, item: Item<'_>) -> CallSignature {
    let (open, close) = match item.kind(cursor.db) {
        ItemKind::Function => ("(", ")"),
        _ => (" { ", " }"),
    };
    let head = signature_of(cursor.db, item);
    let doc = item.doc(cursor.db);
    let parameters = head.parameters.iter().map(|it| {
        let mut text = it.type_.clone().map_or(String::new(), |it| it + " ");
        text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(if it.captures_rest { "*$" } else { "$" });
        text.push_str(&it.name);
        if let Some(default) = &it.default {
            let default = default.split_whitespace().collect::<Vec<_>>().join(" ");
            text.push_str(&format!(" = {}", base::truncated(&default, 40)));
        }
        (text, markdown::parameter_doc(&doc, &it.name))
    });
    let end = match &head.returns {
        Some(it) if close == ")" => format!("{close} >> {it}"),
        _ => close.to_owned(),
    };
    let start = format!("{}{open}", item.name(cursor.db));
    build_signature(&start, parameters.collect(), &end, summary(&doc))
}

/// Builds a signature from its parts.
fn build_signature(
    start: &str,
    parameters: Vec<(String, Option<String>)>,
    end: &str,
    documentation: Option<String>,
) -> CallSignature {
    let mut label = start.to_owned();
    let mut found = Vec::new();
    for (index, (text, documentation)) in parameters.into_iter().enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        let range = TextRange::at(TextSize::of(&*label), TextSize::of(&*text));
        label.push_str(&text);
        found.push(CallParameter {
            range,
            documentation,
        });
    }
    label.push_str(end);
    CallSignature {
        label,
        documentation,
        parameters: found,
        active: None,
    }
}

/// Returns the parameters of a lambda, from the block type of the called function.
fn lambda_help(cursor: &CursorContext<'_>, list: &SyntaxNode) -> Option<SignatureHelp> {
    let list = ParameterList::cast(list.clone())?;
    let lambda = list.syntax().parent()?;
    if lambda.kind() != SyntaxKind::LAMBDA {
        return None;
    }
    let call = Expr::cast(lambda.parent()?)?;
    let (name, _) = name_and_receiver(&call)?;
    let overloads =
        &signatures_of(cursor.db, cursor.environment, &canonical_name(&name))?.overloads;
    let commas = list
        .syntax()
        .children_with_tokens()
        .filter(|it| it.kind() == SyntaxKind::COMMA && it.text_range().end() <= cursor.offset);
    let index = commas.count();
    let mut signatures: Vec<CallSignature> = Vec::new();
    for block in overloads
        .iter()
        .filter_map(|it| it.block.as_ref()?.0.as_ref())
    {
        let Some(mut found) = lambda_signature(block) else {
            continue;
        };
        if signatures.iter().any(|it| it.label == found.label) {
            continue;
        }
        found.active = (index < found.parameters.len()).then_some(index);
        signatures.push(found);
    }
    let active = signatures.iter().position(|it| it.active.is_some());
    (!signatures.is_empty()).then(|| SignatureHelp {
        is_resource: false,
        signatures,
        active: active.unwrap_or(0),
    })
}

/// The maximum number of block parameters to display.
const MAX_PARAMETERS: usize = 10;

fn lambda_signature(type_: &Type) -> Option<CallSignature> {
    let Type::Callable(block) = type_ else {
        return match type_ {
            Type::Optional(Some(inner)) => lambda_signature(inner),
            _ => None,
        };
    };
    let parameters = block.params()?;
    let size = parameters.size_range();
    let count = size
        .max()
        .or(size.min())
        .and_then(|it| usize::try_from(it).ok())?;
    let types = (0..count.min(MAX_PARAMETERS)).map(|it| match parameters.at(it) {
        Some(Type::Unit) | None => ("Any".to_owned(), None),
        Some(type_) => (display_hover(type_), None),
    });
    Some(build_signature("|", types.collect(), "|", None))
}

/// Returns the attributes of the declared resource.
fn resource_help(cursor: &CursorContext<'_>, body: &SyntaxNode) -> Option<SignatureHelp> {
    let resource = enclosing_resource(body)?;
    let attribute = cursor.token.parent_ancestors().find_map(Attribute::cast);
    let attribute = attribute.and_then(|it| it.name_token());
    let attribute = attribute.filter(|it| *it != cursor.token);
    // No help for titles.
    if attribute.is_none() && !is_in_attributes(cursor) {
        return None;
    }
    let name = attribute.as_ref().map(|it| it.text().to_owned());
    let mut found = resource_signature(cursor, &resource)?;
    let is_set = |index: usize| {
        let name = found.1.get(index);
        name.is_some_and(|it| resource.set_attributes.contains(it))
    };
    found.0.active = name.and_then(|name| found.1.iter().position(|it| *it == name));
    let folded = folded(&found.0, is_set);
    Some(SignatureHelp {
        is_resource: true,
        signatures: vec![folded.unwrap_or(found.0)],
        active: 0,
    })
}

/// The maximum length of the label of a resource, in bytes: about two lines.
const MAX_RESOURCE_LABEL: usize = 200;

/// Returns a signature that is short enough to read, with the parameter at the cursor and those that are not set.
fn folded(full: &CallSignature, is_set: impl Fn(usize) -> bool) -> Option<CallSignature> {
    let (first, last) = (full.parameters.first()?, full.parameters.last()?);
    (full.label.len() > MAX_RESOURCE_LABEL).then_some(())?;
    let mut order: Vec<usize> = (0..full.parameters.len()).collect();
    order.sort_by_key(|it| (Some(*it) != full.active, is_set(*it)));
    let mut length = 0;
    let shown = order.into_iter().take_while(|it| {
        let is_first = length == 0;
        length += usize::from(full.parameters[*it].range.len());
        is_first || length <= MAX_RESOURCE_LABEL
    });
    let mut shown: Vec<usize> = shown.collect();
    shown.sort_unstable();
    let active = shown.iter().position(|it| Some(*it) == full.active);
    let parts = shown.iter().map(|it| {
        let parameter = &full.parameters[*it];
        let text = full.label[parameter.range].to_owned();
        (text, parameter.documentation.clone())
    });
    let start = &full.label[..first.range.start().into()];
    let end = &full.label[last.range.end().into()..];
    let end = format!(", …{end}");
    let documentation = full.documentation.clone();
    Some(CallSignature {
        active,
        ..build_signature(start, parts.collect(), &end, documentation)
    })
}

/// Checks whether the cursor is in the attributes, after the title.
fn is_in_attributes(cursor: &CursorContext<'_>) -> bool {
    let before = token_before(&cursor.token).map(|it| it.kind());
    use SyntaxKind::*;
    matches!(before, Some(COLON | COMMA | FAT_ARROW))
}

/// Renders the signature of a resource. Returns it with the names of the attributes.
fn resource_signature(
    cursor: &CursorContext<'_>,
    resource: &ResourceContext,
) -> Option<(CallSignature, Vec<String>)> {
    let owner = AttributeOwner::of(cursor.db, cursor.environment, resource)?;
    let attributes = owner.attributes(cursor.db);
    let names = attributes.iter().map(|it| it.name.clone()).collect();
    let declared = match owner {
        AttributeOwner::Item(it) => return Some((item_signature(cursor, it), names)),
        AttributeOwner::Type(it) => it,
    };
    let declared = declared.declared();
    let parameters = attributes.iter().map(|it| {
        let mut all = declared.attributes.iter();
        let own = all.find(|own| own.name == it.name);
        let documentation = own.map(|it| markdown::render_doc(&it.doc));
        (it.name.clone(), documentation.filter(|it| !it.is_empty()))
    });
    let start = format!("{} {{ ", declared.name);
    let found = build_signature(&start, parameters.collect(), " }", summary(&declared.doc));
    Some((found, names))
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    const MODULE: &str = r"
//- modules/web/manifests/site.pp
# A site.
# @param port The port to listen on
define web::site (Integer $port, Optional[String] $docroot = undef) { }
//- modules/web/functions/one.pp
# @param y The second
function web::one(Integer $x, String $y = 'a') >> String { $y }
";

    /// Renders the active signature, with its active parameter in `«»` and its position among all.
    fn help(code: &str) -> String {
        let fixture = Fixture::new(&format!("{MODULE}//- manifests/site.pp\n{code}"));
        let (file, offset) = fixture.cursor();
        let Some(found) = fixture.analysis().signature_help(file, offset) else {
            return "nothing".to_owned();
        };
        let active = &found.signatures[found.active];
        let mut label = active.label.clone();
        let mut about = String::new();
        if let Some(index) = active.active {
            let parameter = &active.parameters[index];
            label.insert(usize::from(parameter.range.end()), '»');
            label.insert(usize::from(parameter.range.start()), '«');
            if let Some(text) = &parameter.documentation {
                about = format!(": {text}");
            }
        }
        let count = found.signatures.len();
        format!("{label} {}/{count}{about}", found.active + 1)
    }

    #[test]
    fn functions() {
        let one = "web::one(«Integer $x», String $y = 'a') >> String 1/1";
        assert_eq!(help("$a = web::one(<^>"), one);
        assert_eq!(help("$a = web::one(1<^>)"), one);
        let two = "web::one(Integer $x, «String $y = 'a'») >> String 1/1: The second";
        assert_eq!(help("$a = web::one(1, <^>)"), two);
        assert_eq!(help("$a = 1.web::one(<^>)"), two);
        assert_eq!(help("$a = web::one([1, 2], 'x<^>y')"), two);
        assert_eq!(help("$a = web::one(1)<^>"), "nothing");
        assert_eq!(help("$a = unknown(<^>)"), "nothing");
        assert_eq!(
            help("$a = web::one(1, 'a', <^>)"),
            "web::one(Integer $x, String $y = 'a') >> String 1/1"
        );
    }

    #[test]
    fn selects_the_overload_by_arguments() {
        let of_hash = help("$a = { 'a' => 1 }.reduce(<^>)");
        assert!(
            of_hash.contains("$memo") || of_hash.contains("reduce("),
            "{of_hash}"
        );
        let text = help("$a = 'x'.match(<^>)");
        let list = help("$a = ['x'].match(<^>)");
        assert_ne!(text, list);
    }

    #[test]
    fn resources() {
        let head = "web::site { «Integer $port», Optional[String] $docroot = undef } 1/1: The port to listen on";
        assert_eq!(help("web::site { 'x': port => <^> }"), head);
        let head = "web::site { Integer $port, «Optional[String] $docroot = undef» } 1/1";
        assert_eq!(
            help("web::site { 'x': port => 1, docroot => 'a<^>' }"),
            head
        );
        assert_eq!(help("web::site { 'x<^>': }"), "nothing");
        assert!(help("file { '/x': mode => <^> }").contains("«mode»"));
        let long = help("file { '/x': owner => 'a', <^> }");
        assert!(long.contains(", … }") && long.len() < 300, "{long}");
    }

    #[test]
    fn lambdas() {
        let found = help("$a = [1].each |$x, <^>| { }");
        assert!(found.starts_with('|') && found.contains('«'), "{found}");
        assert_eq!(help("$a = web::one(1) |$x| { <^> }"), "nothing");
    }

    #[test]
    fn long_signatures_are_folded_around_the_active_parameter() {
        let found = help("$x = regsubst('a', <^>)");
        assert!(
            found.contains("Variant[…] $target, «String $pattern»"),
            "{found}"
        );
    }
}
