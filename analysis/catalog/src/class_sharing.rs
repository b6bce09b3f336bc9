//! Classes that others include, compiled once: what they add to a catalog is copied into the compilations of the classes
//! that include them.
//!
//! A class adds the same to each catalog, unless its code reads what other code declares. Where that may be so,
//! [`Compiler::may_copy`] prevents the copy, or the compilation is [`State::is_order_dependent`]. A compilation with copies
//! only counts if it finds no problem: otherwise the class is compiled anew without them.

use std::cell::Cell;
use std::sync::Arc;

use base::EnvironmentInput;
use hir::autoload::NameKey;
use hir::evaluated_classes::evaluated_with;
use salsa::Database;

use crate::class_copy::ClassCopy;
use crate::classes::MAX_PART_DEPTH;
use crate::data::ResourceKey;
use crate::declarations::Declaration;
use crate::sample_nodes::sample_nodes;
use crate::shared_class::SharedClass;
use crate::state::{Compiler, Missing, ScopeData, ScopeId, State};
use crate::subject::{Mode, Subject, SubjectRequest};

/// The cost of a class from which on a copy takes less time.
const MIN_COST: u64 = if cfg!(test) { 1 } else { 300 };

/// The number of classes that include each other in a chain up to which all of them are shared. Each takes some stack.
const MAX_NESTED: usize = 30;

/// Returns what a class adds to the catalog of a sample node; `None` if that depends on other code, or if a copy is not
/// worth it.
#[salsa::tracked(no_eq, cycle_result = |_, _, _, _, _, _| None)]
fn shared_class<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
    sample: usize,
    is_parameterized: bool,
) -> Option<Arc<SharedClass>> {
    let node = &sample_nodes(db).get(sample)?.variables;
    let mode = match is_parameterized {
        true => Mode::ParameterizedPart,
        false => Mode::Part,
    };
    let request = SubjectRequest {
        sample: Some(sample),
        ..SubjectRequest::new(Subject::Class(class.text(db)), node, mode)
    };
    let (mut state, mut cost) = evaluated(db, environment, request)?;
    if state.copies() == Copies::Doubtful {
        let sample = None;
        (state, cost) = evaluated(db, environment, SubjectRequest { sample, ..request })?;
    }
    let found = SharedClass::new(db, state, cost)?;
    (cost >= MIN_COST).then(|| Arc::new(found))
}

/// Evaluates a subject, and returns what it has added to an empty catalog, and at which cost; `None` if it fails.
fn evaluated(
    db: &dyn Database,
    environment: EnvironmentInput,
    request: SubjectRequest<'_>,
) -> Option<(State, u64)> {
    request.with_compiler(db, environment, |compiler| {
        let before = compiler.budget.remaining();
        let evaluated = compiler.evaluate_all(&|| request.evaluate(&compiler));
        evaluated.ok()?;
        let cost = before - compiler.budget.remaining();
        let state = std::mem::take(&mut *compiler.state.borrow_mut());
        Some((state, cost))
    })
}

thread_local! {
    /// The number of shared classes that are being compiled, each for the one before.
    static NESTING_DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Runs the compilation of a shared class for another one; `None` if too many are nested.
fn with_nesting_limit<T>(run: impl FnOnce() -> T) -> Option<T> {
    // Restores the depth even if cancellation unwinds the compilation.
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            NESTING_DEPTH.set(self.0);
        }
    }
    let depth = NESTING_DEPTH.get();
    if depth >= MAX_NESTED {
        return None;
    }
    let _restore = Restore(NESTING_DEPTH.replace(depth + 1));
    Some(run())
}

