//! Tests of the order of completions, and of candidates that depend on the code around the cursor.

use super::{completions_of, is_offered, offered, offered_in};
use syntax::Severity;
use syntax::validation::ValidationContext;

use crate::{CompletionItem, CompletionKind};

#[track_caller]
fn item(code: &str, label: &str) -> CompletionItem {
    let found = completions_of("manifests/site.pp", code).into_iter();
    let mut found = found.filter(|it| it.label == label);
    let item = found.next().expect("the item is offered");
    assert!(found.next().is_none(), "{label} is offered twice");
    item
}

#[test]
fn each_label_once() {
    for code in [
        "class a(Boolean $b = <^>) { }",
        "class a($x) { $y = $<^> }",
        "class a { <^> }",
        "class a { $y = <^> }",
        "class a { if $x { } <^> }",
        "class a(<^> $x) { }",
    ] {
        let found = completions_of("manifests/site.pp", code);
        let mut labels: Vec<_> = found
            .iter()
            .map(|it| (it.kind == CompletionKind::Function, it.label.clone()))
            .collect();
        labels.sort();
        let all = labels.len();
        labels.dedup();
        assert_eq!(labels.len(), all, "{code}");
    }
}

#[test]
fn the_variable_with_the_final_value_of_a_parameter() {
    let code = "class a($port_name) {\n  $port_name_real = pick($port_name, 'a')\n  notify { 'a': message => $<^> }\n}\n";
    assert_eq!(offered(code, 1), "port_name_real");
    let other = code.replace("port_name_real", "port_name_list");
    assert_eq!(offered(&other, 1), "port_name");
}

#[test]
fn the_final_value_of_the_parameter_in_the_title() {
    let declare = |title: &str| {
        format!(
            "class a($domain, $port) {{\n  $domain_real = $domain\n  $port_real = $port\n  \
             notify {{ 'a/{title}': message => $<^> }}\n}}\n"
        )
    };
    assert_eq!(offered(&declare("port"), 1), "port_real");
    assert_eq!(offered(&declare("domain"), 1), "domain_real");
}

#[test]
fn the_final_value_for_the_attribute_of_the_same_name() {
    let code =
        "class a($owner) {\n  $owner_real = pick($owner, 'a')\n  file { '/a': owner => $<^> }\n}\n";
    assert_eq!(offered(code, 1), "owner_real");
}

#[test]
fn a_variable_rather_than_its_value() {
    let code =
        "class a($config, $folder) {\n  $config_dir = $config\n  file { \"${<^>}/a\": }\n}\n";
    assert_eq!(offered(code, 2), "config_dir, folder");
}

#[test]
fn a_value_does_not_read_its_own_variable() {
    let code =
        "class a($ports) {\n  if $ports =~ Array { $all = $ports } else { $all = $<^> }\n}\n";
    assert_eq!(offered(code, 1), "ports");
    assert!(!is_offered(code, "all"));
    let outer = "class a { $all = 1\n [1].each |$i| { $all = $<^> } }";
    assert!(is_offered(outer, "all"));
}

#[test]
fn the_variable_with_the_type_in_its_name_for_a_title() {
    let code = "class a(Boolean $package_on, String $name_of_package) { package { $<^>: } }";
    assert_eq!(offered(code, 1), "name_of_package");
    let class = "class web::p(Boolean $package_on, String $name_of_package) { }";
    let code =
        format!("class web::x {{ package {{ $<^>: }} }}\n//- modules/web/manifests/p.pp\n{class}");
    let found = offered_in("modules/web/manifests/x.pp", &code, 60);
    let at = |name: &str| found.find(name).expect("it is offered");
    assert!(
        at("web::p::name_of_package") < at("web::p::package_on"),
        "{found}"
    );
}

#[test]
fn a_parameter_of_the_class_is_hardly_a_default() {
    let params = "//- modules/web/manifests/y.pp\nclass web::y { $size = 1 }\n";
    let code = format!("class web::x($size = $<^>) {{ }}\n{params}");
    let found = offered_in("modules/web/manifests/x.pp", &code, 60);
    let at = |name: &str| found.find(name).expect("it is offered");
    assert!(at("web::y::size") < at("web::x::size"), "{found}");
}

#[test]
fn a_value_that_other_modules_assign_to_the_same_variable() {
    let other =
        |it: u32| format!("class ant::db{it}($charset = 'utf8', $collate = 'utf8_bin') {{ }}\n");
    let others: String = (0..9).map(other).collect();
    let code = format!(
        "class web::db(\n  $charset = 'utf8',\n  $collate = '<^>',\n) {{ }}\n//- modules/ant/manifests/db.pp\n{others}"
    );
    assert_eq!(
        offered_in("modules/web/manifests/db.pp", &code, 1),
        "utf8_bin"
    );
}

