use base::EnvironmentInput;
use base::suggest::{hint, is_slip, similar};
use hiera::{Layer, LookupKey};
use infer::{KeyPresence, LayerKeys, key_presence, layer_keys, layer_module, plan_keys};
use salsa::Database;
use syntax::{Severity, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::data::{DataChecker, DeadEnd, dead_end};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports lookups of keys that the data of the environment does not have.
    ///
    /// ## What it does
    ///
    /// Checks calls to `lookup`, `hiera`, `hiera_array`, `hiera_hash` and `hiera_include` without a
    /// default value in an environment with a `hiera.yaml`: whether a data file of the environment,
    /// or of the module that the key names, has the key. In data, checks `%{lookup('key')}` and
    /// `%{alias('key')}`. The path of a dotted key must exist in one of the values; a path into a
    /// string or a number is an error, as Puppet fails.
    ///
    /// ## Why it matters
    ///
    /// The call fails, and with it the compilation of the catalog or the plan. In data, the interpolation is silently
    /// replaced with an empty string.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   notice(lookup('ntp_server')) # <-
    /// }
    /// # file: environment/hiera.yaml
    /// version: 5
    /// # file: environment/data/common.yaml
    /// ntp_servers: [a.example.com]
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   notice(lookup('ntp_servers'))
    ///   notice(lookup('ntp_pool', String, 'first', 'pool.ntp.org'))
    /// }
    /// # file: environment/hiera.yaml
    /// version: 5
    /// # file: environment/data/common.yaml
    /// ntp_servers: [a.example.com]
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Environments without a `hiera.yaml`, and modules without an environment: users provide the data.
    /// * Hierarchies with data outside of the workspace: custom backends, `uri`, and files that do not exist. A key
    ///   that differs from a known one by one letter is a hint.
    ///
    /// Plans read the levels of `plan_hierarchy`, but those of `hierarchy` count too.
    ///
    /// If no file matches a path with variables, its files may be in another repository. The diagnostic is then a hint
    /// if no level reads a file in the same data directory, if the level is encrypted, or if the path contains
    /// `secret`, `private` or the like. This does not apply to the path of a single node, or to a path whose directory
    /// contains other files.
    ///
    /// The global layer of a server is not part of an environment, and may have the key.
    ///
    /// ## Fix
    ///
    /// No fix is available: the key may also be missing in the data.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-lookup-key]` at the end of the line, or on a line of its own above it. To
    /// turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-lookup-key = "off"
    /// ```
    pub(crate) static UNKNOWN_LOOKUP_KEY = {
        code: "unknown-lookup-key",
        severity: Warning,
        since: "0.2.0",
        checks: [
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_call),
            Check::DataFile(check_data),
        ],
    }
}

/// The minimum length of a key that may be a typo of another one although data outside of the workspace may have it.
const MIN_TYPO: usize = 6;

fn check_call(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(call) = checker.lookup_call(node) else {
        return;
    };
    if call.has_default || call.may_override || call.keys.is_empty() {
        return;
    }
    let (db, environment) = (checker.db, checker.environment);
    let in_plan = checker.is_in_plan(node.text_range());
    let of_plans = in_plan.then(|| plan_keys(db, environment));
    if of_plans.as_ref().is_some_and(|it| has_any(it, &call.keys)) {
        return;
    }
    if let [key] = &call.keys[..]
        && let Some(key) = LookupKey::parse(key)
        && let Some((severity, message)) = dead_end_message(db, environment, &key)
    {
        checker.report_as(&UNKNOWN_LOOKUP_KEY, severity, call.range, message);
        return;
    }
    let found = match &call.keys[..] {
        [key] => absence(db, environment, key, of_plans.as_deref())
            .map(|(severity, near)| (severity, no_data(key, &hint(near.as_deref())))),
        keys => {
            let presences = keys.iter().map(|it| key_presence(db, environment, it));
            let severity = UNKNOWN_LOOKUP_KEY.severity_if_absent(presences);
            severity.map(|it| (it, no_data_for_any(keys)))
        }
    };
    if let Some((severity, message)) = found {
        checker.report_as(&UNKNOWN_LOOKUP_KEY, severity, call.range, message);
    }
}

