use std::collections::{BTreeMap, BTreeSet};

use base::{EnvironmentInput, FileInput, ModuleOrigin, ModulepathKind};
use hiera::Layer;
use hir::autoload::{NameKey, find_item, is_well_placed, module_puppet_files};
use hir::body::{ClassUse, Reference, ReferenceName, body};
use hir::{ItemKind, items, signature};
use infer::layer_module;
use library::KnownFunction;
use petgraph::Direction;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Dfs;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use syntax::ast::{AstNode, Expr};
use syntax::{SyntaxNode, text_at};

use crate::checker::Checker;
use crate::index::name_uses::{
    NameUse, UsesByDefinition, WrittenDefinition, code_uses, data_uses, has_known_data, merge,
    module_uses, needs_use,
};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports classes, defined types, functions and type aliases of a control repository that are never used.
    ///
    /// ## What it does
    ///
    /// Searches the code, templates, Ruby files and Hiera data of the environment for the names of
    /// the definitions in its own modules, not in installed ones. Every occurrence outside of
    /// comments counts, also in strings and as part of a computed name: `"role::${role}"` uses all
    /// classes of the module `role`. Definitions that only unused ones use are not reported. This
    /// rule is off by default.
    ///
    /// ## Why it matters
    ///
    /// Unused code has to be read, updated and tested like all other code.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: environment/manifests/site.pp
    /// node default {
    ///   include example
    /// }
    /// # file: manifests/init.pp
    /// class example {
    ///   notice('in use')
    /// }
    /// # file: manifests/old.pp
    /// class example::old { # <-
    ///   include example::older
    /// }
    /// # file: manifests/older.pp
    /// class example::older {
    ///   notice('only the class `example::old` uses this')
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: environment/manifests/site.pp
    /// node default {
    ///   include example
    /// }
    /// # file: manifests/init.pp
    /// class example {
    ///   notice('in use')
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Modules that are not part of a control repository.
    /// * Classes, and what they use, if neither a node definition nor data names a class: then a node classifier
    ///   assigns them.
    /// * Classes, if the code declares computed names, and data that may contain them is not part of the environment.
    ///
    /// Classes that a node classifier assigns in addition are reported. Add a suppression comment to these.
    ///
    /// ## Fix
    ///
    /// No fix is available: something outside of the repository may use the definition.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unused-definition]` at the end of the line, or on a line of its own
    /// above it. To turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unused-definition = "warning"
    /// ```
    pub(crate) static UNUSED_DEFINITION = {
        code: "unused-definition",
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    let is_checked = !matches!(
        item.kind(db),
        ItemKind::Plan | ItemKind::Node | ItemKind::Main
    );
    if !is_checked || item.file(db).module(db).is_none() {
        return;
    }
    let key = (item.kind(db), item.name(db).clone());
    if unused_definitions(db, checker.environment).contains(&key) {
        let range = signature(db, item).name_range;
        let written = text_at(&checker.root(), range).filter(|_| key.0 == ItemKind::TypeAlias);
        let message = format!("unused {} `{}`", key.0.noun(), written.unwrap_or(key.1));
        checker.report(&UNUSED_DEFINITION, range, message);
    }
}

/// Returns the unused definitions of the modules of an environment, without those that only unused ones use.
#[salsa::tracked]
fn unused_definitions(
    db: &dyn Database,
    environment: EnvironmentInput,
) -> FxHashSet<WrittenDefinition> {
    if environment.modulepath(db) != ModulepathKind::OfEnvironment {
        return FxHashSet::default();
    }
    let mut uses = UsesByDefinition::default();
    for file in environment.manifests(db).iter() {
        merge(&mut uses, code_uses(db, environment, *file));
    }
    for module in environment.modules(db).values() {
        merge(&mut uses, module_uses(db, environment, *module));
    }
    let definitions = own_definitions(db, environment);
    let mut graph = UseGraph::new(&definitions, &uses);
    if !declares_known_classes(db, environment) {
        graph.use_all_classes();
    }
    graph.outermost_unused()
}

