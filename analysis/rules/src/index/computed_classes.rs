//! Classes that code declares with computed titles or by calls: `class { $x: … }`, `create_resources('class', $x)`.

use std::cell::LazyCell;

use base::FileInput;
use hir::{Item, ItemKind, canonical_name, items};
use library::KnownFunction;
use salsa::Database;
use syntax::SyntaxNode;
use syntax::ast::{
    self, AstNode, AttributeOperation, Expr, InterpolatedString, ResourceExpr, Segment,
};

/// Returns the starts of the names of classes that a file declares with parameters and computed titles, or by calls.
#[salsa::tracked(returns(ref))]
pub(crate) fn computed_classes(db: &dyn Database, file: FileInput) -> Vec<String> {
    let text = file.text(db).as_deref().unwrap_or_default();
    if !text.contains("class") && !text.contains("Class") {
        return Vec::new();
    }
    let items = items(db, file).iter();
    items.flat_map(|it| in_item(db, *it)).collect()
}

fn in_item(db: &dyn Database, item: Item<'_>) -> Vec<String> {
    let names = OwnNames::of(db, item);
    let mut found = Vec::new();
    let root = item.syntax(db);
    // Nested definitions are items of their own.
    let is_own = |it: &SyntaxNode| {
        let mut around = it.ancestors();
        let around = around.find(|it| ast::Definition::can_cast(it.kind()));
        around.is_none_or(|it| it == root)
    };
    let mentions_class = LazyCell::new(|| mentions_class(&root));
    for node in root.descendants() {
        let titles = match ResourceExpr::cast(node.clone()) {
            Some(it) if it.class_keyword().is_some() && is_own(&node) && sets_parameters(&it) => {
                it.bodies().filter_map(|it| it.title()).collect()
            }
            Some(_) => continue,
            None => match declared_by_call(&node) {
                Titles::Any => return vec![String::new()],
                // The type hardly ever is that of classes, unless the code mentions it.
                Titles::OfUnknownType if *mentions_class => return vec![String::new()],
                Titles::Some(titles) if is_own(&node) => {
                    let names = titles.iter().filter_map(Expr::plain_text);
                    found.extend(names.map(|it| canonical_name(&it)));
                    titles
                }
                Titles::Some(_) | Titles::OfUnknownType | Titles::None => continue,
            },
        };
        let computed = titles.iter().flat_map(computed_in);
        found.extend(computed.map(|it| names.start_of(&it)));
    }
    found
}

/// Checks whether a declaration may set attributes other than metaparameters.
fn sets_parameters(declaration: &ResourceExpr) -> bool {
    let mut operations = declaration.bodies().flat_map(|it| it.operations());
    operations.any(|it| match it {
        AttributeOperation::Attribute(it) => {
            let name = it.name_token();
            name.is_none_or(|it| library::metaparameter(it.text()).is_none())
        }
        AttributeOperation::AttributeSplat(_) => true,
    })
}

/// The titles of classes that a call declares.
enum Titles {
    None,
    Some(Vec<Expr>),
    /// The titles of a resource whose type is unknown.
    OfUnknownType,
    Any,
}

fn declared_by_call(node: &SyntaxNode) -> Titles {
    let call = Expr::cast(node.clone()).and_then(|it| it.named_call());
    let Some((name, arguments)) = call else {
        return Titles::None;
    };
    let function = KnownFunction::from_name(name.text());
    let (Some(function), Some(type_name)) = (function, arguments.first()) else {
        return Titles::None;
    };
    let titles = arguments.get(1);
    let titles = match (function, titles) {
        (KnownFunction::CreateResources, Some(Expr::HashExpr(it))) => {
            Titles::Some(it.entries().filter_map(|it| it.key()).collect())
        }
        (KnownFunction::CreateResources, _) => Titles::Any,
        (KnownFunction::EnsureResource | KnownFunction::EnsureResources, Some(it)) => {
            Titles::Some(vec![it.clone()])
        }
        _ => return Titles::None,
    };
    match type_name_of(type_name) {
        Some(name) if name == "class" => titles,
        Some(_) => Titles::None,
        None => Titles::OfUnknownType,
    }
}

/// Checks whether code contains the word `class`.
fn mentions_class(root: &SyntaxNode) -> bool {
    let mut expressions = root.descendants().filter_map(Expr::cast);
    expressions.any(|it| type_name_of(&it).is_some_and(|it| it == "class"))
}

