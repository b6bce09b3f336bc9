//! Class lists: keys of data whose values code looks up and declares as classes, as in
//! `lookup('classes', Array[String], 'unique').include`.
//!
//! A value is followed within one body, and from nodes to the variables of the main manifests: through variables, lambdas
//! of iterations, and functions that return the elements of their arguments.

use std::collections::BTreeMap;

use base::{EnvironmentInput, FileInput, ModuleInput};
use hiera::Layer;
use hiera::document::{Data, Node};
use hir::autoload::module_puppet_files;
use hir::body::{Binding, Body, ReferenceName, body};
use hir::{Item, ItemKind, canonical_name, items};
use infer::{LayerFile, data_file, layer_files, layer_keys, layer_module};
use library::{KnownFunction as F, NamedEntity};
use salsa::Database;
use syntax::ast::{
    AstNode, BinaryExpr, CallExpr, CaseExpr, Expr, HasParameters, IfExpr, Lambda, MethodCall,
    ResourceExpr, UnlessExpr, VariableExpr,
};
use syntax::{SyntaxKind, SyntaxNode};

use crate::fixes::{assigned_value, node_at};

/// The keys of class lists.
pub type ClassLists = BTreeMap<String, ClassList>;

/// A key of data whose value is a list of classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassList {
    /// Whether code declares all classes of the list, and not only some of them.
    pub is_whole: bool,
    /// Whether a call looks it up. The other lists are parameters of classes, which mostly have a default.
    pub is_looked_up: bool,
}

/// The maximum number of expressions that are followed from one declaration.
const MAX_STEPS: usize = 200;

/// Returns the class lists of an environment by their keys.
#[salsa::tracked(returns(ref))]
pub fn class_lists(db: &dyn Database, environment: EnvironmentInput) -> ClassLists {
    let mut found = ClassLists::new();
    for file in environment.manifests(db).iter() {
        extend(&mut found, class_lists_in_file(db, *file));
    }
    for module in environment.modules(db).values() {
        extend(&mut found, class_lists_in_module(db, *module));
    }
    found
}

/// Returns the strings in the value of a class list.
pub fn class_names(value: &Node) -> Vec<(&Node, &str)> {
    match &value.data {
        Data::Scalar(_) => value.string().map(|it| (value, it)).into_iter().collect(),
        // `include` flattens arrays.
        Data::List(items) => items.iter().flat_map(class_names).collect(),
        Data::Map(_) | Data::Alias(_) => Vec::new(),
    }
}

/// Checks whether the data of an environment names a class in a list whose classes are all declared by code.
pub(crate) fn is_listed(db: &dyn Database, environment: EnvironmentInput, class: &str) -> bool {
    let names = names_in_lists(db, environment, |it| it.is_whole);
    names.iter().any(|it| it == class)
}

/// Checks whether the data of an environment has all class lists that code looks up.
pub(crate) fn has_all_lists(db: &dyn Database, environment: EnvironmentInput) -> bool {
    let own = layer_module(db, environment, &Layer::Environment);
    let has_list =
        |key: &String| own.is_some_and(|it| !layer_keys(db, it).files_with(key).is_empty());
    let lists = class_lists(db, environment).iter();
    lists
        .filter(|it| it.1.is_looked_up)
        .all(|it| has_list(it.0))
}

/// Returns the classes that the data of an environment names in class lists.
pub(crate) fn listed_classes(db: &dyn Database, environment: EnvironmentInput) -> Vec<String> {
    names_in_lists(db, environment, |_| true)
}

fn names_in_lists(
    db: &dyn Database,
    environment: EnvironmentInput,
    is_wanted: impl Fn(&ClassList) -> bool,
) -> Vec<String> {
    let Some(own) = layer_module(db, environment, &Layer::Environment) else {
        return Vec::new();
    };
    let (keys, files) = (layer_keys(db, own), layer_files(db, own));
    let mut found = Vec::new();
    let lists = class_lists(db, environment).iter();
    for (key, _) in lists.filter(|it| is_wanted(it.1)) {
        for file in keys.files_with(key) {
            let format = files.get(file).and_then(LayerFile::format);
            let data = format.map(|it| data_file(db, *file, it));
            let entries = data.iter().flat_map(|it| it.entries());
            let names = entries
                .filter(|it| it.name() == *key)
                .flat_map(|it| class_names(&it.value));
            found.extend(names.map(|it| canonical_name(it.1)));
        }
    }
    found
}