/// Returns the definitions that may be unused.
fn own_definitions(
    db: &dyn Database,
    environment: EnvironmentInput,
) -> BTreeSet<WrittenDefinition> {
    let modules = environment.modules(db).values();
    let own = modules.filter(|it| it.origin(db) == ModuleOrigin::Workspace);
    let files = own.flat_map(|it| module_puppet_files(db, *it));
    let all = files.flat_map(|it| items(db, *it));
    let found = all.filter(|it| needs_use(it.kind(db)) && is_well_placed(db, **it));
    found.map(|it| (it.kind(db), it.name(db).clone())).collect()
}

/// Checks whether the environment contains the names of all classes that nodes get, apart from those that a node
/// classifier adds.
fn declares_known_classes(db: &dyn Database, environment: EnvironmentInput) -> bool {
    let modules = environment.modules(db).values();
    let own = modules.filter(|it| it.origin(db) == ModuleOrigin::Workspace);
    let files = own.flat_map(|it| module_puppet_files(db, *it));
    let manifests = environment.manifests(db).iter();
    let mut files = files.chain(manifests);
    names_classes(db, environment)
        && (has_known_data(db, environment) || !files.any(|it| computes_classes(db, *it)))
}

/// Checks whether main manifests declare classes, or the data of the environment contains names of classes.
fn names_classes(db: &dyn Database, environment: EnvironmentInput) -> bool {
    let mut manifests = environment.manifests(db).iter();
    if manifests.any(|it| declares_classes(db, *it)) {
        return true;
    }
    let Some(data) = layer_module(db, environment, &Layer::Environment) else {
        return false;
    };
    let is_class = |name: &str| {
        let key = NameKey::new(db, name.to_owned());
        find_item(db, environment, ItemKind::Class, key).is_some()
    };
    let uses = data_uses(db, environment, data);
    let mut names = uses.get(&None).into_iter().flatten();
    names.any(|it| match it {
        NameUse::Name(name) => is_class(name),
        NameUse::Start { is_type, .. } => !is_type,
        NameUse::Part(_) | NameUse::AnyClass => false,
    })
}

/// Checks whether code outside of definitions, or in node definitions, declares classes.
#[salsa::tracked(returns(copy))]
fn declares_classes(db: &dyn Database, file: FileInput) -> bool {
    let is_declared =
        |it: &Reference| matches!(it.name, ReferenceName::Class(_, ClassUse::Declared));
    let code = items(db, file).iter();
    let mut code = code.filter(|it| matches!(it.kind(db), ItemKind::Main | ItemKind::Node));
    code.any(|it| body(db, *it).references.iter().any(is_declared)) || computes_classes(db, file)
}

/// Checks whether a file declares classes with names that it does not contain.
#[salsa::tracked(returns(copy))]
fn computes_classes(db: &dyn Database, file: FileInput) -> bool {
    let text = file.text(db).as_deref().unwrap_or_default();
    let mut functions = KnownFunction::ALL.iter().filter(|it| it.names_classes());
    if !text.contains("class") && !functions.any(|it| text.contains(it.name())) {
        return false;
    }
    let all = items(db, file).iter();
    let mut resources = all.flat_map(|it| &body(db, *it).resources);
    resources.any(|it| it.type_.as_deref() == Some("class") && !it.has_only_literal_titles)
        || base::parse(db, file)
            .syntax()
            .descendants()
            .any(|it| computes_class(&it))
}

/// Checks whether a call declares classes with names that are neither literals nor interpolated strings.
fn computes_class(node: &SyntaxNode) -> bool {
    let call = Expr::cast(node.clone()).and_then(|it| it.named_call());
    let Some((name, arguments)) = call else {
        return false;
    };
    let function = KnownFunction::from_name(name.text());
    function.is_some_and(KnownFunction::names_classes) && !arguments.iter().all(is_written)
}