fn has_any(data: &LayerKeys, keys: &[String]) -> bool {
    let mut roots = keys.iter().filter_map(|it| LookupKey::parse(it));
    roots.any(|it| !data.files_with(&it.root).is_empty())
}

fn no_data(key: &str, reason: &str) -> String {
    format!("no data for key `{key}`{reason}")
}

fn no_data_for_any(keys: &[String]) -> String {
    let keys: Vec<String> = keys.iter().map(|it| format!("`{it}`")).collect();
    let keys = keys.join(", ");
    format!("no data for any of the keys {keys}")
}

/// Returns the severity of a key that no data has, with the key that may be meant; `None` if data may have the key.
fn absence(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
    of_plans: Option<&LayerKeys>,
) -> Option<(Severity, Option<String>)> {
    let near = || similar_key(db, environment, key, of_plans);
    match key_presence(db, environment, key) {
        // Other data may have the key, but it is likely a typo.
        KeyPresence::Unknown if key.len() >= MIN_TYPO => {
            let near = near().filter(|it| is_typo(key, it))?;
            Some((Severity::Hint, Some(near)))
        }
        presence => {
            let severity = UNKNOWN_LOOKUP_KEY.severity_if_absent([presence])?;
            Some((severity, near()))
        }
    }
}

/// Checks whether a key differs from another by one letter, and not by a number.
fn is_typo(key: &str, other: &str) -> bool {
    let without_digits = |it: &str| it.replace(|it: char| it.is_ascii_digit(), "");
    is_slip(key, other) && without_digits(key) != without_digits(other)
}

fn check_data(checker: &mut DataChecker<'_>) {
    let (db, environment) = (checker.db, checker.environment);
    for it in checker.interpolations() {
        let Some(key) = it.looked_up_key() else {
            continue;
        };
        if let Some((severity, message)) = dead_end_message(db, environment, &key) {
            checker.report_as(&UNKNOWN_LOOKUP_KEY, severity, it.range, message);
            continue;
        }
        let key = key.text;
        if let Some((severity, near)) = absence(db, environment, &key, None) {
            let reason = match &near {
                Some(_) => hint(near.as_deref()),
                None => ": Puppet inserts an empty string".to_owned(),
            };
            let message = no_data(&key, &reason);
            checker.report_as(&UNKNOWN_LOOKUP_KEY, severity, it.range, message);
        }
    }
}

/// Returns the message for a key whose path leads nowhere in any of its values.
fn dead_end_message(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &LookupKey,
) -> Option<(Severity, String)> {
    let end = dead_end(db, environment, key)?;
    let (text, segments) = (&key.text, &key.segments);
    let before = |index: usize| {
        let path = segments[..index].iter().map(|it| format!(".{it}"));
        format!("`{}{}`", key.root, path.collect::<String>())
    };
    Some(match end {
        DeadEnd::Scalar(index) => {
            let reason = format!("{} has no part `{}`", before(index), segments[index]);
            (
                Severity::Error,
                format!("lookup of `{text}` fails: {reason}"),
            )
        }
        DeadEnd::Missing(index) => {
            let reason = format!("{} lacks `{}`", before(index), segments[index]);
            let message = no_data(text, &format!(": {reason}"));
            (UNKNOWN_LOOKUP_KEY.severity, message)
        }
    })
}

