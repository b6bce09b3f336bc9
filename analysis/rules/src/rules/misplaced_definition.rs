use base::FileInput;
use hir::autoload::{is_well_placed, puppet_files};
use hir::{Item, ItemKind, is_class_name, items, signature};
use syntax::{Severity, text_at};
use types::capitalize_segments;

use crate::checker::Checker;

use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports definitions that Puppet does not find in their files.
    ///
    /// ## What it does
    ///
    /// Checks the files in `types`, `functions` and `plans` of a module. Each must contain one definition,
    /// with the name of its path: `types/port.pp` of the module `example` defines `Example::Port`.
    ///
    /// Also reports, as a warning, a definition whose name does not match its file, if no other
    /// definition in the file does. This includes classes and defined types in `manifests`, and any in `functions` and
    /// `types`. Definitions of nodes inside of the classes of a module are warnings, too.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails as soon as code uses the name of the file: *must contain only the type … it has
    /// additional definitions*. Puppet never finds the other definitions. A node in a class exists once Puppet has read
    /// the class, and all nodes without a definition of their own fail then.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: types/port.pp
    /// type Example::Port = Integer[1, 65535]
    /// type Example::Ports = Array[Example::Port] # <-
    /// # file: functions/setup.pp
    /// class example::setup { } # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: types/port.pp
    /// type Example::Port = Integer[1, 65535]
    /// # file: types/ports.pp
    /// type Example::Ports = Array[Example::Port]
    /// # file: manifests/setup.pp
    /// class example::setup { }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Additional classes and defined types, which `additional-definition` reports: a file may contain several.
    /// * Definitions whose name does not match their file, if other files use the name: it is
    ///   reported as unknown there.
    /// * Functions and plans outside of the namespace of the file, which Puppet's own check of a single file
    ///   reports (`ILLEGAL_DEFINITION_LOCATION`).
    ///
    /// ## Fix
    ///
    /// No fix is available: move the definition to a file of its own.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[misplaced-definition]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// misplaced-definition = "off"
    /// ```
    pub(crate) static MISPLACED_DEFINITION = {
        code: "misplaced-definition",
        also_in_puppet_lint: ["autoloader_layout"],
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    let kind = item.kind(db);
    if kind.is_declarable() {
        return check_manifest(checker);
    }
    if kind == ItemKind::Node {
        return check_node(checker);
    }
    let folder = match kind {
        ItemKind::Function => "functions/",
        ItemKind::TypeAlias => "types/",
        ItemKind::Plan => "plans/",
        _ => return,
    };
    let file = item.file(db);
    let Some(module) = file.module(db) else {
        return;
    };
    let files = module.files(db).range(folder.to_owned()..);
    let mut files = files.take_while(|it| it.0.starts_with(folder));
    let path = files.find(|it| *it.1 == file);
    let wanted = path.and_then(|it| definition_of(it.0, folder, module.name(db)));
    let Some(wanted) = wanted else {
        return;
    };
    let is_same = |it: &&Item<'_>| it.kind(db) == kind && *it.name(db) == wanted;
    let found = items(db, file).iter().find(is_same);
    if *item.name(db) == wanted {
        return;
    }
    // The check of a single file reports other namespaces, but not of type aliases. Like Puppet, it takes `m::ports` for
    // a name in the namespace `m::port`.
    let is_inner = item.name(db).starts_with(&wanted);
    if !is_inner && kind != ItemKind::TypeAlias {
        return;
    }
    let shown = match kind {
        ItemKind::TypeAlias => capitalize_segments(&wanted),
        _ => wanted,
    };
    let Some(found) = found else {
        return report_lost(checker, &format!("the file must contain `{shown}`"));
    };
    let message = format!("additional definition: the file must contain only `{shown}`");
    checker.report(
        &MISPLACED_DEFINITION,
        signature(db, item).name_range,
        message,
    );
    let place = signature(db, *found).name_range;
    checker.relate(*found, place, "the definition that the file is named after");
}

/// Checks a class or defined type. Puppet reads a file in `manifests` to find one with its name, and then knows the
/// others; it never looks for them elsewhere.
fn check_manifest(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    let Some(place) = item.file(db).spec(db).place.as_ref() else {
        return;
    };
    if ["functions/", "types/"]
        .iter()
        .any(|it| place.path.starts_with(it))
    {
        let wanted = format!("manifests/{}.pp", path_of(item.name(db)));
        return report_lost(checker, &format!("expected `{wanted}`"));
    }
    if !place.path.starts_with("manifests/") {
        return;
    }
    let is_manifest = |it: &&Item<'_>| it.kind(db).is_declarable();
    let mut all = items(db, item.file(db)).iter().filter(is_manifest);
    if all.any(|it| is_well_placed(db, *it)) {
        return;
    }
    let name = item.name(db);
    // The check of a single file reports the name itself.
    if !is_class_name(name) {
        return;
    }
    let path = place.path.strip_prefix("manifests/").unwrap_or_default();
    // The check of a single file reports other names, unless they start in the same way.
    let module = item.file(db).module(db).map_or("", |it| &**it.name(db));
    let is_other = !module.is_empty() && name.starts_with(module) && !is_in_namespace(name, module);
    if path == "init.pp" && is_other {
        return report_lost(checker, &format!("the file must contain `{module}`"));
    }
    let file_name = path.trim_end_matches(".pp").replace('/', "::");
    let is_alike = name.starts_with(&format!("{module}::{file_name}"));
    if !is_alike || path_of(name).replace('/', "::") == file_name {
        return;
    }
    let wanted = format!("manifests/{}.pp", path_of(name));
    report_lost(checker, &format!("expected `{wanted}`"));
}