#[test]
fn a_hash_fact_does_not_match_as_a_whole() {
    let used = "$a = [$::os['family'], $::kernel]\n";
    let code = &format!("{used}class a {{ $x = $::os<^> }}");
    let found = item(code, "::os");
    assert_eq!(found.filter.as_deref(), Some("::os["));
    let other = &format!("{used}class a {{ $x = $::kernel<^> }}");
    assert_eq!(item(other, "::kernel").filter, None);
}

#[test]
fn the_other_references_of_a_relationship() {
    let declared = "class web::x { user { ['a', 'b']: }\n";
    let code = |chain: &str| {
        offered_in(
            "modules/web/manifests/x.pp",
            &format!("{declared}{chain} }}"),
            1,
        )
    };
    assert_eq!(code("User['a'] -> User['<^>']"), "b");
    assert_eq!(code("User['b'] -> File['/x'] ~> User['<^>']"), "a");
    assert_eq!(code("User['<^>'] -> User['a']"), "b");
}

#[test]
fn resource_types_of_the_own_module() {
    let rest = "\n//- modules/web/lib/puppet/type/zoo_config.rb\nPuppet::Type.newtype(:zoo_config) do\nend\n\
                //- modules/ant/lib/puppet/type/zoo_animal.rb\nPuppet::Type.newtype(:zoo_animal) do\nend\n";
    let code = format!("class web::x {{ Zoo<^> }}{rest}");
    assert_eq!(
        offered_in("modules/web/manifests/x.pp", &code, 1),
        "Zoo_config"
    );
}

#[test]
fn helpers_in_the_namespace_of_the_definition() {
    let code = "class web::x { <^> }\n//- modules/web/manifests/a/y.pp\ndefine web::a::y() { }\n\
                //- modules/web/manifests/x/y.pp\ndefine web::x::y() { }\n";
    let found = offered_in("modules/web/manifests/x.pp", code, 40);
    let at = |name: &str| found.find(name).expect("it is offered");
    assert!(at("web::x::y") < at("web::a::y"), "{found}");
}

#[test]
fn values_that_the_workspace_uses() {
    let used = "file { '/a': mode => '0640' }\nfile { '/b': mode => '0640' }\n";
    let code = format!("{used}file {{ '/c': mode => <^> }}");
    assert_eq!(offered(&code, 1), "0640 as '0640'");
    let code = format!("{used}file {{ '/c': mode => '<^>' }}");
    assert_eq!(offered(&code, 1), "0640");
    let code = "file { '/a': ensure => absent }\nfile { '/b': ensure => absent }\n\
                file { '/c': ensure => <^> }";
    assert_eq!(offered(code, 1), "absent");
}

#[test]
fn attributes_that_follow_each_other() {
    let code = "file { '/a': ensure => file, owner => 'x', group => 'x' }\n\
                file { '/b': ensure => file, owner => 'x', group => 'x' }\n\
                file { '/c': ensure => file, owner => 'x', <^> }";
    assert_eq!(offered(code, 1), "group as group => ");
    // A parameter with the name of an attribute is likely passed on.
    let code = "class a($docroot) { web::site { 'x': port => 1, <^> } }";
    assert_eq!(offered(code, 1), "docroot as docroot => ");
}

#[test]
fn variables_named_like_the_line() {
    let code = "class a($verbose, $log_file, $log_dir, $use_syslog) {\n\
                conf { 'DEFAULT/log_dir': value => $<^> }\n}";
    assert_eq!(offered(code, 1), "log_dir");
}

#[test]
fn the_next_parameter() {
    let code = "class a($alpha, $beta, $gamma) {\n  notice($alpha)\n  notice($<^>)\n}";
    let found = offered(code, 2);
    assert!(found.split(", ").any(|it| it == "beta"), "{found}");
}

#[test]
fn keywords_by_context() {
    assert!(is_offered("if $x { } el<^>", "else"));
    assert!(is_offered("class a { if $x { }\n  els<^>\n}", "elsif"));
    assert!(!is_offered("class a {\n  els<^>\n}", "else"));
    assert_eq!(offered("class a { if $x an<^> }", 1), "and");
    assert_eq!(offered("type Web::Alias = Opt<^>", 1), "Optional");
    assert!(is_offered("type Web::Alias = <^>", "Enum"));
}

#[test]
fn classes_are_declared_once() {
    let code = "class a { include web::params\n  include web<^>\n}";
    let found = offered(code, 2);
    assert!(found.starts_with("web, "), "{found}");
}

