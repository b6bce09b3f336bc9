use base::{EnvironmentInput, FileInput, ModuleInput, ModuleOrigin};
use catalog::{ProblemKind, unqualified_program};
use hir::autoload::{NameKey, module_puppet_files};
use hir::body::{AttributeUse, Resource, ResourceForm, body};
use hir::{Item, is_site, items};
use salsa::Database;
use syntax::ast::{AstNode, Attribute, Expr};
use syntax::{Severity, SyntaxNode, TextRange};
use types::Type;
use types::values::Value;

use crate::checker::Checker;
use crate::compiled::problem::{CompiledProblem, located};
use crate::compiled::{blamed, compiled, is_catalog_of_node, report};
use crate::fixes::{expr_at, node_at};
use crate::index::default_reach::may_be_set_elsewhere;
use crate::index::usage_index::{CodeOwner, default_owners, may_be_overridden};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports commands of `exec` without an absolute path, if `path` is not set.
    ///
    /// ## What it does
    ///
    /// Checks `command` (or the title), `unless`, `onlyif` and `refresh` of `exec` resources that set
    /// neither `path` nor the provider `shell`, if no override or collector of the workspace sets them, and no
    /// resource default in code that may declare the class or defined type, directly or through others. In the catalog
    /// of a node, only the resource defaults count that apply there. Commands that code passes to a defined type are
    /// reported where they are passed.
    ///
    /// ## Why it matters
    ///
    /// The catalog compiles, but the agent run fails: *'…' is not qualified and no path was
    /// specified*. In a module without a main manifest next to it, the severity is a warning,
    /// because a site may set a default such as `Exec { path => … }`. If most commands of the
    /// module, or of all modules of the workspace, need that default, it is a hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   exec { 'apt-get update': } # <-
    ///   exec { 'reload':
    ///     command => 'systemctl reload example', # <-
    ///     onlyif  => 'test -e /etc/example', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   exec { '/usr/bin/apt-get update': }
    ///   exec { 'reload':
    ///     command => 'systemctl reload example',
    ///     onlyif  => 'test -e /etc/example',
    ///     path    => ['/usr/bin', '/bin'],
    ///   }
    ///   exec { 'example':
    ///     command  => 'for i in 1 2 3; do echo $i; done',
    ///     provider => shell,
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Commands that begin with a value that is not known.
    /// * Providers other than `posix`, whose rules may differ.
    ///
    /// ## Fix
    ///
    /// No fix is available: the directory of the program is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unqualified-command]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unqualified-command = "off"
    /// ```
    pub(crate) static UNQUALIFIED_COMMAND = {
        code: "unqualified-command",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check), Check::Compiled(check_compiled)],
    }
}

/// The attributes that contain commands.
const COMMANDS: [&str; 4] = ["command", "onlyif", "refresh", "unless"];

/// The attributes that decide how programs are found.
const MATTERING: [&str; 2] = ["path", "provider"];

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for resource in &body.resources {
        if resource.type_.as_deref() == Some("exec")
            && resource.form == ResourceForm::Declaration
            && !may_have_path(checker, resource)
        {
            check_commands(checker, resource);
        }
    }
}

/// Reports a command of compiled code: one that is computed or passed through a defined type, and those that
/// defaults would apply to elsewhere, but not on a node.
fn check_compiled<'db>(checker: &mut Checker<'db>, problem: &CompiledProblem<'db>) {
    let ProblemKind::UnqualifiedCommand(_, program) = &problem.kind else {
        return;
    };
    let (range, place) = blamed(checker, problem);
    if place != Some(0)
        || checker.has_reported(&UNQUALIFIED_COMMAND, range)
        || may_be_qualified(checker, problem)
    {
        return;
    }
    let message = unqualified_message(program);
    let rule = &UNQUALIFIED_COMMAND;
    report(
        checker,
        rule,
        problem,
        (range, place),
        message,
        |_| "command of this resource",
    );
}

/// Checks whether other code may set the path or the provider of a compiled resource.
fn may_be_qualified<'db>(checker: &Checker<'db>, problem: &CompiledProblem<'db>) -> bool {
    let declaration = problem
        .attribute_place()
        .and_then(|it| located(checker.db, it));
    let Some((item, range)) = declaration else {
        return true;
    };
    let mut resources = body(checker.db, item).resources.iter();
    let has_all = resources.any(|it| it.range.contains_range(range) && !it.splat);
    let may_be_set = |name: &str| match is_catalog_of_node(
        checker.db,
        checker.environment,
        problem.definition,
    ) {
        true => {
            may_be_overridden(checker, "exec", name)
                || may_have_default(checker, problem.definition, name)
        }
        false => may_be_set_elsewhere(checker, "exec", name),
    };
    !has_all || MATTERING.iter().any(|it| may_be_set(it))
}

