//! Tests of the typed views.

use expect_test::{Expect, expect};

use super::*;
use crate::{Dialect, parse};

fn parse_in(dialect: Dialect, text: &str) -> SourceFile {
    parse(text, dialect).tree()
}

fn file(text: &str) -> SourceFile {
    parse_in(Dialect::default(), text)
}

/// Returns the first view of a kind.
fn first<N: AstNode>(text: &str) -> N {
    let root = file(text).syntax().clone();
    let found = root.descendants().find_map(N::cast);
    found.expect("the source has such a node")
}

/// Returns the source of an optional node, or `-`.
fn source<N: AstNode>(node: Option<N>) -> String {
    node.map_or_else(|| "-".to_owned(), |it| it.syntax().text().to_string())
}

fn sources<N: AstNode>(nodes: impl IntoIterator<Item = N>) -> Vec<String> {
    let nodes = nodes.into_iter();
    nodes.map(|it| it.syntax().text().to_string()).collect()
}

fn check_segments(segments: &[Segment], expected: &Expect) {
    let shown: Vec<String> = segments
        .iter()
        .map(|it| match it {
            Segment::Text(text) => format!("{text:?}\n"),
            Segment::Interpolation(it) => format!("${{{}}}\n", source(it.expr())),
        })
        .collect();
    expected.assert_eq(&shown.concat());
}

#[test]
fn a_class_has_a_name_parameters_a_parent_and_a_body() {
    let class: ClassDefinition = first("class a::b (Integer $x = 1, $y) inherits c { notice(1) }");
    assert_eq!(source(class.name()), "a::b");
    assert_eq!(sources(class.parameters()), ["Integer $x = 1", "$y"]);
    assert_eq!(source(class.inherits().and_then(|it| it.name())), "c");
    let body = class.body().expect("the class has a body");
    assert_eq!(sources(body.statements()), ["notice(1)"]);
    assert!(body.l_brace().is_some() && body.r_brace().is_some());
}

#[test]
fn the_parts_of_an_unfinished_class_are_missing() {
    let class: ClassDefinition = first("class");
    assert_eq!(class.name(), None);
    assert!(class.parameters().is_empty());
    assert_eq!(class.inherits(), None);
    assert_eq!(class.body(), None);
}

#[test]
fn a_parameter_has_a_type_a_name_and_a_default() {
    let parameter: Parameter = first("define a (Array[Integer] *$x = [1]) { }");
    assert_eq!(source(parameter.type_expr()), "Array[Integer]");
    assert_eq!(parameter.name().as_deref(), Some("x"));
    assert_eq!(source(parameter.default()), "[1]");
    assert!(parameter.captures_rest());
    let plain: Parameter = first("define a ($x) { }");
    assert_eq!(source(plain.type_expr()), "-");
    assert_eq!(source(plain.default()), "-");
    assert!(!plain.captures_rest());
}

#[test]
fn functions_and_lambdas_have_return_types() {
    let function: FunctionDefinition = first("function f($x) >> Integer { $x }");
    let return_type = function.return_type().and_then(|it| it.type_expr());
    assert_eq!(source(return_type), "Integer");
    let lambda: Lambda = first("f() |$a, $b| >> Array[String] { [$a] }");
    let return_type = lambda.return_type().and_then(|it| it.type_expr());
    assert_eq!(source(return_type), "Array[String]");
    assert_eq!(sources(lambda.parameters()), ["$a", "$b"]);
}

#[test]
fn a_node_has_host_names() {
    let node: NodeDefinition = first("node a.example.com, 'b', /c/, default { }");
    let names: Vec<_> = node
        .host_names()
        .map(|it| (it.dotted_name(), source(it.expr())))
        .collect();
    let dotted = Some("a.example.com".to_owned());
    let expr = |text: &str| (None, text.to_owned());
    assert_eq!(names[0], (dotted, "-".to_owned()));
    assert_eq!(names[1..], [expr("'b'"), expr("/c/"), expr("default")]);
}

