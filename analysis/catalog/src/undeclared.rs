//! References to resources that are not declared, and what unknown code may declare.

use base::FileInput;
use eval::Issue;
use hir::autoload::module_puppet_files;
use hir::declared_resources::unique_title;
use hir::resolve::{self, Definition};
use hir::title_pattern::TitlePattern;
use hir::{ItemKind, canonical_name, items};
use library::KnownFunction;
use rustc_hash::FxHashSet;
use syntax::ast::{AstNode, ClassDefinition, Expr, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode};
use types::capitalize_segments;
use types::values::Value;

use crate::data::{CompileErrorKind, Place, Resource, ResourceKey};
use crate::recovery::{is_conversion, is_pure};
use crate::ruby_functions::ruby_function;
use crate::state::{Additions, Compiler, EarlyLookup, Missing, ScopeId, Undeclared};
use crate::values::flattened;

/// The reason of a gap for a list that is empty by default.
pub(crate) const MAY_BE_GIVEN: &str = "the list may be given";

/// Checks whether a value is an array or a hash without entries.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Hash(entries) => entries.iter().next().is_none(),
        _ => false,
    }
}

/// Whether unknown code may declare a resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Possibility {
    Impossible,
    /// Only if a title of which hardly anything is known is the wanted one.
    ByAnyTitle,
    Possible,
}

impl Possibility {
    fn of_title(is_it: bool) -> Possibility {
        match is_it {
            true => Possibility::ByAnyTitle,
            false => Possibility::Impossible,
        }
    }
}

/// A search for code that may declare a resource.
struct Search<'c, 'db> {
    compiler: &'c Compiler<'db>,
    wanted: &'c ResourceKey,
    /// Whether code declares resources of the type with titles of which hardly anything is known.
    has_any_title: bool,
    /// Whether only the code itself counts, without the definitions that it uses.
    is_shallow: bool,
    /// The searched classes, defined types and functions.
    visited: FxHashSet<(ItemKind, String)>,
}