/// Checks whether code in the catalog of a node has a default for an attribute, which may be conditional.
fn may_have_default<'db>(checker: &Checker<'db>, node: Item<'db>, attribute: &str) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let name = |it: &str| NameKey::new(db, it.to_owned());
    let compiled = compiled(db, environment, node);
    let mut owners = default_owners(db, environment, name("exec"), name(attribute)).iter();
    owners.any(|it| match it {
        CodeOwner::Definition((kind, name)) => compiled.is_some_and(|it| it.includes(*kind, name)),
        CodeOwner::Other => true,
    })
}

fn unqualified_message(program: &str) -> String {
    format!("command `{program}` is not an absolute path, and `path` is not set")
}

/// Checks whether the resource may have a path to search, or another provider.
fn may_have_path(checker: &Checker<'_>, resource: &Resource) -> bool {
    let matters = |name: &str| MATTERING.contains(&name);
    if resource.splat || resource.default_attributes.iter().any(|it| matters(it)) {
        return true;
    }
    let root = checker.root();
    let mut attributes = resource.attributes.iter().filter(|it| matters(&it.name));
    let unset = |it: &AttributeUse| {
        let value = value_of(&root, it).and_then(|it| checker.type_of(&it));
        let value = value.and_then(|it| it.value.as_ref());
        match value {
            Some(Value::Undef) => true,
            Some(Value::String(text)) => it.name == "provider" && **text == *"posix",
            _ => false,
        }
    };
    if attributes.any(|it| !unset(it)) {
        return true;
    }
    let mut mattering = MATTERING.iter();
    mattering.any(|it| may_be_set_elsewhere(checker, "exec", it))
}

fn value_of(root: &SyntaxNode, attribute: &AttributeUse) -> Option<Expr> {
    let node = node_at(root, attribute.range)?;
    node.ancestors().find_map(Attribute::cast)?.value()
}

fn check_commands(checker: &mut Checker<'_>, resource: &Resource) {
    for command in commands_of(&checker.root(), resource) {
        check_command(checker, &command);
    }
}

/// Returns the command of a resource and the conditions for it.
fn commands_of(root: &SyntaxNode, resource: &Resource) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut has_command = resource.default_attributes.iter().any(|it| it == "command");
    for attribute in &resource.attributes {
        if !COMMANDS.contains(&attribute.name.as_str()) {
            continue;
        }
        let Some(value) = value_of(root, attribute) else {
            continue;
        };
        has_command |= attribute.name == "command";
        match (&value, attribute.name.as_str()) {
            // An array is a single command with its arguments here, and several commands elsewhere.
            (Expr::ArrayExpr(list), "command" | "refresh") => found.extend(list.elements().next()),
            (Expr::ArrayExpr(list), _) => found.extend(list.elements()),
            _ => found.push(value),
        }
    }
    let titles = resource.titles.iter().filter(|_| !has_command);
    found.extend(titles.filter_map(|it| expr_at(root, it.range)));
    found
}

fn check_command(checker: &mut Checker<'_>, command: &Expr) {
    if let Some(program) = unqualified(checker, command) {
        let range: TextRange = command.syntax().text_range();
        let message = unqualified_message(&program);
        let is_site = is_site(checker.db, checker.environment);
        let module = checker.item.file(checker.db).module(checker.db);
        let severity = match module {
            _ if is_site => UNQUALIFIED_COMMAND.severity,
            Some(it) if needs_default_path(checker.db, checker.environment, it) => Severity::Hint,
            _ => Severity::Warning,
        };
        checker.report_as(&UNQUALIFIED_COMMAND, severity, range, message);
    }
}

/// The number of unqualified commands above which modules are assumed to rely on a site-wide `Exec { path => … }`.
const MIN_NEEDING_DEFAULT: usize = 10;

/// Checks whether more commands of a module, or of all modules of the workspace, need a default path than have one.
fn needs_default_path(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: ModuleInput,
) -> bool {
    needs_it(module_commands_by_path(db, module)) || needs_it(own_commands_by_path(db, environment))
}

fn needs_it((with, without): (usize, usize)) -> bool {
    without >= MIN_NEEDING_DEFAULT && without > with
}

/// Returns the sum of [`commands_by_path`] over the modules of the workspace.
#[salsa::tracked(returns(copy))]
fn own_commands_by_path(db: &dyn Database, environment: EnvironmentInput) -> (usize, usize) {
    let modules = environment.modules(db).values();
    let own = modules.filter(|it| it.origin(db) == ModuleOrigin::Workspace);
    sum(own.map(|it| module_commands_by_path(db, *it)))
}

/// Returns the sum of [`commands_by_path`] over the files of a module.
#[salsa::tracked(returns(copy))]
fn module_commands_by_path(db: &dyn Database, module: ModuleInput) -> (usize, usize) {
    let files = module_puppet_files(db, module).iter();
    sum(files.map(|it| commands_by_path(db, *it)))
}

