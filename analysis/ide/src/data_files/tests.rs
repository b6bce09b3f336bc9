//! Features in a small control repository.

use expect_test::{Expect, expect};
use fixture::Sources;

use super::*;
use crate::{Analysis, AnalysisHost, Change};

const REPOSITORY: &str = "//- modules/ntp/manifests/init.pp
# Sets the clock.
#
# @param port The port to listen on
# @param ensure The state
class ntp (
  Integer $port = 123,
  Enum['absent', 'present'] $ensure = present,
  Optional[Boolean] $iburst = undef,
) {
  notice($port, $ensure, $iburst, lookup('zone'))
}
//- modules/environment/hiera.yaml
version: 5
hierarchy:
  - name: Nodes
    path: \"nodes/%{trusted.certname}.yaml\"
  - name: Common
    path: common.yaml
//- modules/environment/data/nodes/web1.yaml
ntp::port: 1123
zone: a
";

/// Returns the snapshot of the repository with a common data file, and the cursor in it.
pub(super) fn analysis(data: &str) -> (Analysis, base::FileId, TextSize) {
    let text = format!("{REPOSITORY}//- modules/environment/data/common.yaml\n{data}");
    let sources = Sources::parse(&text);
    let mut host = AnalysisHost::default();
    host.apply_change(Change::SetWorkspace(sources.layout().into()));
    for (file, path, text) in sources.iter() {
        let spec = fixture::file_spec(path);
        let text = text.into();
        host.apply_change(Change::SetFile { file, spec, text });
    }
    let (file, offset) = sources.cursor();
    (host.analysis(), file, offset)
}

fn check_hover(data: &str, expected: Expect) {
    let (analysis, file, offset) = analysis(data);
    let hover = analysis.hover(file, offset);
    expected.assert_eq(&hover.map_or("-".to_owned(), |it| it.markdown));
}

