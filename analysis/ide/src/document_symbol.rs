//! Document symbols: the outline of a file.
//!
//! Definitions nest as in the source. The contents of `if`, `case` and lambdas belong to the
//! enclosing definition, where users expect them.

use syntax::ast::{
    ArrayExpr, Assignment, AstNode, Definition, Expr, FunctionDefinition, HasParameters, HostName,
    Parameter, ResourceBody, ResourceExpr, StringLiteral,
};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, WalkEvent};

use super::text::excerpt;
use super::{DocumentSymbol, SymbolKind};
use syntax::ast::assigned_variables;
use types::capitalize_segments;

/// Returns the outline of a file.
pub(crate) fn document_symbols(file: &SyntaxNode) -> Vec<DocumentSymbol> {
    let mut outline = Outline::default();
    for event in file.preorder() {
        match event {
            WalkEvent::Enter(node) => outline.enter(&node),
            WalkEvent::Leave(node) => outline.leave(&node),
        }
    }
    outline.found
}

#[derive(Default)]
struct Outline {
    /// The enclosing definitions, each with the preceding symbols of its level.
    open: Vec<(DocumentSymbol, Vec<DocumentSymbol>)>,
    /// The symbols of the current level.
    found: Vec<DocumentSymbol>,
}

impl Outline {
    fn enter(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::PARAMETER => self.found.extend(parameter(node)),
            SyntaxKind::ASSIGNMENT => variables(node, &mut self.found),
            SyntaxKind::RESOURCE_EXPR => resources(node, &mut self.found),
            _ => {
                if let Some(symbol) = definition(node) {
                    self.open.push((symbol, std::mem::take(&mut self.found)));
                }
            }
        }
    }

    fn leave(&mut self, node: &SyntaxNode) {
        if !Definition::can_cast(node.kind()) {
            return;
        }
        if let Some((mut symbol, before)) = self.open.pop() {
            symbol.children = std::mem::replace(&mut self.found, before);
            self.found.push(symbol);
        }
    }
}

fn symbol(
    name: String,
    kind: SymbolKind,
    range: TextRange,
    selection_range: TextRange,
) -> DocumentSymbol {
    DocumentSymbol {
        name,
        detail: None,
        kind,
        range,
        selection_range,
        children: Vec::new(),
    }
}

fn definition(node: &SyntaxNode) -> Option<DocumentSymbol> {
    let definition = Definition::cast(node.clone())?;
    let kind = match definition {
        Definition::ClassDefinition(_) => SymbolKind::Class,
        Definition::DefineDefinition(_) => SymbolKind::DefinedType,
        Definition::PlanDefinition(_) => SymbolKind::Plan,
        Definition::FunctionDefinition(_) => SymbolKind::Function,
        Definition::NodeDefinition(_) => SymbolKind::Node,
        Definition::TypeAlias(_) | Definition::TypeMapping(_) | Definition::TypeDefinition(_) => {
            SymbolKind::TypeAlias
        }
    };
    let (name, selection) = name(&definition).or_else(|| keyword(node))?;
    let mut symbol = symbol(name, kind, node.text_range(), selection);
    symbol.detail = detail(&definition);
    Some(symbol)
}

/// Returns the name of a definition and its range.
fn name(definition: &Definition) -> Option<(String, TextRange)> {
    match definition {
        Definition::NodeDefinition(node) => {
            let hosts: Vec<_> = node.host_names().collect();
            let first = hosts.first()?.syntax().text_range();
            let last = hosts.last()?.syntax().text_range();
            let names: Vec<_> = hosts.iter().map(host_name).collect();
            Some((names.join(", "), first.cover(last)))
        }
        Definition::TypeMapping(mapping) => {
            let runtime = mapping.runtime()?;
            Some((excerpt(runtime.syntax()), runtime.syntax().text_range()))
        }
        _ => {
            let token = definition.name()?.token()?;
            Some((token.text().to_owned(), token.text_range()))
        }
    }
}

fn host_name(host: &HostName) -> String {
    match host.expr() {
        Some(Expr::StringLiteral(it)) if !it.value().is_empty() => it.value(),
        _ => excerpt(host.syntax()),
    }
}

/// Returns the keyword of a definition, as a substitute for a missing name.
fn keyword(node: &SyntaxNode) -> Option<(String, TextRange)> {
    let token = node.first_token()?;
    Some((token.text().to_owned(), token.text_range()))
}

fn detail(definition: &Definition) -> Option<String> {
    match definition {
        Definition::ClassDefinition(it) => Some(excerpt(it.inherits()?.syntax())),
        Definition::FunctionDefinition(it) => Some(signature(it)),
        Definition::TypeAlias(it) => Some(excerpt(it.type_expr()?.syntax())),
        Definition::TypeMapping(it) => Some(excerpt(it.mapping()?.syntax())),
        _ => None,
    }
}