#[salsa::tracked(returns(ref))]
fn class_lists_in_module(db: &dyn Database, module: ModuleInput) -> ClassLists {
    let mut found = ClassLists::new();
    for file in module_puppet_files(db, module) {
        extend(&mut found, class_lists_in_file(db, *file));
    }
    found
}

#[salsa::tracked(returns(ref))]
fn class_lists_in_file(db: &dyn Database, file: FileInput) -> ClassLists {
    let mut found = ClassLists::new();
    for item in items(db, file) {
        let body = body(db, *item);
        if may_declare_computed_classes(body) {
            let mut flow = Flow {
                db,
                item: *item,
                body,
                root: item.syntax(db),
                found: &mut found,
                steps: 0,
            };
            flow.follow_all();
        }
    }
    found
}

fn extend(all: &mut ClassLists, more: &ClassLists) {
    for (key, list) in more {
        add(all, key, *list);
    }
}

fn add(all: &mut ClassLists, key: &str, list: ClassList) {
    match all.get_mut(key) {
        Some(known) => {
            known.is_whole |= list.is_whole;
            known.is_looked_up |= list.is_looked_up;
        }
        None => drop(all.insert(key.to_owned(), list)),
    }
}

fn may_declare_computed_classes(body: &Body) -> bool {
    let mut functions = body.references.iter().filter_map(|it| match &it.name {
        ReferenceName::Function(name) => F::from_name(name),
        _ => None,
    });
    let mut resources = body.resources.iter();
    functions.any(|it| it.names_classes() || it == F::HieraInclude)
        || resources.any(|it| it.type_.as_deref() == Some("class") && !it.has_only_literal_titles)
}

/// Follows the names of declared classes of an item back to the keys whose values they are.
struct Flow<'a, 'db> {
    db: &'db dyn Database,
    item: Item<'db>,
    body: &'db Body,
    root: SyntaxNode,
    found: &'a mut ClassLists,
    /// The number of expressions followed from the current declaration.
    steps: usize,
}

impl Flow<'_, '_> {
    fn follow_all(&mut self) {
        let root = self.root.clone();
        for node in root.descendants() {
            self.steps = 0;
            if let Some(resource) = ResourceExpr::cast(node.clone()) {
                if resource.class_keyword().is_some() {
                    let titles = resource.bodies().filter_map(|it| it.title());
                    titles.for_each(|it| self.follow(&it, true));
                }
                continue;
            }
            let call = Expr::cast(node).and_then(|it| it.named_call());
            let Some((name, arguments)) = call else {
                continue;
            };
            match F::from_name(name.text()) {
                Some(F::HieraInclude) => self.add_keys(&arguments, true),
                Some(it) if it.names_classes() => {
                    arguments.iter().for_each(|it| self.follow(it, true));
                }
                _ => {}
            }
        }
    }

    /// Adds the keys whose values an expression may have.
    fn follow(&mut self, expr: &Expr, is_whole: bool) {
        if self.steps == MAX_STEPS {
            return;
        }
        self.steps += 1;
        match expr {
            Expr::ParenExpr(it) => self.follow_each(it.expr(), is_whole),
            Expr::ArrayExpr(it) => self.follow_each(it.elements(), is_whole),
            Expr::BinaryExpr(it) => self.follow_operands(it, is_whole),
            Expr::SelectorExpr(it) => {
                self.follow_each(it.entries().filter_map(|it| it.value()), is_whole);
            }
            Expr::VariableExpr(it) => self.follow_variable(it, is_whole),
            Expr::CallExpr(_) | Expr::MethodCall(_) => self.follow_result(expr, is_whole),
            _ => {}
        }
    }

    fn follow_each(&mut self, exprs: impl IntoIterator<Item = Expr>, is_whole: bool) {
        exprs.into_iter().for_each(|it| self.follow(&it, is_whole));
    }

    fn follow_operands(&mut self, expr: &BinaryExpr, is_whole: bool) {
        match expr.operator().map(|it| it.kind()) {
            Some(SyntaxKind::PLUS | SyntaxKind::SHL) => {
                self.follow_each(expr.lhs().into_iter().chain(expr.rhs()), is_whole);
            }
            Some(SyntaxKind::MINUS) => self.follow_each(expr.lhs(), false),
            _ => {}
        }
    }

