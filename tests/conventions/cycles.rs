//! Modules of a crate that import each other in a cycle.
//!
//! Imports are found in the text: the paths after `crate::` and `super::`, except those of the crate
//! root, which mostly re-exports. `cycles.tsv` lists the known cycles with the reason for each. They
//! may only lose modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use pupil_tests::{corpus, env, repository};

/// The imported modules of each module.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// The modules of a cycle.
type Cycle = BTreeSet<String>;

/// Returns the module of a file in `src`, if it is not a test.
fn module(path: &str) -> Option<String> {
    let path = path.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let is_test = |it: &str| it == "tests" || it.ends_with("_tests");
    if path.split('/').any(is_test) || path.starts_with("bin/") {
        return None;
    }
    let is_root = matches!(path, "lib" | "main");
    Some(if is_root {
        String::new()
    } else {
        path.replace('/', "::")
    })
}

/// Returns the sources of each crate by module.
fn crates() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, text) in repository::rust_sources() {
        let Some((name, inside)) = path.split_once("/src/") else {
            continue;
        };
        if let Some(module) = module(inside) {
            let code = text.split("#[cfg(test)]\nmod tests {").next();
            let modules = crates.entry(name.to_owned()).or_default();
            modules.insert(module, code.unwrap_or_default().to_owned());
        }
    }
    crates
}

/// Parses the paths at the start of a source, with nested groups in braces.
fn paths(text: &str) -> (Vec<Vec<&str>>, &str) {
    let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    if let Some(group) = rest.strip_prefix("::{").filter(|_| !name.is_empty()) {
        let (paths, rest) = self::group(group);
        return (with_prefix(name, paths), rest);
    }
    if let Some(group) = text.strip_prefix('{') {
        return self::group(group);
    }
    match rest.strip_prefix("::") {
        Some(rest) => {
            let (paths, rest) = paths(rest);
            (with_prefix(name, paths), rest)
        }
        None => (vec![vec![name]], rest),
    }
}

fn with_prefix<'a>(name: &'a str, mut paths: Vec<Vec<&'a str>>) -> Vec<Vec<&'a str>> {
    for path in &mut paths {
        path.insert(0, name);
    }
    paths
}

/// Parses the paths of a group up to its closing brace.
fn group(mut text: &str) -> (Vec<Vec<&str>>, &str) {
    let mut found = Vec::new();
    loop {
        text = text.trim_start_matches(|it: char| it.is_whitespace() || it == ',');
        if let Some(rest) = text.strip_prefix('}') {
            return (found, rest);
        }
        let (paths, rest) = paths(text);
        found.extend(paths);
        // An alias, a glob, or the end of invalid code.
        let next = rest.find([',', '}']).unwrap_or(rest.len());
        text = &rest[next..];
        if text.is_empty() {
            return (found, text);
        }
    }
}

/// Returns the modules that a module imports.
fn imports(module: &str, code: &str, modules: &BTreeSet<&str>) -> BTreeSet<String> {
    let code: Vec<&str> = code
        .lines()
        .filter(|it| !it.trim_start().starts_with("//"))
        .collect();
    let code = code.join("\n");
    let mut found = BTreeSet::new();
    for keyword in ["crate::", "super::"] {
        for (at, _) in code.match_indices(keyword) {
            let before = &code[..at];
            let is_word = |it: char| it.is_alphanumeric() || it == '_' || it == ':' || it == '$';
            if before.ends_with(is_word) {
                continue;
            }
            let mut base: Vec<&str> = match keyword {
                "crate::" => Vec::new(),
                _ => module.split("::").collect(),
            };
            let mut rest = &code[at..];
            while let Some(outer) = rest.strip_prefix("super::") {
                base.pop();
                rest = outer;
            }
            let rest = rest.strip_prefix("crate::").unwrap_or(rest);
            for path in paths(rest).0 {
                found.insert(resolve(&base, &path, modules));
            }
        }
    }
    found.remove(module);
    found.remove("");
    found
}

/// Returns the innermost module of a path.
fn resolve(base: &[&str], path: &[&str], modules: &BTreeSet<&str>) -> String {
    let mut found = base.join("::");
    let mut current = base.to_vec();
    for segment in path {
        current.push(segment);
        let name = current.join("::");
        if !modules.contains(name.as_str()) {
            break;
        }
        found = name;
    }
    found
}

fn graph(sources: &BTreeMap<String, String>) -> Graph {
    let modules: BTreeSet<&str> = sources.keys().map(String::as_str).collect();
    let imports = sources.iter().map(|(module, code)| {
        let imports = imports(module, code, &modules);
        (module.clone(), imports)
    });
    imports.collect()
}

/// Returns the modules that can be reached from a module.
fn reachable<'a>(graph: &'a Graph, from: &'a str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(module) = pending.pop() {
        for next in graph.get(module).into_iter().flatten() {
            if found.insert(next.as_str()) {
                pending.push(next);
            }
        }
    }
    found
}

