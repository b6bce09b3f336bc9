use base::suggest::{hint, similar};
use hir::body::{Resource, ResourceForm};
use hir::canonical_name;
use hir::resolve::{Definition, resource_type};
use infer::{TypeProblem, TypeProblemKind};
use library::signatures::ResourceType;
use syntax::ast::{AstNode, BinaryExpr, CollectExpr, Expr, QualifiedName};
use syntax::{Severity, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};
use types::Type;

use crate::checker::Checker;
use crate::fixes::token_at;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports attributes that the resource type does not have.
    ///
    /// ## What it does
    ///
    /// Checks the attributes of Puppet's built-in resource types and of types in modules as far as
    /// their Ruby code can be analyzed. Metaparameters (`require`, `notify`, `tag` …) are valid for
    /// every type. Also checks the keys of hashes after `* =>` and in `create_resources`, the names
    /// in `audit` and, as a warning, names that are likely misspelled in the queries of collectors.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *no parameter named …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   package { 'example': ensure => installed }
    ///   file { '/etc/example':
    ///     ensure  => file,
    ///     onwer   => 'root', # <-
    ///     requrie => Package['example'], # <-
    ///   }
    ///   File { mdoe => '0644' } # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'example': ensure => installed }
    ///   file { '/etc/example':
    ///     ensure  => file,
    ///     owner   => 'root',
    ///     require => Package['example'],
    ///   }
    ///   File { mode => '0644' }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Types whose Ruby code creates attributes dynamically.
    /// * Hashes after `* =>` and in `create_resources` whose keys are not known.
    /// * Resources whose type is computed or unknown (`unknown-resource-type`).
    ///
    /// Parameters of classes and defined types are checked by `unknown-parameter`.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the attribute with the most similar one, or removes it if its value has
    /// no side effects.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-attribute]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-attribute = "off"
    /// ```
    pub(crate) static UNKNOWN_ATTRIBUTE = {
        code: "unknown-attribute",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Item(check),
            Check::Problem(check_hash),
            Check::Node(&[SyntaxKind::COLLECT_EXPR], check_query),
        ],
    }
}

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for resource in body.resources.iter() {
        check_stage(checker, resource);
        if let Some(Definition::ResourceType(type_)) = checker.resource_definition(resource) {
            checker.check_against(type_.file(), |it| {
                check_attributes(it, resource, type_.declared());
            });
        }
    }
}

/// Reports attributes in hashes, and names in `audit`.
fn check_hash(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let (type_, name, known) = match &problem.kind {
        TypeProblemKind::UnknownAttribute { owner, name } if owner.kind.is_none() => {
            (&owner.name, name, &owner.known)
        }
        TypeProblemKind::UnknownAudit {
            type_name,
            name,
            known,
        } => (type_name, name, known),
        _ => return,
    };
    let near = hint(similar(name, known.iter().map(String::as_str)));
    let message = format!("no attribute `{name}` on `{type_}`{near}");
    checker.report_problem(&UNKNOWN_ATTRIBUTE, problem, message);
}

/// Reports names in the query of a collector that no resource of the type has. Puppet accepts them, and collects
/// no resource.
fn check_query(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(collector) = CollectExpr::cast(node.clone()) else {
        return;
    };
    let Some(Expr::QualifiedReference(type_)) = collector.type_expr() else {
        return;
    };
    let (db, environment) = (checker.db, Some(checker.environment));
    let found = resource_type(db, environment, &canonical_name(&type_.text()));
    let Ok(Definition::ResourceType(type_)) = found else {
        return;
    };
    for name in names_in(&collector) {
        checker.check_against(type_.file(), |it| {
            if let Some(near) = misspelled(&name.text(), type_.declared()) {
                let message = format!(
                    "no attribute `{}` on `{}`; did you mean `{near}`?",
                    name.text(),
                    type_.declared().name
                );
                let range = name.syntax().text_range();
                it.report_as(&UNKNOWN_ATTRIBUTE, Severity::Warning, range, message);
                it.fix_name(range, &name.text(), near);
            }
        });
    }
}