#[test]
fn a_type_alias_has_a_type() {
    let alias: TypeAlias = first("type A::B = Variant[Integer, String]");
    assert_eq!(source(alias.name()), "A::B");
    assert_eq!(source(alias.type_expr()), "Variant[Integer, String]");
    assert_eq!(source(alias.object_hash()), "-");
    let object: TypeAlias = first("type A = Object { attributes => {} }");
    assert_eq!(source(object.type_expr()), "Object");
    assert_eq!(source(object.object_hash()), "{ attributes => {} }");
    let mapping: TypeMapping = first("type Runtime[ruby, 'A'] = B");
    assert_eq!(source(mapping.runtime()), "Runtime[ruby, 'A']");
    assert_eq!(source(mapping.mapping()), "B");
}

#[test]
fn all_kinds_of_definitions_are_definitions() {
    let text = "class a { } define b { } function c() { } node d { } type E = F type G { }";
    let found: Vec<_> = Definition::all_in(file(text).syntax())
        .iter()
        .map(|it| source(it.name()))
        .collect();
    assert_eq!(found, ["a", "b", "c", "-", "E", "G"]);
}

#[test]
fn a_resource_has_bodies_with_attributes() {
    let resource: ResourceExpr = first("file { 'a': mode => '1', * => $x; ['b', 'c']: }");
    assert_eq!(source(resource.type_name()), "file");
    assert_eq!(resource.class_keyword(), None);
    let bodies: Vec<_> = resource.bodies().collect();
    assert_eq!(source(bodies[0].title()), "'a'");
    let attributes: Vec<_> = bodies[0].operations().collect();
    let AttributeOperation::Attribute(mode) = &attributes[0] else {
        panic!("the first one is an attribute");
    };
    assert_eq!(mode.name_token().expect("it has a name").text(), "mode");
    assert_eq!(mode.operator().expect("it has an operator").text(), "=>");
    assert_eq!(source(mode.value()), "'1'");
    let AttributeOperation::AttributeSplat(splat) = &attributes[1] else {
        panic!("the second one is a splat");
    };
    assert_eq!(source(splat.value()), "$x");
    assert_eq!(source(bodies[1].title()), "['b', 'c']");
}

#[test]
fn a_class_resource_has_a_keyword() {
    let resource: ResourceExpr = first("class { 'a': x => 1 }");
    assert_eq!(source(resource.type_name()), "-");
    assert!(resource.class_keyword().is_some());
}

#[test]
fn defaults_overrides_and_untitled_resources_differ() {
    let defaults: ResourceDefaults = first("File { mode => '1' }");
    assert_eq!(source(defaults.type_ref()), "File");
    let overrides: ResourceOverride = first("File['a', 'b'] { tag +> 'c' }");
    assert_eq!(source(overrides.resources()), "File['a', 'b']");
    assert_eq!(sources(overrides.operations()), ["tag +> 'c'"]);
    let untitled: UntitledResource = first("file { mode => '1' }");
    assert_eq!(source(untitled.name()), "file");
}

#[test]
fn a_collector_has_a_query() {
    let collector: CollectExpr = first("File <<| tag == 'a' |>> { mode => '1' }");
    assert_eq!(source(collector.type_expr()), "File");
    let query = collector.query().expect("it has a query");
    assert!(query.is_exported());
    assert_eq!(source(query.expr()), "tag == 'a'");
    assert_eq!(sources(collector.operations()), ["mode => '1'"]);
    let all: CollectQuery = first("File <| |>");
    assert!(!all.is_exported());
    assert_eq!(source(all.expr()), "-");
}

#[test]
fn virtual_and_exported_resources_differ() {
    let virtual_: VirtualExpr = first("@file { 'a': }");
    assert!(!virtual_.is_exported());
    let exported: VirtualExpr = first("@@file { 'a': }");
    assert!(exported.is_exported());
    assert_eq!(source(exported.resource()), "file { 'a': }");
}

