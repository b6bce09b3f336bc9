use base::{EnvironmentInput, ModuleOrigin};
use hir::autoload::{NameKey, module_puppet_files};
use hir::body::{ClassUse, Reference, ReferenceName, Resource};
use hir::declared_resources::is_declared_in_environment;
use hir::resolve::{self, Definition};
use hir::{ItemKind, signature};
use infer::key_presence;
use salsa::Database;

use crate::checker::{Checker, Resolution};
use crate::index::computed_classes::computed_classes;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports required parameters of classes that neither the declaration nor Hiera sets.
    ///
    /// ## What it does
    ///
    /// Checks `include`, `contain`, `require`, `class { … }` and `inherits` in an environment with a `hiera.yaml`: for
    /// each parameter without a default that the declaration does not set, whether a data file of the environment or
    /// of the module of the class has the key `class::parameter`. `Optional[…]` alone does not make a parameter
    /// optional.
    ///
    /// ## Why it matters
    ///
    /// Puppet fails the compilation: *expects a value for parameter*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   include example::server # <-
    /// }
    /// # file: manifests/server.pp
    /// class example::server (String $docroot) {
    ///   notice($docroot)
    /// }
    /// # file: environment/hiera.yaml
    /// version: 5
    /// # file: environment/data/common.yaml
    /// example::server::root: /srv/www # pupil: ignore[unknown-data-key]
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   include example::server
    /// }
    /// # file: manifests/server.pp
    /// class example::server (String $docroot) {
    ///   notice($docroot)
    /// }
    /// # file: environment/hiera.yaml
    /// version: 5
    /// # file: environment/data/common.yaml
    /// example::server::docroot: /srv/www
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Environments without a `hiera.yaml`, and modules without an environment: users provide the data.
    /// * Hierarchies with data outside of the workspace, such as that of custom backends.
    /// * Data that only some nodes have.
    /// * `include`, `inherits` and similar declarations of classes that are also declared with
    ///   `class { … }`.
    ///
    /// If no file matches a path with variables, its files may be in another repository. The diagnostic is then a hint
    /// if no level reads a file in the same data directory, if the level is encrypted, or if the path contains
    /// `secret`, `private` or the like. This does not apply to the path of a single node, or to a path whose directory
    /// contains other files.
    ///
    /// The global layer of a server and a node classifier are not part of an environment, and may have the value.
    ///
    /// ## Fix
    ///
    /// No fix is available: the value is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[missing-data]` at the end of the line, or on a line of its own above it. To turn the
    /// rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// missing-data = "off"
    /// ```
    pub(crate) static MISSING_DATA = {
        code: "missing-data",
        severity: Warning,
        since: "0.2.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, _: &Resolution<'_>) {
    let ReferenceName::Class(name, ClassUse::Declared | ClassUse::Inherited) = &reference.name
    else {
        return;
    };
    let (db, environment) = (checker.db, checker.environment);
    let Ok(Definition::Item(class)) = resolve::class(db, Some(environment), name) else {
        return;
    };
    let name = class.name(db);
    let module = name.split("::").next().unwrap_or(name);
    // The required version of the module may have other parameters.
    if class.kind(db) != ItemKind::Class
        || reference.guarded
        || checker.is_in_plan(reference.range)
        || environment.other_versions(db).contains(None, module)
    {
        return;
    }
    let declaration = declaration_at(checker, reference);
    let is_given = |parameter: &str| {
        declaration.is_some_and(|it| {
            let mut own = it.attributes.iter().map(|it| &it.name);
            own.any(|it| it == parameter) || it.default_attributes.iter().any(|it| it == parameter)
        })
    };
    let required = signature(db, class).parameters.iter();
    let required = required.filter(|it| it.is_required() && !is_given(&it.name));
    let missing = required.filter_map(|it| {
        let key = format!("{name}::{}", it.name);
        let presence = key_presence(db, environment, &key);
        Some((it, MISSING_DATA.severity_if_absent([presence])?))
    });
    let missing: Vec<_> = missing.collect();
    let may_be_given = match declaration {
        Some(it) => it.splat,
        None => !missing.is_empty() && is_declared_as_resource(db, environment, name),
    };
    if may_be_given {
        return;
    }
    for (parameter, severity) in missing {
        let parameter_name = &parameter.name;
        let message = format!(
            "missing required parameter `{parameter_name}` of class `{name}`: no data for key \
             `{name}::{parameter_name}`"
        );
        checker.report_as(&MISSING_DATA, severity, reference.range, message);
        checker.relate(class, parameter.range, "parameter declared here");
    }
}

/// Returns the expression `class { … }` that a reference is the title of.
fn declaration_at<'a>(checker: &Checker<'a>, reference: &Reference) -> Option<&'a Resource> {
    let mut resources = checker.body.resources.iter();
    resources.find(|it| {
        let is_class = it.type_.as_deref() == Some("class");
        is_class && it.titles.iter().any(|it| it.range == reference.range)
    })
}