fn is_written(name: &Expr) -> bool {
    match name {
        Expr::StringLiteral(_) | Expr::QualifiedName(_) | Expr::InterpolatedString(_) => true,
        Expr::ArrayExpr(it) => it.elements().all(|it| is_written(&it)),
        Expr::ParenExpr(it) => it.expr().is_some_and(|it| is_written(&it)),
        Expr::AccessExpr(_) | Expr::QualifiedReference(_) => true,
        _ => false,
    }
}

/// Which definitions use which others.
struct UseGraph {
    graph: DiGraph<Option<WrittenDefinition>, ()>,
    /// Stands for all code that needs no use.
    root: NodeIndex,
    /// The definitions by name.
    by_name: BTreeMap<String, Vec<NodeIndex>>,
}

impl UseGraph {
    fn new(definitions: &BTreeSet<WrittenDefinition>, uses: &UsesByDefinition) -> UseGraph {
        let mut graph = DiGraph::new();
        let root = graph.add_node(None);
        let mut nodes: FxHashMap<&WrittenDefinition, NodeIndex> = FxHashMap::default();
        let mut by_name: BTreeMap<String, Vec<NodeIndex>> = BTreeMap::new();
        for definition in definitions {
            let node = graph.add_node(Some(definition.clone()));
            nodes.insert(definition, node);
            by_name.entry(definition.1.clone()).or_default().push(node);
        }
        let mut graph = UseGraph {
            graph,
            root,
            by_name,
        };
        for (user, names) in uses {
            let user = user.as_ref().and_then(|it| nodes.get(it));
            let user = user.copied().unwrap_or(root);
            for name in names {
                for used in graph.used(name) {
                    graph.graph.update_edge(user, used, ());
                }
            }
        }
        graph
    }

    /// Returns the definitions that a name may stand for.
    fn used(&self, name: &NameUse) -> Vec<NodeIndex> {
        let all = self.by_name.iter();
        let found: Vec<&Vec<NodeIndex>> = match name {
            NameUse::Name(name) => self.by_name.get(name).into_iter().collect(),
            NameUse::Start { text, .. } => {
                let following = self.by_name.range(text.clone()..);
                let same = following.take_while(|it| it.0.starts_with(text));
                same.map(|it| it.1).collect()
            }
            NameUse::Part(part) => {
                let same = all.filter(|it| it.0.contains(part));
                same.map(|it| it.1).collect()
            }
            NameUse::AnyClass => return self.classes(),
        };
        let is_exact = matches!(
            name,
            NameUse::Name(_) | NameUse::Start { is_type: true, .. }
        );
        let found = found.into_iter().flatten().copied();
        let found = found.filter(|it| is_exact || self.kind(*it) != Some(ItemKind::TypeAlias));
        found.collect()
    }

    fn kind(&self, node: NodeIndex) -> Option<ItemKind> {
        self.graph[node].as_ref().map(|it| it.0)
    }

    fn classes(&self) -> Vec<NodeIndex> {
        let all = self.graph.node_indices();
        all.filter(|it| self.kind(*it) == Some(ItemKind::Class))
            .collect()
    }

    fn use_all_classes(&mut self) {
        for class in self.classes() {
            self.graph.update_edge(self.root, class, ());
        }
    }