impl Compiler<'_> {
    /// Records a reference to a resource, unless the resource is declared.
    pub(crate) fn add_undeclared(
        &self,
        key: &ResourceKey,
        place: Option<Place>,
        message: impl FnOnce() -> String,
    ) {
        let mut state = self.state.borrow_mut();
        if state.effects.catalog.resources.contains_key(key) {
            return;
        }
        state.effects.undeclared.push(Undeclared {
            key: key.clone(),
            message: message(),
            place,
            missing: Missing::Declaration,
        });
    }

    /// Records that code reads an attribute of a resource, unless the resource is declared.
    pub(crate) fn add_early_read(&self, key: &ResourceKey, place: Option<Place>) {
        let mut state = self.state.borrow_mut();
        // Other code may include a class before.
        if key.type_name != "Class" && !state.effects.catalog.resources.contains_key(key) {
            state.effects.early_lookups.push(EarlyLookup {
                key: key.clone(),
                place,
                reads_attribute: true,
            });
        }
    }

    /// Records a class in a stage, unless the stage is declared. Puppet looks for it at once
    /// (`Puppet::Parser::Resource#add_edge_to_stage`).
    pub(crate) fn add_unstaged(
        &self,
        scope: ScopeId,
        stage: &ResourceKey,
        class: &str,
        place: Option<Place>,
    ) {
        let mut state = self.state.borrow_mut();
        if !state.effects.catalog.resources.contains_key(stage) {
            state.effects.undeclared.push(Undeclared {
                key: stage.clone(),
                message: format!("unknown stage `{stage}` of class `{class}`"),
                place,
                missing: Missing::EarlierStage(scope),
            });
        }
    }

    /// Records a reference to a virtual resource, which the agent does not find unless something realizes it. Puppet
    /// compiles the catalog.
    pub(crate) fn add_unrealized(&self, key: &ResourceKey, place: Option<Place>) {
        if self.is_sample && self.is_unrealized(key) {
            self.state.borrow_mut().effects.undeclared.push(Undeclared {
                key: key.clone(),
                message: format!("`{key}` is virtual"),
                place,
                missing: Missing::Realization,
            });
        }
    }

    fn is_unrealized(&self, key: &ResourceKey) -> bool {
        let state = self.state.borrow();
        let declared = state.effects.catalog.resources.get(key);
        // A node may collect what it exports.
        let is_known = |it: &Resource| self.is_part || !it.is_exported;
        declared.is_some_and(|it| it.is_virtual && it.is_certain && is_known(it))
    }

    /// Forgets the references to resources that unknown code may declare, and checks whether branches with unknown
    /// conditions may declare one of the others.
    pub(crate) fn needs_open_branches(&self) -> bool {
        let mut undeclared = std::mem::take(&mut self.state.borrow_mut().effects.undeclared);
        undeclared.retain(|it| {
            it.missing != Missing::Declaration
                || match self.possible_declaration(&it.key) {
                    Possibility::Possible => false,
                    Possibility::ByAnyTitle => self.is_whole_catalog(),
                    Possibility::Impossible => true,
                }
        });
        let needs_them = undeclared
            .iter()
            .any(|it| it.missing != Missing::Declaration || self.may_be_declared_openly(&it.key));
        self.state.borrow_mut().effects.undeclared = undeclared;
        needs_them
    }

    /// Reports references to resources that no code declares, as far as the code is known.
    pub(crate) fn report_undeclared(&self) {
        let undeclared = std::mem::take(&mut self.state.borrow_mut().effects.undeclared);
        for it in undeclared {
            if it.missing == Missing::Realization {
                // Unknown code may realize it.
                let is_known = self.is_part || self.state.borrow().effects.catalog.is_complete();
                if is_known && self.is_unrealized(&it.key) {
                    let kind = CompileErrorKind::UnrealizedResource(it.key);
                    self.add_error(kind, it.message, (it.place, None));
                }
                continue;
            }
            if let Missing::EarlierStage(scope) = it.missing
                && self.is_late(&it.key, scope)
            {
                let kind = CompileErrorKind::Evaluation(Issue::RuntimeError);
                let message = format!("{}: it is declared later", it.message);
                self.add_error(kind, message, (it.place, self.place_of(&it.key)));
                continue;
            }
            match self.possible_declaration(&it.key) {
                Possibility::Possible => {}
                Possibility::ByAnyTitle if self.is_whole_catalog() => {
                    self.state.borrow_mut().unlikely.push((it.key, it.place));
                }
                Possibility::ByAnyTitle => {}
                Possibility::Impossible => {
                    let kind = CompileErrorKind::UndeclaredResource(it.key);
                    self.add_error(kind, it.message, (it.place, None));
                }
            }
        }
    }

    /// Checks whether the catalog of a sample node is compiled.
    fn is_whole_catalog(&self) -> bool {
        self.is_sample && !self.is_part
    }

    /// Checks whether a declared resource may have a name, or unknown code may declare it.
    pub(crate) fn possible_declaration(&self, key: &ResourceKey) -> Possibility {
        match self.may_have_name(key) {
            Possibility::Possible => Possibility::Possible,
            by_name => by_name.max(self.possible_addition(key)),
        }
    }

    /// Checks whether a resource that code needed in a scope is certainly declared later. Other classes may be
    /// evaluated before a class that is compiled alone.
    fn is_late(&self, key: &ResourceKey, scope: ScopeId) -> bool {
        let state = self.state.borrow();
        let declared = state.effects.catalog.resources.get(key);
        let is_known = !self.is_part || state.effects.sources.get(key) == Some(&scope);
        is_known && declared.is_some_and(Resource::is_unconditional)
    }

    fn place_of(&self, key: &ResourceKey) -> Option<Place> {
        self.state
            .borrow()
            .effects
            .catalog
            .resources
            .get(key)?
            .place
    }

    /// Checks whether a declared resource may have this name: Puppet finds resources by their aliases, too.
    fn may_have_name(&self, key: &ResourceKey) -> Possibility {
        let name = self.name_variable_of(key);
        // One parameter identifies the resources of the type.
        let is_whole = name.is_some() || key.type_name == "Class";
        let type_name = canonical_name(&key.type_name);
        let wanted = unique_title(&type_name, &key.title);
        let is_wanted = |it: &Value| it.as_str() == Some(wanted);
        let has_name = |(other, resource): (&ResourceKey, &Resource)| {
            let is_named = name
                .as_ref()
                .is_some_and(|it| resource.parameters.contains_key(&**it));
            let is_title = !is_named && unique_title(&type_name, &other.title) == wanted;
            if is_title || !is_whole {
                return Possibility::Possible;
            }
            let names = [name.as_deref(), Some("alias")].into_iter().flatten();
            let names = names.filter_map(|it| resource.parameters.get(it));
            let may_be = names.map(|it| match &it.value {
                Ok(value) if flattened([value]).iter().any(is_wanted) => Possibility::Possible,
                Ok(_) => Possibility::Impossible,
                // The rules look for strings that may be the name.
                Err(_) => Possibility::of_title(!self.is_part),
            });
            may_be.max().unwrap_or(Possibility::Impossible)
        };
        let state = self.state.borrow();
        let resources = state.effects.catalog.resources.iter();
        let of_type = resources.filter(|it| it.0.type_name == key.type_name);
        of_type
            .map(has_name)
            .max()
            .unwrap_or(Possibility::Impossible)
    }

    /// Checks whether code with unknown effects may declare a resource.
    pub(crate) fn may_be_declared(&self, key: &ResourceKey) -> bool {
        self.possible_addition(key) != Possibility::Impossible
    }

    fn possible_addition(&self, key: &ResourceKey) -> Possibility {
        let additions = self.state.borrow().additions.clone();
        let mut search = Search::new(self, key);
        let is_possible = additions.iter().any(|it| {
            search.is_shallow = matches!(it, Additions::Given(_) | Additions::GivenCode(_));
            match it {
                Additions::Nothing => false,
                Additions::Any => true,
                Additions::Type(name) | Additions::Given(name) => {
                    search.is_declared_by_type(name, None)
                }
                Additions::Titled(name, patterns) => {
                    search.is_declared_by_type(name, Some(patterns))
                }
                Additions::Classes(names) => search.is_in_classes(names),
                Additions::Code(node) | Additions::GivenCode(node) => search.is_in(node),
            }
        });
        match is_possible {
            true => Possibility::Possible,
            false => Possibility::of_title(search.has_any_title),
        }
    }
}

