use base::{EnvironmentInput, FileInput};
use hir::{Item, ItemKind, NodeMatcher, items, matcher_of};
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::{AstNode, NodeDefinition};
use syntax::{Fix, SyntaxNode, TextRange};
use types::values::Regexp;

use crate::checker::Checker;
use crate::node_patterns::NodePattern;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports node definitions that apply to no node.
    ///
    /// ## What it does
    ///
    /// Compares the regular expressions of the node definitions in the main manifests. Puppet converts the name of a
    /// node to lower case, and takes the definition with exactly this name, or else the first one whose regular
    /// expression matches, or else `default`. The rule reports
    ///
    /// * regular expressions that no name in lower case matches, or only one with spaces or slashes,
    /// * regular expressions whose nodes all match an earlier one,
    /// * `default`, if a regular expression matches every name.
    ///
    /// ## Why it matters
    ///
    /// The nodes that the definition is meant for get another one, or none: then compilation fails with *Could not
    /// find node statement*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: environment/manifests/site.pp
    /// node /^web/ {
    ///   notice('web')
    /// }
    /// node /^web-admin\d/ { # <-
    ///   notice('admin')
    /// }
    /// node /^DB\d/ { # <-
    ///   notice('database')
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: environment/manifests/site.pp
    /// node /^web-admin\d/ {
    ///   notice('admin')
    /// }
    /// node /^web/ {
    ///   notice('web')
    /// }
    /// node /^db\d/ {
    ///   notice('database')
    /// }
    /// ```
    ///
    /// No node is left for `default` after a regular expression that matches every name:
    ///
    /// ```puppet wrong
    /// # file: environment/manifests/site.pp
    /// node /.*/ {
    ///   notice('all')
    /// }
    /// node default { # <-
    ///   notice('other')
    /// }
    /// ```
    ///
    /// Names take precedence over regular expressions:
    ///
    /// ```puppet wrong
    /// # file: environment/manifests/site.pp
    /// node /^web1\.example\.com$/ { # <-
    ///   notice('expression')
    /// }
    /// node 'web1.example.com' {
    ///   notice('name')
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Regular expressions that several earlier ones cover together.
    /// * Regular expressions for several names that an earlier one covers with more than literal characters, such as
    ///   `/^web\d/` and `/^web1/`.
    ///
    /// ## Fix
    ///
    /// Suggested: converts the letters of the regular expression to lower case.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unreachable-node]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unreachable-node = "off"
    /// ```
    pub(crate) static UNREACHABLE_NODE = {
        code: "unreachable-node",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    if item.kind(db) != ItemKind::Node {
        return;
    }
    let all = unreachable_hosts(db, checker.environment);
    for (host, reason) in all.get(&item).into_iter().flatten() {
        let source = &host.source;
        match reason {
            Reason::NeverMatches => {
                let names = match source.contains(char::is_uppercase) {
                    true => "lowercase name",
                    false => "name: names have neither spaces nor slashes",
                };
                let message = format!("unreachable node definition: `{source}` matches no {names}");
                checker.report(&UNREACHABLE_NODE, host.range, message);
                checker.fix(in_lower_case(source).map(|it| {
                    let label = format!("Replace with `{it}`");
                    Fix::suggested(label, host.range, it)
                }));
            }
            Reason::Covered(other, earlier) => {
                let message = match host.matcher {
                    NodeMatcher::Default => format!(
                        "unreachable node definition: `{}` matches every name",
                        earlier.source
                    ),
                    _ if matches!(earlier.matcher, NodeMatcher::Name(_)) => format!(
                        "unreachable node definition: the name `{}` takes precedence",
                        earlier.source
                    ),
                    _ => format!(
                        "unreachable node definition: the earlier `{}` matches all nodes of `{source}`",
                        earlier.source
                    ),
                };
                checker.report(&UNREACHABLE_NODE, host.range, message);
                checker.relate(*other, earlier.range, "this definition applies instead");
            }
        }
    }
}