    /// Returns the unused definitions that no other unused one uses; of those that use each other, the first.
    fn outermost_unused(&self) -> FxHashSet<WrittenDefinition> {
        let mut used = FxHashSet::default();
        let mut reachable = Dfs::new(&self.graph, self.root);
        while let Some(node) = reachable.next(&self.graph) {
            used.insert(node);
        }
        let mut found = FxHashSet::default();
        for group in tarjan_scc(&self.graph) {
            let users = group.iter().flat_map(|it| {
                let users = self.graph.neighbors_directed(*it, Direction::Incoming);
                users.filter(|it| !group.contains(it))
            });
            if users.count() == 0 {
                let unused = group.iter().filter(|it| !used.contains(*it));
                let first = unused.filter_map(|it| self.graph[*it].as_ref()).min();
                found.extend(first.cloned());
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::UNUSED_DEFINITION;
    use crate::testing::reported;

    const SITE: &str = "//- manifests/site.pp\nnode default { include m }\n";

    fn check(files: &[(&str, &str)]) -> Vec<String> {
        let files = files
            .iter()
            .map(|(path, text)| format!("//- {path}\n{text}\n"));
        let mut text = files.collect::<String>();
        text.insert_str(0, SITE);
        let found = reported(&UNUSED_DEFINITION, &text);
        let name = |it: String| it.split('`').nth(1).unwrap_or_default().to_owned();
        found.into_iter().map(name).collect()
    }

    const INIT: &str = "modules/m/manifests/init.pp";
    const A: (&str, &str) = ("modules/m/manifests/a.pp", "class m::a { }");

    #[test]
    fn reports_what_nothing_uses() {
        let files = [
            (INIT, "# m::a\nclass m { m::d { 'x': } }"),
            A,
            ("modules/m/manifests/d.pp", "define m::d { }"),
            ("modules/m/manifests/e.pp", "define m::e { m::e { 'x': } }"),
            ("modules/m/functions/f.pp", "function m::f() { m::g() }"),
            ("modules/m/functions/g.pp", "function m::g() { m::f() }"),
            ("modules/m/types/t.pp", "type M::T = M::U"),
            ("modules/m/types/u.pp", "type M::U = Integer"),
        ];
        assert_eq!(check(&files), ["m::a", "m::e", "m::f", "M::T"]);
    }

    #[test]
    fn accepts_names_in_strings_data_and_ruby() {
        for (path, text) in [
            (INIT, "class m { include $x ? { 1 => 'm::a' } }"),
            (INIT, "class m { include \"m::${x}\" }"),
            (INIT, "class m { include \"${x}::a\" }"),
            (INIT, "class m { include \"${module_name}::a\" }"),
            (INIT, "class m { Class['m::a'] -> Class['m'] }"),
            (INIT, "class m { notice($m::a::x) }"),
            (INIT, "class m inherits m::a { }"),
            (
                "modules/m/plans/init.pp",
                "plan m() { apply('x') { include m::a } }",
            ),
            ("modules/m/templates/t.erb", "<%= scope['m::a::x'] %>"),
            (
                "modules/environment/data/common.yaml",
                "classes:\n  - m::a\n",
            ),
            (
                "modules/environment/data/common.yaml",
                "x: {y: 'm::%{z}'}\n",
            ),
        ] {
            assert_eq!(check(&[A, (path, text)]), [""; 0], "{text}");
        }
        let type_ = ("modules/m/types/t.pp", "type M::T = Integer");
        for (code, expected) in [("m", "M::T"), ("M", "")] {
            let code = format!("class m {{ notice(\"{code}::${{x}}\") }}");
            assert_eq!(check(&[type_, (INIT, &code)]).concat(), expected);
        }
        let data = "m::a::x: 1\n# - m::a\n";
        let files = [A, ("modules/environment/data/common.yaml", data)];
        assert_eq!(check(&files), ["m::a"]);
    }

    #[test]
    fn ignores_classes_that_something_else_may_assign() {
        let code = "//- modules/m/manifests/a.pp\nclass m::a { }\n\
                    //- modules/m/manifests/d.pp\ndefine m::d { }\n";
        let message = "`m::d`: unused defined type `m::d`";
        assert_eq!(reported(&UNUSED_DEFINITION, code), [message]);
        let lookup = format!("{code}//- manifests/site.pp\nlookup('x').include\n");
        assert_eq!(reported(&UNUSED_DEFINITION, &lookup), [message]);
        let data = "//- modules/environment/hiera.yaml\nversion: 5\n\
                    //- modules/environment/data/common.yaml\nx: 1\n";
        let known = format!("{lookup}{data}");
        assert_eq!(reported(&UNUSED_DEFINITION, &known).len(), 2);
    }
}
