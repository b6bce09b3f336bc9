//! Mistakes by insertion.

use syntax::ast::{
    Assignment, AstNode, Attribute, ClassDefinition, Definition, HasName, HasParameters,
};
use syntax::ast::{Expr, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::Mistake;
use super::sites::Source;

/// Returns all of them for a file.
pub(super) fn mistakes(source: &Source<'_>) -> Vec<Mistake> {
    let mut found = Vec::new();
    for definition in source.root.children().filter_map(Definition::cast) {
        match &definition {
            Definition::ClassDefinition(it) => class(source, it, &mut found),
            Definition::DefineDefinition(it) => {
                in_body(source, it.syntax(), &mut found);
                reassigned_parameter(it.syntax(), it.parameters().into_iter().next(), &mut found);
            }
            _ => {}
        }
    }
    for node in source.root.descendants() {
        match node.kind() {
            SyntaxKind::ATTRIBUTE => attribute_again(&node, &mut found),
            SyntaxKind::ASSIGNMENT => assignment_again(&node, &mut found),
            SyntaxKind::RESOURCE_EXPR => resource_again(&node, &mut found),
            _ => {}
        }
    }
    found
}

pub(super) fn insertion(
    kind: &'static str,
    code: &'static str,
    at: usize,
    with: String,
) -> Mistake {
    // The diagnostic starts at the first word of the inserted text.
    let blank = with.len() - with.trim_start().len();
    Mistake {
        kind,
        code,
        from: at,
        to: at,
        with,
        at: at + blank,
    }
}

/// Returns the offset after the brace that opens the body.
pub(super) fn body_start(definition: &SyntaxNode) -> Option<usize> {
    let block = definition
        .children()
        .find(|it| it.kind() == SyntaxKind::BLOCK)?;
    let brace = block
        .children_with_tokens()
        .find(|it| it.kind() == SyntaxKind::L_BRACE)?;
    Some(usize::from(brace.text_range().end()))
}

fn class(source: &Source<'_>, class: &ClassDefinition, found: &mut Vec<Mistake>) {
    in_body(source, class.syntax(), found);
    reassigned_parameter(class.syntax(), class.parameters().into_iter().next(), found);
    let name = class.name().map(|it| it.text()).unwrap_or_default();
    let Some(body) = body_start(class.syntax()) else {
        return;
    };
    if class.inherits().is_none() && source.names.has_manifest(&name) {
        let code = "inheritance-cycle";
        let with = format!("inherits {name} ");
        found.push(insertion(
            "class that inherits itself",
            code,
            body - 1,
            with,
        ));
        if let Some(child) = subclass(source, &name) {
            let with = format!("inherits {child} ");
            let kind = "classes that inherit each other";
            found.push(insertion(kind, code, body - 1, with));
        }
    }
    if let Some(other) = other_class(source, &name) {
        let with = format!("\nclass {other} {{ }}\n");
        let at = source.text.len();
        found.push(insertion(
            "class that is defined twice",
            "duplicate-definition",
            at,
            with,
        ));
    }
}

/// Returns a class of the same module that inherits from this one.
fn subclass(source: &Source<'_>, name: &str) -> Option<String> {
    let marks = [
        format!(" inherits {name} {{"),
        format!(" inherits ::{name} {{"),
    ];
    let files = source.module.files.iter();
    let mut subclasses = files.filter_map(|(path, text)| {
        let text = text.as_deref()?;
        let path = path.strip_prefix("manifests/")?.strip_suffix(".pp")?;
        let child = format!("{}::{}", source.module.name, path.replace('/', "::"));
        let header = format!("class {child} ");
        let inherits = marks.iter().any(|it| text.contains(it));
        (inherits && path != "init" && text.contains(&header)).then_some(child)
    });
    subclasses.next()
}

/// Returns another class of the same module, in a file of its own.
fn other_class(source: &Source<'_>, name: &str) -> Option<String> {
    let files = source.module.files.iter();
    let mut others = files.filter_map(|(path, text)| {
        let part = path.strip_prefix("manifests/")?.strip_suffix(".pp")?;
        let other = format!("{}::{}", source.module.name, part.replace('/', "::"));
        let header = format!("class {other} ");
        let is_there = text.as_deref()?.contains(&header);
        (is_there && path != source.path && other != name).then_some(other)
    });
    others.next()
}

/// Statements at the start of a body.
fn in_body(source: &Source<'_>, definition: &SyntaxNode, found: &mut Vec<Mistake>) {
    let Some(at) = body_start(definition) else {
        return;
    };
    let module = &source.module.name;
    let statements = [
        (
            "legacy fact",
            "legacy-fact",
            "notice($::osfamily)".to_owned(),
        ),
        (
            "legacy fact in a string",
            "legacy-fact",
            "notice(\"x ${::ipaddress_eth0}\")".to_owned(),
        ),
        (
            "removed function",
            "removed-function",
            "notice(extlookup('a'))".to_owned(),
        ),
        (
            "built-in variable",
            "reassigned-variable",
            "$title = 'a'".to_owned(),
        ),
        (
            "function of this module",
            "unknown-function",
            format!("notice({module}::pupil_planted())"),
        ),
        (
            "epp call",
            "missing-template",
            format!("notice(epp('{module}/pupil.epp'))"),
        ),
        (
            "file function",
            "missing-file",
            format!("notice(file('{module}/pupil.txt'))"),
        ),
    ];
    for (kind, code, statement) in statements {
        found.push(insertion(kind, code, at, format!("\n  {statement}\n")));
    }
}

fn reassigned_parameter(
    definition: &SyntaxNode,
    parameter: Option<syntax::ast::Parameter>,
    found: &mut Vec<Mistake>,
) {
    let name = parameter.and_then(|it| it.name());
    if let (Some(name), Some(at)) = (name, body_start(definition)) {
        let with = format!("\n  ${name} = 1\n");
        let code = "reassigned-variable";
        found.push(insertion("assigned parameter", code, at, with));
    }
}

fn attribute_again(node: &SyntaxNode, found: &mut Vec<Mistake>) {
    let name = Attribute::cast(node.clone()).and_then(|it| it.name_token());
    let Some(name) = name else { return };
    let at = usize::from(node.text_range().end());
    let with = format!(", {} => undef", name.text());
    let mut mistake = insertion("duplicate attribute", "duplicate-attribute", at, with);
    // A heredoc's lines follow the line of its tag.
    if !node.text().to_string().contains("@(") {
        mistake.at = at + 2;
        found.push(mistake);
    }
}

fn assignment_again(node: &SyntaxNode, found: &mut Vec<Mistake>) {
    let target = Assignment::cast(node.clone()).and_then(|it| it.lhs());
    let Some(Expr::VariableExpr(target)) = target else {
        return;
    };
    let in_block = node
        .parent()
        .is_some_and(|it| it.kind() == SyntaxKind::BLOCK);
    if in_block && !node.text().to_string().contains("@(") {
        let at = usize::from(node.text_range().end());
        let with = format!("\n  {} = 1", target.syntax().text());
        found.push(insertion(
            "reassigned variable",
            "reassigned-variable",
            at,
            with,
        ));
    }
}

fn resource_again(node: &SyntaxNode, found: &mut Vec<Mistake>) {
    let Some(resource) = ResourceExpr::cast(node.clone()) else {
        return;
    };
    let in_block = node
        .parent()
        .is_some_and(|it| it.kind() == SyntaxKind::BLOCK);
    let title = resource.bodies().next().and_then(|it| it.title());
    let type_ = resource.type_name();
    let (Some(title @ Expr::StringLiteral(_)), Some(type_)) = (title, type_) else {
        return;
    };
    let guarded = node.ancestors().any(|it| {
        let asks = it.text().to_string().contains("defined");
        asks && matches!(it.kind(), SyntaxKind::IF_EXPR | SyntaxKind::UNLESS_EXPR)
    });
    if in_block && !guarded && !node.text().to_string().contains("@(") {
        let at = usize::from(node.text_range().end());
        let with = format!(
            "\n  {} {{ {}: }}",
            type_.syntax().text(),
            title.syntax().text()
        );
        found.push(insertion(
            "duplicate resource",
            "duplicate-resource",
            at,
            with,
        ));
    }
}