    fn follow_result(&mut self, call: &Expr, is_whole: bool) {
        let Some((name, arguments)) = call.named_call() else {
            return;
        };
        let Some(function) = F::from_name(name.text()) else {
            return;
        };
        let first = arguments.first().cloned();
        match function {
            F::HieraInclude => {}
            it if it.names() == Some(NamedEntity::DataKey) => self.add_keys(&arguments, is_whole),
            F::Unique | F::Flatten | F::Sort | F::Reverse | F::Any2array | F::Lest => {
                self.follow_each(first, is_whole);
            }
            F::Filter | F::Delete | F::DeleteUndefValues | F::Difference => {
                self.follow_each(first, false);
            }
            F::Pick | F::PickDefault | F::Concat | F::Union => {
                self.follow_each(arguments, is_whole);
            }
            _ => {}
        }
    }

    /// Adds the keys that a lookup has as its first argument.
    fn add_keys(&mut self, arguments: &[Expr], is_whole: bool) {
        let keys: Vec<Expr> = match arguments.first() {
            Some(Expr::ArrayExpr(it)) => it.elements().collect(),
            Some(Expr::HashExpr(it)) => {
                let is_name = |it: &Expr| it.plain_text().is_some_and(|it| it == "name");
                let mut names = it
                    .entries()
                    .filter(|it| it.key().as_ref().is_some_and(is_name));
                names.next().and_then(|it| it.value()).into_iter().collect()
            }
            Some(it) => vec![it.clone()],
            None => return,
        };
        let keys = keys.iter().filter_map(Expr::plain_text);
        // A dotted key names only a part of a value.
        for key in keys.filter(|it| !it.contains('.')) {
            let list = ClassList {
                is_whole,
                is_looked_up: true,
            };
            add(self.found, &key, list);
        }
    }

    fn follow_variable(&mut self, variable: &VariableExpr, is_whole: bool) {
        let range = variable.syntax().text_range();
        let mut references = self.body.references.iter();
        let Some(reference) = references.find(|it| it.range == range) else {
            return;
        };
        let ReferenceName::Variable(name) = &reference.name else {
            return;
        };
        let mut scopes = self.body.scopes_from(reference.scope);
        let Some(scope) = scopes.find(|it| self.body.scopes[*it].binds(name)) else {
            if self.item.kind(self.db) == ItemKind::Node {
                self.follow_top_variable(name.trim_start_matches("::"), is_whole);
            }
            return;
        };
        for binding in self.body.scopes[scope].bindings_of(name) {
            match (binding.parameter, scope) {
                (true, 0) if self.item.kind(self.db) == ItemKind::Class => {
                    // Puppet looks up the values of parameters.
                    let key = format!("{}::{name}", self.item.name(self.db));
                    let list = ClassList {
                        is_whole,
                        is_looked_up: false,
                    };
                    add(self.found, &key, list);
                }
                (true, 0) => {}
                (true, _) => self.follow_element(binding, variable, is_whole),
                (false, _) => self.follow_assigned(binding, is_whole),
            }
        }
    }

    /// Follows a variable that a node reads to its assignments in the main manifests.
    fn follow_top_variable(&mut self, name: &str, is_whole: bool) {
        let db = self.db;
        let environment = self.item.file(db).environment(db);
        let manifests = environment.map(|it| it.manifests(db).iter());
        let all = manifests
            .into_iter()
            .flatten()
            .flat_map(|it| items(db, *it));
        for item in all.filter(|it| it.kind(db) == ItemKind::Main) {
            let body = body(db, *item);
            let mut main = Flow {
                db,
                item: *item,
                body,
                root: item.syntax(db),
                found: &mut *self.found,
                steps: self.steps,
            };
            let top = body.scopes.first();
            for binding in top.into_iter().flat_map(|it| it.bindings_of(name)) {
                main.follow_assigned(binding, is_whole);
            }
        }
    }

    fn follow_assigned(&mut self, binding: &Binding, is_whole: bool) {
        if let Some(value) = assigned_value(&self.root, binding.range) {
            self.follow_each(Some(value), is_whole);
        }
    }