/// A name or pattern of a node definition.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
struct Host {
    matcher: NodeMatcher,
    /// The name or regular expression as written in the code.
    source: String,
    range: TextRange,
}

/// The reason why the nodes of a host never get its definition.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
enum Reason<'db> {
    NeverMatches,
    /// All of them get the definition of this host.
    Covered(Item<'db>, Host),
}

/// The hosts that are not reachable, by their definitions.
type UnreachableHosts<'db> = FxHashMap<Item<'db>, Vec<(Host, Reason<'db>)>>;

/// A host with its regular expression.
type HostPattern<'db> = (Item<'db>, &'db Host, NodePattern);

/// Returns the node definitions of a file with their hosts. Their code does not matter.
#[salsa::tracked]
fn node_hosts<'db>(db: &'db dyn Database, file: FileInput) -> Vec<(Item<'db>, Vec<Host>)> {
    let nodes = items(db, file).iter();
    let nodes = nodes.filter(|it| it.kind(db) == ItemKind::Node);
    let each = nodes.filter_map(|item| {
        let header = SyntaxNode::new_root(item.header(db).clone());
        let definition = NodeDefinition::cast(header)?;
        let hosts = definition.host_names().map(|it| Host {
            matcher: matcher_of(&it),
            source: it.syntax().text().to_string().trim().to_owned(),
            range: it.syntax().text_range(),
        });
        Some((*item, hosts.collect()))
    });
    each.collect()
}

/// Returns the hosts of the main manifests that are not reachable.
#[salsa::tracked]
fn unreachable_hosts<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
) -> UnreachableHosts<'db> {
    let mut found = UnreachableHosts::default();
    let mut earlier: Vec<HostPattern<'db>> = Vec::new();
    let files = environment.manifests(db).iter();
    let definitions = || files.clone().flat_map(|file| node_hosts(db, *file));
    let mut by_name: FxHashMap<String, (Item<'db>, &Host)> = FxHashMap::default();
    for (item, host) in definitions().flat_map(|(item, hosts)| hosts.iter().map(|it| (*item, it))) {
        if let NodeMatcher::Name(name) = &host.matcher {
            by_name
                .entry(name.to_ascii_lowercase())
                .or_insert((item, host));
        }
    }
    for (item, hosts) in definitions() {
        let mut own = Vec::new();
        for host in hosts {
            let NodeMatcher::Regex(source) = &host.matcher else {
                continue;
            };
            let Some(pattern) = NodePattern::read(source) else {
                continue;
            };
            // Names take precedence.
            let name = pattern.only_name().map(|it| it.to_ascii_lowercase());
            let named = name.and_then(|it| by_name.get(&it));
            let named = named.map(|(item, host)| Reason::Covered(*item, (*host).clone()));
            match named.or_else(|| reason(&earlier, &pattern)) {
                Some(reason) => found.entry(*item).or_default().push((host.clone(), reason)),
                None => own.push((*item, host, pattern)),
            }
        }
        earlier.extend(own);
    }
    let Some((other, covering, _)) = earlier.iter().find(|it| it.2.matches_all()) else {
        return found;
    };
    for (item, hosts) in definitions() {
        let defaults = hosts.iter().filter(|it| it.matcher == NodeMatcher::Default);
        for host in defaults {
            let reason = Reason::Covered(*other, (*covering).clone());
            found.entry(*item).or_default().push((host.clone(), reason));
        }
    }
    found
}

/// Returns why no node gets the definition of a regular expression, given the earlier ones.
fn reason<'db>(earlier: &[HostPattern<'db>], pattern: &NodePattern) -> Option<Reason<'db>> {
    if pattern.never_matches() {
        return Some(Reason::NeverMatches);
    }
    let name = pattern.only_name().map(|it| it.to_ascii_lowercase());
    let matches_name = |host: &Host| match (&host.matcher, &name) {
        (NodeMatcher::Regex(source), Some(name)) => {
            Regexp::new(source.as_str()).is_match(name) == Ok(true)
        }
        _ => false,
    };
    let mut earlier = earlier.iter();
    let (item, host, _) = earlier.find(|it| it.2.covers(pattern) || matches_name(it.1))?;
    Some(Reason::Covered(*item, (*host).clone()))
}