#[test]
fn an_elsif_is_a_nested_if() {
    let outer: IfExpr = first("if $a { 1 } elsif $b { 2 } else { 3 }");
    assert_eq!(source(outer.condition()), "$a");
    assert_eq!(source(outer.body()), "{ 1 }");
    let inner = outer.else_clause().and_then(|it| it.elsif());
    let inner = inner.expect("it has an elsif");
    assert_eq!(source(inner.condition()), "$b");
    let last = inner.else_clause().and_then(|it| it.block());
    assert_eq!(source(last), "{ 3 }");
}

#[test]
fn cases_and_selectors_have_options() {
    let case: CaseExpr = first("case $x { 1, 'a': { } default: { f() } }");
    assert_eq!(source(case.subject()), "$x");
    let options: Vec<_> = case.options().map(|it| sources(it.values())).collect();
    assert_eq!(options, [vec!["1", "'a'"], vec!["default"]]);
    let selector: SelectorExpr = first("$x ? { 1 => 'a', default => 'b' }");
    assert_eq!(source(selector.subject()), "$x");
    let entries: Vec<_> = selector
        .entries()
        .map(|it| (source(it.matching()), source(it.value())))
        .collect();
    let entry = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(entries, [entry("1", "'a'"), entry("default", "'b'")]);
}

#[test]
fn operands_are_on_the_sides_of_their_operator() {
    let binary: BinaryExpr = first("$a in $b");
    assert_eq!(source(binary.lhs()), "$a");
    assert_eq!(source(binary.rhs()), "$b");
    let unfinished: BinaryExpr = first("$a +");
    assert_eq!(source(unfinished.lhs()), "$a");
    assert_eq!(source(unfinished.rhs()), "-");
    let relationship: Relationship = first("A['a'] ~> B['b']");
    assert_eq!(relationship.operator().expect("it has one").text(), "~>");
    assert_eq!(source(relationship.rhs()), "B['b']");
    let assignment: Assignment = first("$a = $b = 1");
    assert_eq!(source(assignment.lhs()), "$a");
    assert_eq!(source(assignment.rhs()), "$b = 1");
}

#[test]
fn calls_have_a_name_and_arguments() {
    let call: CallExpr = first("f(1, a => 2, b => 3) |$x| { }");
    assert_eq!(call.name_token().expect("it has a name").text(), "f");
    assert_eq!(sources(call.arguments()), ["1", "a => 2, b => 3"]);
    assert_eq!(source(call.lambda()), "|$x| { }");
    assert!(!call.is_statement_call());
    let statement: CallExpr = first("include a, b");
    assert_eq!(sources(statement.arguments()), ["a", "b"]);
    assert!(statement.is_statement_call());
    let keyword: CallExpr = first("type(1)");
    assert_eq!(source(keyword.callee()), "-");
    assert_eq!(keyword.name_token().expect("it has a name").text(), "type");
}

#[test]
fn a_method_call_has_a_receiver() {
    let call: MethodCall = first("$a.b(1).c |$x| { }");
    assert_eq!(source(call.receiver()), "$a.b(1)");
    assert_eq!(call.name_token().expect("it has a name").text(), "c");
    assert!(call.arguments().is_empty());
    assert!(call.dot().is_some() && call.lambda().is_some());
}

#[test]
fn hashes_have_entries() {
    let hash: HashExpr = first("$x = { 'a' => 1, $b => [2] }");
    let entries: Vec<_> = hash
        .entries()
        .map(|it| (source(it.key()), source(it.value())))
        .collect();
    let entry = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(entries, [entry("'a'", "1"), entry("$b", "[2]")]);
    let unbraced: UnbracedHash = first("[1, a => 2, b => 3, 4]");
    assert_eq!(sources(unbraced.entries()), ["a => 2", "b => 3"]);
}

#[test]
fn literals_have_values() {
    let kind = |text: &str| first::<Literal>(text).kind();
    assert_eq!(kind("0x1f"), Some(LiteralKind::Number("0x1f".to_owned())));
    assert_eq!(kind("[true]"), Some(LiteralKind::Boolean(true)));
    assert_eq!(kind("[undef]"), Some(LiteralKind::Undef));
    assert_eq!(
        kind("[/a\\/b/]"),
        Some(LiteralKind::Regex("a/b".to_owned()))
    );
    let integer = |value, radix| Some(Number::Integer { value, radix });
    assert_eq!(Number::parse("017"), integer(15, 8));
    assert_eq!(Number::parse("0x1F"), integer(31, 16));
    assert_eq!(Number::parse("0"), integer(0, 10));
    assert_eq!(Number::parse("1e3"), Some(Number::Float(1000.0)));
    assert_eq!(Number::parse("08"), None);
    assert_eq!(Number::parse(&"9".repeat(50)), integer(i128::MAX, 10));
}

