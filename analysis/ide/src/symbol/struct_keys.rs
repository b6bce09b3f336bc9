//! Keys of Structs: from `$vhost['docroot']`, or a key in data, to the entry in the type that declares it.

use hir::autoload::{NameKey, find_item};
use hir::body::{ScopeId, body};
use hir::{Item, ItemKind, canonical_name};
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use syntax::ast::{
    AccessExpr, Assignment, AstNode, Definition, Expr, HasParameters, HashEntry, HashExpr, Lambda,
    Parameter,
};
use syntax::{SyntaxNode, SyntaxToken, TextRange};

use super::{Symbol, symbol_at};
use crate::NavigationTarget;
use base::FileInput;

/// A step from the value of a type into it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TypeStep<'a> {
    /// The value of a key of a hash.
    Key(&'a str),
    /// An element of an array.
    Element,
    /// An element of an array, or any value of a hash.
    Value,
}

/// A part of a type as it is written in an item.
pub(crate) type WrittenType<'db> = (Item<'db>, Expr);

/// The maximum number of variables and accesses between a value and its type.
const MAX_DEPTH: u32 = 16;

/// The maximum number of aliases that a type stands for.
const MAX_ALIASES: usize = 100;

/// Returns the entries of Structs that declare the key at a token of code: `'docroot'` in `$vhost['docroot']`.
pub(crate) fn struct_key_targets(
    db: &dyn Database,
    file: FileInput,
    token: &SyntaxToken,
) -> Option<(TextRange, Vec<NavigationTarget>)> {
    let literal = token.parent()?;
    let access = literal.ancestors().nth(2).and_then(AccessExpr::cast)?;
    let [key] = &*access.keys() else { return None };
    let name = key.plain_text().filter(|_| *key.syntax() == literal)?;
    let types = TypeSearch::new(db).value(file, &access.base()?, 0);
    let targets = targets(db, &types, &name);
    (!targets.is_empty()).then(|| (literal.text_range(), targets))
}