fn sum(counts: impl Iterator<Item = (usize, usize)>) -> (usize, usize) {
    counts.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
}

/// Returns the numbers of commands in a file with a path to search, and of those that have none and need one.
#[salsa::tracked(returns(copy))]
fn commands_by_path(db: &dyn Database, file: FileInput) -> (usize, usize) {
    let (mut with, mut without) = (0, 0);
    // Most files have no command.
    let text = file.text(db).as_deref().unwrap_or_default();
    if !text.contains("exec") {
        return (0, 0);
    }
    for item in items(db, file) {
        let resources = body(db, *item).resources.iter();
        let commands = resources.filter(|it| {
            it.type_.as_deref() == Some("exec") && it.form == ResourceForm::Declaration
        });
        for command in commands {
            let mut attributes = command.attributes.iter().map(|it| it.name.as_str());
            let has_path = attributes.any(|it| matches!(it, "path" | "provider"));
            if has_path || command.splat || !command.default_attributes.is_empty() {
                with += 1;
            } else if commands_of(&item.syntax(db), command)
                .iter()
                .any(is_relative)
            {
                without += 1;
            }
        }
    }
    (with, without)
}

/// Checks whether the source of a command starts with a word.
fn is_relative(command: &Expr) -> bool {
    let source = command.syntax().text().to_string();
    let command = source.trim_start_matches(['"', '\'']);
    command.len() < source.len() && command.starts_with(|it: char| it.is_ascii_alphabetic())
}

/// Returns the program of a command if it is known, and its path is not absolute.
fn unqualified(checker: &Checker<'_>, command: &Expr) -> Option<String> {
    let value = checker.type_of(command)?;
    value.is_a(&Type::STRING).filter(|it| *it)?;
    if let (None, Type::Enum(all)) = (&value.value, &value.type_) {
        let mut programs = all.values().iter().map(|it| unqualified_program(it, true));
        let first = programs.next()??;
        return programs.all(|it| it.is_some()).then(|| first.to_owned());
    }
    let (start, is_whole) = match (&value.value, command) {
        (Some(Value::String(text)), _) => (text.to_string(), true),
        (_, Expr::InterpolatedString(it)) => (leading_text(it)?, false),
        _ => return None,
    };
    unqualified_program(&start, is_whole).map(str::to_owned)
}