fn signature(function: &FunctionDefinition) -> String {
    let list = function.parameter_list();
    let parameters = list.map_or_else(|| "()".to_owned(), |it| excerpt(it.syntax()));
    match function.return_type() {
        Some(it) => format!("{parameters} {}", excerpt(it.syntax())),
        None => parameters,
    }
}

/// Returns the symbol of a parameter, unless it belongs to a lambda.
fn parameter(node: &SyntaxNode) -> Option<DocumentSymbol> {
    let list = node.parent()?;
    if list.parent()?.kind() == SyntaxKind::LAMBDA {
        return None;
    }
    let parameter = Parameter::cast(node.clone())?;
    let variable = parameter.variable()?;
    let mut symbol = variable_symbol(SymbolKind::Parameter, node.text_range(), &variable);
    symbol.detail = parameter.type_expr().map(|it| excerpt(it.syntax()));
    Some(symbol)
}

fn variable_symbol(kind: SymbolKind, range: TextRange, token: &SyntaxToken) -> DocumentSymbol {
    symbol(token.text().to_owned(), kind, range, token.text_range())
}

/// Adds the variables of an assignment.
fn variables(node: &SyntaxNode, found: &mut Vec<DocumentSymbol>) {
    let Some(assignment) = Assignment::cast(node.clone()) else {
        return;
    };
    found.extend(
        assigned_variables(&assignment)
            .iter()
            .map(|it| variable_symbol(SymbolKind::Variable, node.text_range(), it)),
    );
}

/// Adds a symbol for each body of a resource expression.
fn resources(node: &SyntaxNode, found: &mut Vec<DocumentSymbol>) {
    let Some(resource) = ResourceExpr::cast(node.clone()) else {
        return;
    };
    let type_name = type_name(&resource);
    let bodies: Vec<_> = resource.bodies().collect();
    let parent = node.parent();
    let form = parent.filter(|it| it.kind() == SyntaxKind::VIRTUAL_EXPR);
    let detail = form
        .as_ref()
        .and_then(|it| it.first_token())
        .map(|it| match it.kind() {
            SyntaxKind::AT_AT => "exported".to_owned(),
            _ => "virtual".to_owned(),
        });
    for body in &bodies {
        let range = match bodies.len() {
            1 => form.as_ref().unwrap_or(node).text_range(),
            _ => body.syntax().text_range(),
        };
        let title = body.title();
        let selection_range = match &title {
            Some(title) => title.syntax().text_range(),
            None => body.syntax().text_range(),
        };
        let name = format!("{type_name}[{}]", body_title(body));
        let mut symbol = symbol(name, SymbolKind::Resource, range, selection_range);
        symbol.detail.clone_from(&detail);
        found.push(symbol);
    }
}

/// Returns the type of a resource as written in references.
fn type_name(resource: &ResourceExpr) -> String {
    match resource.type_name() {
        _ if resource.class_keyword().is_some() => "Class".to_owned(),
        Some(Expr::QualifiedName(name)) => {
            capitalize_segments(name.text().trim_start_matches("::"))
        }
        Some(other) => excerpt(other.syntax()),
        None => String::new(),
    }
}

fn body_title(body: &ResourceBody) -> String {
    match body.title() {
        Some(Expr::ArrayExpr(list)) => {
            render_titles(&list).unwrap_or_else(|| excerpt(list.syntax()))
        }
        Some(title) => render_title(&title),
        None => String::new(),
    }
}

/// The maximum number of titles to list individually.
const MAX_TITLES: usize = 10;

fn render_titles(list: &ArrayExpr) -> Option<String> {
    let titles: Vec<_> = list.elements().take(MAX_TITLES + 1).collect();
    if titles.is_empty() || titles.len() > MAX_TITLES {
        return None;
    }
    Some(
        titles
            .iter()
            .map(render_title)
            .collect::<Vec<_>>()
            .join(", "),
    )
}

fn render_title(title: &Expr) -> String {
    constant_title(title).unwrap_or_else(|| excerpt(title.syntax()))
}

fn constant_title(title: &Expr) -> Option<String> {
    let text = match title {
        Expr::StringLiteral(it) => short_value(it)?,
        Expr::QualifiedName(it) => it.text(),
        _ => return None,
    };
    Some(format!(
        "'{}'",
        text.replace('\\', "\\\\").replace('\'', "\\'")
    ))
}

