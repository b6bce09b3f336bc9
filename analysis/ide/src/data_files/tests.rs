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
fn analysis(data: &str) -> (Analysis, base::FileId, TextSize) {
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

fn labels(data: &str) -> Vec<String> {
    let (analysis, file, offset) = analysis(data);
    let items = analysis.completions(file, offset).items.into_iter();
    items.map(|it| it.label).collect()
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

#[test]
fn completion_offers_keys_values_and_facts() {
    assert_eq!(
        labels("ntp::port: 1\nntp::<^>\n"),
        ["ntp::ensure", "ntp::iburst"]
    );
    assert_eq!(labels("ntp::ensure: <^>\n"), ["absent", "present"]);
    assert_eq!(labels("ntp::iburst: t<^>\n"), ["true", "false"]);
    assert!(labels("x: \"%{facts.<^>\"\n").contains(&"facts.os".to_owned()));
    assert!(labels("x: \"%{<^>\"\n").contains(&"lookup".to_owned()));
    assert_eq!(labels("x:\n  - <^>\n"), [""; 0]);
}