#[test]
fn options_of_cases_and_selectors() {
    for code in [
        "case $facts['os']['family'] { <^> }",
        "$a = $facts['os']['family'] ? { <^> => 1 }",
    ] {
        assert!(is_offered(code, "default"), "{code}");
        assert!(is_offered(code, "RedHat as 'RedHat'"), "{code}");
    }
    assert!(is_offered("if $facts['os']['name'] == '<^>' { }", "Ubuntu"));
    let code = "$a = ['debug', 'default', 'delete']\ncase $facts['os']['family'] { d<^> }";
    assert!(
        offered(code, 1).starts_with("Debian"),
        "{}",
        offered(code, 3)
    );
    assert!(!is_offered("$a = [<^>]", "default"));
}

#[test]
fn names_of_called_functions_are_no_values() {
    let code = "$a = join([1], 2)\n$b = join([3], 4)\n$d = joi<^>";
    let found = offered(code, 20);
    assert_eq!(found.matches("join").count(), 1, "{found}");
}

#[test]
fn types_of_variables_as_a_user_writes_them() {
    let detail = |code: &str, label: &str| item(code, label).detail;
    let code = "class a(Enum['x', 'y'] $kind) { if $kind == 'x' { $n = 'abc'\n notice($<^>) } }";
    for (label, expected) in [("kind", "Enum['x', 'y']"), ("n", "String")] {
        assert_eq!(detail(code, label).as_deref(), Some(expected), "{label}");
    }
}

#[test]
fn strings_of_an_enum_are_quoted() {
    assert_eq!(
        offered("class { 'web': state => of<^> }", 1),
        "off as 'off'"
    );
    assert_eq!(offered("file { '/x': ensure => dir<^> }", 1), "directory");
}

#[test]
fn keys_that_functions_take() {
    let code = "create_resources('web::site', { 'x' => { <^> } })";
    assert_eq!(
        offered(code, 2),
        "port as 'port' => , docroot as 'docroot' => "
    );
    let code = "ensure_resource('web::site', 'x', { port => 1, '<^>' })";
    assert_eq!(offered(code, 1), "docroot");
    let code = "create_resources('web::site', { '<^>' => {} })";
    assert!(!is_offered(code, "docroot"));
    let template = "//- modules/web/templates/p.epp\n<%- | String $name, $size = 1 | -%>\n//- manifests/site.pp\n";
    let found = offered_in(
        "modules/web/manifests/x.pp",
        &format!("\n{template}$a = epp('web/p.epp', {{ <^> }})"),
        2,
    );
    assert_eq!(found, "name as 'name' => , size as 'size' => ");
}

#[test]
fn tags_in_comments() {
    assert!(is_offered("# @par<^>\nclass a($x) { }", "param"));
    let code = "# @param x the first\n# @param <^>\nclass a($x, $y, $z) { }";
    assert_eq!(offered(code, 3), "y, z");
    assert_eq!(offered("# a @par<^>", 1), "");
}

#[test]
fn lambdas_named_by_what_they_iterate_over() {
    let snippet = |code: &str, label: &str| item(code, label).snippet;
    let code = "class a(Array $packages) { $packages.ea<^> }";
    let expected = "each |\\$${1:package}| {\n  $0\n}";
    assert_eq!(snippet(code, "each").as_deref(), Some(expected));
    let code = "class a(Hash $entries) { $entries.ea<^> }";
    let expected = "each |\\$${1:entry}, \\$${2:value}| {\n  $0\n}";
    assert_eq!(snippet(code, "each").as_deref(), Some(expected));
    let code = "$a = [1].ma<^>";
    let expected = "map |\\$${1:item}| {\n  $0\n}";
    assert_eq!(snippet(code, "map").as_deref(), Some(expected));
    for rest in ["|$x| { }", " |$x| { }", "($x)"] {
        let code = format!("class a(Array $packages) {{ $packages.ea<^>{rest} }}");
        assert_eq!(snippet(&code, "each"), None, "{rest}");
    }
}

#[test]
fn lambdas_that_are_optional_are_not_inserted() {
    for name in ["sort", "unique", "reverse_each"] {
        let code = format!("class a(Array $packages) {{ $packages.{name}<^> }}");
        assert_eq!(item(&code, name).snippet, None, "{name}");
    }
}

#[test]
fn queries_of_collectors() {
    assert_eq!(offered("File <| tit<^> |>", 1), "title as title == ");
    assert_eq!(offered("File <| own<^> |>", 1), "owner as owner == ");
    assert_eq!(offered("@@fi<^> { '/x': }", 1), "file");
    assert!(is_offered("realize(<^>)", "File"));
}