#[test]
fn hover_shows_the_parameter_and_the_levels() {
    check_hover(
        "ntp::p<^>ort: 124\n",
        expect![[r#"
            ```puppet
            Integer $ntp::port = 123
            ```

            The port to listen on

            In Hiera:

            * `1123` in `data/nodes/web1.yaml`, if `trusted.certname` is `web1`
            * `124` in `data/common.yaml`"#]],
    );
    check_hover(
        "x: \"%{lookup('z<^>one')}\"\n",
        expect![[r#"
            In Hiera:

            * `a` in `data/nodes/web1.yaml`, if `trusted.certname` is `web1`"#]],
    );
}

#[test]
fn hover_shows_how_values_are_merged() {
    let merged = "list: [2<^>]\nlookup_options:\n  li: {merge: unique}\n";
    let file = "//- modules/ntp/manifests/secret.pp
class ntp::secret(Sensitive[String] $a, String $b) { }
";
    check_hover(
        &merged.replace("list", "l<^>i").replace("2<^>", "1, 2"),
        expect![[r#"
            In Hiera:

            * `[1, 2]` in `data/common.yaml`

            Merged with the strategy `unique`. Result for all nodes: `[1, 2]`"#]],
    );
    let without_nodes = "//- modules/ntp/hiera.yaml
version: 5
//- modules/environment/hiera.yaml
version: 5
hierarchy:
  - {name: First, path: common.yaml}
  - {name: Second, path: second.yaml}
//- modules/environment/data/second.yaml
li: [3, 1]
";
    check_hover(
        &format!("l<^>i: [1, 2]\nlookup_options:\n  li: {{merge: unique}}\n{without_nodes}"),
        expect![[r#"
            In Hiera:

            * `[1, 2]` in `data/common.yaml`
            * `[3, 1]` in `data/second.yaml`

            Merged with the strategy `unique`. Result for all nodes: `[1, 2, 3]`"#]],
    );
    check_hover(
        &format!("ntp::secret::<^>a: hunter2\n{file}"),
        expect![[r#"
            ```puppet
            Sensitive[String] $ntp::secret::a
            ```

            In Hiera:

            * `Sensitive` in `data/common.yaml`"#]],
    );
    check_hover(
        &format!(
            "ntp::secret::<^>b: hunter2\nlookup_options:\n  '^ntp::secret': {{convert_to: Sensitive}}\n{file}"
        ),
        expect![[r#"
            ```puppet
            String $ntp::secret::b
            ```

            In Hiera:

            * `Sensitive` in `data/common.yaml`

            Converted by `convert_to`."#]],
    );
}

#[test]
fn hover_explains_values() {
    let class = "//- modules/ntp/manifests/deep.pp
type Ntp::Server = Struct[{host => String, Optional[port] => Integer}]
class ntp::deep(Hash[String, Array[Ntp::Server]] $x) { }
//- modules/ntp/types/server.pp
type Ntp::Server = Struct[{host => String, Optional[port] => Integer}]
";
    check_hover(
        &format!("ntp::deep::x:\n  a:\n    - host: b\n      po<^>rt: 1\n{class}"),
        expect![[r#"
            ```puppet
            Integer port
            ```

            Optional key of `ntp::deep::x`"#]],
    );
    check_hover(
        &format!("ntp::deep::x:\n  a<^>:\n    - host: b\n{class}"),
        expect!["-"],
    );
    check_hover(
        "a:\n  - ENC[PKCS7,MIIB<^>xyz]\n",
        expect!["Encrypted with `PKCS7`"],
    );
    check_hover("a:\n  - ENC[MIIB<^>xyz]\n", expect!["Encrypted"]);
    check_hover(
        "a: \"%{facts.os.fam<^>ily}\"\n",
        expect![[r#"
        ```puppet
        String $facts['os']['family']
        ```

        The family of the operating system: `Debian`, `RedHat`, `Suse`, `windows`, `Darwin`, `Solaris` and others."#]],
    );
    check_hover(
        "a: \"%{ntp::po<^>rt}\"\n",
        expect![[r#"
        ```puppet
        Integer $port = 123
        ```

        The port to listen on"#]],
    );
    check_hover(
        "a: \"%{trus<^>ted.certname}\"\n",
        expect![[r#"
        ```puppet
        Struct[…] $trusted
        ```

        Data from the certificate of the node, which the node cannot forge.

        ---

        `authenticated` is `remote` for nodes with a valid certificate, `local` for `puppet apply`, and
        `false` otherwise. `extensions` contains the extensions of the certificate, `external` the data
        of the trusted external command."#]],
    );
    check_hover("a: \"%{unk<^>nown}\"\n", expect!["-"]);
}

#[test]
fn hover_explains_hiera_yaml() {
    let config = |text: &str, expected: Expect| {
        let fixture = crate::fixture::Fixture::new(&format!(
            "//- modules/environment/data/nodes/a.yaml\n//- modules/environment/hiera.yaml\n\
             version: 5\n{text}"
        ));
        let (file, offset) = fixture.cursor();
        let hover = fixture.analysis().hover(file, offset);
        expected.assert_eq(&hover.map_or("-".to_owned(), |it| it.markdown));
    };
    let level = "hierarchy:\n  - name: N\n    path: \"nodes/%{trusted.certname}.yaml\"\n    data_hash: yaml_data\n";
    config(
        &level.replace("nodes", "no<^>des"),
        expect![[r#"
        Files:

        * `data/nodes/a.yaml`, if `trusted.certname` is `a`"#]],
    );
    config(
        &level.replace("trusted", "tru<^>sted"),
        expect![[r#"
        ```puppet
        Struct[…] $trusted
        ```

        Data from the certificate of the node, which the node cannot forge.

        ---

        `authenticated` is `remote` for nodes with a valid certificate, `local` for `puppet apply`, and
        `false` otherwise. `extensions` contains the extensions of the certificate, `external` the data
        of the trusted external command."#]],
    );
    config(
        &level.replace("data_hash", "data<^>_hash"),
        expect![[r#"
            ```yaml
            data_hash:
            ```

            The function that reads a whole file or other source."#]],
    );
    config(
        &level.replace("yaml_data", "yaml<^>_data"),
        expect![[r#"
            ```puppet
            yaml_data(Struct[{ 'path' => String[1] }] $options, Puppet::LookupContext $context)
            ```

            Reads a YAML file. A `data_hash` backend that Hiera calls; not for use in manifests.

            ---

            - `$options` The options of the hierarchy level, with the path of the file.
            - `$context` The lookup context of Hiera.

            Returns the data of the file

            *built-in function*"#]],
    );
    config(&level.replace("name: N", "name: N<^>"), expect!["-"]);
}

#[test]
fn definition_leads_to_the_parameter_and_to_data() {
    let targets = |data: &str| -> Vec<String> {
        let (analysis, file, offset) = analysis(data);
        let found = analysis.goto_definition(file, offset);
        let targets = found.map_or_else(Vec::new, |it| it.targets);
        let shown = targets.into_iter().map(|it| {
            let text = analysis
                .text(it.file)
                .expect("the file is one of the sources");
            text[std::ops::Range::<usize>::from(it.name_range)].to_owned()
        });
        shown.collect()
    };
    assert_eq!(targets("ntp::<^>port: 124\n"), ["$port"]);
    assert_eq!(
        targets("zone: b\nx: \"%{lookup('zo<^>ne')}\"\n"),
        ["zone", "zone"]
    );
    assert_eq!(targets("other<^>: b\n"), [""; 0]);
}

/// Files with uses of the same names in data of several layers and in code.
const USES: &str = "//- modules/ntp/hiera.yaml
version: 5
//- modules/ntp/data/common.yaml
ntp::port: 9
zone: ignored
//- manifests/site.pp
class { 'ntp': port => lookup('zone.a') }
notice($ntp::port, lookup('ntp::port'), hiera('zone'), lookup({'name' => ['x', 'zone']}))
";

fn analysis_with_uses(data: &str) -> (Analysis, base::FileId, TextSize) {
    analysis(&format!("{data}{USES}"))
}

/// Returns the uses of the name at the cursor as lines of `file text access`.
fn references(text: &str) -> Vec<String> {
    let (analysis, file, offset) = analysis_with_uses(text);
    let found = analysis.references(file, offset, true).unwrap_or_default();
    shown(&analysis, &found)
}

fn shown(analysis: &Analysis, found: &[crate::ReferenceLocation]) -> Vec<String> {
    let lines = found.iter().map(|it| {
        let text = analysis.text(it.file).expect("the file is one of them");
        let name = &text[Range::<usize>::from(it.range)];
        format!("{} {name} {:?}", it.file.0, it.access)
    });
    lines.collect()
}

const COMMON: &str = "ntp::po<^>rt: 124
zone: {a: 1}
lookup_options:
  ntp::port: {merge: first}
  zone: {merge: hash}
  '^zone$': {merge: hash}
x: \"%{lookup('ntp::port')} %{ntp::port} %{alias('zone.a')} %{zone}\"
";

#[test]
fn references_connect_parameters_data_and_lookups() {
    let parameter = [
        "0 $port Declaration",
        "0 $port Read",
        "6 port Write",
        "6 $ntp::port Read",
        "6 'ntp::port' Read",
        "2 ntp::port Write",
        "3 ntp::port Write",
        "3 ntp::port Read",
        "3 ntp::port Read",
        "3 ntp::port Read",
        "5 ntp::port Write",
    ];
    assert_eq!(references(COMMON), parameter);
    let moved = |from: &str, to: &str| COMMON.replace("<^>", "").replacen(from, to, 1);
    assert_eq!(references(&moved("%{ntp", "%{n<^>tp")), parameter);
    assert_eq!(references(&moved("('ntp", "('n<^>tp")), parameter);
    let zone = [
        "0 'zone' Read",
        "6 'zone.a' Read",
        "6 'zone' Read",
        "6 'zone' Read",
        "2 zone Declaration",
        "3 zone Declaration",
        "3 zone Read",
        "3 zone Read",
    ];
    assert_eq!(references(&moved("zone:", "zo<^>ne:")), zone);
    assert_eq!(references(&moved("'zone.a", "'zo<^>ne.a")), zone);
    assert_eq!(references(&moved("  zone", "  z<^>one")), zone);
    // A pattern and a variable without a class are not keys.
    assert_eq!(references(&moved("'^zone", "'^z<^>one")), [""; 0]);
    assert_eq!(references(&moved("%{zone", "%{z<^>one")), [""; 0]);
}

#[test]
fn references_start_in_code_too() {
    let all = |from: &str, to: &str| {
        let text = format!("{REPOSITORY}//- modules/environment/data/common.yaml\nzone: 1\n");
        let text = format!("{text}{USES}").replacen(from, to, 1);
        let fixture = crate::fixture::Fixture::new(&text);
        let (file, offset) = fixture.cursor();
        let analysis = fixture.analysis();
        shown(
            &analysis,
            &analysis.references(file, offset, false).unwrap_or_default(),
        )
    };
    let port = [
        "0 $port Read",
        "6 port Write",
        "6 $ntp::port Read",
        "6 'ntp::port' Read",
    ];
    let data = ["2 ntp::port Write", "5 ntp::port Write"];
    assert_eq!(
        all("$port = 123", "$po<^>rt = 123"),
        [&port[..], &data].concat()
    );
    assert_eq!(
        all("hiera('zone", "hiera('zo<^>ne"),
        [
            "0 'zone' Read",
            "6 'zone.a' Read",
            "6 'zone' Read",
            "6 'zone' Read"
        ]
    );
}

#[test]
fn highlights_are_those_of_the_file() {
    let (analysis, file, offset) = analysis_with_uses(COMMON);
    let found = analysis.document_highlights(file, offset);
    assert_eq!(shown(&analysis, &found).len(), 4);
    // The foreign key of a module is ignored by Puppet.
    let text = "a: 1\n//- modules/other/hiera.yaml\nversion: 5\n\
        //- modules/other/data/common.yaml\nzo<^>ne: 1\n";
    assert_eq!(references(text), [""; 0]);
}

/// Returns the changed lines after a rename, or the reason why it is refused.
fn renamed(text: &str, new: &str) -> Vec<String> {
    let (analysis, file, offset) = analysis_with_uses(text);
    let edit = match analysis.rename(file, offset, new) {
        Ok(edit) => edit,
        Err(error) => return vec![error.0],
    };
    let uncertain = edit
        .uncertain_uses
        .iter()
        .map(|it| format!("? {}", it.text));
    let mut lines: Vec<String> = uncertain.collect();
    let files: std::collections::BTreeSet<_> = edit.edits.iter().map(|it| it.0).collect();
    for file in files {
        let text = analysis.text(file).expect("the file is one of them");
        let edits = edit.edits.iter().filter(|it| it.0 == file);
        let edits: Vec<_> = edits.map(|it| it.1.clone()).collect();
        let changed = syntax::apply_edits(&text, &edits).expect("no overlaps");
        let pairs = text.lines().zip(changed.lines());
        lines.extend(pairs.filter(|it| it.0 != it.1).map(|it| it.1.to_owned()));
    }
    lines
}

#[test]
fn renames_start_in_data() {
    let text = COMMON.replace("%{zone}", "");
    let parameter = [
        "# @param listen The port to listen on",
        "  Integer $listen = 123,",
        "  notice($listen, $ensure, $iburst, lookup('zone'))",
        "ntp::listen: 1123",
        "ntp::listen: 124",
        "  ntp::listen: {merge: first}",
        "x: \"%{lookup('ntp::listen')} %{ntp::listen} %{alias('zone.a')} \"",
        "ntp::listen: 9",
        "class { 'ntp': listen => lookup('zone.a') }",
        "notice($ntp::listen, lookup('ntp::listen'), hiera('zone'), lookup({'name' => ['x', 'zone']}))",
    ];
    assert_eq!(renamed(&text, "listen"), parameter);
    assert_eq!(renamed(&text, "ntp::listen"), parameter);
    let without_pattern = text
        .replace("<^>", "")
        .replace("  '^zone$': {merge: hash}\n", "");
    let key = without_pattern.replacen("'zone", "'zo<^>ne", 1);
    assert_eq!(
        renamed(&key, "area"),
        [
            "  notice($port, $ensure, $iburst, lookup('area'))",
            "area: a",
            "area: {a: 1}",
            "  area: {merge: hash}",
            "x: \"%{lookup('ntp::port')} %{ntp::port} %{alias('area.a')} \"",
            "class { 'ntp': port => lookup('area.a') }",
            "notice($ntp::port, lookup('ntp::port'), hiera('area'), lookup({'name' => ['x', 'area']}))",
        ]
    );
    let (analysis, file, offset) = analysis_with_uses(&key);
    let found = analysis.prepare_rename(file, offset).map(|it| it.name);
    assert_eq!(found, Ok("zone".to_owned()));
    let (analysis, file, offset) = analysis_with_uses(&text);
    let found = analysis.prepare_rename(file, offset).map(|it| it.name);
    assert_eq!(found, Ok("port".to_owned()));
}

#[test]
fn refuses_renames_of_keys() {
    let cases = [
        ("zo<^>ne: 1\n", "a.b", "invalid key `a.b`"),
        ("zo<^>ne: 1\n", "yes", "invalid key `yes`"),
        (
            "zo<^>ne: 1\n",
            "ntp::port",
            "`ntp::port` is the key of parameter `$port` of `ntp`",
        ),
        (
            "zo<^>ne: 1\nother: 1\n",
            "other",
            "`other` is already used in `data/common.yaml`",
        ),
        (
            "zo<^>ne: 1\nlookup_options: {'^zone$': {}}\n",
            "other",
            "cannot rename: pattern `^zone$` of `lookup_options` in `data/common.yaml` would match other keys",
        ),
        (
            "zo<^>ne: 1\n\"\\x7aone\": 1\n",
            "other",
            "cannot rename: `zone` in `data/common.yaml` is written in a form that cannot be edited",
        ),
        (
            "zo<^>ne: 1\n//- modules/ntp/lib/puppet/functions/x.rb\ncall_function('lookup', 'zone')\n",
            "other",
            "cannot rename: `lib/puppet/functions/x.rb` of module `ntp` may look up `zone`",
        ),
        (
            "zo<^>ne: 1\n//- modules/environment/data/nodes/b.yaml\n{zone",
            "other",
            "cannot rename: `data/nodes/b.yaml` mentions `zone` but cannot be parsed",
        ),
        ("ntp::po<^>rt: 1\n", "ensure", "`$ensure` already exists"),
        (
            "ntp::unk<^>nown: 1\n//- modules/ntp/data/x.yaml\nntp::unknown: 1\n//- modules/ntp/hiera.yaml\nversion: 5\nhierarchy: [{name: x, path: x.yaml}]\n",
            "own",
            "cannot rename: keys in `data/x.yaml` of module `ntp` must start with the name of the module",
        ),
    ];
    for (text, new, expected) in cases {
        assert_eq!(renamed(text, new), [expected], "{text}");
    }
}

#[test]
fn lists_interpolated_lookups_that_may_be_the_key() {
    let code =
        "//- manifests/more.pp\nlookup(\"zo${x}\") lookup(\"zone.${x}\") lookup(\"other${x}\")\n";
    let found = renamed(&format!("zo<^>ne: 1\n{code}"), "area");
    let doubts: Vec<_> = found.iter().filter(|it| it.starts_with('?')).collect();
    assert_eq!(doubts, ["? \"zo${x}\""]);
    // The key before the first dot is literal.
    let edited = "lookup(\"area.${x}\")";
    assert!(found.iter().any(|it| it.contains(edited)), "{found:?}");
}

#[test]
fn workspace_symbols_include_keys() {
    let (analysis, _, _) = analysis("zone<^>: b\n");
    let found = analysis.workspace_symbols("zon").into_iter();
    let found = found.filter_map(|it| Some(format!("{} {}", it.name, it.container?)));
    let expected = ["zone data/common.yaml", "zone data/nodes/web1.yaml"];
    assert_eq!(found.take(2).collect::<Vec<_>>(), expected);
}

/// A repository whose first level is the same for all nodes.
const OVERRIDES: &str = "//- modules/ntp/manifests/init.pp
class ntp($port = 1, $list = [], $other = 1, $alone = 1, $own = 1) { }
//- modules/ntp/hiera.yaml
version: 5
//- modules/ntp/data/common.yaml
ntp::port: 3 # the default
ntp::own: 1
//- modules/environment/hiera.yaml
version: 5
hierarchy:
  - {name: Nodes, path: 'nodes/%{trusted.certname}.yaml'}
  - {name: All, path: all.yaml}
  - {name: Rest, paths: ['%{facts.os.family}.yaml', common.yaml]}
//- modules/environment/data/nodes/a.yaml
ntp::port: 0
//- modules/environment/data/nodes/b.yaml
ntp::port: 0
//- modules/environment/data/all.yaml
ntp::port: 1
ntp::list: [1]
ntp::other: 2
lookup_options: {ntp::list: {merge: unique}}
//- modules/environment/data/common.yaml
ntp::port:
  a: 2
ntp::list: [2]
ntp::other: 3
ntp::alone: 1
zone: 1
//- manifests/site.pp
notice(lookup('ntp::other'))
";

fn overrides() -> crate::fixture::Fixture {
    crate::fixture::Fixture::new(OVERRIDES)
}

#[test]
fn lenses_count_levels() {
    let fixture = overrides();
    let lenses = |file| {
        let file = base::FileId(file);
        let lenses = fixture.analysis().code_lenses(file).into_iter();
        let shown = lenses.map(|it| {
            let name = fixture::visible_text(fixture.text(file), it.range);
            format!("{name} {:?} {}", it.subject, it.references.len())
        });
        shown.collect::<Vec<_>>()
    };
    assert_eq!(
        lenses(0),
        [
            "$port Levels { levels: 4, files: 5 } 5",
            "$list Levels { levels: 2, files: 2 } 2",
            "$other Levels { levels: 2, files: 2 } 2",
            "$alone Levels { levels: 1, files: 1 } 1",
        ]
    );
    assert_eq!(
        lenses(7),
        [
            "ntp::port Levels { levels: 4, files: 5 } 5",
            "ntp::list Levels { levels: 2, files: 2 } 2",
            "ntp::other Levels { levels: 2, files: 2 } 2",
        ]
    );
    assert_eq!(lenses(3), [""; 0]);
}

#[test]
fn hints_name_the_file_that_overrides_a_key() {
    let fixture = overrides();
    let hints = |file| {
        let file = base::FileId(file);
        let text = fixture.text(file);
        let all = TextRange::up_to(TextSize::of(text));
        let options = crate::HintOptions::default();
        let hints = fixture
            .analysis()
            .inlay_hints(file, all, options)
            .into_iter();
        let shown = hints.map(|it| {
            let before = &text[..usize::from(it.offset)];
            let line = before.lines().last().unwrap_or_default();
            format!("{line} <{}>", it.label)
        });
        shown.collect::<Vec<_>>()
    };
    // `%{facts.os.family}.yaml` may be the file too, in the same level.
    assert_eq!(hints(7), ["ntp::port: <overridden by data/all.yaml>"]);
    assert_eq!(hints(2), ["ntp::port: 3 <overridden by data/all.yaml>"]);
    for file in [0, 3, 4, 5, 6, 8] {
        assert_eq!(hints(file), [""; 0], "{file}");
    }
}

/// Calls all features at an offset; their results do not matter.
fn call_all(analysis: &Analysis, file: base::FileId, offset: TextSize) {
    analysis.hover(file, offset);
    analysis.completions(file, offset);
    analysis.goto_definition(file, offset);
    analysis.references(file, offset, true);
    analysis.document_highlights(file, offset);
    analysis.selection_ranges(file, offset);
    let _ = analysis.prepare_rename(file, offset);
    let _ = analysis.rename(file, offset, "other");
}

#[test]
fn handles_broken_files() {
    let data = "ntp::port: {a: [1, \"%{lookup('zone.x')} %{facts.os}\"]}\nlookup_options:\n  zone:\n    \
        merge: \n      strategy: deep\nx: |\n  - ü\nl:\n- 'k': 'ENC[P,x]'\nzone: &b [1]\nz: *b\n";
    let config = "version: 5\ndefaults: {datadir: \"d%{x}\", data_hash: yaml_data}\nhierarchy:\n- name: 'N'\n  paths:\n  - \
        \"%{facts.os.family}/ü%{a}\"\n- name: M\n  mapped_paths: [x, y, '%{y}']\n- {name: G, glob: '*'}\n";
    let parsed = hiera::DataFile::parse(data, hiera::DataFormat::Yaml);
    assert!(parsed.values.is_ok(), "{:?}", parsed.values);
    assert!(hiera::HieraConfig::read(config, false).is_ok());
    let variants = |text: &'static str| fixture::broken_variants(text).step_by(3);
    let all = variants(data).map(|it| (3, it));
    let all = all.chain(variants(config).map(|it| (1, it)));
    let (mut host, sources) = {
        let sources = Sources::parse(&format!(
            "{REPOSITORY}//- modules/environment/data/common.yaml\n"
        ));
        let mut host = AnalysisHost::default();
        host.apply_change(Change::SetWorkspace(sources.layout().into()));
        (host, sources)
    };
    for (file, path, text) in sources.iter() {
        let spec = fixture::file_spec(path);
        let text = text.into();
        host.apply_change(Change::SetFile { file, spec, text });
    }
    for (index, (file, text)) in all.enumerate() {
        let file = base::FileId(file);
        let spec = fixture::file_spec(sources.path(file));
        let ends: Vec<usize> = text
            .char_indices()
            .map(|it| it.0)
            .chain([text.len()])
            .collect();
        let text: Arc<str> = text.into();
        host.apply_change(Change::EditFile {
            file,
            spec,
            text: Arc::clone(&text),
        });
        let analysis = host.analysis();
        let whole = TextRange::up_to(TextSize::of(&*text));
        let symbols = analysis.document_symbols(file);
        assert!(symbols.iter().all(|it| whole.contains_range(it.range)));
        let folds = analysis.folding_ranges(file);
        assert!(folds.iter().all(|it| whole.contains_range(it.range)));
        analysis.code_lenses(file);
        analysis.inlay_hints(file, whole, crate::HintOptions::default());
        analysis.document_links(file);
        for at in ends.iter().skip(index % 5).step_by(5) {
            let offset = TextSize::try_from(*at).expect("the file is short");
            call_all(&analysis, file, offset);
        }
    }
}

/// A class list, and the class `ntp::pool` in it.
const LIST: &str = "//- manifests/site.pp
lookup('classes', Array[String], 'unique').include
//- modules/ntp/manifests/pool.pp
# Many servers.
class ntp::pool { }
";

#[test]
fn classes_in_lists_are_references() {
    let data = format!("classes:\n  - ntp\n  - ntp::p<^>ool\n{LIST}");
    let (analysis, file, offset) = analysis(&data);
    let hover = analysis.hover(file, offset).expect("it is a class");
    assert!(
        hover.markdown.contains("class ntp::pool"),
        "{}",
        hover.markdown
    );
    let found = analysis.goto_definition(file, offset);
    assert_eq!(found.expect("it is a class").targets.len(), 1);
    let uses = analysis.references(file, offset, true).unwrap_or_default();
    assert_eq!(uses.len(), 2);
    assert_eq!(analysis.document_highlights(file, offset).len(), 1);
    let class = uses.iter().find(|it| it.file != file);
    let lenses = analysis.code_lenses(class.expect("it is defined").file);
    let counts = lenses
        .iter()
        .filter(|it| it.subject == crate::LensSubject::References);
    let counts: Vec<usize> = counts.map(|it| it.references.len()).collect();
    assert_eq!(counts, [1]);
}

#[test]
fn strings_in_other_values_are_not_classes() {
    let data = format!("others:\n  - ntp::p<^>ool\n{LIST}");
    let (analysis, file, offset) = analysis(&data);
    assert!(analysis.goto_definition(file, offset).is_none());
    assert!(analysis.hover(file, offset).is_none());
}

#[test]
fn keys_without_values_lead_to_parameters() {
    for data in [
        "x: \"%{lookup('ntp::ensu<^>re')}\"\n",
        "x: \"%{alias('ntp::ensu<^>re')}\"\n",
        "lookup_options:\n  ntp::ensu<^>re: {merge: unique}\n",
    ] {
        let (analysis, file, offset) = analysis(data);
        let found = analysis.goto_definition(file, offset).expect(data);
        assert_eq!(found.targets.len(), 1, "{data}");
        let hover = analysis.hover(file, offset).expect(data).markdown;
        assert!(hover.contains("$ntp::ensure = present"), "{hover}");
    }
}

#[test]
fn hover_explains_options() {
    for (data, expected) in [
        ("{me<^>rge: unique}", "several levels"),
        ("{merge: uni<^>que}", "without duplicates"),
        (
            "{merge: {strategy: de<^>ep}}",
            "Merges the hashes and arrays",
        ),
        ("{merge: {knockout_<^>prefix: '--'}}", "usually `--`"),
    ] {
        let data = format!("lookup_options:\n  ntp::ensure: {data}\n");
        let (analysis, file, offset) = analysis(&data);
        let hover = analysis.hover(file, offset).expect(&data).markdown;
        assert!(hover.contains(expected), "{hover}");
    }
}
