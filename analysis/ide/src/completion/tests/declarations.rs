//! Tests of candidates that complete more than a name, and of names in the arguments of calls.

use super::{completions_of, is_offered, offered, offered_in};

/// Returns the text of the line at the cursor after the best candidate with the label is accepted
/// as a snippet.
fn accepted(code: &str, label: &str) -> String {
    let (before, after) = code.split_once("<^>").expect("the code has a cursor");
    let found = completions_of("manifests/site.pp", code).into_iter();
    let mut found = found.filter(|it| it.label == label);
    let item = found.next().expect("the item is offered");
    let text = format!("{before}{after}");
    let (start, end): (usize, usize) = (
        item.snippet_range.start().into(),
        item.snippet_range.end().into(),
    );
    let snippet = item.snippet.unwrap_or(item.insert);
    format!("{}{snippet}{}", &text[..start], &text[end..])
}

const CLASSES: &str = "\nclass shop(String $name, Integer $max_age, $other = 1) { }\n\
                       class shop::plain { }";

#[test]
fn classes_with_their_required_parameters() {
    let expected = "class { 'shop':\n  name    => $1,\n  max_age => $2,\n}";
    for code in [
        "class { 'sh<^>",
        "class { 'sh<^>'",
        "class { 'sh<^>'}",
        "class { 'sh<^>' }",
        "class { sh<^>",
        "class { sh<^> }",
        "class { '<^>' }",
    ] {
        let found = accepted(&format!("{code}{CLASSES}"), "shop");
        assert_eq!(found, format!("{expected}{CLASSES}"), "{code}");
    }
    let found = accepted(&format!("class {{ \"sh<^>\"{CLASSES}"), "shop");
    assert_eq!(found, format!("{}{CLASSES}", expected.replace('\'', "\"")));
    let found = accepted(&format!("class {{ 'shop::<^>'{CLASSES}"), "shop::plain");
    assert_eq!(found, format!("class {{ 'shop::plain':\n  $0\n}}{CLASSES}"));
}

#[test]
fn classes_before_other_code() {
    for (code, expected) in [
        ("class { 'sh<^>': }", "class { 'shop': }"),
        (
            "class { 'sh<^>': name => 'x' }",
            "class { 'shop': name => 'x' }",
        ),
        ("include sh<^>", "include shop"),
    ] {
        let found = accepted(&format!("{code}{CLASSES}"), "shop");
        assert_eq!(found, format!("{expected}{CLASSES}"), "{code}");
    }
    // The brace is on another line.
    let code = format!("class {{ 'sh<^>'\n}}{CLASSES}");
    let expected = "class { 'shop':\n  name    => $1,\n  max_age => $2,\n}";
    assert_eq!(accepted(&code, "shop"), format!("{expected}{CLASSES}"));
}

#[test]
fn members_of_objects() {
    let alias = "type Thing = Object[{ attributes => { 'size' => Integer, 'color' => String },\n\
                 functions => { 'paint' => Callable[String] } }]\n";
    let code = format!("{alias}class a(Thing $x) {{ notice($x.<^>) }}");
    assert_eq!(offered(&code, 3), "color, paint, size");
    let code = format!("{alias}$x = Thing('size' => 1, 'color' => 'red')\n$y = $x.si<^>");
    assert_eq!(offered(&code, 1), "size");
    let code = "class a(Error $e) { notice($e.m<^>) }";
    assert_eq!(offered(code, 1), "message");
}

#[test]
fn keys_of_paths() {
    let code = "class a(Struct[{ 'outer' => Struct[{ 'inner' => String }] }] $x) { $y = X }";
    for (call, expected) in [
        ("$x.dig('<^>')", "outer"),
        ("$x.dig('outer', '<^>')", "inner"),
        ("dig($x, 'outer', '<^>')", "inner"),
        ("$x.get('<^>')", "outer"),
        ("$facts.dig('os', 'fam<^>')", "family"),
        ("{ 'a' => { 'b' => 1 } }.dig('a', '<^>')", "b"),
    ] {
        assert_eq!(offered(&code.replace('X', call), 1), expected, "{call}");
    }
}

#[test]
fn names_in_arguments() {
    assert!(is_offered("create_resources('<^>', {})", "web::site"));
    assert!(is_offered("create_resources(<^>)", "file as 'file'"));
    assert!(is_offered("call('web::<^>')", "web::one"));
    assert!(is_offered("fact('os.fam<^>')", "os.family"));
}

#[test]
fn keys_of_hiera() {
    let data = "//- modules/web/hiera.yaml\nversion: 5\nhierarchy:\n\
                - {name: Common, path: common.yaml}\n\
                - {name: More, path: n.json, data_hash: json_data}\n\
                //- modules/web/data/common.yaml\nweb::state: 'on'\n\
                lookup_options:\n  web::x: { }\nweb::nested: { deep: 1 }\nforeign: 1\n\
                //- modules/web/data/unread.yaml\nweb::unread: 1\n\
                //- modules/web/files/x.yaml\nnot_data: 1\n\
                //- modules/web/data/n.json\n{ \"web::from_json\": 1 }\n//- manifests/site.pp\n";
    for call in ["lookup('<^>')", "hiera('<^>', 1)", "$x = '<^>'.lookup"] {
        let found = offered_in(
            "modules/web/manifests/x.pp",
            &format!("\n{data}{call}"),
            usize::MAX,
        );
        let expected = if call.ends_with("lookup") {
            ""
        } else {
            "web::state"
        };
        assert!(found.contains(expected), "{call}: {found}");
        for other in ["not_data", "deep", "foreign", "unread"] {
            assert!(!found.contains(other), "{call}: {found}");
        }
    }
    let code = format!("\n{data}$x = lookup('<^>')");
    let found = offered_in("modules/web/manifests/x.pp", &code, 3);
    assert_eq!(found, "web::from_json, web::nested, web::state");
}

