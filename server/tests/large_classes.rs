//! Lenses of classes that take long to compile.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use support::files::folder;
use support::{Client, array, pulling_and};

/// Returns the titles of the lenses as soon as there are any.
fn titles(client: &mut Client, document: &Value) -> Vec<Value> {
    for _ in 0..300 {
        let lenses = client.request("textDocument/codeLens", document.clone());
        let lenses = array(&lenses["result"]).into_iter();
        let titles: Vec<Value> = lenses.map(|it| it["command"]["title"].clone()).collect();
        if !titles.is_empty() {
            return titles;
        }
        thread::sleep(Duration::from_millis(100));
    }
    Vec::new()
}

/// The resources are counted in the background, and again after an edit.
#[test]
fn large_classes_have_a_lens_later() {
    let class = |count: u32| {
        let all = format!("Integer[1, {count}].each |$x| {{ notify {{ \"n${{x}}\": }} }}");
        format!("class big {{\n  {all}\n}}\n")
    };
    let code = class(9000);
    let folder = folder(&[
        ("manifests/init.pp", &code),
        ("metadata.json", "{\"name\": \"me-big\"}"),
    ]);
    let capabilities = pulling_and(json!({"workspace": {"codeLens": {"refreshSupport": true}}}));
    let mut client = Client::in_folders(&[folder.path()], capabilities, Value::Null);
    let uri = support::files::uri(&folder.path().join("manifests/init.pp"));
    client.open(&uri, &code);
    let document = json!({"textDocument": {"uri": uri}});
    assert_eq!(titles(&mut client, &document), ["9000 resources"]);
    client.change(&uri, 2, json!([{"text": class(9001)}]));
    // The last number stays until the class is counted again.
    assert_eq!(titles(&mut client, &document), ["9000 resources"]);
    client.wait_for(|it| it["method"] == "workspace/codeLens/refresh");
    for _ in 0..300 {
        if titles(&mut client, &document) == ["9001 resources"] {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("the resources are not counted again");
}
