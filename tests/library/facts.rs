//! Facts and built-in variables.

use std::borrow::Cow;

use analysis::library;
use analysis::types::reader::{self, BuiltInTypes};
use analysis::types::{Type, is_instance};
use analysis::values::Value;
use pupil_tests::facts::{host, value};
use pupil_tests::{corpus, oracle};
use syntax::Dialect;

use crate::assert_no_problems;

/// The hosts of `tests/oracle`.
const HOSTS: [&str; 3] = ["debian12", "redhat8", "centos7"];

fn read(text: &str) -> Type {
    reader::read_puppet(text, &BuiltInTypes).unwrap_or_else(|it| panic!("{text}: {it:?}"))
}

#[test]
fn facts_of_hosts_match_their_types() {
    let mut wrong = Vec::new();
    let mut known = 0;
    for name in HOSTS {
        for (fact, json) in &host(name) {
            let current = library::fact(fact).map(Cow::Borrowed);
            let Some(found) = current.or_else(|| library::legacy_fact(fact)) else {
                continue;
            };
            known += 1;
            let type_ = found.type_.as_ref().expect("every fact has a type");
            if is_instance(&read(type_), &value(json)) != Some(true) {
                wrong.push(format!("{name}: {fact} = {json} is not a {type_}"));
            }
        }
    }
    assert!(known > 200, "only {known} facts are known");
    assert_no_problems(&wrong);
}

#[test]
fn facts_of_hosts_are_known() {
    // Custom facts, and facts of Puppet itself.
    let others = [
        "client",
        "iptables_",
        "ip6tables_",
        "is_pe",
        "os_",
        "package_provider",
        "pe_version",
        "platform_",
        "puppet_",
        "python",
        "root_home",
        "service_provider",
        "systemd",
    ];
    let mut wrong = Vec::new();
    for name in HOSTS {
        let facts = host(name);
        let unknown = facts
            .keys()
            .filter(|it| library::fact(it).is_none() && library::legacy_fact(it).is_none());
        let unknown = unknown.filter(|it| !others.iter().any(|other| it.starts_with(other)));
        wrong.extend(unknown.map(|it| format!("{name}: {it}")));
    }
    assert_no_problems(&wrong);
}

/// The structured form of a legacy fact has the same value, on every host that has both.
#[test]
fn modern_forms_of_legacy_facts_have_the_same_values() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for name in HOSTS {
        let facts = host(name);
        let all = value(&serde_json::Value::Object(facts.clone()));
        for (fact, json) in &facts {
            let found = library::legacy_fact(fact).and_then(|it| it.modern.clone());
            let Some(modern) = found else { continue };
            let Value::Hash(known) = &all else { continue };
            let settings = analysis::EvalSettings {
                facts: Some(known.clone()),
                ..analysis::EvalSettings::default()
            };
            let answer = analysis::evaluate(&modern, settings);
            let expected = analysis::values::source(&value(json));
            match answer {
                analysis::Evaluation::Value(it) if it.value == expected => count += 1,
                // Megabytes are rounded; those of these hosts are not integers.
                analysis::Evaluation::Value(_) if fact.ends_with("_mb") => {}
                analysis::Evaluation::Value(it) if it.value.as_deref() == Some("undef") => {}
                analysis::Evaluation::Value(_) if fact == "blockdevices" => {}
                answer => wrong.push(format!(
                    "{name}: {fact} = {json}, but {modern} is {answer:?}"
                )),
            }
        }
    }
    assert!(count > 100, "only {count} facts are compared");
    assert_no_problems(&wrong);
}

#[test]
fn knows_families_of_legacy_facts() {
    let modern = |name: &str| library::legacy_fact(name).and_then(|it| it.modern.clone());
    assert_eq!(
        modern("ipaddress_eth0.1").as_deref(),
        Some("$facts['networking']['interfaces']['eth0.1']['ip']")
    );
    assert_eq!(
        modern("ipaddress6_lo").as_deref(),
        Some("$facts['networking']['interfaces']['lo']['ip6']")
    );
    assert_eq!(
        modern("processor10").as_deref(),
        Some("$facts['processors']['models'][10]")
    );
    assert_eq!(modern("processors"), None);
    assert_eq!(modern("ipaddress_"), None);
    assert!(library::legacy_fact("os").is_none());
    assert!(library::fact("osfamily").is_none());
}