/// Returns the name of a resource type that an expression is literally.
fn type_name_of(expr: &Expr) -> Option<String> {
    match expr.syntax().text() == "class" {
        true => Some("class".to_owned()),
        false => expr.plain_text().map(|it| canonical_name(&it)),
    }
}

/// Returns the titles that are not literals.
pub(crate) fn computed_in(title: &Expr) -> Vec<Expr> {
    match title {
        Expr::ArrayExpr(it) => it.elements().flat_map(|it| computed_in(&it)).collect(),
        it if it.plain_text().is_some() => Vec::new(),
        Expr::Literal(_) => Vec::new(),
        it => vec![it.clone()],
    }
}

/// The names that variables of a definition have as values.
pub(crate) struct OwnNames<'a> {
    /// The name of a class.
    class: Option<&'a str>,
    module: Option<&'a str>,
}

impl<'a> OwnNames<'a> {
    /// Returns the names that variables of an item have as values.
    pub(crate) fn of(db: &'a dyn Database, item: Item<'a>) -> OwnNames<'a> {
        OwnNames {
            class: (item.kind(db) == ItemKind::Class).then(|| item.name(db).as_str()),
            module: item.module_name(db),
        }
    }

    /// Returns the part of a title that is known, from its start.
    pub(crate) fn start_of(&self, title: &Expr) -> String {
        let start = match title {
            Expr::InterpolatedString(it) => self.start_of_string(it),
            it => self.value_of(it).unwrap_or_default().to_owned(),
        };
        canonical_name(&start)
    }

    fn start_of_string(&self, string: &InterpolatedString) -> String {
        let mut start = String::new();
        for segment in string.segments() {
            match segment {
                Segment::Text(text) => start.push_str(&text),
                Segment::Interpolation(it) => {
                    let expr = it.expr();
                    match expr.as_ref().and_then(|it| self.value_of(it)) {
                        Some(value) => start.push_str(value),
                        None => break,
                    }
                }
            }
        }
        start
    }

    /// Returns the value of a variable that is the name of the definition, or that of its module.
    fn value_of(&self, variable: &Expr) -> Option<&str> {
        let Expr::VariableExpr(variable) = variable else {
            return None;
        };
        match variable.name()?.as_str() {
            "title" | "name" => self.class,
            "module_name" => self.module,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use base::FileId;
    use fixture::Sources;

    use super::computed_classes;

    fn starts(code: &str) -> Vec<String> {
        let text = format!("//- modules/m/manifests/init.pp\n{code}");
        let db = Sources::parse(&text).database();
        let file = db.file(FileId(0)).expect("there is one file");
        computed_classes(&db, file).clone()
    }

    #[test]
    fn knows_how_computed_names_start() {
        for (code, start) in [
            (
                "class m { create_resources('class', { 'm::a' => { 'p' => 1 } }) }",
                "m::a",
            ),
            (
                "class m { ensure_resource('class', 'm::a', { 'p' => 1 }) }",
                "m::a",
            ),
            ("class m { class { \"m::mod::${x}\": p => 1 } }", "m::mod::"),
            ("class m { class { \"::M::${x}\": p => 1 } }", "m::"),
            (
                "class m::a { class { \"${title}::b\": p => 1 } }",
                "m::a::b",
            ),
            (
                "class m::a { class { \"${module_name}::${x}\": p => 1 } }",
                "m::",
            ),
            ("define m::a { class { \"${name}::b\": p => 1 } }", ""),
            ("class m { class { $x: p => 1 } }", ""),
            ("class m { create_resources('class', $x) }", ""),
            (
                "class m { create_resources(class, { \"m::b::${x}\" => { } }) }",
                "m::b::",
            ),
            (
                "class m { ensure_resource('class', \"m::${x}\", { }) }",
                "m::",
            ),
            ("class m { $t = 'class' create_resources($t, $x) }", ""),
        ] {
            assert_eq!(starts(code), [start], "{code}");
        }
    }

    #[test]
    fn skips_literals_and_other_types() {
        for code in [
            "class m { class { ['a', b]: } }",
            "class m { create_resources('file', $x) }",
            "class m { create_resources($t, $x) }",
            "class m { file { $class: } }",
            "class m { class { $x: } }",
            "class m { class { $x: require => Class['a'], stage => 'b' } }",
        ] {
            assert_eq!(starts(code), [""; 0], "{code}");
        }
    }
}