impl Compiler<'_> {
    /// Checks whether code that may not run, and is not evaluated yet, may declare a resource.
    pub(crate) fn may_be_declared_openly(&self, key: &ResourceKey) -> bool {
        let (statements, types) = {
            let state = self.state.borrow();
            let statements = state.open_statements.iter();
            let statements: Vec<_> = statements.map(|it| it.statement.clone()).collect();
            let instances = state.effects.uncertain_instances.iter();
            let types: FxHashSet<_> = instances.map(|it| it.0.type_name.clone()).collect();
            (statements, types)
        };
        let mut search = Search::new(self, key);
        statements.iter().any(|it| search.is_in(it.syntax()))
            || types
                .iter()
                .any(|it| search.is_declared_by_type(it, Some(&[])))
            || search.has_any_title
    }
}

impl<'c, 'db> Search<'c, 'db> {
    fn new(compiler: &'c Compiler<'db>, wanted: &'c ResourceKey) -> Search<'c, 'db> {
        Search {
            compiler,
            wanted,
            has_any_title: false,
            is_shallow: false,
            visited: FxHashSet::default(),
        }
    }

    /// Checks whether code may declare the resource.
    fn is_in(&mut self, node: &SyntaxNode) -> bool {
        node.descendants().any(|it| match it.kind() {
            SyntaxKind::RESOURCE_EXPR => {
                ResourceExpr::cast(it).is_some_and(|it| self.is_declared_by(&it))
            }
            SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL => {
                Expr::cast(it).is_some_and(|it| self.is_declared_by_call(&it))
            }
            _ => false,
        })
    }

    fn is_declared_by(&mut self, expr: &ResourceExpr) -> bool {
        if expr.class_keyword().is_some() {
            let titles: Option<Vec<Vec<String>>> =
                expr.bodies().map(|it| titles(&it.title()?)).collect();
            return match titles.map(|it| it.concat()) {
                Some(names) => names.iter().any(|it| self.is_in_class(it)),
                None => true,
            };
        }
        match expr.type_name() {
            Some(Expr::QualifiedName(name)) => {
                let name = name.text();
                let namevar = self.compiler.name_variable(&canonical_name(&name));
                let patterns: Option<Vec<Vec<TitlePattern>>> = expr
                    .bodies()
                    .map(|it| TitlePattern::of_body(&it, namevar.as_deref()))
                    .collect();
                let patterns = patterns.map(|it| it.concat());
                self.is_declared_by_type(&name, patterns.as_deref())
            }
            _ => true,
        }
    }

    /// Checks whether a declaration of a type, with any titles or those of some patterns, declares the resource.
    fn is_declared_by_type(&mut self, name: &str, titles: Option<&[TitlePattern]>) -> bool {
        let name = canonical_name(name);
        if name == "class" {
            return true;
        }
        if capitalize_segments(&name) == self.wanted.type_name {
            let may_be = |it: &&TitlePattern| it.may_be(&name, &self.wanted.title);
            let mut wanted = titles.into_iter().flatten().filter(may_be).peekable();
            self.has_any_title |= titles.is_none() || wanted.peek().is_some();
            if wanted.any(TitlePattern::is_specific) {
                return true;
            }
        }
        if self.compiler.is_defined_type(&name) {
            return !self.is_shallow && self.is_in_definition(ItemKind::DefinedType, &name);
        }
        self.compiler.has_resource_type(&name).is_none()
    }