#[test]
fn knows_all_levels_of_structured_facts() {
    let part = |path: &[&str]| library::fact_part(path).map(|it| it.type_.as_str());
    assert_eq!(part(&["os", "release", "full"]), Some("String"));
    let path = [
        "networking",
        "interfaces",
        "eth0",
        "bindings",
        "0",
        "address",
    ];
    assert_eq!(part(&path), Some("String"));
    assert_eq!(part(&["os", "nothing"]), None);
    assert_eq!(part(&[]), None);
    let mut release = library::fact_parts(&["os", "distro", "release"]).map(|(key, _)| key);
    assert_eq!(release.next(), Some("full"));
    assert!(library::fact_parts(&[]).count() > 30);
}

#[test]
fn facts_are_documented() {
    fn walk(path: &mut Vec<&'static str>, wrong: &mut Vec<String>) {
        let parts: Vec<_> = library::fact_parts(path).collect();
        for (key, part) in parts {
            path.push(key);
            if part.doc.text.is_empty() {
                wrong.push(path.join("."));
            }
            walk(path, wrong);
            // Levels whose keys are arbitrary names.
            path.push("any");
            walk(path, wrong);
            path.pop();
            path.pop();
        }
    }
    let mut wrong = Vec::new();
    walk(&mut Vec::new(), &mut wrong);
    let bare = library::legacy_facts().filter(|it| it.doc.text.is_empty());
    wrong.extend(bare.map(|it| it.name.clone()));
    assert_no_problems(&wrong);
    assert!(matches!(read(library::facts_type()), Type::Struct(_)));
}

#[test]
fn modern_forms_parse() {
    let legacy: Vec<_> = library::legacy_facts().collect();
    assert!(legacy.len() > 100);
    let modern = legacy.iter().filter_map(|it| it.modern.as_ref());
    let modern = modern.map(|it| it.replace("<number>", "0"));
    let broken = modern.filter(|it| !syntax::parse(it, Dialect::default()).errors().is_empty());
    assert_no_problems(&broken.collect::<Vec<_>>());
}

#[test]
fn knows_built_in_variables() {
    for known in ["facts", "::trusted", "title", "settings::confdir"] {
        assert!(library::variable(known).is_some(), "{known}");
    }
    assert!(library::variable("pe_build").is_none());
    let bare = library::variables().filter(|it| it.doc.text.is_empty());
    assert_no_problems(&bare.map(|it| it.name.clone()).collect::<Vec<_>>());
    for type_ in library::variables().filter_map(|it| it.type_.as_ref()) {
        read(type_);
    }
}

#[test]
#[ignore = "needs puppet-agent"]
fn variables_match_their_types_in_puppet() {
    // Variables that depend on the host, and those that Puppet 7 lacks.
    let absent = [
        "agent_specified_environment",
        "serverip6",
        "serverimplementation",
    ];
    let known = library::variables().filter(|it| !absent.contains(&it.name.as_str()));
    let known: Vec<_> = known.collect();
    let lines = known.iter().map(|it| {
        let (name, type_) = (&it.name, it.type_.as_deref().unwrap_or("Any"));
        // Not every release has every setting, and not every setting has a value.
        let source = match name.starts_with("settings::") {
            true => format!("!defined('${name}') or ${name} =~ {type_}"),
            false => format!("defined('${name}') and ${name} =~ {type_}"),
        };
        format!("{}\n", serde_json::json!({ "source": source }))
    });
    let program = corpus::tests_dir().join("oracle/eval");
    let answers = oracle::answers(program, &["--facts", "debian12"], lines.collect());
    assert_eq!(answers.len(), known.len(), "one answer per variable");
    let pairs = known.iter().zip(&answers);
    let wrong = pairs.filter(|(_, answer)| answer["value"] != "true");
    let wrong: Vec<String> = wrong
        .map(|(it, answer)| format!("{}: {answer}", it.name))
        .collect();
    assert_no_problems(&wrong);
    assert!(
        known.len() > 200,
        "only {} variables are known",
        known.len()
    );
}