#[test]
fn strings_resolve_their_escapes() {
    let value = |text: &str| first::<StringLiteral>(text).value();
    assert_eq!(value(r"$x = 'a\'b\\c\n'"), r"a'b\c\n");
    assert_eq!(value(r#"$x = "a\tb\u{41}\u0042\$\q\s""#), "a\tbAB$\\q ");
    assert_eq!(value("$x = foo-bar"), "foo-bar");
}

#[test]
fn interpolated_strings_have_segments() {
    let string: InterpolatedString = first(r#""a\n${b}$c::d ${1 + 2}""#);
    check_segments(
        &string.segments(),
        &expect![[r#"
            "a\n"
            ${b}
            ${$c::d}
            " "
            ${1 + 2}
        "#]],
    );
}

#[test]
fn heredocs_have_segments_without_margin() {
    let heredoc: Heredoc = first("$x = @(\"END\"/tL)\n  a\\tb \\\n  c\n    ${d}\n  |- END\n");
    check_segments(
        &heredoc.segments(),
        &expect![[r#"
            "a\tb c\n  "
            ${d}
        "#]],
    );
    let plain: Heredoc = first("$x = @(END)\na\\tb${c}\nEND\n");
    assert_eq!(plain.value().as_deref(), Some("a\\tb${c}\n"));
    let without_text: Heredoc = first("$x = @(END)");
    assert_eq!(without_text.body(), None);
}

#[test]
fn heredoc_tags_have_a_syntax_and_escapes() {
    let tag = |text| HeredocTag::parse(text).expect("the tag is valid");
    let full = tag("@( \"A B\" :json /n$ )");
    assert_eq!(full.end_text, "A B");
    assert!(full.interpolates);
    assert_eq!(full.syntax, "json");
    assert_eq!(full.escapes.as_deref(), Some("n$"));
    assert_eq!(tag("@(A)").escapes, None);
    assert_eq!(tag("@(A/)").escapes.as_deref(), Some("trnsuL$"));
    for invalid in ["@()", "@(A:J)", "@(A:)", "@(A/-)", "@(\n)"] {
        assert_eq!(HeredocTag::parse(invalid), None, "{invalid:?}");
    }
}

#[test]
fn templates_have_parameters_and_text() {
    let dialect = Dialect {
        epp: true,
        tasks: false,
    };
    let template = parse_in(
        dialect,
        "<%- | Integer $x, $y = 1 | -%>\na <%%= b %> <%= $x %>",
    );
    assert!(template.is_template());
    let parameters = template.epp_parameters().map(|it| it.parameters());
    let parameters = sources(parameters.expect("it has parameters"));
    assert_eq!(parameters, ["Integer $x", "$y = 1"]);
    let statements: Vec<_> = template.statements().collect();
    let [Expr::RenderString(text), Expr::RenderExpr(value)] = statements.as_slice() else {
        panic!("it is text and a value: {statements:?}");
    };
    assert_eq!(text.value(), "a <%= b %> ");
    assert_eq!(source(value.expr()), "$x");
}

#[test]
fn documentation_is_the_comment_directly_above() {
    let doc = |text: &str| documentation(&first::<ClassDefinition>(text));
    let text = "# other\n\n# One.\n#\n#   Two.  \nclass a { }";
    assert_eq!(doc(text).as_deref(), Some("One.\n\n  Two."));
    assert_eq!(doc("  # a\n  class a { }").as_deref(), Some("a"));
    assert_eq!(doc("# a\n\nclass a { }"), None);
    assert_eq!(doc("$x = 1 # a\nclass a { }"), None);
}