/// Returns the names of attributes in the query of a collector.
fn names_in(collector: &CollectExpr) -> Vec<QualifiedName> {
    let query = collector.query().and_then(|it| it.expr());
    let nodes = query.iter().flat_map(|it| it.syntax().descendants());
    let left = nodes.filter_map(|it| BinaryExpr::cast(it)?.lhs());
    let names = left.filter_map(|it| match it {
        Expr::QualifiedName(it) => Some(it),
        _ => None,
    });
    names.collect()
}

/// Returns the attribute, or other name that a query may contain, that a name is a misspelling of.
fn misspelled<'t>(name: &str, type_: &'t ResourceType) -> Option<&'t str> {
    /// The attributes of every resource.
    const SHARED: [&str; 3] = ["title", "name", "provider"];
    let own = type_.attributes.iter().map(|it| it.name.as_str());
    let shared = library::metaparameters().iter().map(|it| it.name.as_str());
    let all = || own.clone().chain(shared.clone()).chain(SHARED);
    let is_known = !type_.complete || all().any(|it| it == name);
    (!is_known).then(|| similar(name, all())).flatten()
}

/// Reports a run stage of a resource that is not a class.
fn check_stage(checker: &mut Checker<'_>, resource: &Resource) {
    if resource.form != ResourceForm::Declaration || checker.resource_definition(resource).is_none()
    {
        return;
    }
    let mut attributes = resource.attributes.iter();
    if let (Some(stage), Some(type_)) = (attributes.find(|it| it.name == "stage"), &resource.type_)
        && !is_undef(checker, stage.range)
    {
        let message = format!("no attribute `stage` on `{type_}`: only classes have a run stage");
        checker.report(&UNKNOWN_ATTRIBUTE, stage.range, message);
        checker.fix_attribute(resource, stage, None);
    }
}

/// Checks whether the attribute with a name is `undef`, which Puppet drops.
fn is_undef(checker: &Checker<'_>, name: TextRange) -> bool {
    let token = token_at(&checker.root(), name);
    let mut around = token.iter().flat_map(SyntaxToken::parent_ancestors);
    let value = around.find_map(|it| syntax::ast::Attribute::cast(it)?.value());
    value
        .and_then(|it| checker.type_of(&it).cloned())
        .is_some_and(|it| matches!(it.type_, Type::Undef))
}