/// Returns the entries of Structs that declare a key at a path of steps into the value of a parameter.
pub(crate) fn struct_keys_of_parameter(
    db: &dyn Database,
    (item, parameter): (Item<'_>, TextRange),
    path: &[TypeStep<'_>],
    key: &str,
) -> Vec<NavigationTarget> {
    let root = item.syntax(db);
    let element = root.covering_element(parameter);
    let declared = element.ancestors().find_map(Parameter::cast);
    let type_ = declared.and_then(|it| it.type_expr());
    let start: Vec<WrittenType<'_>> = type_.into_iter().map(|it| (item, it)).collect();
    let types = path
        .iter()
        .fold(start, |types, it| step_into(db, &types, *it));
    targets(db, &types, key)
}

fn targets(db: &dyn Database, types: &[WrittenType<'_>], key: &str) -> Vec<NavigationTarget> {
    let all = types.iter().flat_map(|it| alternatives(db, it));
    let entries = all.flat_map(|(item, type_)| {
        let found = entries(&type_).into_iter();
        found.map(move |it| (item, it)).collect::<Vec<_>>()
    });
    let named = entries.filter_map(|(item, entry)| {
        let written = entry.key()?;
        (key_of(&written)? == key).then(|| NavigationTarget {
            file: item.file(db).id(db),
            range: item.in_file(db, entry.syntax().text_range()),
            name_range: item.in_file(db, written.syntax().text_range()),
        })
    });
    let mut found: Vec<NavigationTarget> = Vec::new();
    for it in named {
        if !found.contains(&it) {
            found.push(it);
        }
    }
    found
}

/// Returns the types that are written for a variable: that of the parameter, or those of the values that are assigned.
pub(crate) fn types_of_variable<'db>(
    db: &'db dyn Database,
    variable: (Item<'db>, ScopeId, &str),
) -> Vec<WrittenType<'db>> {
    TypeSearch::new(db).variable(variable, 0)
}

/// A search for the types that are written for values. Each variable is followed once.
struct TypeSearch<'db> {
    db: &'db dyn Database,
    /// The types of the variables; empty for those that are being followed.
    known: FxHashMap<(Item<'db>, ScopeId, String), Vec<WrittenType<'db>>>,
}

impl<'db> TypeSearch<'db> {
    fn new(db: &'db dyn Database) -> TypeSearch<'db> {
        TypeSearch {
            db,
            known: FxHashMap::default(),
        }
    }

    /// Returns the types that are written for the value of an expression in a file.
    fn value(&mut self, file: FileInput, expr: &Expr, depth: u32) -> Vec<WrittenType<'db>> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        match expr {
            Expr::AccessExpr(it) => {
                let keys = it.keys();
                let [key] = keys.as_slice() else {
                    return Vec::new();
                };
                let base = it.base();
                let types = base.map(|it| self.value(file, &it, depth + 1));
                let name = key.plain_text();
                let step = name.as_deref().map_or(TypeStep::Value, TypeStep::Key);
                step_into(self.db, &types.unwrap_or_default(), step)
            }
            Expr::VariableExpr(it) => {
                let range = it.syntax().text_range();
                let found = symbol_at(self.db, file, range.end());
                let found = found.filter(|found| range.contains_range(found.range));
                match found.map(|it| it.symbol) {
                    Some(Symbol::Variable { item, scope, name }) => {
                        self.variable((item, scope, &name), depth)
                    }
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    fn variable(
        &mut self,
        (item, scope, name): (Item<'db>, ScopeId, &str),
        depth: u32,
    ) -> Vec<WrittenType<'db>> {
        let key = (item, scope, name.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.known.insert(key.clone(), Vec::new());
        let root = item.syntax(self.db);
        let scope = body(self.db, item).scopes.get(scope);
        let mut found: Vec<WrittenType<'db>> = Vec::new();
        for binding in scope.into_iter().flat_map(|it| it.bindings_of(name)) {
            let element = root.covering_element(binding.range);
            let mut around = element.ancestors();
            let is_binding =
                |it: &SyntaxNode| Parameter::can_cast(it.kind()) || Assignment::can_cast(it.kind());
            let Some(node) = around.find(is_binding) else {
                continue;
            };
            for it in self.binding(item, &node, depth) {
                if !found.contains(&it) {
                    found.push(it);
                }
            }
        }
        self.known.insert(key, found.clone());
        found
    }

    fn binding(&mut self, item: Item<'db>, node: &SyntaxNode, depth: u32) -> Vec<WrittenType<'db>> {
        if let Some(assignment) = Assignment::cast(node.clone()) {
            let value = assignment.rhs();
            return value.map_or_else(Vec::new, |it| self.in_item(item, &it, depth));
        }
        let Some(parameter) = Parameter::cast(node.clone()) else {
            return Vec::new();
        };
        if let Some(type_) = parameter.type_expr() {
            return vec![(item, type_)];
        }
        // The last parameter of a lambda gets the elements of what the function iterates over.
        let lambda = node.ancestors().find_map(Lambda::cast);
        let Some(lambda) = lambda.filter(|it| {
            let all = it.parameters();
            all.last().is_some_and(|it| it.syntax() == node)
        }) else {
            return Vec::new();
        };
        let Some(collection) = lambda.first_argument() else {
            return Vec::new();
        };
        // A lambda with one parameter gets the pairs of a hash.
        let step = match lambda.parameters().len() {
            1 => TypeStep::Element,
            _ => TypeStep::Value,
        };
        step_into(self.db, &self.in_item(item, &collection, depth), step)
    }

    /// Returns the types that are written for the value of an expression in the tree of an item.
    fn in_item(&mut self, item: Item<'db>, expr: &Expr, depth: u32) -> Vec<WrittenType<'db>> {
        // The expression in the tree of the file, where names have positions.
        let file = item.file(self.db);
        let root = base::parse(self.db, file).syntax();
        let range = item.in_file(self.db, expr.syntax().text_range());
        let element = root.covering_element(range);
        let found = element.ancestors().filter(|it| it.text_range() == range);
        let found = found.filter_map(Expr::cast).last();
        found.map_or_else(Vec::new, |it| self.value(file, &it, depth + 1))
    }
}

fn step_into<'db>(
    db: &'db dyn Database,
    types: &[WrittenType<'db>],
    step: TypeStep<'_>,
) -> Vec<WrittenType<'db>> {
    let all = types.iter().flat_map(|it| alternatives(db, it));
    let inner = all.filter_map(|(item, type_)| {
        let (name, arguments) = named_type(&type_)?;
        let found = match (name.as_str(), step) {
            ("struct", TypeStep::Key(key)) => {
                let mut entries = entries(&type_).into_iter();
                let is_key =
                    |it: &HashEntry| it.key().and_then(|it| key_of(&it)).as_deref() == Some(key);
                entries.find(is_key)?.value()
            }
            ("hash", TypeStep::Key(_) | TypeStep::Value) => arguments.get(1).cloned(),
            ("array", TypeStep::Element | TypeStep::Value) => arguments.first().cloned(),
            _ => None,
        };
        Some((item, found?))
    });
    inner.collect()
}

/// Splits a written type into its alternatives, with the types that aliases stand for.
fn alternatives<'db>(db: &'db dyn Database, type_: &WrittenType<'db>) -> Vec<WrittenType<'db>> {
    let mut found = Vec::new();
    add_alternatives(db, type_, &mut found, &mut FxHashSet::default());
    found
}

/// Adds the alternatives of a written type. Follows each alias once.
fn add_alternatives<'db>(
    db: &'db dyn Database,
    (item, type_): &WrittenType<'db>,
    found: &mut Vec<WrittenType<'db>>,
    aliases: &mut FxHashSet<Item<'db>>,
) {
    let Some((name, arguments)) = named_type(type_) else {
        return;
    };
    if ["optional", "notundef", "variant"].contains(&name.as_str()) {
        for it in arguments {
            add_alternatives(db, &(*item, it), found, aliases);
        }
        return;
    }
    let environment = item.file(db).environment(db);
    let key = NameKey::new(db, name);
    let alias = environment.and_then(|it| find_item(db, it, ItemKind::TypeAlias, key));
    let Some(alias) = alias else {
        return found.push((*item, type_.clone()));
    };
    if aliases.len() < MAX_ALIASES
        && aliases.insert(alias)
        && let Some(Definition::TypeAlias(it)) = Definition::cast(alias.syntax(db))
        && let Some(type_) = it.type_expr()
    {
        add_alternatives(db, &(alias, type_), found, aliases);
    }
}

/// Returns the name of a type in canonical form, and its arguments.
fn named_type(type_: &Expr) -> Option<(String, Vec<Expr>)> {
    match type_ {
        Expr::QualifiedReference(it) => Some((canonical_name(&it.text()), Vec::new())),
        Expr::AccessExpr(it) => match it.base()? {
            Expr::QualifiedReference(base) => Some((canonical_name(&base.text()), it.keys())),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the entries of a Struct.
fn entries(type_: &Expr) -> Vec<HashEntry> {
    match named_type(type_) {
        Some((name, arguments)) if name == "struct" => {
            let hashes = arguments.into_iter().map(|it| it.syntax().clone());
            let hashes = hashes.filter_map(HashExpr::cast);
            hashes
                .flat_map(|it| it.entries().collect::<Vec<_>>())
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the name of a key of a Struct: `a`, `'a'` or `Optional['a']`.
fn key_of(key: &Expr) -> Option<String> {
    match key {
        Expr::AccessExpr(it) => it.keys().first()?.plain_text(),
        key => key.plain_text(),
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    const MODULE: &str = "
//- modules/environment/hiera.yaml
version: 5
hierarchy: [{ name: c, path: common.yaml }]
//- modules/web/types/vhost.pp
type Web::Vhost = Struct[{
  docroot => String,
  Optional['tls'] => Web::Tls,
}]
//- modules/web/types/tls.pp
type Web::Tls = Variant[Boolean, Struct[{ 'key' => String }]]
";

    fn leads_to(path: &str, text: &str) -> String {
        let fixture = Fixture::new(&format!("{MODULE}//- {path}\n{text}"));
        let (file, offset) = fixture.cursor();
        fixture.targets(fixture.analysis().goto_definition(file, offset))
    }

    #[test]
    fn keys_lead_to_the_entries_of_structs() {
        let of = |body: &str| {
            let parameters = "Web::Vhost $v, Hash[String, Web::Vhost] $all, Array[Web::Vhost] $l";
            let code = format!("class web ({parameters}) {{ {body} }}");
            leads_to("modules/web/manifests/init.pp", &code)
        };
        let docroot = "modules/web/types/vhost.pp `docroot`";
        for body in [
            "notice($v['doc<^>root'])",
            "notice($all['a']['doc<^>root'])",
            "notice($l[0]['doc<^>root'])",
            "$all.each |$n, $one| { notice($one['doc<^>root']) }",
            "each($l) |$one| { notice($one['doc<^>root']) }",
            "$l.each |Web::Vhost $one| { notice($one['doc<^>root']) }",
            "$w = $v notice($w['doc<^>root'])",
        ] {
            assert_eq!(of(body), docroot, "{body}");
        }
        let key = "modules/web/types/tls.pp `'key'`";
        assert_eq!(of("notice($v['tls']['k<^>ey'])"), key);
        let tls = "modules/web/types/vhost.pp `Optional['tls']`";
        assert_eq!(of("notice($v['t<^>ls'])"), tls);
        for body in [
            "notice($v['no<^>pe'])",
            "notice($v['tls']['doc<^>root'])",
            "notice($unknown['doc<^>root'])",
            "$all.each |$one| { notice($one['doc<^>root']) }",
        ] {
            assert_eq!(of(body), "", "{body}");
        }
    }

    #[test]
    fn variables_and_aliases_are_followed_once() {
        let mut text = String::from("//- modules/web/types/a0.pp\ntype Web::A0 = Web::Vhost\n");
        let mut body = String::from("$v0 = $v ");
        for n in 1..15 {
            let before = n - 1;
            let all = vec![format!("Web::A{before}"); 20].join(", ");
            text += &format!("//- modules/web/types/a{n}.pp\ntype Web::A{n} = Variant[{all}]\n");
            let all = format!("{{ $v{n} = $v{before} }} else {{ $v{n} = $v{before} }}");
            body += &format!("if $v {all} ");
        }
        let code = format!("class web (Web::A14 $v) {{ {body} notice($v14['doc<^>root']) }}");
        let path = "modules/web/manifests/init.pp";
        let found = leads_to(
            "modules/web/types/z.pp",
            &format!("\n{text}//- {path}\n{code}"),
        );
        assert_eq!(found, "modules/web/types/vhost.pp `docroot`");
    }

    #[test]
    fn keys_in_data_lead_to_the_entries_of_structs() {
        let of = |data: &str| {
            let manifest = "//- modules/web/manifests/init.pp\n\
                class web (Web::Vhost $v, Hash[String, Web::Vhost] $all = {}) { }\n";
            let text = format!("{manifest}//- modules/environment/data/common.yaml\n{data}");
            let fixture = Fixture::new(&format!("{MODULE}{text}"));
            let (file, offset) = fixture.cursor();
            fixture.targets(fixture.analysis().goto_definition(file, offset))
        };
        let docroot = "modules/web/types/vhost.pp `docroot`";
        assert_eq!(of("web::v:\n  doc<^>root: /a\n"), docroot);
        assert_eq!(of("web::all:\n  a:\n    doc<^>root: /a\n"), docroot);
        assert_eq!(of("web::v:\n  no<^>pe: /a\n"), "");
    }

    #[test]
    fn hovers_show_the_types_of_keys() {
        let hover = |body: &str| {
            let code = format!("class web (Web::Vhost $v) {{ {body} }}");
            let path = "modules/web/manifests/init.pp";
            let fixture = Fixture::new(&format!("{MODULE}//- {path}\n{code}"));
            let (file, offset) = fixture.cursor();
            let found = fixture.analysis().hover(file, offset);
            found.map_or_else(String::new, |it| it.to_markdown(|_| None))
        };
        let found = hover("notice($v['doc<^>root'])");
        assert!(found.contains("String $v['docroot']"), "{found}");
        let found = hover("notice($trusted['cert<^>name'])");
        assert!(found.contains("$trusted['certname']"), "{found}");
        let found = hover("notice($v['no<^>pe'])");
        assert!(found.contains("Undef $v['nope']"), "{found}");
        assert_eq!(hover("notice({ 'a' => 1 }['<^>a'])"), "");
    }
}