#[test]
fn functions_without_a_use_come_last() {
    let order = |code: &str, first: &str, last: &str| {
        let all = offered_in("manifests/site.pp", code, usize::MAX);
        let labels = all
            .split(", ")
            .map(|it| it.split(" as ").next().unwrap_or(it));
        let labels: Vec<&str> = labels.collect();
        let at = |name: &str| labels.iter().position(|it| *it == name);
        assert!(
            at(first).is_some() && at(first) < at(last),
            "{code}: {first}, {last}: {labels:?}"
        );
    };
    order("class web { $x = c<^> }", "capitalize", "create_resources");
    order("class web { if i<^> { } }", "index", "include");
    order("class web { <^> }", "user", "unique");
    // The last statement is the value of a function.
    assert!(is_offered("function web::f() { u<^> }", "unique"));
}

#[test]
fn only_hashes_follow_a_splat() {
    let code = "define web::d (Hash $opts, String $name2) { mount { $title: * => <^> } }";
    assert_eq!(offered(code, 1), "$opts");
    assert!(!offered(code, 5).contains("$name2") && !is_offered(code, "String"));
}

#[test]
fn no_class_is_related_to_itself() {
    let code = "class web { include web::a include web::b Class['web::a'] -> Class['<^>'] }\n\
                //- manifests/a.pp\nclass web::a { }\n//- manifests/b.pp\nclass web::b { }";
    assert_eq!(offered_in("manifests/init.pp", code, 1), "web::b");
}

#[test]
fn values_of_facts_that_functions_read() {
    let stdlib = "\n//- modules/stdlib/lib/puppet/functions/fact.rb\n\
                  Puppet::Functions.create_function(:fact) { dispatch(:f) { param 'String', :n } }";
    for code in [
        "if fact('os.family') == '<^>' { }",
        "$os = fact('os.family') if $os == '<^>' { }",
    ] {
        assert!(is_offered(&format!("{code}{stdlib}"), "Suse"), "{code}");
    }
}

#[test]
fn placeholders_are_likely_values() {
    let snippet = |attribute: &str| {
        let code = format!("yumrepo {{ 'a': {}<^> }}", &attribute[..4]);
        let found = completions_of("manifests/site.pp", &code);
        let found = found.into_iter().find(|it| it.label == attribute);
        found.and_then(|it| it.snippet)
    };
    assert_eq!(snippet("descr").as_deref(), Some("descr => ${1:},"));
    assert_eq!(
        snippet("ensure").as_deref(),
        Some("ensure => ${1:present},")
    );
}

#[test]
fn elements_come_before_what_is_iterated_over() {
    let code = "class web (Array[String] $rpms, Hash $users) {\n  $rpms.each |$rpm| { $file = \"/tmp/${<^>}\" }\n}";
    assert_eq!(offered(code, 1), "rpm");
    let code =
        "class web (Hash $users) { $users.each |$login, $opts| { user { $login: uid => $<^> } } }";
    let found = offered(code, 2);
    assert!(
        found.starts_with("opts") || found == "login, opts",
        "{found}"
    );
}

#[test]
fn unused_parameters_come_before_used_ones() {
    let code = "class web (Boolean $one, Boolean $two, Boolean $three) { if $one { notice(1) } if $<^> if $three { notice(2) } }";
    assert_eq!(offered(code, 1), "two");
}

#[test]
fn what_follows_the_word_is_not_repeated() {
    let snippet = |code: &str, label: &str| {
        let found = completions_of("manifests/site.pp", code).into_iter();
        let mut found = found.filter(|it| it.label == label);
        found.next().and_then(|it| it.snippet)
    };
    assert_eq!(
        snippet("file { '/a': mo<^>, owner => 'a' }", "mode").as_deref(),
        Some("mode => ${1:}")
    );
    for code in ["Fi<^>['/a'] -> File['/b']", "Fi<^> <| title == 'a' |>"] {
        assert_eq!(snippet(code, "File"), None, "{code}");
    }
}

#[test]
fn a_profile_includes_the_class_of_its_name() {
    let code = "class profile::docker { include <^> }\n//- modules/docker/manifests/init.pp\nclass docker { }\n\
                //- modules/profile/manifests/apt.pp\nclass profile::apt { }";
    let path = "modules/profile/manifests/docker.pp";
    assert_eq!(offered_in(path, code, 1), "docker");
}

#[test]
fn common_statements_come_first_without_other_code() {
    let found = offered("node default {\n  <^>\n}", 10);
    assert!(
        found.contains("include") && found.contains("package"),
        "{found}"
    );
}