fn check_attributes(checker: &mut Checker<'_>, resource: &Resource, type_: &ResourceType) {
    if !type_.complete {
        return;
    }
    let shipped = library::resource_type(&type_.name, checker.version());
    let has_no_providers = shipped.is_some_and(|it| it.providers.is_empty());
    for attribute in &resource.attributes {
        let name = attribute.name.as_str();
        let known = type_.attributes.iter().any(|it| it.name == name);
        // Every type accepts `name`. Types with providers also accept `provider`; the providers
        // are in separate files.
        let known = known || name == "name" || name == "provider" && !has_no_providers;
        if known || library::metaparameter(name).is_some() {
            continue;
        }
        let names = type_.attributes.iter().map(|it| it.name.as_str());
        let shared = library::metaparameters().iter().map(|it| it.name.as_str());
        let near = similar(name, names.chain(shared));
        let hint = hint(near);
        let message = format!("no attribute `{name}` on `{}`{hint}", type_.name);
        checker.report(&UNKNOWN_ATTRIBUTE, attribute.range, message);
        checker.fix_attribute(resource, attribute, near);
    }
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_ATTRIBUTE;
    use crate::testing::{fixes, reported};
    use base::suggest::similar;
    use syntax::validation::PuppetVersion;

    #[test]
    fn reports_attributes_that_the_type_does_not_have() {
        let code = "class m { file { '/a': ensur => file, requires => Exec['b'] } }";
        assert_eq!(
            reported(&UNKNOWN_ATTRIBUTE, code),
            [
                "`ensur`: no attribute `ensur` on `file`; did you mean `ensure`?",
                "`requires`: no attribute `requires` on `file`; did you mean `require`?",
            ]
        );
        assert_eq!(
            fixes(&UNKNOWN_ATTRIBUTE, code),
            [
                "Replace with `ensure`",
                "Remove the attribute `ensur`",
                "Replace with `require`",
                "Remove the attribute `requires`",
            ]
        );
    }

    #[test]
    fn reports_attributes_of_functions_whose_module_is_missing() {
        let code = "class m { ensure_packages(['a'], { 'ensur' => 'present' }) \
                    ensure_resource('user', 'b', { 'shel' => '/bin/sh', 'uid' => 1 }) }";
        assert_eq!(
            reported(&UNKNOWN_ATTRIBUTE, code),
            [
                "`'ensur'`: no attribute `ensur` on `package`; did you mean `ensure`?",
                "`'shel'`: no attribute `shel` on `user`; did you mean `shell`?"
            ]
        );
    }

    #[test]
    fn reports_misspelled_attributes_in_queries() {
        let code = "class m { Package <| provdier == 'gem' and (tag != 'a' or titel == 'b') |> \
                    Package <| ensure == 'x' and name == 'b' and whatever == 'c' |> }";
        let found = reported(&UNKNOWN_ATTRIBUTE, code);
        assert_eq!(
            found,
            [
                "`provdier`: no attribute `provdier` on `package`; did you mean `provider`?",
                "`titel`: no attribute `titel` on `package`; did you mean `title`?"
            ]
        );
    }

    #[test]
    fn reports_attributes_that_are_read_from_resources_with_computed_titles() {
        let code = "class m ($x) { file { $x: } $a = [File[$x]['moode'], File[\"/a/${x}\"]['mode'], \
                    File['/b', $x]['c'], Class[$x]['d'], Unknown::T[$x]['e'], $x['f']] }";
        assert_eq!(
            reported(&UNKNOWN_ATTRIBUTE, code),
            ["`'moode'`: no attribute `moode` on `file`; did you mean `mode`?"]
        );
    }

    #[test]
    fn ignores_metaparameters_and_types_in_ruby() {
        let code = "class m { package { 'a': provider => 'gem', tag => 'b', name => 'c' } \
                    m_thing { 'd': what => 1 } }\n\
                    //- modules/m/lib/puppet/type/m_thing.rb\n\
                    Puppet::Type.newtype(:m_thing) do\n  instance_eval(code)\nend";
        let code = format!("//- modules/m/manifests/init.pp\n{code}");
        assert_eq!(reported(&UNKNOWN_ATTRIBUTE, &code), [""; 0]);
    }

    /// Returns a name without each of its letters, and with each two exchanged.
    fn slips(name: &str) -> Vec<String> {
        let letters: Vec<char> = name.chars().collect();
        let omitted = (0..letters.len()).map(|at| {
            let mut letters = letters.clone();
            letters.remove(at);
            letters
        });
        let exchanged = (1..letters.len()).map(|at| {
            let mut letters = letters.clone();
            letters.swap(at - 1, at);
            letters
        });
        let all = omitted.chain(exchanged);
        all.map(|it| it.into_iter().collect()).collect()
    }

    #[test]
    fn slips_suggest_the_intended_ones() {
        let mut wrong = Vec::new();
        for type_ in library::resource_types(PuppetVersion::default()) {
            let own = type_.attributes.iter().chain(library::metaparameters());
            let known: Vec<&str> = own.map(|it| it.name.as_str()).collect();
            for name in &known {
                let slips = slips(name).into_iter();
                let slips = slips.filter(|it| it.len() > 1 && !known.contains(&it.as_str()));
                for slip in slips {
                    let found = similar(&slip, known.iter().copied());
                    if found != Some(*name) {
                        wrong.push(format!("{slip}: {name}, {found:?}"));
                    }
                }
            }
        }
        wrong.sort();
        wrong.dedup();
        // Each of these is a slip in both attributes.
        let is_ambiguous = |it: &&String| {
            ["address", "ag:", "id:", "time:", "tursday:", "thuesday:"]
                .iter()
                .any(|start| it.starts_with(start))
        };
        let others: Vec<_> = wrong.iter().filter(|it| !is_ambiguous(it)).collect();
        assert!(others.is_empty(), "{others:#?}");
    }
}
