//! Semantic token deltas and document symbols of an edited document equal those of a new document
//! with the same text.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use fastrand::Rng;
use serde_json::{Value, json};

use support::{Client, URI, array, pulling_and};

/// A document with the same text as the edited one, reopened after each edit.
const FRESH: &str = "file:///nowhere/fresh.pp";

const MANIFESTS: [&str; 3] = [
    "# A class.\n#\n# @param port Where it listens\nclass apache::vhost (\n  Integer[1, 65535] $port = 80,\n  Optional[String]  $docroot = undef,\n) inherits apache::params {\n  include apache, stdlib\n  $dir = \"/etc/${port}/$docroot\\t${facts['os']['name']} ü 😀\"\n  file { [\"${dir}/a\", '/b']:\n    ensure => present,\n    mode   => '0644',\n  }\n  class { 'apache::mod': before => File['/b'] }\n  case $port {\n    80, 443: { notice('std') }\n    /^8(\\d+)$/: { $m = $1 }\n    default: { fail(\"bad \\u{1F600} port\") }\n  }\n}\n",
    "define a::b($x, Hash $rest = {}) {\r\n  $text = @(\"END\"/tn)\r\n    Héllo\\t${x}\r\n    | $x\r\n    |- END\r\n  $r = $x ? { 1 => 'one', default => undef }\r\n  notify { \"${title} 😀\": message => $text, * => $rest }\r\n}\r\nfunction a::f(Hash $h = {}) >> Integer { $h['x'][1, 2].size }\r\ntype A::B = Struct[{ a => Integer }]\r\n",
    "node 'a.example.com', /b/, default {\n  $list = [1, 2].map |Integer $n| >> String { $n + 1 }.filter |$x| { $x =~ /a\\/b/ }\n  if $a and !$b { $c = 1 } elsif $b in [1] { } else { unless true { } }\n  /* block\n     comment */\n  @@user { 'x': }\n  File <<| title == 'x' and tag != y |>> { mode => '0600' }\n  File['/b'] { owner +> 'x' } ~> Service[httpd]\n}\n",
];

/// Inserted fragments: words, unbalanced brackets and quotes, multiple lines.
const TYPED: [&str; 24] = [
    "$x",
    "\"",
    "'",
    "${",
    "}",
    "{",
    "(",
    ")",
    "[",
    "class z {\n",
    "\n",
    "\r\n",
    "# c\n",
    "/*",
    "*/",
    "@(END)\n",
    "| END\n",
    "ü",
    "😀",
    " => ",
    "a::b",
    "0x1F",
    " ",
    "define d($y) { }\n",
];

/// Converts an offset to a position of the protocol.
fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let is_break = |at: usize| match before.as_bytes()[at] {
        b'\n' => true,
        b'\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let breaks: Vec<usize> = (0..before.len()).filter(|it| is_break(*it)).collect();
    let start = breaks.last().map_or(0, |it| it + 1);
    let column = before[start..].encode_utf16().count();
    json!({"line": breaks.len(), "character": column})
}

/// Returns a random character boundary that is not within a line break.
fn random_offset(text: &str, rng: &mut Rng) -> usize {
    loop {
        let at = rng.usize(..=text.len());
        let splits =
            text[..floor(text, at)].ends_with('\r') && text[floor(text, at)..].starts_with('\n');
        if !splits {
            return floor(text, at);
        }
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Applies a random edit to a text and returns it as a content change.
fn edit(text: &mut String, rng: &mut Rng) -> Value {
    let start = random_offset(text, rng);
    let end = match rng.u8(..3) {
        0 => start,
        _ => {
            let most = floor(text, text.len().min(start + rng.usize(..40)));
            let splits = text[..most].ends_with('\r') && text[most..].starts_with('\n');
            if splits { start } else { most.max(start) }
        }
    };
    let typed = match rng.u8(..3) {
        0 => "",
        _ => TYPED[rng.usize(..TYPED.len())],
    };
    let range = json!({"start": position(text, start), "end": position(text, end)});
    text.replace_range(start..end, typed);
    json!({"range": range, "text": typed})
}

fn numbers(value: &Value) -> Vec<u64> {
    array(value).iter().filter_map(Value::as_u64).collect()
}

/// The tokens of the client.
#[derive(Default)]
struct ClientTokens {
    id: String,
    data: Vec<u64>,
}

impl ClientTokens {
    /// Applies the response to a request for all tokens or for a delta.
    fn take(&mut self, answer: &Value) {
        let result = &answer["result"];
        result["resultId"]
            .as_str()
            .expect("a result ID")
            .clone_into(&mut self.id);
        if let Some(edits) = result["edits"].as_array() {
            let mut edits: Vec<&Value> = edits.iter().collect();
            edits.sort_by_key(|it| std::cmp::Reverse(it["start"].as_u64()));
            for edit in edits {
                let start = edit["start"].as_u64().expect("a number") as usize;
                let count = edit["deleteCount"].as_u64().expect("a number") as usize;
                self.data
                    .splice(start..start + count, numbers(&edit["data"]));
            }
        } else {
            self.data = numbers(&result["data"]);
        }
    }
}

fn of(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}})
}

/// Requests all tokens without changing the result ID.
fn tokens_now(client: &mut Client, text: &str) -> Vec<u64> {
    let mut params = of(URI);
    let start = json!({"line": 0, "character": 0});
    params["range"] = json!({"start": start, "end": position(text, text.len())});
    numbers(&client.request("textDocument/semanticTokens/range", params)["result"]["data"])
}

fn symbols(client: &mut Client, uri: &str) -> Value {
    client.request("textDocument/documentSymbol", of(uri))["result"].clone()
}

fn capabilities() -> Value {
    pulling_and(json!({"textDocument": {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
    }}))
}

#[test]
fn deltas_equal_full_results() {
    const STEPS: i32 = 100;
    for (seed, manifest) in (0..).zip(MANIFESTS) {
        let mut rng = Rng::with_seed(seed);
        let mut client = Client::initialized(capabilities());
        let mut text = manifest.to_owned();
        client.open(URI, &text);
        let mut tokens = ClientTokens::default();
        tokens.take(&client.request("textDocument/semanticTokens/full", of(URI)));
        let mut deltas = 0;
        for version in 2..STEPS {
            let old = std::mem::take(&mut tokens.id);
            // Start again before the text is entirely broken.
            let changes = match version % 12 {
                0 => {
                    manifest.clone_into(&mut text);
                    vec![json!({"text": text})]
                }
                _ => (0..rng.u8(1..4))
                    .map(|_| edit(&mut text, &mut rng))
                    .collect(),
            };
            client.change(URI, version, json!(changes));
            // Sometimes the client does not have the last result.
            let forgotten = rng.u8(..10) == 0;
            let mut params = of(URI);
            params["previousResultId"] = json!(if forgotten { "none" } else { &old });
            let answer = client.request("textDocument/semanticTokens/full/delta", params);
            deltas += i32::from(answer["result"]["edits"].is_array());
            assert!(!forgotten || answer["result"]["data"].is_array());
            tokens.take(&answer);
            assert_eq!(tokens.data, tokens_now(&mut client, &text), "{text}");

            client.open(FRESH, &text);
            let fresh = symbols(&mut client, FRESH);
            assert_eq!(symbols(&mut client, URI), fresh, "{text}");
            client.notify("textDocument/didClose", of(FRESH));
        }
        assert!(deltas > STEPS / 2, "only {deltas} deltas");
    }
}