#[test]
fn legacy_facts_come_last() {
    let found = completions_of("manifests/site.pp", "$a = $facts['<^>']");
    let last_modern = found.iter().rposition(|it| !it.deprecated);
    let first_legacy = found.iter().position(|it| it.deprecated);
    assert!(first_legacy.is_none_or(|it| Some(it) > last_modern));
}

#[test]
fn snippets_without_errors() {
    for (code, label) in [
        ("class a { web::si<^> }", "web::site"),
        ("class a { fi<^> }", "file"),
        ("class a { cas<^> }", "case"),
        ("class a { if<^> }", "if"),
        ("class a { unl<^> }", "unless"),
        ("cla<^>", "class"),
        ("def<^>", "define"),
        ("func<^>", "function"),
        ("class a($packages) { $packages.ea<^> }", "each"),
        ("class a { web::site { 'x': do<^> } }", "docroot"),
    ] {
        let found = completions_of("manifests/site.pp", code);
        let found = found.into_iter().filter(|it| it.label == label);
        for snippet in found.filter_map(|it| it.snippet) {
            let (before, after) = code.split_once("<^>").expect("there is a cursor");
            let typed = before.rfind([' ', '.']).map_or(0, |it| it + 1);
            let text = format!("{}{}{after}", &before[..typed], filled(&snippet));
            let parse = syntax::parse(&text, syntax::Dialect::default());
            assert!(parse.errors().is_empty(), "{text}: {:?}", parse.errors());
            let found = syntax::validation::validate(&parse.tree(), &ValidationContext::default());
            // The empty branches of a snippet have no effect.
            let mut found = found.iter();
            assert!(
                found.all(|it| it.severity != Severity::Error || it.message.contains("no effect")),
                "{text}"
            );
        }
    }
}

/// Fills the empty places of a snippet with `1`, and the others with their text.
fn filled(snippet: &str) -> String {
    let mut text = snippet.replace("\\$", "§");
    while let Some(start) = text.find("${") {
        let end = start + text[start..].find('}').expect("the place is closed");
        let (number, place) = text[start + 2..end].split_once(':').unwrap_or_default();
        let place = if place.is_empty() { "1" } else { place }.to_owned();
        let other = (!number.is_empty()).then(|| format!("${number}"));
        text = format!("{}{place}{}", &text[..start], &text[end + 1..]);
        if let Some(other) = other {
            text = text.replace(&other, &place);
        }
    }
    for number in 1..10 {
        text = text.replace(&format!("${number}"), "x");
    }
    text.replace("$0", "").replace('§', "$")
}

#[test]
fn booleans_of_attributes_are_not_quoted() {
    let found = item("service { 'x': enable => tr<^> }", "true");
    assert_eq!(found.insert, "true");
}

#[test]
fn what_the_list_has_already_comes_last() {
    for code in [
        "class a($mode_a, $mode_b) { $x = merge($mode_a, $<^>) }",
        "class a($mode_a, $mode_b) { $x = [$mode_a, $<^>] }",
    ] {
        assert_eq!(offered(code, 1), "mode_b", "{code}");
    }
    let found = completions_of("manifests/site.pp", "class a(Variant[Integer, <^>] $x) { }");
    let rank = |label: &str| found.iter().position(|it| it.label == label);
    assert!(rank("String") < rank("Integer"));
}

#[test]
fn a_parameter_is_not_its_own_default() {
    assert!(!is_offered("class a($first, $second = $<^>) { }", "second"));
    assert!(is_offered("class a($first, $second = $<^>) { }", "first"));
}

#[test]
fn the_variable_named_after_the_type_and_the_attribute() {
    let declare = |type_name: &str| {
        format!(
            "class a($package_ensure, $service_ensure) {{\n  {type_name} {{ 'a':\n    ensure => $<^>\n  }}\n}}\n"
        )
    };
    assert_eq!(offered(&declare("package"), 1), "package_ensure");
    assert_eq!(offered(&declare("service"), 1), "service_ensure");
}

#[test]
fn functions_without_a_value_come_last() {
    for code in ["$a = fa<^>", "if $x == fa<^> { }"] {
        assert_eq!(offered(code, 1), "false", "{code}");
    }
}

#[test]
fn types_of_the_keys_of_a_struct() {
    let snippet = "Optional['$1'] => $0";
    assert_eq!(
        item("type A = Struct[{ <^> }]", "Optional")
            .snippet
            .as_deref(),
        Some(snippet)
    );
    assert_eq!(
        offered("type A = Struct[{ 'a' => String, <^> }]", 3),
        "Optional, NotUndef"
    );
    assert_eq!(
        item("type A = Struct[{ O<^>['a'] => String }]", "Optional").snippet,
        None
    );
    assert!(is_offered("type A = Struct[{ 'a' => <^> }]", "Integer"));
    assert_eq!(offered("type A = Struct[{ '<^>' => String }]", 1), "");
}

