use base::suggest::{hint, similar};
use hir::autoload::{NameKey, definitions_of_kind, find_item};
use hir::{ItemKind, signature};
use rustc_hash::FxHashSet;
use syntax::TextRange;

use crate::data::{ClassKey, DataChecker, class_key, is_looked_up, normalized_key};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports keys in data whose class or parameter does not exist.
    ///
    /// ## What it does
    ///
    /// Checks keys of the form `class::parameter`: the class has no such parameter, its module has no such class,
    /// or the module does not exist. Also reports keys with a leading `::`, single colons or uppercase letters,
    /// such as `::ntp::servers`, `ntp:servers` and `Ntp::Servers`.
    ///
    /// ## Why it matters
    ///
    /// Puppet never reads the value and does not warn: the default of the parameter applies.
    ///
    /// ## Example
    ///
    /// ```modules/ntp/manifests/init.pp
    /// class ntp (Array[String] $servers = []) {
    ///   notice($servers)
    /// }
    /// ```
    ///
    /// ```data/common.yaml wrong
    /// ntp::server: [] # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```modules/ntp/manifests/init.pp
    /// class ntp (Array[String] $servers = []) {
    ///   notice($servers)
    /// }
    /// ```
    ///
    /// ```data/common.yaml right
    /// ntp::servers: []
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Keys that code or data may look up explicitly, including those with computed names.
    /// * Keys of modules that are not installed, unless the environment declares all of its modules, and of those
    ///   that Puppet Enterprise installs itself.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name of the class or parameter with a similar one.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-data-key]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-data-key = "off"
    /// ```
    pub(crate) static UNKNOWN_DATA_KEY = {
        code: "unknown-data-key",
        severity: Warning,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    let mut seen = FxHashSet::default();
    let entries = checker.keys().filter(|it| it.name().contains([':', '.']));
    let entries = entries.filter(|it| seen.insert(it.name().to_owned()));
    let keys: Vec<_> = entries
        .map(|it| (it.name().to_owned(), it.key_range))
        .collect();
    for (key, range) in &keys {
        match normalized_key(key) {
            Some(normalized) if is_meant(checker, key, &normalized) => {
                check_spelling(checker, key, &normalized, *range);
            }
            _ if key.contains("::") => {
                checker.check_of_key(key, |it| check_key(it, key, *range));
            }
            _ => {}
        }
    }
}

/// Checks whether a key that is spelled in another way is meant for a parameter.
fn is_meant(checker: &DataChecker<'_>, key: &str, normalized: &str) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let module = normalized.split("::").next().unwrap_or_default();
    match key.contains('.') {
        // Such a key may also be the name of a host or of a file.
        true => matches!(
            class_key(db, environment, normalized),
            ClassKey::Parameter(..)
        ),
        false => key.starts_with("::") || environment.modules(db).contains_key(module),
    }
}

/// Reports a key that Puppet does not look up for a parameter because of its spelling.
fn check_spelling(checker: &mut DataChecker<'_>, key: &str, normalized: &str, range: TextRange) {
    if is_looked_up(checker.db, checker.environment, key) {
        return;
    }
    let written = checker.source(range).trim_matches(['\'', '"']);
    let message = format!("`{written}` is never looked up; did you mean `{normalized}`?");
    let fix = checker.respelled(range, normalized);
    let found = checker.report(&UNKNOWN_DATA_KEY, range, message);
    found.fixes.push(fix);
}

fn check_key(checker: &mut DataChecker<'_>, key: &str, range: TextRange) {
    let (db, environment) = (checker.db, checker.environment);
    // Another rule reports the key.
    if !checker.layer.may_have(key) {
        return;
    }
    let (class, parameter) = key.rsplit_once("::").unwrap_or_default();
    let (message, similar) = match class_key(db, environment, key) {
        ClassKey::Parameter(..) | ClassKey::Unknown => return,
        ClassKey::UnknownParameter(item) => {
            let names = signature(db, item).parameters.iter();
            let near = similar(parameter, names.map(|it| it.name.as_str()));
            let name = item.name(db);
            let message = format!("no parameter `{parameter}` on class `{name}`");
            (message, near.map(|it| format!("{class}::{it}")))
        }
        ClassKey::UnknownClass if is_defined_type(checker, class) => {
            let reason = "Puppet does not look up the parameters of defined types";
            (format!("`{class}` is a defined type; {reason}"), None)
        }
        ClassKey::UnknownClass | ClassKey::UnknownModule => {
            let names = definitions_of_kind(db, environment, ItemKind::Class);
            let near = similar(class, names.map(|it| it.0));
            let near = near.filter(|it| has_parameter(checker, it, parameter));
            let message = format!("unknown class `{class}`");
            (message, near.map(|it| format!("{it}::{parameter}")))
        }
    };
    if is_looked_up(db, environment, key) {
        return;
    }
    let hint = hint(similar.as_deref());
    let fix = similar.map(|it| checker.respelled(range, &it));
    let found = checker.report(&UNKNOWN_DATA_KEY, range, format!("{message}{hint}"));
    found.fixes.extend(fix);
}