/// Returns the text of a string up to its first interpolation.
fn leading_text(string: &syntax::ast::InterpolatedString) -> Option<String> {
    match string.segments().into_iter().next()? {
        syntax::ast::Segment::Text(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use syntax::Severity;

    use super::UNQUALIFIED_COMMAND;
    use crate::testing::{reported, severities};

    #[test]
    fn modules_that_need_a_default_path_get_hints() {
        let code = |count: usize| {
            let commands = (0..count).map(|it| format!("exec {{ 'ls {it}': }} "));
            let commands: String = commands.collect();
            format!("class m {{ exec {{ 'cp': path => '/bin' }} {commands} }}")
        };
        let found = |count| severities(&UNQUALIFIED_COMMAND, &code(count));
        assert_eq!(found(2), [Severity::Warning; 2]);
        assert_eq!(found(10), [Severity::Hint; 10]);
    }

    #[test]
    fn conditions_and_other_modules_count() {
        let modules = |count: usize| {
            let modules = (0..count).map(|it| {
                let condition = "exec { '/bin/a': unless => ['test -e /a'] }";
                format!("//- modules/m{it}/manifests/init.pp\nclass m{it} {{ {condition} }}\n")
            });
            modules.collect::<String>()
        };
        let found = |count| severities(&UNQUALIFIED_COMMAND, &modules(count));
        assert_eq!(found(9), [Severity::Warning; 9]);
        assert_eq!(found(10), [Severity::Hint; 10]);
    }

    #[test]
    fn reports_commands_without_a_path() {
        let code = "class m ($x) { exec { 'ls -l': } exec { 'a': command => \"cp ${x} /b\", \
                    unless => ['/bin/a', \"'b c' d\"], provider => posix, path => undef } }";
        let end = "is not an absolute path, and `path` is not set";
        assert_eq!(
            reported(&UNQUALIFIED_COMMAND, code),
            [
                format!("`'ls -l'`: command `ls` {end}"),
                format!("`\"cp ${{x}} /b\"`: command `cp` {end}"),
                format!("`\"'b c' d\"`: command `b c` {end}"),
            ]
        );
    }

    #[test]
    fn reports_commands_that_have_no_path_in_any_branch() {
        let found = |other: &str| {
            let code = format!(
                "class m {{ if $facts['a'] {{ $c = 'make all' }} else {{ $c = {other} }} exec {{ 'a': command => $c }} }}"
            );
            reported(&UNQUALIFIED_COMMAND, &code).len()
        };
        assert_eq!(found("'make install'"), 1);
        assert_eq!(found("'/usr/bin/make install'"), 0);
        assert_eq!(found("$facts['b']"), 0);
    }

    #[test]
    fn reports_commands_that_are_passed_through_a_defined_type() {
        let check = |instance: &str, exec: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m ($p = 'ls') {{ m::run {{ {instance} }} }}\n\
                 //- modules/m/manifests/run.pp\ndefine m::run ($command = undef, $path = undef) {{\n\
                 exec {{ {exec} }} }}\n"
            );
            reported(&UNQUALIFIED_COMMAND, &code)
        };
        let exec = "\"run ${title}\": command => $command, path => $path";
        let end = "is not an absolute path, and `path` is not set";
        assert_eq!(
            check("'a': command => 'ls -l'", exec),
            [format!("`command => 'ls -l'`: command `ls` {end}")]
        );
        for instance in [
            "'a': command => '/bin/ls -l'",
            "'a': command => 'ls -l', path => '/bin'",
            "'a': command => $p",
            "'a': command => $facts['x']",
        ] {
            assert_eq!(check(instance, exec), [""; 0], "{instance}");
        }
        assert_eq!(
            check("'ls -l':", "$title:"),
            [format!("`'ls -l'`: command `ls` {end}")]
        );
        for instance in ["'/bin/ls':", "\"${p} a\":", "$p:"] {
            assert_eq!(check(instance, "$title:"), [""; 0], "{instance}");
        }
        let open = "\"run ${title}\": command => $command, * => $facts['x']";
        assert_eq!(check("'a': command => 'ls -l'", open), [""; 0]);
    }

    #[test]
    fn nodes_have_the_defaults_that_apply() {
        let check = |site: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'a' {{ include m }} node 'b' {{ include o }} {site}\n\
                 //- modules/m/manifests/init.pp\nclass m {{ ['a'].each |$x| {{ exec {{ \"ls ${{x}}\": }} }} }}\n\
                 //- modules/o/manifests/init.pp\nclass o {{ Exec {{ path => '/bin' }} include $facts['x'] }}\n"
            );
            reported(&UNQUALIFIED_COMMAND, &code)
        };
        assert_eq!(
            check(""),
            ["`\"ls ${x}\"`: command `ls` is not an absolute path, and `path` is not set"]
        );
        assert_eq!(check("Exec { path => '/bin' }"), [""; 0]);
        assert_eq!(check("Exec <| |> { path => '/bin' }"), [""; 0]);
        assert_eq!(check("if $facts['y'] { Exec { path => '/bin' } }"), [""; 0]);
    }

    #[test]
    fn ignores_commands_with_a_path() {
        let code = "class m ($x) { exec { '/bin/ls': } exec { 'a': command => \"${x} a\" } \
                    exec { 'b': path => '/bin' } exec { 'c': provider => shell } \
                    exec { 'd': command => ['/bin/d', 'e'], * => $x } \
                    exec { default: path => '/bin'; 'e': } exec { default: command => '/bin/h'; 'h': } \
                    exec { 'f': command => 'C:\\\\f' } \
                    exec { 'g': command => \"ba${x} -c\", path => $x } }";
        assert_eq!(reported(&UNQUALIFIED_COMMAND, code), [""; 0]);
    }

    #[test]
    fn ignores_types_with_a_default_path() {
        let code = "class m { exec { 'ls': } }\nclass m::a { Exec { path => '/bin' } include m }";
        assert_eq!(reported(&UNQUALIFIED_COMMAND, code), [""; 0]);
    }

    #[test]
    fn knows_the_code_that_a_default_applies_to() {
        let exec = "exec { 'true': }";
        let files = |start: &str| {
            format!(
                "//- modules/m/manifests/init.pp\nclass m {{ Exec {{ path => '/bin' }} {start} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a {{ {exec} }}\n\
                 //- modules/m/manifests/b.pp\nclass m::b {{ m::d {{ 'x': }} }}\n\
                 //- modules/m/manifests/c.pp\nclass m::c inherits m::a {{ {exec} }}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d {{ {exec} }}\n"
            )
        };
        for (start, count) in [
            ("", 3),
            ("include m::a", 1),
            ("include m::b", 2),
            ("class { 'm::b': }", 2),
            ("m::d { 'x': }", 2),
            ("create_resources('m::d', { 'x' => {} })", 2),
            ("include \"m::${facts['kernel']}\"", 0),
            ("include $facts['kernel']", 0),
            ("create_resources($facts['kernel'], { 'x' => {} })", 0),
        ] {
            assert_eq!(
                reported(&UNQUALIFIED_COMMAND, &files(start)).len(),
                count,
                "{start}"
            );
        }
    }
}