/// Returns the value of a string if it is short and on one line.
fn short_value(string: &StringLiteral) -> Option<String> {
    const MAX_TITLE: usize = 200;
    let value = string.value();
    let fits = value.len() <= MAX_TITLE && !value.chars().any(char::is_control);
    fits.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::*;
    use super::*;
    use expect_test::{Expect, expect};
    use std::fmt::Write as _;
    use syntax::Dialect;

    fn render(source: &str, symbols: &[DocumentSymbol], depth: usize, out: &mut String) {
        for it in symbols {
            let detail = it
                .detail
                .as_ref()
                .map_or(String::new(), |it| format!(" ({it})"));
            let selected = visible_text(source, it.selection_range);
            let indent = depth * 2;
            writeln!(
                out,
                "{:indent$}{:?} {}{detail} <{selected}>",
                "", it.kind, it.name
            )
            .expect("writing to a string succeeds");
            render(source, &it.children, depth + 1, out);
        }
    }

    fn check(source: &str, dialect: Dialect, expected: &Expect) {
        let symbols = document_symbols(&parse(source, dialect).syntax());
        let mut out = String::new();
        render(source, &symbols, 0, &mut out);
        expected.assert_eq(&out);
    }

    #[test]
    fn nested_definitions() {
        check(
            "class a::b(Integer $x = 1, *$y) inherits c {\n\
             \x20 class d { $z = 1 }\n\
             \x20 if $x { [1].each |$n| { $w = $n } } else { case 1 { 1: { file { '/x': } } } }\n\
             }\n\
             define e { }\n\
             function f(String $s) >> Array[String] { $t = $s }\n\
             type G = Enum['a']\n\
             type Runtime[ruby, 'X'] = String\n\
             node 'a.b', /c/, d.e, default { $v = 1 }\n",
            MANIFEST,
            &expect![[r#"
                Class a::b (inherits c) <a::b>
                  Parameter $x (Integer) <$x>
                  Parameter $y <$y>
                  Class d <d>
                    Variable $z <$z>
                  Variable $w <$w>
                  Resource File['/x'] <'/x'>
                DefinedType e <e>
                Function f ((String $s) >> Array[String]) <f>
                  Parameter $s (String) <$s>
                  Variable $t <$t>
                TypeAlias G (Enum['a']) <G>
                TypeAlias Runtime[ruby, 'X'] (String) <Runtime[ruby, 'X']>
                Node a.b, /c/, d.e, default <'a.b', /c/, d.e, default>
                  Variable $v <$v>
            "#]],
        );
    }

    #[test]
    fn resources_are_named_like_references() {
        check(
            "apache::vhost { 'ü': }\n\
             file { ['/a', b]: ; \"/${c}\": mode => '1'; default: }\n\
             @user { \"it's\": }\n\
             @@user { [$x]: }\n\
             class { 'n': }\n\
             $t { 'x\\ny': }\n",
            MANIFEST,
            &expect![[r#"
                Resource Apache::Vhost['ü'] <'ü'>
                Resource File['/a', 'b'] <['/a', b]>
                Resource File["/${c}"] <"/${c}">
                Resource File[default] <default>
                Resource User['it\'s'] (virtual) <"it's">
                Resource User[$x] (exported) <[$x]>
                Resource Class['n'] <'n'>
                Resource $t['x\\ny'] <'x\ny'>
            "#]],
        );
    }

    #[test]
    fn multiple_assignment() {
        check(
            "[$a, [$b, $c]] = $d = f($e)\n$g += 1\r\n$h['x'] = 1",
            MANIFEST,
            &expect![[r#"
                Variable $a <$a>
                Variable $b <$b>
                Variable $c <$c>
                Variable $d <$d>
            "#]],
        );
    }

    #[test]
    fn templates_and_plans() {
        check(
            "<%- | String $name, $x = 1 | -%>\n<% $y = 1 %>é<%= $y %>",
            TEMPLATE,
            &expect![[r#"
                Parameter $name (String) <$name>
                Parameter $x <$x>
                Variable $y <$y>
            "#]],
        );
        check(
            "plan a::b(TargetSpec $t) { apply($t) { file { '/x': } } }",
            PLAN,
            &expect![[r#"
                Plan a::b <a::b>
                  Parameter $t (TargetSpec) <$t>
                  Resource File['/x'] <'/x'>
            "#]],
        );
    }

    #[test]
    fn recovers_from_a_missing_name() {
        check(
            "define ($x) { $y = 1 }\nclass b { }",
            MANIFEST,
            &expect![[r#"
                DefinedType define <define>
                  Parameter $x <$x>
                  Variable $y <$y>
                Class b <b>
            "#]],
        );
    }

    fn assert_well_formed(symbols: &[DocumentSymbol], outer: TextRange) {
        for it in symbols {
            assert!(outer.contains_range(it.range), "{it:?}");
            assert!(it.range.contains_range(it.selection_range), "{it:?}");
            assert!(!it.name.is_empty(), "{it:?}");
            assert_well_formed(&it.children, it.range);
        }
    }

    #[test]
    fn well_formed_for_broken_files() {
        for source in broken_variants(EVERYTHING) {
            let root = parse(&source, MANIFEST).syntax();
            assert_well_formed(&document_symbols(&root), root.text_range());
        }
    }
}
