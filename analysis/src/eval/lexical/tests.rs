use super::*;
use crate::values;
use syntax::Dialect;

/// The value of what stands between `<<<` and `>>>`, or a question mark.
fn value_as(source: &str, dialect: Dialect) -> String {
    let start = source.find("<<<").expect("an expression is marked");
    let text = source.replacen("<<<", "", 1);
    let end = text.find(">>>").expect("its end is marked");
    let text = text.replacen(">>>", "", 1);
    let parse = syntax::parse(&text, dialect);
    let range = TextRange::new((start as u32).into(), (end as u32).into());
    let damage = parse.errors().iter().map(|it| it.range).collect();
    let root = parse.syntax();
    let expr = root
        .descendants()
        .filter(|it| it.text_range() == range)
        .find_map(Expr::cast)
        .expect("an expression is marked");
    let constants = Constants::new(&root, damage, PuppetVersion::default());
    match constants.constant(&expr) {
        Ok(value) => values::source(&value).expect("the value has a source form"),
        Err(_) => "?".to_owned(),
    }
}

fn value(source: &str) -> String {
    value_as(source, Dialect::default())
}

#[test]
fn variables_that_are_certainly_assigned() {
    assert_eq!(value("$x = 1 <<<$x + 1>>>"), "2");
    assert_eq!(value("class a { $x = 1 if $y { f(<<<$x>>>) } }"), "1");
    assert_eq!(value("[$a, [$b]] = [1, [2]] <<<[$b, $a]>>>"), "[2, 1]");
    assert_eq!(value("$a = $b = 'x' <<<\"${b}y\">>>"), "'xy'");
    assert_eq!(value("if $y { $x = 1 f(<<<$x>>>) }"), "1");
    assert_eq!(value("$x = 1 $l.each |$n| { f(<<<$x>>>) }"), "1");
    assert_eq!(value("$l.each |$n| { $x = 2 f(<<<$x>>>) }"), "2");
    assert_eq!(value("$a = 1 $b = $a + 1 $c = [$b, $b] <<<$c>>>"), "[2, 2]");
}

#[test]
fn variables_that_may_have_other_values() {
    for source in [
        "<<<$x>>> $x = 1",
        "if $y { $x = 1 } <<<$x>>>",
        "if $y { $x = 1 } else { $x = 1 } <<<$x>>>",
        "$x = 1 class a { f(<<<$x>>>) }",
        "$x = 1 function f() { <<<$x>>> }",
        "class a($x = 1) { f(<<<$x>>>) }",
        "$x = 1 $l.each |$x| { f(<<<$x>>>) }",
        "$x = 1 $l.each |$n| { if $n { $x = 2 } f(<<<$x>>>) }",
        "$l.each |$n| { $x = 2 } f(<<<$x>>>)",
        "$y and ($x = 1) <<<$x>>>",
        "$x = $x <<<$x>>>",
        "$x = 1 $x = 2 <<<$x>>>",
        "class a { $x = 1 <<<$::x>>> }",
        "$x = 1 + <<<$x>>>",
        "f($facts['x'], <<<$facts['x']>>>)",
    ] {
        assert_eq!(value(source), "?", "{source}");
    }
}

#[test]
fn a_lambda_sees_what_was_assigned_before_it() {
    assert_eq!(value("$x = 1 $l.each |$n| { f(<<<$x>>>) $x = 2 }"), "1");
    assert_eq!(value("$x = 1 $l.each |$n| { $x = 2 f(<<<$x>>>) }"), "2");
}

#[test]
fn heredocs_are_evaluated_at_their_tags() {
    assert_eq!(value("$x = 1\nf(<<<@(E)>>>)\n${x}\nE\n"), "\"\\${x}\\n\"");
    assert_eq!(value("$x = 1\nf(<<<@(\"E\")>>>)\n${x}\n|- E\n"), "'1'");
    let after = "f(@(\"E\")) $x = 1\n${<<<x>>>}\nE\n";
    assert_eq!(value(after), "?");
    let hidden = "$x = 1 $l.each |$x| { f(@(\"E\")) }\n${<<<x>>>}\nE\n";
    assert_eq!(value(hidden), "?");
    let seen = "$x = 1 $l.each |$y| { f(@(\"E\")) }\n${<<<x>>>}\nE\n";
    assert_eq!(value(seen), "1");
}

#[test]
fn match_variables_of_a_condition() {
    assert_eq!(value("if 'ab' =~ /a(.)/ { f(<<<$1>>>) }"), "'b'");
    assert_eq!(value("if 'ab' =~ /a(.)/ { if $y { f(<<<$1>>>) } }"), "'b'");
    for source in [
        "if $x =~ /a(.)/ { f(<<<$1>>>) }",
        "if 'ab' =~ /a(.)/ { } else { f(<<<$1>>>) }",
        "if 'ab' =~ /a(.)/ { $y = 'cd' =~ /c(.)/ f(<<<$1>>>) }",
        "if 'ab' =~ /a(.)/ { $y.each |$n| { f(<<<$1>>>) } }",
        "if 'ab' !~ /a(.)/ { f(<<<$1>>>) }",
        "f(<<<$1>>>)",
    ] {
        assert_eq!(value(source), "?", "{source}");
    }
}

#[test]
fn templates_have_parameters() {
    let template = Dialect {
        epp: true,
        tasks: false,
    };
    assert_eq!(value_as("<%- | $x = 1 | -%><%= <<<$x>>> %>", template), "?");
    assert_eq!(value_as("<% $y = 2 %><%= <<<$y>>> %>", template), "2");
}

#[test]
fn damage_is_not_evaluated() {
    assert_eq!(value("$x = [1, <<<2 + 3>>>\n$y = 1"), "5");
    assert_eq!(value("$x = [1, = 2]\n<<<$x>>>"), "?");
}

#[test]
fn hostile_files_end() {
    let source: String = (0..3000)
        .map(|it| format!("$a{} = [$a{it}, $a{it}]\n", it + 1))
        .collect();
    assert_eq!(value(&format!("$a0 = 1\n{source}<<<$a3000>>>")), "?");
}