    /// Follows the only parameter of a lambda to the values that it is called with.
    fn follow_element(&mut self, binding: &Binding, variable: &VariableExpr, is_whole: bool) {
        let parameter = node_at(&self.root, binding.range);
        let lambda = parameter.and_then(|it| it.ancestors().find_map(Lambda::cast));
        let Some(lambda) = lambda.filter(|it| it.parameters().len() == 1) else {
            return;
        };
        let call = lambda.syntax().parent();
        let call =
            call.filter(|it| CallExpr::can_cast(it.kind()) || MethodCall::can_cast(it.kind()));
        let Some((name, arguments)) = call.and_then(Expr::cast).and_then(|it| it.named_call())
        else {
            return;
        };
        if let Some(F::Each | F::ReverseEach | F::Map | F::Then | F::With) =
            F::from_name(name.text())
        {
            let is_whole = is_whole && !is_conditional(variable.syntax(), lambda.syntax());
            self.follow_each(arguments.first().cloned(), is_whole);
        }
    }
}

/// Checks whether a condition within other code decides whether a node is evaluated.
fn is_conditional(node: &SyntaxNode, around: &SyntaxNode) -> bool {
    let inside = node.ancestors().take_while(|it| it != around);
    let mut kinds = inside.map(|it| it.kind());
    kinds.any(|it| {
        IfExpr::can_cast(it)
            || UnlessExpr::can_cast(it)
            || CaseExpr::can_cast(it)
            || matches!(it, SyntaxKind::SELECTOR_EXPR)
    })
}

#[cfg(test)]
mod tests {
    use base::FileId;
    use fixture::Sources;

    use super::class_lists_in_file;

    /// Returns the class lists of a class `m`, with a `?` after a list that is only declared in part.
    fn lists(code: &str) -> Vec<String> {
        let text = format!("//- modules/m/manifests/init.pp\nclass m ($own = []) {{ {code} }}\n");
        let db = Sources::parse(&text).database();
        let file = db.file(FileId(0)).expect("there is one file");
        let lists = class_lists_in_file(&db, file).iter();
        let shown = lists.map(|(key, it)| match it.is_whole {
            true => key.clone(),
            false => format!("{key}?"),
        });
        shown.collect()
    }

    #[test]
    fn finds_keys_whose_values_are_declared() {
        for code in [
            "lookup('a', Array[String], 'deep', []).contain",
            "lookup('a').include",
            "include(lookup('a'))",
            "contain lookup('a')",
            "require(lookup({ 'name' => 'a', 'merge' => 'unique' }))",
            "hiera_include('a')",
            "include hiera_array('a', [])",
            "lookup('a').each |$c| { include $c }",
            "lookup('a').each |String $c| { contain($c) }",
            "each(lookup('a')) |$c| { class { $c: } }",
            "$x = lookup('a') include $x",
            "$x = lookup('a') $y = unique($x) include $y",
            "if $facts['x'] { $x = lookup('a') } else { $x = [] } include $x",
            "include unique(flatten([lookup('a'), 'b']))",
            "include pick(lookup('a'), [])",
            "include($facts['x'] ? { 'b' => lookup('a'), default => [] })",
            "include((lookup('a') + ['b']).sort)",
        ] {
            assert_eq!(lists(code), ["a"], "{code}");
        }
    }

    #[test]
    fn knows_lists_of_which_a_part_is_declared() {
        for code in [
            "include lookup('a') - lookup('b')",
            "lookup('a').filter |$c| { defined($c) }.include",
            "lookup('a').each |$c| { if defined($c) { include $c } }",
        ] {
            assert_eq!(lists(code), ["a?"], "{code}");
        }
        assert_eq!(
            lists("include lookup('a') - ['b'] include lookup('a')"),
            ["a"]
        );
    }

    #[test]
    fn finds_parameters() {
        assert_eq!(lists("include $own"), ["m::own"]);
        assert_eq!(lists("$own.each |$c| { include $c }"), ["m::own"]);
    }

    #[test]
    fn skips_other_values() {
        for code in [
            "include a",
            "$x = lookup('a') include b",
            "lookup('a').each |$c| { include \"b::${c}\" }",
            "lookup('a').each |$own, $c| { include $own }",
            "lookup('a').each |$c| { notice($c) }",
            "include lookup('a.b')",
            "include lookup(\"a::${x}\")",
            "include lookup('a').map |$c| { \"b::${c}\" }",
            "$x = $y $y = $x include $x",
            "include $other::own",
        ] {
            assert_eq!(lists(code), [""; 0], "{code}");
        }
    }
}