/// Returns the key of the environment, or of the module that the key names, that is most similar.
fn similar_key(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
    of_plans: Option<&LayerKeys>,
) -> Option<String> {
    let key = LookupKey::parse(key)?;
    let module = key.module().map(|it| Layer::Module(it.into()));
    let layers = [Some(Layer::Environment), module];
    let modules = layers.iter().flatten();
    let modules = modules.filter_map(|it| layer_module(db, environment, it));
    let keys: Vec<_> = modules.map(|it| layer_keys(db, it)).collect();
    let keys = keys.iter().map(|it| &**it).chain(of_plans);
    let near = similar(&key.root, keys.flat_map(LayerKeys::keys))?;
    let path = key.segments.iter().map(|it| format!(".{it}"));
    Some(format!("{near}{}", path.collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_LOOKUP_KEY;
    use crate::data::tests::messages;
    use crate::testing::reported;

    const DATA: &str = "//- modules/environment/hiera.yaml\nversion: 5\nhierarchy:\n\
                        - {name: n, path: \"nodes/%{trusted.certname}.yaml\"}\n- {name: c, path: common.yaml}\n\
                        //- modules/environment/data/common.yaml\nport: 1\n\
                        //- modules/environment/data/nodes/a.yaml\nrole: x\n";

    fn code(code: &str) -> Vec<String> {
        let class = format!("//- modules/m/manifests/init.pp\nclass m {{ {code} }}\n");
        reported(&UNKNOWN_LOOKUP_KEY, &format!("{class}{DATA}"))
    }

    #[test]
    fn finds_calls_in_each_form() {
        for call in [
            "lookup('x')",
            "lookup(x)",
            "'x'.lookup",
            "lookup('x', String)",
            "lookup('x', String, 'unique')",
            "lookup('x', { value_type => String })",
            "lookup({ name => 'x', merge => 'hash' })",
            "lookup('x.y.0')",
            "lookup(['x', 'y'])",
            "lookup('m::x')",
            "hiera('x')",
            "hiera_array('x')",
            "hiera_hash('x')",
            "hiera_include('x')",
        ] {
            assert_eq!(code(&format!("$a = {call}")).len(), 1, "{call}");
        }
        assert_eq!(
            code("lookup('prot')"),
            ["`'prot'`: no data for key `prot`; did you mean `port`?"]
        );
    }

    #[test]
    fn accepts_keys_that_may_be_found() {
        for call in [
            "lookup('port')",
            "lookup(['x', 'port'])",
            "lookup('x', String, first, 'd')",
            "lookup('x', { default_value => undef })",
            "lookup('x', { default_values_hash => { x => 1 } })",
            "lookup('x', { override => { x => 1 } })",
            "lookup('x') |$k| { 1 }",
            "lookup(\"x${facts['kernel']}\")",
            "lookup({ name => 'x', default_value => 1 })",
            "hiera('x', undef)",
            "hiera('x') |$k| { 1 }",
        ] {
            assert_eq!(code(&format!("$a = {call}")), [""; 0], "{call}");
        }
    }

    #[test]
    fn accepts_keys_of_unknown_data() {
        let all = format!("//- modules/m/manifests/init.pp\nclass m {{ lookup('x') }}\n{DATA}");
        for (old, new) in [
            ("version: 5", "version: 3"),
            ("path: common.yaml", "path: common.yaml, data_hash: other"),
            ("path: common.yaml", "path: secret.yaml"),
            ("path: common.yaml", "path: common.yaml, datadir: /etc/data"),
            ("path: common.yaml", "path: common.yaml, datadir: other"),
            ("path: common.yaml", "uri: common.yaml"),
            ("port: 1", "port: ["),
            ("hiera.yaml", "hiera5.yaml"),
        ] {
            let text = all.replacen(old, new, 1);
            assert_eq!(reported(&UNKNOWN_LOOKUP_KEY, &text), [""; 0], "{new}");
        }
        let nodes = all.replacen(
            "path: common.yaml",
            "paths: [common.yaml, \"x/%{fqdn}.yaml\"]",
            1,
        );
        // The files of these paths may be elsewhere.
        let others = [
            "paths: [common.yaml, \"%{environment}_secret.yaml\"]",
            "path: common.yaml}\n- {name: e, lookup_key: eyaml_lookup_key, path: \"s/%{trusted.certname}.yaml\"",
        ];
        let others = others.map(|it| all.replacen("path: common.yaml", it, 1));
        for known in [all, nodes].iter().chain(&others) {
            assert_eq!(reported(&UNKNOWN_LOOKUP_KEY, known).len(), 1);
        }
    }

    #[test]
    fn any_level_may_have_keys_of_plans() {
        let levels = "hierarchy:\n- {name: s, path: static.yaml}\n";
        let data = DATA.replace("hierarchy:", &format!("plan_{levels}hierarchy:"))
            + "//- modules/environment/data/static.yaml\nhost: a\n";
        let found = |code: &str| {
            let plan = format!("//- modules/m/plans/init.pp\nplan m {{ {code} }}\n");
            reported(&UNKNOWN_LOOKUP_KEY, &format!("{plan}{data}"))
        };
        assert_eq!(
            found("lookup('hots')"),
            ["`'hots'`: no data for key `hots`; did you mean `host`?"]
        );
        for known in ["lookup('host')", "lookup(['x', 'host'])", "lookup('port')"] {
            assert_eq!(found(known), [""; 0], "{known}");
        }
    }

    #[test]
    fn typos_are_hints_if_data_is_unknown() {
        let data = DATA.replace("path: common.yaml", "path: secret.yaml") + "\nserver_port1: 1\n";
        let found = |key: &str| {
            let class = format!("//- modules/m/manifests/init.pp\nclass m {{ lookup('{key}') }}\n");
            reported(&UNKNOWN_LOOKUP_KEY, &format!("{class}{data}"))
        };
        assert_eq!(
            found("server_prt1"),
            ["`'server_prt1'`: no data for key `server_prt1`; did you mean `server_port1`?"]
        );
        for key in ["server_port2", "server_role1", "rol"] {
            assert_eq!(found(key), [""; 0], "{key}");
        }
    }

    #[test]
    fn modules_contain_all_of_their_data() {
        let text = format!(
            "//- modules/m/manifests/init.pp\nclass m {{ lookup('m::x') }}\n\
             //- modules/m/hiera.yaml\nversion: 5\nhierarchy:\n- {{name: o, path: \"%{{facts.os.name}}.yaml\"}}\n{DATA}"
        );
        assert_eq!(reported(&UNKNOWN_LOOKUP_KEY, &text).len(), 1);
    }

    #[test]
    fn checks_interpolations() {
        let data = "//- data/common.yaml\na: \"%{lookup('nowhere')} %{lookup('long')} %{alias('long')}\"\n\
                    long1: \"%{lookup('a')} %{scope('x')}\"\n";
        assert_eq!(
            messages(&UNKNOWN_LOOKUP_KEY, data),
            [
                "`%{lookup('nowhere')}`: no data for key `nowhere`: Puppet inserts an empty string",
                "`%{lookup('long')}`: no data for key `long`; did you mean `long1`?",
                "`%{alias('long')}`: no data for key `long`; did you mean `long1`?",
            ]
        );
    }

    #[test]
    fn finds_paths_that_lead_nowhere() {
        let check = |data: &str| {
            messages(
                &UNKNOWN_LOOKUP_KEY,
                &format!("//- data/common.yaml\n{data}"),
            )
        };
        for (data, expected) in [
            (
                "a: x\nb: \"%{lookup('a.c')}\"\n",
                "lookup of `a.c` fails: `a` has no part `c`",
            ),
            (
                "a: {c: 1}\nb: \"%{lookup('a.c.d')}\"\n",
                "lookup of `a.c.d` fails: `a.c` has no part `d`",
            ),
            (
                "a: \"%{facts.x}\"\nb: \"%{lookup('a.c')}\"\n",
                "lookup of `a.c` fails: `a` has no part `c`",
            ),
            (
                "a: [1]\nb: \"%{lookup('a.c')}\"\n",
                "lookup of `a.c` fails: `a` has no part `c`",
            ),
            (
                "a: {c: 1}\nb: \"%{lookup('a.d')}\"\n",
                "no data for key `a.d`: `a` lacks `d`",
            ),
            (
                "a: [1]\nb: \"%{lookup('a.1')}\"\n",
                "no data for key `a.1`: `a` lacks `1`",
            ),
        ] {
            let found = check(data);
            assert_eq!(found.len(), 1, "{data}: {found:?}");
            assert!(found[0].ends_with(expected), "{found:?}");
        }
        for data in [
            "a: {c: 1}\nb: \"%{lookup('a.c')}\"\n",
            "a: \"%{alias('c')}\"\nb: \"%{lookup('a.c')}\"\nc: {c: 1}\n",
            "a: x\nb: \"%{lookup('a.c')}\"\n//- data/nodes/n.yaml\na: {c: 1}\n",
            "lookup_options: {a: {convert_to: Hash}}\na: [[c, 1]]\nb: \"%{lookup('a.c')}\"\n",
        ] {
            assert_eq!(check(data), [""; 0], "{data}");
        }
    }
}
