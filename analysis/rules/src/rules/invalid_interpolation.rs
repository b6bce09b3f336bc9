use base::suggest::{hint, similar};
use std::collections::VecDeque;
use std::ops::Range;

use base::Fix;
use hiera::LookupKey;
use hiera::interpolation::Method;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::Severity;

use crate::data::strings::{StringRange, each_string};
use crate::data::{Content, DataChecker, DataInterpolation};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports invalid interpolations in Hiera data.
    ///
    /// ## What it does
    ///
    /// Checks `%{…}` in the strings of data: unknown methods, `alias` with other text around it, a method whose
    /// argument has no quotes, names that no variable can have, such as `%{facts['os']}`, and recursive lookups,
    /// including those through other keys of the file. Text that looks like an interpolation but is not one is a
    /// warning: `%{` without a `}`, and `${facts['kernel']}` as in code.
    ///
    /// ## Why it matters
    ///
    /// The lookup fails, and with it the compilation of the catalog.
    ///
    /// ## Example
    ///
    /// ```data/common.yaml wrong
    /// domain: "%{looup('zone')}" # <-
    /// url: "https://%{alias('domain')}" # <-
    /// name: "%{lookup(domain)}" # <-
    /// zone: "%{lookup('zone')}" # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```data/common.yaml right
    /// zone: example.com
    /// domain: "%{lookup('zone')}"
    /// url: "https://%{lookup('domain')}"
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Recursion through a key that a higher level always overrides.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name of the method or adds the quotes.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-interpolation]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-interpolation = "off"
    /// ```
    pub(crate) static INVALID_INTERPOLATION = {
        code: "invalid-interpolation",
        severity: Error,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

/// The maximum number of keys that are listed between the ends of a recursive lookup.
const MAX_NAMES: usize = 5;

/// The maximum number of keys among which those are searched.
const MAX_VISITED: usize = 100;

fn check(checker: &mut DataChecker<'_>) {
    let all = checker.interpolations();
    for it in &all {
        match &it.content {
            Content::Variable(name) => check_variable(checker, it, name),
            Content::Method(name, _) => check_method(checker, it, name),
        }
    }
    check_unclosed(checker);
    check_interpolations_of_code(checker);
    check_recursion(checker, &all);
}

/// Searches the strings in the values whose source contains a marker.
fn find_in_strings<T>(
    checker: &DataChecker<'_>,
    marker: &str,
    find: impl Fn(StringRange<'_>) -> Option<T>,
) -> Vec<T> {
    let mut found = Vec::new();
    let entries = checker.keys();
    for entry in entries.filter(|it| checker.source(it.value.range).contains(marker)) {
        each_string(&entry.value, checker.text, &mut |at| found.extend(find(at)));
    }
    found
}

/// Reports interpolations without a `}`, which Puppet leaves as they are.
fn check_unclosed(checker: &mut DataChecker<'_>) {
    let found = find_in_strings(checker, "%{", |at| Some(at.part(unclosed(at.string)?)));
    for range in found {
        let message = "unclosed `%{`: this is not interpolated";
        checker.report_as(&INVALID_INTERPOLATION, Severity::Warning, range, message);
    }
}

/// Returns the range of an interpolation at the end of a string that lacks its `}`. Other formats use `%{` too.
fn unclosed(string: &str) -> Option<Range<usize>> {
    let start = string.rfind("%{")?;
    let content = &string[start + 2..];
    let end = content.find(char::is_whitespace).unwrap_or(content.len());
    let word = content[..end].trim_start_matches("::");
    let is_variable = || {
        let path = word.split_once('.');
        path.is_some_and(|it| library::is_reserved_variable(it.0))
    };
    let is_method = || {
        let call = word.split_once(['(', '"', '\'']);
        call.is_some_and(|it| Method::of_name(it.0).is_some())
    };
    let is_meant = !content.contains('}') && (is_variable() || is_method());
    is_meant.then(|| start..start + 2 + end)
}

/// Reports facts that are interpolated as in code, which Puppet leaves as they are. Text of several lines may be code.
fn check_interpolations_of_code(checker: &mut DataChecker<'_>) {
    let found = find_in_strings(checker, "${", |at| {
        let (range, path) = fact_in_code(at.string)?;
        Some((at.part(range.clone()), at.string[range].to_owned(), path))
    });
    for (range, written, path) in found {
        let new = format!("%{{{path}}}");
        let message = format!("`{written}` is not interpolated in data; use `{new}` instead");
        let label = format!("Replace with `{new}`");
        let fix = checker.replaced_as_written((range, &written), label, new);
        let found = checker.report_as(&INVALID_INTERPOLATION, Severity::Warning, range, message);
        found.fixes.extend(fix);
    }
}

/// Returns the range of the first `${facts[…]…}` or `${trusted[…]…}` in a line, and its path in data.
fn fact_in_code(string: &str) -> Option<(Range<usize>, String)> {
    let start = ["${facts[", "${trusted["]
        .iter()
        .find_map(|it| string.find(it))?;
    let length = string[start..].find('}')? + 1;
    let range = start..start + length;
    let path = dotted_path(&string[range.start + 2..range.end - 1])?;
    (!string.contains('\n')).then_some((range, path))
}

fn check_method(checker: &mut DataChecker<'_>, at: &DataInterpolation, name: &str) {
    match Method::of_name(name) {
        None => {
            let near = similar(name, Method::NAMES);
            let message = format!("unknown interpolation method `{name}`{}", hint(near));
            let fix = near.and_then(|it| {
                let label = format!("Replace with `{it}`");
                replaced(checker, at, label, at.written.replacen(name, it, 1))
            });
            let found = checker.report(&INVALID_INTERPOLATION, at.range, message);
            found.fixes.extend(fix);
        }
        Some(Method::Alias) if !at.is_whole => {
            let message = "`alias` must be the entire string; use `lookup` within a longer string";
            let (old, new) = (Method::Alias.name(), Method::Lookup.name());
            let label = format!("Replace with `{new}`");
            let fix = replaced(checker, at, label, at.written.replacen(old, new, 1));
            let found = checker.report(&INVALID_INTERPOLATION, at.range, message);
            found.fixes.extend(fix);
        }
        Some(_) => {}
    }
}

/// Reports a method that is read as a variable, because its argument has no quotes.
fn check_variable(checker: &mut DataChecker<'_>, at: &DataInterpolation, name: &str) {
    let call = name.split_once('(');
    let Some((method, rest)) = call.filter(|it| Method::of_name(it.0.trim()).is_some()) else {
        return check_variable_name(checker, at, name);
    };
    let argument = rest.strip_suffix(')').unwrap_or(rest);
    let plain = argument.trim().trim_matches(['\'', '"']);
    let message = format!("the argument of `{method}` must be a quoted string");
    let quote = match checker.source(at.range).contains('"') {
        true => '"',
        false => '\'',
    };
    let fixed = format!("%{{{}({quote}{plain}{quote})}}", method.trim());
    let fix = replaced(checker, at, format!("Replace with `{fixed}`"), fixed);
    let found = checker.report(&INVALID_INTERPOLATION, at.range, message);
    found.fixes.extend(fix.filter(|_| rest.ends_with(')')));
}

/// Reports a variable whose name Puppet cannot read, and one whose name no variable can have.
fn check_variable_name(checker: &mut DataChecker<'_>, at: &DataInterpolation, name: &str) {
    let key = LookupKey::parse(name);
    let root = key.as_ref().map(|it| it.root.trim());
    let problem = match root {
        None => format!("syntax error in `{}`", at.written),
        Some(root) if !is_variable_name(root) => format!("`{root}` is not the name of a variable"),
        Some(_) => return,
    };
    let dotted = dotted_path(name);
    let reason = match &dotted {
        Some(path) => format!("; did you mean `%{{{path}}}`?"),
        None => String::new(),
    };
    let fix = dotted.and_then(|path| {
        let text = format!("%{{{path}}}");
        replaced(checker, at, format!("Replace with `{text}`"), text)
    });
    let message = format!("{problem}{reason}");
    let found = checker.report(&INVALID_INTERPOLATION, at.range, message);
    found.fixes.extend(fix);
}

/// Checks whether a name is valid for a variable. Parts in uppercase are left alone: only the first letter matters.
fn is_variable_name(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    let is_part = |it: &str| {
        let is_start = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
        it.starts_with(is_start) && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    name.is_empty() || name.split("::").all(is_part)
}

/// Returns the dotted path for a variable with a dollar sign, or with keys in brackets as in Puppet code.
fn dotted_path(name: &str) -> Option<String> {
    let written = name.trim();
    let name = written.trim_start_matches('$');
    let (root, keys) = name.split_at(name.find('[').unwrap_or(name.len()));
    let mut path = root.to_owned();
    let mut rest = keys;
    while !rest.is_empty() {
        let (key, after) = rest.strip_prefix('[')?.split_once(']')?;
        path.push('.');
        path.push_str(key.trim_matches(['\'', '"']));
        rest = after;
    }
    let is_plain =
        |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    let mut parts = path.split('.');
    let is_right = parts.next().is_some_and(is_variable_name) && parts.all(is_plain);
    (is_right && path != written).then_some(path)
}

/// Returns a fix that replaces an interpolation, unless it contains escapes.
fn replaced(
    checker: &DataChecker<'_>,
    at: &DataInterpolation,
    label: String,
    text: String,
) -> Option<Fix> {
    checker.replaced_as_written((at.range, &at.written), label, text)
}

/// Reports the interpolations through which keys look up themselves. Puppet interpolates the whole value of
/// a root key, even if only a part of it is looked up.
fn check_recursion(checker: &mut DataChecker<'_>, all: &[DataInterpolation]) {
    let lookups = Lookups::new(all, |key| checker.is_value_of(key));
    let mut found = Vec::new();
    for edge in lookups.recursive_edges() {
        let key = &all[edge.index].key;
        let message = format!("recursive lookup of `{key}`{}", lookups.way(edge));
        found.push((edge.index, message));
    }
    found.sort();
    for (index, message) in found {
        checker.report(&INVALID_INTERPOLATION, all[index].range, message);
    }
}

/// A lookup of a key in the value of another one.
#[derive(Clone, Copy)]
struct LookupEdge {
    from: NodeIndex,
    to: NodeIndex,
    /// The index of the interpolation.
    index: usize,
}

/// The lookups among the keys of a file whose values are read from it.
struct Lookups<'a> {
    graph: DiGraph<&'a str, usize>,
    /// The strongly connected component of each key, by its index.
    components: Vec<usize>,
}

impl<'a> Lookups<'a> {
    fn new(all: &'a [DataInterpolation], is_read_here: impl Fn(&str) -> bool) -> Lookups<'a> {
        let mut graph = DiGraph::new();
        let mut nodes: FxHashMap<&str, NodeIndex> = FxHashMap::default();
        let looked_up = all.iter().enumerate();
        let looked_up = looked_up.filter_map(|(index, it)| Some((index, it, it.looked_up_key()?)));
        let looked_up: Vec<_> = looked_up.collect();
        for (_, it, _) in &looked_up {
            let key = it.key.as_str();
            nodes.entry(key).or_insert_with(|| graph.add_node(key));
        }
        for (index, it, key) in &looked_up {
            if let Some(to) = nodes.get(&*key.root) {
                graph.add_edge(nodes[it.key.as_str()], *to, *index);
            }
        }
        // Only what may be part of a cycle is asked for.
        let is_in_cycle = |it: &Vec<NodeIndex>| it.len() > 1 || graph.contains_edge(it[0], it[0]);
        let in_cycles = tarjan_scc(&graph).into_iter().filter(is_in_cycle).flatten();
        let kept: FxHashSet<NodeIndex> = in_cycles.filter(|it| is_read_here(graph[*it])).collect();
        let graph = graph.filter_map(
            |node, key| kept.contains(&node).then_some(*key),
            |_, index| Some(*index),
        );
        let mut components = vec![0; graph.node_count()];
        for (component, members) in tarjan_scc(&graph).iter().enumerate() {
            members
                .iter()
                .for_each(|it| components[it.index()] = component);
        }
        Lookups { graph, components }
    }

    /// Returns the lookups that are part of a cycle.
    fn recursive_edges(&self) -> impl Iterator<Item = LookupEdge> {
        let edges = self.graph.edge_references().map(|it| LookupEdge {
            from: it.source(),
            to: it.target(),
            index: *it.weight(),
        });
        edges.filter(|it| self.are_in_cycle(it.from, it.to))
    }

    fn are_in_cycle(&self, one: NodeIndex, other: NodeIndex) -> bool {
        self.components[one.index()] == self.components[other.index()]
    }

    /// Renders the keys between the ends of a lookup, by the shortest way back.
    fn way(&self, edge: LookupEdge) -> String {
        if edge.from == edge.to {
            return String::new();
        }
        let Some(keys) = self.keys_between(edge.to, edge.from) else {
            return " through other keys".to_owned();
        };
        let names: Vec<String> = keys
            .iter()
            .take(MAX_NAMES)
            .map(|it| format!("`{it}`"))
            .collect();
        let more = match keys.len().saturating_sub(MAX_NAMES) {
            0 => String::new(),
            1 => " and 1 more key".to_owned(),
            more => format!(" and {more} more keys"),
        };
        format!(" through {}{more}", names.join(", "))
    }

    /// Returns the keys on the shortest way from a key to another, with the first one. Gives up after
    /// [`MAX_VISITED`] keys: each lookup of a long cycle has a way of its own.
    fn keys_between(&self, from: NodeIndex, to: NodeIndex) -> Option<Vec<&'a str>> {
        let mut parents: FxHashMap<NodeIndex, NodeIndex> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            if at == to {
                let before = |it: &NodeIndex| parents.get(it).copied();
                let way = std::iter::successors(before(&to), before);
                let mut keys: Vec<&str> = way.map(|it| self.graph[it]).collect();
                keys.reverse();
                return Some(keys);
            }
            if parents.len() > MAX_VISITED {
                return None;
            }
            let next = self.graph.edges(at).map(|it| it.target());
            // The edges of a node are listed from the last one to the first.
            let next: Vec<NodeIndex> = next.filter(|it| self.are_in_cycle(at, *it)).collect();
            for next in next.into_iter().rev() {
                if next != from && !parents.contains_key(&next) {
                    parents.insert(next, at);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::messages;

    #[test]
    fn finds_recursion_through_keys() {
        let data = "//- data/common.yaml\nx: \"%{lookup('y')}\"\ny: {a: \"%{alias('z.b')}\"}\n\
                    z: [\"%{hiera('x')}\"]\nw: \"%{lookup('x')}\"\nv: {a: 1, b: \"%{lookup('v.a')}\"}\n";
        assert_eq!(
            messages(&INVALID_INTERPOLATION, data),
            [
                "`%{lookup('y')}`: recursive lookup of `x` through `y`, `z`",
                "`%{alias('z.b')}`: recursive lookup of `y` through `z`, `x`",
                "`%{hiera('x')}`: recursive lookup of `z` through `x`, `y`",
                "`%{lookup('v.a')}`: recursive lookup of `v`",
            ]
        );
    }

    #[test]
    fn finds_interpolations_of_code() {
        let check = |value: &str| {
            messages(
                &INVALID_INTERPOLATION,
                &format!("//- data/common.yaml\nx: {value}\n"),
            )
        };
        assert_eq!(
            check("\"x ${facts['os']['name']} ${x}\""),
            [
                "`${facts['os']['name']}`: `${facts['os']['name']}` is not interpolated in data; \
                 use `%{facts.os.name}` instead"
            ]
        );
        for other in [
            "'${HOME} ${facts}'",
            "\"${facts[0\"",
            "|\n  ${facts['kernel']}\n  x",
        ] {
            assert_eq!(check(other), [""; 0], "{other}");
        }
    }

    #[test]
    fn finds_unclosed_interpolations() {
        let check = |value: &str| {
            let data = format!("//- data/common.yaml\nx: '{value}'\n");
            messages(&INVALID_INTERPOLATION, &data)
        };
        let message = "unclosed `%{`: this is not interpolated";
        assert_eq!(
            check("a %{facts.os.family b"),
            [format!("`%{{facts.os.family`: {message}")]
        );
        for value in [
            "%{::facts.kernel",
            "%{lookup(\"y\")",
            "%{a} %{trusted.certname",
        ] {
            assert_eq!(check(value).len(), 1, "{value}");
        }
        for value in ["%{", "%{NAME", "[%{a]+", "100%{x", "%{facts.kernel}"] {
            assert_eq!(check(value), [""; 0], "{value}");
        }
    }

    #[test]
    fn values_of_higher_levels_end_recursion() {
        let data = "//- hiera.yaml\nversion: 5\nhierarchy:\n- {name: a, path: a.yaml}\n\
                    - {name: n, path: \"%{trusted.certname}.yaml\"}\n- {name: b, path: b.yaml}\n\
                    //- data/b.yaml\nx: \"%{lookup('y')}\"\ny: \"%{lookup('x')}\"\n";
        let with = |file: &str| messages(&INVALID_INTERPOLATION, &format!("{data}//- data/{file}"));
        assert_eq!(with("a.yaml\ny: 1\n"), [""; 0]);
        assert_eq!(with("node.yaml\ny: 1\n").len(), 2);
        assert_eq!(with("a.yaml\nz: 1\n").len(), 2);
    }
    #[test]
    fn long_ways_are_cut() {
        let cycle = |length: usize| {
            let key = |it: usize| format!("k{it}: \"%{{alias('k{}')}}\"\n", (it + 1) % length);
            let keys: String = (0..length).map(key).collect();
            messages(
                &INVALID_INTERPOLATION,
                &format!("//- data/common.yaml\n{keys}"),
            )
        };
        let starts = "`%{alias('k1')}`: recursive lookup of `k0` through";
        let names = "`k1`, `k2`, `k3`, `k4`, `k5`";
        assert_eq!(cycle(6)[0], format!("{starts} {names}"));
        assert_eq!(cycle(7)[0], format!("{starts} {names} and 1 more key"));
        assert_eq!(cycle(9)[0], format!("{starts} {names} and 3 more keys"));
        assert_eq!(cycle(500)[0], format!("{starts} other keys"));
        assert_eq!(cycle(500).len(), 500);
    }

    #[test]
    fn lookups_into_cycles_are_no_recursion() {
        let data = "//- data/common.yaml\na: \"%{lookup('b')}\"\nb: \"%{lookup('b')}\"\n";
        let expected = ["`%{lookup('b')}`: recursive lookup of `b`"];
        assert_eq!(messages(&INVALID_INTERPOLATION, data), expected);
    }

    #[test]
    fn finds_names_that_no_variable_has() {
        let check = |text: &str| {
            messages(
                &INVALID_INTERPOLATION,
                &format!("//- data/common.yaml\na: \"{text}\"\n"),
            )
        };
        for (text, expected) in [
            (
                "%{facts['os']['name']}",
                "syntax error in `%{facts['os']['name']}`; did you mean `%{facts.os.name}`?",
            ),
            (
                "%{$kernel}",
                "`$kernel` is not the name of a variable; did you mean `%{kernel}`?",
            ),
            (
                "%{lookup[x]}",
                "`lookup[x]` is not the name of a variable; did you mean `%{lookup.x}`?",
            ),
            ("%{Facts.os}", "`Facts` is not the name of a variable"),
            ("%{my-fact}", "`my-fact` is not the name of a variable"),
        ] {
            let found = check(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].ends_with(expected), "{found:?}");
        }
        for text in [
            "%{facts.os.name}",
            "%{ ::kernel }",
            "%{facts.'os'.name}",
            "%{a::b}",
            "%{facts.my-fact}",
            "%{}",
            "%{::}",
            "%{0}",
        ] {
            assert_eq!(check(text), [""; 0], "{text}");
        }
    }
}