    fn is_in_class(&mut self, name: &str) -> bool {
        let name = canonical_name(name);
        if self.wanted.type_name == "Class" && canonical_name(&self.wanted.title) == name {
            return true;
        }
        if self.is_shallow
            || self
                .compiler
                .state
                .borrow()
                .effects
                .classes
                .contains_key(&name)
        {
            return false;
        }
        if !self.visited.insert((ItemKind::Class, name.clone())) {
            return false;
        }
        let Ok(code) = self.compiler.class_code(&name) else {
            return true;
        };
        let definition = ClassDefinition::cast(code.syntax.clone());
        let parent = definition.and_then(|it| it.inherits()?.name());
        parent.is_some_and(|it| self.is_in_class(&it.text())) || self.is_in(&code.syntax)
    }

    /// Checks whether one of the classes with names of some patterns is the resource, or declares it.
    fn is_in_classes(&mut self, names: &[TitlePattern]) -> bool {
        let compiler = self.compiler;
        names.iter().any(|pattern| {
            let Some(module) = pattern.start_until("::") else {
                return true;
            };
            let modules = compiler.environment.modules(compiler.db);
            let Some(module) = modules.get(module) else {
                return true;
            };
            let files = module_puppet_files(compiler.db, *module).iter();
            let items = files.flat_map(|it| items(compiler.db, *it));
            let mut classes = items.filter(|it| it.kind(compiler.db) == ItemKind::Class);
            classes.any(|it| {
                let name = it.name(compiler.db);
                pattern.may_be("class", name) && self.is_in_class(name)
            })
        })
    }

    fn is_in_definition(&mut self, kind: ItemKind, name: &str) -> bool {
        if self.is_shallow || !self.visited.insert((kind, name.to_owned())) {
            return false;
        }
        match self.compiler.definition(kind, name) {
            Some(code) => self.is_in(&code.syntax),
            None => true,
        }
    }

    fn is_declared_by_call(&mut self, call: &Expr) -> bool {
        if is_conversion(call) {
            return false;
        }
        let Some((name, arguments)) = call.named_call() else {
            return true;
        };
        let first = arguments.first().and_then(titles);
        match KnownFunction::from_name(name.text()) {
            Some(KnownFunction::Include | KnownFunction::Contain | KnownFunction::Require) => {
                let names: Option<Vec<_>> = arguments.iter().map(titles).collect();
                match names {
                    Some(names) => names.concat().iter().any(|it| self.is_in_class(it)),
                    None => true,
                }
            }
            Some(
                KnownFunction::CreateResources
                | KnownFunction::EnsureResource
                | KnownFunction::EnsureResources,
            ) => self.is_declared_by_types(first),
            Some(KnownFunction::EnsurePackages) => {
                let titles = first.map(|it| it.into_iter().map(TitlePattern::of_text).collect());
                let titles: Option<Vec<_>> = titles;
                self.is_declared_by_type("package", titles.as_deref())
            }
            Some(KnownFunction::Realize) => false,
            _ => self.is_in_function(name.text()),
        }
    }

    fn is_declared_by_types(&mut self, names: Option<Vec<String>>) -> bool {
        let Some(names) = names else {
            // Code does not refer to resources of which only data names the type.
            return !self.is_shallow;
        };
        let mut names = names.iter();
        names.any(|it| self.is_declared_by_type(it.trim_start_matches('@'), None))
    }

    /// Checks whether a function may declare the resource. Functions in Ruby declare none, unless they use the compiler.
    fn is_in_function(&mut self, name: &str) -> bool {
        let compiler = self.compiler;
        if is_pure(name, compiler.version) {
            return false;
        }
        match resolve::function(compiler.db, Some(compiler.environment), name) {
            Ok(Definition::Item(_)) => self.is_in_definition(ItemKind::Function, name),
            Ok(Definition::Function(symbol)) => {
                // Those of Puppet that are not pure declare classes or resources.
                symbol.file().is_none_or(|it| self.is_in_ruby(name, it))
            }
            _ => true,
        }
    }

    fn is_in_ruby(&mut self, name: &str, file: FileInput) -> bool {
        if !self.visited.insert((ItemKind::Function, name.to_owned())) {
            return false;
        }
        let code = ruby_function(self.compiler.db, file);
        let Some(types) = &code.types else {
            return true;
        };
        types.iter().any(|it| self.is_declared_by_type(it, None))
            || code.called.iter().any(|it| self.is_in_function(it))
    }
}

/// Returns the literal strings of an expression; `None` for other expressions.
fn titles(expr: &Expr) -> Option<Vec<String>> {
    match expr {
        Expr::ArrayExpr(it) => {
            let all: Option<Vec<Vec<String>>> = it.elements().map(|it| titles(&it)).collect();
            all.map(|it| it.concat())
        }
        Expr::ParenExpr(it) => titles(&it.expr()?),
        _ => Some(vec![expr.plain_text()?]),
    }
}