/// Returns the strongly connected components with more than one module.
fn cycles(graph: &Graph) -> Vec<Cycle> {
    let reachable: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|it| (it.as_str(), reachable(graph, it)))
        .collect();
    let mut cycles: Vec<Cycle> = Vec::new();
    for (module, targets) in &reachable {
        let is_mutual = |it: &&&str| {
            reachable
                .get(**it)
                .is_some_and(|back| back.contains(module))
        };
        let cycle: Cycle = targets
            .iter()
            .filter(is_mutual)
            .map(|it| (*it).to_owned())
            .collect();
        if cycle.len() > 1 && !cycles.contains(&cycle) {
            cycles.push(cycle);
        }
    }
    cycles
}

/// A row of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Known {
    name: String,
    cycle: Cycle,
    reason: String,
}

fn path() -> PathBuf {
    corpus::tests_dir().join("conventions/cycles.tsv")
}

fn read() -> Vec<Known> {
    let text = fs::read_to_string(path()).unwrap_or_default();
    let rows = text.lines().filter(|it| !it.starts_with('#'));
    rows.map(|row| {
        let cells: Vec<_> = row.split('\t').collect();
        let [name, modules, reason] = cells[..] else {
            panic!("invalid row: {row}");
        };
        Known {
            name: name.to_owned(),
            cycle: modules.split(' ').map(str::to_owned).collect(),
            reason: reason.to_owned(),
        }
    })
    .collect()
}

fn render(known: &[Known]) -> String {
    let mut text = "# Modules that import each other in a cycle: crate, modules, reason. \
                    Cycles may only lose modules.\n"
        .to_owned();
    for it in known {
        let modules: Vec<_> = it.cycle.iter().map(String::as_str).collect();
        let _ = writeln!(text, "{}\t{}\t{}", it.name, modules.join(" "), it.reason);
    }
    text
}

/// Returns the list for the current cycles, with the reasons of the most similar known ones.
fn updated(found: &[(String, Cycle)], known: &[Known]) -> Vec<Known> {
    let similarity = |it: &Known, cycle: &Cycle| it.cycle.intersection(cycle).count();
    let row = |(name, cycle): &(String, Cycle)| {
        let same = known
            .iter()
            .filter(|it| it.name == *name && similarity(it, cycle) > 0);
        let similar = same.max_by_key(|it| similarity(it, cycle));
        Known {
            name: name.clone(),
            cycle: cycle.clone(),
            reason: similar.map_or_else(String::new, |it| it.reason.clone()),
        }
    };
    found.iter().map(row).collect()
}

/// Returns the number of modules in cycles by crate.
fn sizes<'a>(cycles: impl Iterator<Item = (&'a String, &'a Cycle)>) -> BTreeMap<String, usize> {
    let mut sizes = BTreeMap::new();
    for (name, cycle) in cycles {
        *sizes.entry(name.clone()).or_default() += cycle.len();
    }
    sizes
}

#[test]
fn module_cycles_do_not_grow() {
    let mut found = Vec::new();
    for (name, sources) in crates() {
        let cycles = cycles(&graph(&sources));
        found.extend(cycles.into_iter().map(|it| (name.clone(), it)));
    }
    let known = read();
    let before = sizes(known.iter().map(|it| (&it.name, &it.cycle)));
    for (name, size) in sizes(found.iter().map(|it| (&it.0, &it.1))) {
        let most = before.get(&name).copied().unwrap_or_default();
        assert!(
            size <= most,
            "{name}: {size} modules are in cycles, up from {most}; PUPIL_BLESS does not add modules to \
             tests/conventions/cycles.tsv. Now: {found:#?}"
        );
    }
    let updated = updated(&found, &known);
    if env::bless() {
        fs::write(path(), render(&updated)).expect("the list can be written");
    } else {
        assert_eq!(
            known, updated,
            "set PUPIL_BLESS=1 to update tests/conventions/cycles.tsv"
        );
    }
    for it in updated {
        assert!(
            !it.reason.is_empty(),
            "missing reason for the cycle {:?}",
            it.cycle
        );
    }
}

#[test]
fn finds_cycles() {
    let sources = [
        ("", "use crate::a::A;"),
        ("a", "use crate::{b::{self, B}, c};\n// use crate::d;"),
        ("b", "use super::c::C;"),
        ("c", "fn f() { crate::a::g() }"),
        ("c::inner", "use super::super::d::D;"),
        ("d", "use crate::c;"),
    ];
    let sources = sources.map(|it| (it.0.to_owned(), it.1.to_owned()));
    let graph = graph(&BTreeMap::from(sources));
    let cycle = ["a", "b", "c"].map(str::to_owned);
    assert_eq!(cycles(&graph), [BTreeSet::from(cycle)]);
    assert_eq!(graph["c::inner"], BTreeSet::from(["d".to_owned()]));
}