impl Compiler<'_> {
    /// Copies a class, with the classes that it includes, from its own compilation. Returns `false` if that is impossible,
    /// or if a copy would take longer than its evaluation.
    pub(crate) fn copy_class(&self, around: ScopeId, name: &str, declaration: Declaration) -> bool {
        let Some(shared) = self.shared(name).filter(|it| self.may_copy(around, it)) else {
            return false;
        };
        let place = declaration.range.and_then(|it| self.place(around, it));
        let mut state = self.state.borrow_mut();
        let copy = ClassCopy {
            around,
            scopes: state.effects.scopes.len(),
            collectors: state.effects.collectors.len(),
        };
        let statements = shared.open_statements.iter();
        let statements = statements.map(|it| it.in_scope(self.db, copy.scope(it.scope)));
        let additions = shared.additions.iter().map(|it| it.additions(self.db));
        let (Some(statements), Some(additions)) = (
            statements.collect::<Option<Vec<_>>>(),
            additions.collect::<Option<Vec<_>>>(),
        ) else {
            return false;
        };
        if self.budget.spend(shared.cost).is_err() {
            return false;
        }
        state.open_statements.extend(statements);
        state.additions.extend(additions);
        copy.add(&shared, place, &mut state);
        true
    }

    /// Returns what a class adds to the catalog of the sample node that is compiled.
    fn shared(&self, name: &str) -> Option<Arc<SharedClass>> {
        let sample = self.sample.filter(|_| !self.is_open())?;
        // The compiled class itself is the first one.
        if self.state.borrow().effects.classes.is_empty() {
            return None;
        }
        let key = NameKey::new(self.db, name.to_owned());
        let mut evaluated = evaluated_with(self.db, self.environment, key).iter();
        if evaluated.any(|it| self.state.borrow().effects.classes.contains_key(it)) {
            return None;
        }
        let (environment, is_parameterized) = (self.environment, self.is_parameterized);
        with_nesting_limit(|| {
            shared_class(self.db, environment, key, sample, is_parameterized).clone()
        })?
    }

    /// Checks whether the code of a shared class adds the same at this point as to an empty catalog.
    fn may_copy(&self, around: ScopeId, shared: &SharedClass) -> bool {
        let state = self.state.borrow();
        let declared = &state.effects.catalog.resources;
        let has_defaults = || {
            let mut around = state.scopes_around(around);
            around.any(|it| !it.defaults.is_empty())
        };
        let is_class = |it: &ResourceKey| it.type_name == "Class";
        let is_in_other_stage = || {
            let resource = state.effects.scopes.get(around.0).map(|it| &it.resource);
            let resource = resource.and_then(|it| declared.get(it));
            resource.is_some_and(|it| it.parameters.contains_key("stage"))
        };
        let is_known =
            |it: &ResourceKey| declared.contains_key(it) || state.effects.names.contains_key(it);
        let mut classes = shared
            .effects
            .classes
            .keys()
            .chain(&shared.effects.early_class_reads);
        let resources = shared
            .effects
            .catalog
            .resources
            .keys()
            .chain(shared.effects.names.keys());
        let looked_up = shared.effects.early_lookups.iter().map(|it| &it.key);
        let overridden = shared.effects.overrides.iter().map(|it| &it.key);
        let undeclared = shared.effects.undeclared.iter();
        let stages = undeclared.filter(|it| matches!(it.missing, Missing::EarlierStage(_)));
        let resources = resources.chain(looked_up).chain(overridden);
        let mut resources = resources.chain(stages.map(|it| &it.key));
        state.class_depth + shared.depth <= MAX_PART_DEPTH
            && !classes.any(|it| state.effects.classes.contains_key(it))
            && (shared.effects.catalog.resources.keys().all(is_class) || !has_defaults())
            && !is_in_other_stage()
            && !resources.any(is_known)
    }

    /// Records that code reads or changes an instance of a defined type: in a copy, its code has been evaluated before.
    /// An instance that is not declared yet is in no copy.
    pub(crate) fn note_use_of_instance(&self, key: &ResourceKey) {
        let mut state = self.state.borrow_mut();
        let catalog = &state.effects.catalog;
        let may_be_copied = state.has_copied_instances
            && catalog.defined_types.contains(&key.type_name)
            && catalog.resources.contains_key(key);
        state.is_order_dependent |= may_be_copied;
    }

    /// Records that code reads tags, which depend on the code around a class.
    pub(crate) fn note_use_of_tags(&self) {
        self.state.borrow_mut().is_order_dependent = true;
    }
}

