//! Completion in a small control repository.

use syntax::TextRange;

use crate::data_files::tests::analysis;

fn labels(data: &str) -> Vec<String> {
    let (analysis, file, offset) = analysis(data);
    let items = analysis.completions(file, offset).items.into_iter();
    items.map(|it| it.label).collect()
}

/// Returns whether an item is offered.
fn offers(data: &str, label: &str) -> bool {
    labels(data).iter().any(|it| it == label)
}

#[test]
fn completion_offers_keys_values_and_facts() {
    assert_eq!(
        labels("ntp::port: 1\nntp::<^>\n"),
        ["ntp::ensure", "ntp::iburst"]
    );
    assert_eq!(labels("ntp::ensure: <^>\n"), ["absent", "present"]);
    assert_eq!(labels("ntp::iburst: t<^>\n"), ["true", "false"]);
    assert!(offers("x: \"%{facts.<^>\"\n", "facts.os"));
    assert!(offers("x: \"%{facts.os.<^>\"\n", "facts.os.family"));
    assert!(offers("x: \"%{<^>\"\n", "lookup"));
    assert!(offers("x: \"%{lookup('z<^>\"\n", "zone"));
    assert!(!offers("x: \"%{literal('z<^>\"\n", "zone"));
    assert_eq!(labels("x:\n  - <^>\n"), [""; 0]);
    // The value is converted.
    let converted = "ntp::ensure: <^>\nlookup_options:\n  ntp::ensure: {convert_to: Sensitive}\n";
    assert_eq!(labels(converted), [""; 0]);
}

/// Returns the data after the acceptance of an item.
fn accepted(data: &str, label: &str) -> String {
    let (analysis, file, offset) = analysis(data);
    let items = analysis.completions(file, offset).items;
    let item = items.iter().find(|it| it.label == label);
    let item = item.unwrap_or_else(|| panic!("`{label}` is not offered"));
    let mut text = data.replace("<^>", "");
    text.replace_range(std::ops::Range::<usize>::from(item.range), &item.insert);
    text
}

#[test]
fn items_keep_quotes_and_colons() {
    for (data, label, expected) in [
        ("ntp::ensure: '<^>'\n", "absent", "ntp::ensure: 'absent'\n"),
        (
            "ntp::ensure: \"ab<^>\"\n",
            "absent",
            "ntp::ensure: \"absent\"\n",
        ),
        ("ntp::ensure: 'ab<^>\n", "absent", "ntp::ensure: 'absent'\n"),
        ("ntp::ensure: ab<^>\n", "absent", "ntp::ensure: absent\n"),
        ("ntp::po<^>\n", "ntp::port", "ntp::port: \n"),
        ("ntp::po<^>: 1\n", "ntp::port", "ntp::port: 1\n"),
        ("\"ntp::po<^>\": 1\n", "ntp::port", "\"ntp::port\": 1\n"),
        ("'ntp::po<^>'\n", "ntp::port", "'ntp::port': \n"),
        (
            "lookup_options:\n  'ntp::po<^>':\n",
            "ntp::port",
            "lookup_options:\n  'ntp::port':\n",
        ),
        (
            "lookup_options:\n  ntp::port:\n    merge: '<^>'\n",
            "deep",
            "lookup_options:\n  ntp::port:\n    merge: 'deep'\n",
        ),
    ] {
        assert_eq!(accepted(data, label), expected, "{data}");
    }
}

/// Returns the data after an item has replaced the whole word.
fn replaced(data: &str, label: &str) -> String {
    let (analysis, file, offset) = analysis(data);
    let found = analysis.completions(file, offset);
    let item = found.items.iter().find(|it| it.label == label);
    let item = item.unwrap_or_else(|| panic!("`{label}` is not offered"));
    let mut text = data.replace("<^>", "");
    let range = TextRange::new(item.range.start(), found.word_end.max(item.range.end()));
    text.replace_range(std::ops::Range::<usize>::from(range), &item.insert);
    text
}

#[test]
fn items_replace_whole_words() {
    for (data, label, expected) in [
        (
            "ntp::ensure: 'ab<^>cd'\n",
            "absent",
            "ntp::ensure: 'absent'\n",
        ),
        (
            "ntp::ensure: ab<^>cd # x\n",
            "absent",
            "ntp::ensure: absent # x\n",
        ),
        ("ntp::po<^>x: 1\n", "ntp::port", "ntp::port: 1\n"),
        ("\"ntp::po<^>x\": 1\n", "ntp::port", "\"ntp::port\": 1\n"),
        (
            "x: \"%{lookup('zo<^>ne')}\"\n",
            "zone",
            "x: \"%{lookup('zone')}\"\n",
        ),
        (
            "x: \"%{facts.o<^>s.x}\"\n",
            "facts.os",
            "x: \"%{facts.os}\"\n",
        ),
        (
            "ntp::ensure: ab<^>%{x}\n",
            "absent",
            "ntp::ensure: absent%{x}\n",
        ),
    ] {
        assert_eq!(replaced(data, label), expected, "{data}");
    }
    assert_eq!(
        accepted("ntp::ensure: 'ab<^>cd'\n", "absent"),
        "ntp::ensure: 'absentcd'\n"
    );
    assert_eq!(accepted("ntp::po<^>x: 1\n", "ntp::port"), "ntp::portx: 1\n");
}