/// Checks the definition of a node inside of another one. The check of a single file reports those at the top of it.
fn check_node(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    let file = item.file(db);
    let is_in_module =
        file.module(db).is_some() && !checker.environment.manifests(db).contains(&file);
    let range = signature(db, item).name_range;
    let whole = |it: Item<'_>| it.in_file(db, it.syntax(db).text_range());
    let mut others = items(db, file)
        .iter()
        .filter(|it| it.kind(db).is_declarable());
    if is_in_module && others.any(|it| whole(*it).contains_range(whole(item))) {
        let message = "node definition in a module: expected it in a main manifest";
        let severity = Severity::Warning;
        checker.report_as(&MISPLACED_DEFINITION, severity, range, message.to_owned());
    }
}

/// Returns the path of a class or defined type in `manifests`.
fn path_of(name: &str) -> String {
    let rest = name.split_once("::").map_or("init", |it| it.1);
    rest.replace("::", "/")
}

/// Reports a definition that Puppet never finds.
fn report_lost(checker: &mut Checker<'_>, reason: &str) {
    let range = signature(checker.db, checker.item).name_range;
    let name = text_at(&checker.root(), range).unwrap_or_default();
    // Where the name is used, it is unknown.
    let (db, own) = (checker.db, checker.item.file(checker.db));
    let is_used = |it: &FileInput| {
        let text = it.text(db).as_deref().unwrap_or_default();
        *it != own && text.contains(&name)
    };
    if puppet_files(db, checker.environment).iter().any(is_used) {
        return;
    }
    let message = format!("`{name}` cannot be autoloaded from this file: {reason}");
    checker.report_as(&MISPLACED_DEFINITION, Severity::Warning, range, message);
}

/// Returns the name that a file of a module defines; `None` if Puppet never reads the file.
fn definition_of(path: &str, folder: &str, module: &str) -> Option<String> {
    let rest = path.strip_prefix(folder)?.strip_suffix(".pp")?;
    if rest.contains(|it: char| it.is_ascii_uppercase() || it == '.') {
        return None;
    }
    // Only plans have a definition with the name of the module.
    if folder == "plans/" && rest == "init" {
        return Some(module.to_owned());
    }
    Some(format!("{module}::{}", rest.replace('/', "::")))
}

fn is_in_namespace(name: &str, namespace: &str) -> bool {
    name.strip_prefix(namespace)
        .is_some_and(|it| it.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::MISPLACED_DEFINITION;
    use crate::testing::reported;

    #[test]
    fn reports_what_puppet_does_not_load() {
        let only = "additional definition: the file must contain only";
        for (code, wrong) in [
            (
                "types/a.pp\ntype M::A = Integer\ntype M::B = String\n",
                format!("`M::B`: {only} `M::A`"),
            ),
            (
                "functions/f.pp\nfunction m::f() { }\nfunction m::f::g() { }\n",
                format!("`m::f::g`: {only} `m::f`"),
            ),
            (
                "plans/init.pp\nplan m::x() { }\nplan m() { }\n",
                format!("`m::x`: {only} `m`"),
            ),
        ] {
            let code = format!("//- modules/m/{code}");
            assert_eq!(reported(&MISPLACED_DEFINITION, &code), [wrong], "{code}");
        }
    }

    #[test]
    fn reports_definitions_that_puppet_does_not_find() {
        let code = "//- modules/m/types/num.pp\ntype M::Number = Integer\n";
        assert_eq!(
            reported(&MISPLACED_DEFINITION, code),
            [
                "`M::Number`: `M::Number` cannot be autoloaded from this file: the file must contain `M::Num`"
            ]
        );
        let code = "//- modules/m/functions/port.pp\nfunction m::ports() { }\n";
        assert_eq!(
            reported(&MISPLACED_DEFINITION, code),
            [
                "`m::ports`: `m::ports` cannot be autoloaded from this file: the file must contain `m::port`"
            ]
        );
    }

    #[test]
    fn reports_nodes_in_classes() {
        let code = "//- modules/m/manifests/a.pp\nclass m::a { node 'web1' { } }\n";
        assert_eq!(
            reported(&MISPLACED_DEFINITION, code),
            ["`node`: node definition in a module: expected it in a main manifest"]
        );
    }

    #[test]
    fn ignores_definitions_at_their_places() {
        for code in [
            "modules/m/types/a/b.pp\ntype M::A::B = Integer\n",
            "modules/m/manifests/a.pp\nclass m::a { }\nclass m::b { }\n",
            "modules/m/manifests/a.pp\nclass m::a::b { }\n",
            "modules/m/manifests/init.pp\nclass m { }\ntype M::T = Integer\nfunction m::f() { }\n",
            "modules/m/plans/sub.pp\nplan m::sub() { }\n",
            "modules/m/functions/f.pp\nfunction m::f() { }\n",
            "manifests/site.pp\ntype A = Integer\ntype B = Integer\n",
            "manifests/site.pp\nclass a { node 'web1' { } }\n",
            // The check of a single file reports the name.
            "modules/m/manifests/init.pp\nclass m-a { }\n",
        ] {
            let code = format!("//- {code}");
            assert_eq!(reported(&MISPLACED_DEFINITION, &code), [""; 0], "{code}");
        }
    }
}