#[test]
fn words_of_the_same_class_in_other_modules() {
    let code = |name: &str| {
        format!(
            "class web::{name} {{\n  include web\n  include zoo::<^>\n}}\n\
             //- modules/web/manifests/other.pp\nclass web::other {{\n  include web\n  include web::params\n}}\n\
             //- modules/zoo/manifests/a.pp\nclass zoo::a {{ }}\n\
             //- modules/zoo/manifests/b.pp\nclass zoo::b {{ }}\n\
             //- modules/x/manifests/client.pp\nclass x::client {{ include zoo::b }}\n\
             //- modules/x/manifests/server.pp\nclass x::server {{ include zoo::a }}\n\
             //- modules/y/manifests/client.pp\nclass y::client {{ include zoo::b }}\n\
             //- modules/y/manifests/server.pp\nclass y::server {{ include zoo::a }}\n"
        )
    };
    for (name, first) in [("client", "zoo::b"), ("server", "zoo::a")] {
        let path = format!("modules/web/manifests/{name}.pp");
        assert_eq!(offered_in(&path, &code(name), 1), first);
    }
}

#[test]
fn the_variable_in_the_title_after_uses_of_others() {
    let names = ["host", "port", "user", "name", "root", "path"];
    let parameters = names.map(|it| format!("$mail_{it}")).join(", ");
    let used = names.map(|it| format!("  x {{ 'mail_{it}': value => $mail_{it} }}\n"));
    let code = |used: &[String]| {
        let used = used.concat();
        format!(
            "class a({parameters}, $mail_list) {{\n{used}  x {{ 'mail_list': value => $mail_<^> }}\n}}\n"
        )
    };
    for times in 2..=names.len() {
        assert_eq!(offered(&code(&used[..times]), 1), "mail_list", "{times}");
    }
}

#[test]
fn the_longest_name_that_the_title_has() {
    let code = "class a($user, $user_domain, $user_domain_name) {\n  \
                notify { 'x/user_domain_name': message => $<^> }\n}\n";
    assert_eq!(offered(code, 2), "user_domain_name, user_domain");
}

#[test]
fn the_variable_named_after_the_keys_of_outer_hashes() {
    let declare = |key: &str| {
        format!(
            "class a($boot_list, $root_list) {{\n  $all = {{\n    '{key}' => {{\n      'list' => $<^>\n    }}\n  }}\n}}\n"
        )
    };
    assert_eq!(offered(&declare("boot"), 1), "boot_list");
    assert_eq!(offered(&declare("root"), 1), "root_list");
}

#[test]
fn a_type_alias_joins_types_with_similar_names() {
    let types = "//- types/email.pp\ntype Web::Email = String\n//- types/unix_path.pp\ntype Web::Unix_path = String\n";
    let code = "type Web::Any_path = Variant[<^>";
    let offered = |code: &str| offered_in("types/any_path.pp", &format!("{code}\n{types}"), 60);
    let found = offered(&code.replace("<^>", "Web::<^>"));
    assert!(found.starts_with("Web::Unix_path"), "{found}");
    let itself = found.find("Web::Any_path").expect("it is offered");
    let email = found.find("Web::Email").expect("it is offered");
    assert!(email < itself, "{found}");
}

#[test]
fn a_defined_type_refers_to_itself_but_does_not_declare_itself() {
    let define = |body: &str| format!("define web::site() {{\n  {body}\n}}\n");
    let found = offered_in(
        "manifests/site.pp",
        &define("Web::<^>[$title] -> Class['web']"),
        1,
    );
    assert!(found.starts_with("Web::Site"), "{found}");
    let found = offered_in("manifests/site.pp", &define("web::<^>"), 1);
    assert!(!found.starts_with("web::site"), "{found}");
}

#[test]
fn keys_that_other_code_has() {
    let code = "$a = $options['port']\n$b = $options['<^>']";
    assert!(is_offered(code, "port"));
    let code = "ensure_resource('package', 'a', { 'ensure' => 'present', 'be<^>' => 1 })";
    assert_eq!(offered(code, 1), "before");
}

#[test]
fn the_name_of_the_module_is_a_string() {
    let found = offered_in(
        "modules/redis/manifests/init.pp",
        "class redis {\n  $user = 're<^>'\n}",
        1,
    );
    assert_eq!(found, "redis");
}