/// The copies of classes in a compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Copies {
    None,
    /// The copies make no difference, unless there is a problem.
    Harmless,
    /// The copies may make a difference.
    Doubtful,
}

impl State {
    pub(crate) fn copies(&self) -> Copies {
        match (self.has_copies, self.is_order_dependent) {
            (false, _) => Copies::None,
            (true, false) => Copies::Harmless,
            (true, true) => Copies::Doubtful,
        }
    }

    /// Returns a scope and those around it.
    fn scopes_around(&self, scope: ScopeId) -> impl Iterator<Item = &ScopeData> {
        let first = self.effects.scopes.get(scope.0);
        std::iter::successors(first, |it| self.effects.scopes.get(it.parent?.0))
    }
}

#[cfg(test)]
mod tests {
    use base::FileId;
    use fixture::Sources;
    use infer::NodeVariables;

    use super::*;
    use crate::data::{Compilation, Resource};
    use crate::sample_nodes::{SampleNode, set_sample_nodes};

    /// Compiles a class `m` with and without copies, and returns which ones it has. Harmless ones make no difference.
    #[track_caller]
    fn copies(body: &str, others: &str) -> Copies {
        let text = format!("//- modules/m/manifests/init.pp\nclass m {{ {body} }}\n{others}");
        let sources = Sources::parse(&text);
        let mut db = sources.database();
        let node = SampleNode {
            name: "any".into(),
            platform: "any".into(),
            variables: NodeVariables {
                is_complete: true,
                ..NodeVariables::default()
            },
        };
        set_sample_nodes(&mut db, vec![node]);
        let db = db;
        let file = db.file(FileId(0)).expect("the class has a file");
        let environment = file.environment(&db).expect("it is in an environment");
        let node = &sample_nodes(&db)[0].variables;
        let without = SubjectRequest::new(Subject::Class("m"), node, Mode::Part);
        let with = SubjectRequest {
            sample: Some(0),
            ..without
        };
        let compile = |request: SubjectRequest<'_>| {
            request.run(&db, environment, |it| {
                let copies = it.state.borrow().copies();
                (it.into_compilation(), copies)
            })
        };
        let (expected, _) = compile(without);
        let (found, copies) = compile(with);
        if copies == Copies::Harmless && found.errors.is_empty() {
            assert_eq!(expected.errors, [], "{text}");
            assert_eq!(sorted(&found), sorted(&expected), "{text}");
        }
        copies
    }

    fn sorted(compilation: &Compilation) -> (Vec<(&ResourceKey, &Resource)>, Vec<String>) {
        let mut resources: Vec<_> = compilation.catalog.resources.iter().collect();
        resources.sort_by_key(|it| it.0);
        let edges = compilation.catalog.edges.iter();
        let mut edges: Vec<String> = edges.map(|it| format!("{it:?}")).collect();
        edges.sort();
        (resources, edges)
    }

    #[test]
    fn copies_what_a_class_adds() {
        for body in [
            "include m::a",
            "contain m::a notify { m: require => Class['m::a'] }",
            "include m::a include m::b",
            "include m::b notify { $m::a::x: }",
            "@user { v: } include m::a",
            "File { mode => '0644' } include m::params",
            "include m::params File { mode => '0644' } file { $m::params::path: }",
            "$y = $m::late::x include m::a",
            "tag('top') include m::b include m::e User <| tag == 'm::b' |> -> File <| tag == 'top' |>",
        ] {
            let others = "//- modules/m/manifests/a.pp\n\
                class m::a { $x = 1 m::d { d: } file { '/a': } -> User <| |> @file { '/virtual': } }\n\
                //- modules/m/manifests/b.pp\n\
                class m::b inherits m::params { include m::a File <| title == '/virtual' |> notify { $path: } }\n\
                //- modules/m/manifests/d.pp\ndefine m::d ($y = 'z') { exec { \"/bin/${title} ${y}\": } }\n\
                //- modules/m/manifests/params.pp\nclass m::params { $path = '/p' }\n\
                //- modules/m/manifests/e.pp\nclass m::e { include m::f User <| tag == 'top' |> }\n\
                //- modules/m/manifests/f.pp\nclass m::f { @user { f: } @user { g: tag => 'm::b' } }\n\
                //- modules/m/manifests/late.pp\nclass m::late { $x = 1 }\n";
            assert_eq!(copies(body, others), Copies::Harmless, "{body}");
        }
    }

    #[test]
    fn does_not_copy_where_the_code_around_a_class_decides() {
        let a = |body: &str| format!("//- modules/m/manifests/a.pp\nclass m::a {{ {body} }}\n");
        for (body, shared) in [
            ("File { mode => '0644' } include m::a", "file { '/a': }"),
            ("file { '/a': } include m::a", "file { '/a': }"),
            ("include m::a", "notify { $caller_module_name: }"),
            (
                "file { '/b': } include m::a",
                "if defined(File['/b']) { file { '/a': } }",
            ),
            ("include m::a", "if tagged('m') { file { '/a': } }"),
            (
                "file { '/b': } include m::a",
                "File['/b'] { mode => '0644' }",
            ),
        ] {
            assert_eq!(copies(body, &a(shared)), Copies::None, "{body} {shared}");
        }
        let reads = a("notify { \"${m::c::x}\": }")
            + "//- modules/m/manifests/c.pp\nclass m::c { $x = 1 include m::e }\n\
               //- modules/m/manifests/e.pp\nclass m::e { }\n";
        assert_eq!(
            copies("include m::c include m::a", &reads),
            Copies::Harmless
        );
    }

    #[test]
    fn doubts_what_instances_in_copies_may_see_later() {
        let others = "//- modules/m/manifests/a.pp\nclass m::a { m::d { d: } }\n\
            //- modules/m/manifests/d.pp\ndefine m::d ($mode = undef) { file { '/d': mode => $mode } }\n";
        for body in [
            "include m::a File { owner => root }",
            "include m::a M::D <| |> { mode => '0644' }",
            "include m::a notify { String(M::D['d']['mode']): }",
            "include m::a ensure_resource('m::d', 'd', { mode => '0644' })",
        ] {
            let stdlib = "//- modules/stdlib/lib/puppet/functions/ensure_resource.rb\n";
            let others = format!("{others}{stdlib}");
            assert_eq!(copies(body, &others), Copies::Doubtful, "{body}");
        }
    }

    #[test]
    fn copies_beside_other_instances_of_the_same_type() {
        let others = "//- modules/m/manifests/a.pp\nclass m::a { m::d { d: } }\n\
            //- modules/m/manifests/d.pp\ndefine m::d ($mode = undef) { file { \"/${title}\": mode => $mode } }\n\
            //- modules/stdlib/lib/puppet/functions/ensure_resource.rb\n";
        let body = "include m::a ensure_resource('m::d', 'e', { mode => '0644' })";
        assert_eq!(copies(body, others), Copies::Harmless);
    }

    #[test]
    fn follows_classes_that_include_each_other() {
        let others = "//- modules/m/manifests/a.pp\nclass m::a { include m::b file { '/a': } }\n\
            //- modules/m/manifests/b.pp\nclass m::b { include m::a include m file { '/b': } }\n";
        assert_ne!(copies("include m::a", others), Copies::Doubtful);
        let chain: String = (0..200)
            .map(|it| {
                let next = it + 1;
                format!(
                    "//- modules/m/manifests/c{it}.pp\nclass m::c{it} {{ include m::c{next} }}\n"
                )
            })
            .collect();
        assert_ne!(copies("include m::c0", &chain), Copies::Doubtful);
    }
}