/// Returns the source of a regular expression with its letters in lower case; `None` if it still matches no name.
fn in_lower_case(source: &str) -> Option<String> {
    let mut is_escaped = false;
    let lowered = source.chars().map(|it| {
        let kept = is_escaped;
        is_escaped = it == '\\' && !is_escaped;
        if kept { it } else { it.to_ascii_lowercase() }
    });
    let lowered: String = lowered.collect();
    let inner = lowered.strip_prefix('/')?.strip_suffix('/')?;
    let may_match = !NodePattern::read(inner)?.never_matches();
    may_match.then_some(lowered)
}

#[cfg(test)]
mod tests {
    use super::UNREACHABLE_NODE;
    use crate::testing::{fixes, reported};

    fn check(code: &str) -> Vec<String> {
        reported(&UNREACHABLE_NODE, &format!("//- manifests/site.pp\n{code}"))
    }

    #[test]
    fn reports_expressions_for_a_name_with_a_definition() {
        let message = "unreachable node definition: the name `'web1.a'` takes precedence";
        assert_eq!(
            check("node /^web1\\.a$/ { }\nnode 'web1.a' { }"),
            [format!("`/^web1\\.a$/`: {message}")]
        );
        assert_eq!(check("node /^web1/ { }\nnode 'web1.a' { }"), [""; 0]);
    }

    #[test]
    fn reports_expressions_in_upper_case() {
        let code = "node 'WEB1', /^WEB\\d/, /^db/ { }";
        let message = "unreachable node definition: `/^WEB\\d/` matches no lowercase name";
        assert_eq!(check(code), [format!("`/^WEB\\d/`: {message}")]);
        let code = format!("//- manifests/site.pp\n{code}");
        assert_eq!(
            fixes(&UNREACHABLE_NODE, &code),
            ["Replace with `/^web\\d/`"]
        );
    }

    #[test]
    fn reports_expressions_with_spaces() {
        let message = "matches no name: names have neither spaces nor slashes";
        assert_eq!(
            check("node /^web1 web2$/ { }\nnode /^(?x) db 1 $/ { }"),
            [format!(
                "`/^web1 web2$/`: unreachable node definition: `/^web1 web2$/` {message}"
            )]
        );
    }

    #[test]
    fn reports_expressions_that_earlier_ones_cover() {
        let message = |first: &str, second: &str| {
            format!(
                "`{second}`: unreachable node definition: the earlier `{first}` matches all nodes of \
                 `{second}`"
            )
        };
        assert_eq!(
            check("node /^web/ { } node 'x' { } node /^web1/ { } node /^web12/ { }"),
            [message("/^web/", "/^web1/"), message("/^web/", "/^web12/")]
        );
        assert_eq!(
            check("node /^db\\d+\\.a$/ { } node /^db1\\.a$/ { } node /^db\\.a$/ { }"),
            [message("/^db\\d+\\.a$/", "/^db1\\.a$/")]
        );
        let files = "node /./ { }\n//- manifests/z.pp\nnode /^web/ { } node default { }";
        assert_eq!(
            check(files),
            [
                message("/./", "/^web/"),
                "`default`: unreachable node definition: `/./` matches every name".to_owned()
            ]
        );
        assert_eq!(check("node default { } node /.*/ { }").len(), 1);
    }

    #[test]
    fn ignores_definitions_that_may_apply() {
        for code in [
            "node /^web1/ { } node /^web/ { }",
            "node /^web/, /^web1/ { }",
            "node 'web1' { } node /^web1/ { } node default { }",
            "node /(?i)^WEB/ { } node /[^A-Z]b/ { } node /A|b/ { }",
        ] {
            assert_eq!(check(code), [""; 0], "{code}");
        }
        let in_module = "//- modules/m/manifests/init.pp\nclass m { }\nnode /^WEB/ { }";
        assert_eq!(reported(&UNREACHABLE_NODE, in_module), [""; 0]);
    }
}