#[test]
fn completion_offers_declared_classes_first() {
    let code = "//- modules/app/manifests/init.pp\nclass app($a = 1, $b) { }\n\
        //- modules/zoo/manifests/init.pp\nclass zoo($x) { }\n//- manifests/more.pp\ninclude zoo\n";
    assert_eq!(
        labels(&format!("<^>\n{code}")),
        [
            "zoo::x",
            "app::b",
            "app::a",
            "ntp::port",
            "ntp::ensure",
            "ntp::iburst"
        ]
    );
}

#[test]
fn completion_offers_parts_of_values() {
    let class = "//- modules/ntp/manifests/deep.pp
class ntp::deep(
  Hash[String, Array[Ntp::Server]] $x,
  Array[Enum['a', 'b']] $y,
  Optional[Struct[{mode => Enum['on', 'x'], Optional[z] => Any}]] $s = undef,
) { }
//- modules/ntp/types/server.pp
type Ntp::Server = Struct[{Optional[port] => Integer, host => String, tls => Boolean}]
";
    let of = |data: &str| labels(&format!("{data}\n{class}"));
    assert_eq!(
        of("ntp::deep::x:\n  a:\n    - <^>"),
        ["host", "tls", "port"]
    );
    assert_eq!(
        of("ntp::deep::x:\n  a:\n    - host: a\n      <^>\n      port: 1"),
        ["tls"]
    );
    assert_eq!(
        of("ntp::deep::x:\n  a:\n    - tls: t<^>"),
        ["true", "false"]
    );
    assert_eq!(of("ntp::deep::y:\n  - <^>"), ["a", "b"]);
    assert_eq!(of("ntp::deep::s:\n  mode: <^>"), ["'on'", "x"]);
    assert_eq!(of("ntp::deep::s:\n  mode: x\n  <^>"), ["z"]);
    assert_eq!(of("ntp::deep::s:\n  mode: |\n    <^>"), [""; 0]);
}

#[test]
fn completion_offers_lookup_options() {
    let of = |data: &str| labels(&format!("zone: 1\nlookup_options:\n  {data}\n"));
    assert_eq!(
        of("<^>"),
        ["ntp::port", "zone", "ntp::ensure", "ntp::iburst"]
    );
    assert_eq!(of("z<^>"), ["zone"]);
    assert_eq!(of("zone:\n    <^>"), ["merge", "convert_to"]);
    assert_eq!(
        of("zone:\n    merge: <^>"),
        ["deep", "first", "hash", "unique"]
    );
    assert_eq!(
        of("zone:\n    merge:\n      strategy: deep\n      merge_<^>"),
        [
            "knockout_prefix",
            "merge_debug",
            "merge_hash_arrays",
            "sort_merged_arrays"
        ]
    );
    assert_eq!(
        of("zone:\n    merge:\n      sort_merged_arrays: <^>"),
        ["true", "false"]
    );
    assert_eq!(of("zone:\n    convert_to: S<^>")[0], "Sensitive");
    assert_eq!(labels("lookup<^>\n"), ["lookup_options"]);
}