/// Checks whether a class has a parameter, or one that is similar to it.
fn has_parameter(checker: &DataChecker<'_>, class: &str, parameter: &str) -> bool {
    let (db, key) = (checker.db, NameKey::new(checker.db, class.to_owned()));
    let class = find_item(db, checker.environment, ItemKind::Class, key);
    class.is_some_and(|it| {
        let names = signature(db, it).parameters.iter().map(|it| &*it.name);
        names.clone().any(|it| it == parameter) || similar(parameter, names).is_some()
    })
}

fn is_defined_type(checker: &DataChecker<'_>, name: &str) -> bool {
    let key = NameKey::new(checker.db, name.to_owned());
    find_item(checker.db, checker.environment, ItemKind::DefinedType, key).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::messages;

    fn check(code: &str, data: &str) -> Vec<String> {
        let class = "//- modules/ntp/manifests/init.pp
class ntp ($servers = []) { notice($servers) }
//- modules/ntp/manifests/pool.pp
define ntp::pool ($size) { notice($size) }
";
        let code = format!("//- manifests/site.pp\n{code}\n");
        messages(
            &UNKNOWN_DATA_KEY,
            &format!("{class}{code}//- data/common.yaml\n{data}"),
        )
    }

    #[test]
    fn finds_unknown_names() {
        assert_eq!(
            check("", "ntp::server: 1\n"),
            ["`ntp::server`: no parameter `server` on class `ntp`; did you mean `ntp::servers`?"]
        );
        assert_eq!(
            check("", "'npt::servers': 1\n"),
            ["`'npt::servers'`: unknown class `npt`; did you mean `ntp::servers`?"]
        );
        assert_eq!(
            check("", "npt::other: 1\n"),
            ["`npt::other`: unknown class `npt`"]
        );
        assert_eq!(
            check("", "ntp::pool::size: 1\n"),
            [
                "`ntp::pool::size`: `ntp::pool` is a defined type; Puppet does not look up the parameters of defined types"
            ]
        );
    }

    #[test]
    fn finds_keys_that_are_never_looked_up() {
        for key in [
            "::ntp::servers",
            "ntp:servers",
            "Ntp::Servers",
            "ntp::Servers",
            "::ntp:servers",
            "ntp.servers",
        ] {
            let expected =
                format!("`'{key}'`: `{key}` is never looked up; did you mean `ntp::servers`?");
            assert_eq!(check("", &format!("'{key}': 1\n")), [expected]);
            assert_eq!(
                check(&format!("lookup('{key}')"), &format!("'{key}': 1\n")),
                [""; 0]
            );
        }
        for key in ["a:b", "Other::x", "ntp", "http://ntp", "'a: b'"] {
            assert_eq!(check("", &format!("{key}: 1\n")), [""; 0], "{key}");
        }
    }

    #[test]
    fn options_do_not_look_keys_up() {
        let data = "lookup_options: {'ntp::server': {merge: first}}\n'ntp::server': 1\n";
        assert_eq!(check("", data).len(), 1);
    }

    #[test]
    fn accepts_keys_that_are_looked_up() {
        for code in [
            "lookup('ntp::extra')",
            "$x = 'extra' lookup(\"ntp::${x}\")",
            "$x = 'ntp' lookup(\"${x}::extra\")",
            "lookup('ntp::extra.a')",
        ] {
            assert_eq!(check(code, "ntp::extra: 1\n"), [""; 0], "{code}");
        }
        assert_eq!(
            check("", "ntp::extra: 1\na: \"%{lookup('ntp::extra')}\"\n"),
            [""; 0]
        );
        assert_eq!(check("", "plain: 1\nntp::servers: 1\n"), [""; 0]);
    }

    #[test]
    fn names_of_classes_are_not_keys_of_their_parameters() {
        let code = "lookup('list').each |$x| { include \"ntp::${x}\" }";
        assert_eq!(check(code, "ntp::extra: 1\n"), [""; 0]);
        assert_eq!(check(code, "ntp::extra::a: 1\n").len(), 1);
        let code = "$x = 'extra' lookup(\"ntp::${x}::a\")";
        assert_eq!(check(code, "ntp::extra::a: 1\n"), [""; 0]);
    }

    #[test]
    fn longer_keys_are_other_keys() {
        for code in [
            "lookup(\"${facts['x']}::extras\")",
            "lookup(\"${facts['x']}::extra_size\")",
            "lookup(\"${facts['x']}::extra::size\")",
        ] {
            assert_eq!(check(code, "ntp::extra: 1\n").len(), 1, "{code}");
        }
        let data = "ntp::extra: 1\na: \"%{lookup('ntp::extras')}\"\n";
        assert_eq!(check("", data).len(), 1);
    }

    #[test]
    fn accepts_modules_of_puppet_enterprise() {
        let data = "puppet_enterprise::master::port: 1\npe_repo::base_path: 1\n";
        assert_eq!(check("", data), [""; 0]);
    }
}