/// Checks whether `class { … }` may declare a class anywhere in the environment.
pub(super) fn is_declared_as_resource(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
) -> bool {
    let key = NameKey::new(db, name.to_owned());
    is_declared(db, environment, key) || has_computed_declaration(db, environment, key)
}

#[salsa::tracked(returns(copy))]
fn is_declared<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> bool {
    let name = name.text(db);
    let titles = [name.clone(), format!("::{name}")];
    let mut resources = titles.into_iter().map(|it| ("class".to_owned(), it));
    resources.any(|it| is_declared_in_environment(db, environment, &it))
}

/// Checks whether code anywhere in the environment may declare a class with a computed title, or by a call.
#[salsa::tracked(returns(copy))]
pub(super) fn has_computed_declaration<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> bool {
    let name = name.text(db);
    let may_declare = |starts: &Vec<String>| starts.iter().any(|it| name.starts_with(&**it));
    let own_module = name.split("::").next();
    let mut modules = environment.modules(db).iter();
    let mut manifests = environment.manifests(db).iter();
    modules.any(|(module, input)| {
        let mut files = module_puppet_files(db, *input).iter();
        // Installed modules compute the names of their own classes.
        let may_compute =
            input.origin(db) == ModuleOrigin::Workspace || Some(module.as_str()) == own_module;
        may_compute && files.any(|it| may_declare(computed_classes(db, *it)))
    }) || manifests.any(|it| may_declare(computed_classes(db, *it)))
}

#[cfg(test)]
mod tests {
    use super::MISSING_DATA;
    use crate::testing::reported;

    fn check(code: &str, data: &str) -> Vec<String> {
        let text = format!(
            "//- modules/m/manifests/init.pp\nclass m {{ {code} }}\n\
             //- modules/m/manifests/s.pp\nclass m::s (String $a, Optional[String] $b, $c = 1) {{ }}\n\
             //- modules/environment/hiera.yaml\nversion: 5\n\
             //- modules/environment/data/common.yaml\n{data}"
        );
        reported(&MISSING_DATA, &text)
    }

    #[test]
    fn finds_parameters_without_a_value() {
        let message = |it: &str| {
            format!(
                "missing required parameter `{it}` of class `m::s`: no data for key `m::s::{it}`"
            )
        };
        let (a, b) = (message("a"), message("b"));
        assert_eq!(
            check("include m::s", "x: 1\n"),
            [format!("`m::s`: {a}"), format!("`m::s`: {b}")]
        );
        assert_eq!(
            check("contain '::m::s'", "m::s::a: x\n"),
            [format!("`'::m::s'`: {b}")]
        );
        assert_eq!(
            check("class { 'm::s': b => x }", "x: 1\n"),
            [format!("`'m::s'`: {a}")]
        );
        assert_eq!(check("require(m::s)", "x: 1\n").len(), 2);
        let child = "}\n//- modules/m/manifests/t.pp\nclass m::t inherits m::s {";
        assert_eq!(check(child, "m::s::a: x\n"), [format!("`m::s`: {b}")]);
    }

    #[test]
    fn accepts_what_may_have_a_value() {
        let both = "m::s::a: 1\nm::s::b: 1\n";
        assert_eq!(check("include m::s", both), [""; 0]);
        for code in [
            "class { 'm::s': a => 1, b => 1 }",
            "class { 'm::s': * => $x }",
            "class { default: a => 1, b => 1; 'm::s': }",
            "include m::s class { 'm::s': a => 1, b => 1 }",
            "include m::s class { $x: a => 1 }",
            "class { 'm::s': a => 1, b => 1 } }\nclass m::t inherits m::s {",
            "include m::s create_resources('class', $x)",
            "include m::s create_resources('class', { \"${title}::s\" => $x })",
            "include m",
        ] {
            assert_eq!(check(code, "x: 1\n"), [""; 0], "{code}");
        }
        let module = "//- modules/m/manifests/init.pp\nclass m { include m::s }\n\
                      //- modules/m/manifests/s.pp\nclass m::s ($a) { }\n";
        assert_eq!(reported(&MISSING_DATA, module), [""; 0]);
    }

    #[test]
    fn computed_names_of_other_classes_say_nothing() {
        let code = |name: &str| {
            format!(
                "//- modules/m/manifests/init.pp\nclass m {{ include m::a }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a (String $x) {{ notice($x) }}\n\
                 //- modules/m/manifests/b.pp\nclass m::b ($y) {{ class {{ {name}: x => '1' }} }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\nz: 1\n"
            )
        };
        assert_eq!(reported(&MISSING_DATA, &code("\"m::mod::${y}\"")).len(), 1);
        assert_eq!(reported(&MISSING_DATA, &code("\"::m::${y}\"")), [""; 0]);
        assert_eq!(reported(&MISSING_DATA, &code("\"${y}::a\"")), [""; 0]);
        assert_eq!(reported(&MISSING_DATA, &code("$y")), [""; 0]);
    }
}