#[test]
fn completion_in_hiera_yaml() {
    let of = |module: &str, text: &str| {
        let fixture = crate::fixture::Fixture::new(&format!(
            "//- modules/environment/data/nodes/a.yaml\n//- modules/environment/hieradata/b.yaml\n\
             //- modules/{module}/hiera.yaml\n{text}\n"
        ));
        let (file, offset) = fixture.cursor();
        let items = fixture
            .analysis()
            .completions(file, offset)
            .items
            .into_iter();
        items.map(|it| it.label).collect::<Vec<_>>()
    };
    let environment = |text: &str| of("environment", text);
    assert_eq!(
        environment("version: 5\n<^>"),
        ["defaults", "hierarchy", "plan_hierarchy"]
    );
    assert_eq!(
        of("ntp", "version: 5\nd<^>"),
        ["defaults", "hierarchy", "default_hierarchy"]
    );
    assert_eq!(environment("version: <^>"), ["5"]);
    assert_eq!(
        environment("defaults:\n  <^>"),
        ["datadir", "data_hash", "lookup_key", "data_dig", "options"]
    );
    assert_eq!(
        environment("hierarchy:\n  - name: N\n    path: x.yaml\n    <^>"),
        ["datadir", "data_hash", "lookup_key", "data_dig", "options"]
    );
    let level = |text: &str| environment(&format!("hierarchy:\n  - name: N\n{text}"));
    assert_eq!(
        level("    data_hash: <^>"),
        ["yaml_data", "json_data", "hocon_data"]
    );
    assert_eq!(level("    lookup_key: e<^>"), ["eyaml_lookup_key"]);
    assert_eq!(level("    path: \"<^>"), ["nodes/a.yaml"]);
    assert_eq!(level("    paths:\n      - <^>"), ["nodes/a.yaml"]);
    assert_eq!(level("    datadir: hieradata\n    path: <^>"), ["b.yaml"]);
    assert_eq!(level("    datadir: <^>"), ["data", "hieradata"]);
    assert_eq!(
        environment("defaults:\n  datadir: hieradata\nhierarchy:\n  - name: N\n    path: <^>"),
        ["b.yaml"]
    );
    let facts = level("    path: \"%{facts.os.fa<^>");
    assert!(facts.contains(&"facts.os.family".to_owned()), "{facts:?}");
    let roots = level("    path: \"%{<^>");
    assert_eq!(roots, ["facts", "trusted", "environment"]);
}

#[test]
fn completion_offers_classes_in_lists() {
    let code = "//- manifests/site.pp\ninclude(lookup('classes'))\n\
                //- modules/app/manifests/init.pp\nclass app { }\n\
                //- modules/app/manifests/db.pp\nclass app::db { }\n";
    for (data, expected) in [
        ("classes:\n  - <^>\n", ["app", "app::db", "ntp"].as_slice()),
        ("classes:\n  - ntp\n  - <^>\n", &["app", "app::db"]),
        ("classes:\n  - app::<^>\n", &["app::db"]),
        ("classes:\n  - 'app::<^>'\n", &["app::db"]),
        ("classes: [ntp, d<^>\n", &["app::db"]),
        ("others:\n  - <^>\n", &[]),
        ("classes:\n  a: <^>\n", &[]),
    ] {
        assert_eq!(labels(&format!("{data}{code}")), expected, "{data}");
    }
}

#[test]
fn interpolations_offer_what_the_project_uses_first() {
    let code = "//- modules/app/manifests/init.pp\n\
        class app { notice($facts['kernel'], $facts['os']['name'], $facts['kernel']) }\n";
    assert_eq!(
        labels(&format!("x: \"%{{facts.<^>}}\"\n{code}"))[0],
        "facts.kernel"
    );
    assert_eq!(
        labels(&format!("x: \"%{{facts.os.<^>}}\"\n{code}"))[0],
        "facts.os.name"
    );
    assert_eq!(
        labels("x: \"%{lookup('<^>')}\"\nz: 1\n"),
        ["ntp::port", "x", "z", "zone"]
    );
}

#[test]
fn completion_in_flow_style() {
    let code = "//- modules/app/manifests/init.pp\n\
        class app(Hash[String, Struct[{mode => Enum['on', 'off'], port => Integer}]] $sites) { }\n";
    let of = |data: &str| labels(&format!("{data}\n{code}"));
    assert_eq!(of("app::sites: {a: {<^>}}"), ["mode", "port"]);
    assert_eq!(of("app::sites: {a: {mode: 'on', <^>"), ["port"]);
    assert_eq!(of("app::sites: {a: {mode: <^>}}"), ["'off'", "'on'"]);
    assert_eq!(
        of("app::sites: {b: {port: 1}, a: {mode: o<^>"),
        ["'off'", "'on'"]
    );
    assert_eq!(of("app::sites:\n  a: {<^>}"), ["mode", "port"]);
    assert_eq!(of("app::sites: {a: {mode: 'on'}, <^>"), [""; 0]);
    assert_eq!(of("app::sites: {a: {mode: 'on'}} <^>"), [""; 0]);
    let merge = "lookup_options:\n  app::sites: {merge: <^>}";
    assert!(of(merge).contains(&"deep".to_owned()), "{:?}", of(merge));
    let strategy = "lookup_options: {app::sites: {merge: {strategy: <^>}}}";
    assert!(
        of(strategy).contains(&"deep".to_owned()),
        "{:?}",
        of(strategy)
    );
    assert_eq!(
        of("lookup_options:\n  app::sites: {<^>}"),
        ["merge", "convert_to"]
    );
}
