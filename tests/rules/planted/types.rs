//! Mistakes in types and values.

use analysis::library;
use syntax::ast::{
    AccessExpr, AstNode, Attribute, CallExpr, DefineDefinition, Definition, Expr, HasName,
    HasParameters, Lambda, MethodCall, Parameter, ResourceExpr,
};
use syntax::validation::PuppetVersion;
use syntax::{Dialect, SyntaxNode, TextRange};

use super::Mistake;
use super::insertions::{body_start, insertion};
use super::misspellings::misspell;
use super::sites::Source;

/// Returns all of them for a file.
pub(super) fn mistakes(source: &Source<'_>) -> Vec<Mistake> {
    let mut found = Vec::new();
    for definition in source.root.children().filter_map(Definition::cast) {
        let parameters = match &definition {
            Definition::ClassDefinition(it) => it.parameters(),
            Definition::DefineDefinition(it) => it.parameters(),
            _ => continue,
        };
        let start = body_start(definition.syntax());
        for parameter in &parameters {
            default(parameter, &mut found);
            if let Some(at) = start {
                with_parameter(parameter, at, &mut found);
            }
        }
        if let Some(at) = start {
            statements(at, &mut found);
        }
    }
    for node in source.root.descendants() {
        call(source, &node, &mut found);
        lambda(&node, &mut found);
        resource(source, &node, &mut found);
        reference(source, &node, &mut found);
    }
    found
}

/// The kind of values of a parameter, by the name of its type.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Number,
    Flag,
    List,
    Map,
    Choice,
    Secret,
}

fn kind(parameter: &Parameter) -> Option<Kind> {
    let written = parameter.type_expr()?.syntax().text().to_string();
    let base = written.split('[').next().unwrap_or_default().trim();
    Some(match base {
        "String" => Kind::Text,
        "Integer" => Kind::Number,
        "Boolean" => Kind::Flag,
        "Array" => Kind::List,
        "Hash" => Kind::Map,
        "Enum" => Kind::Choice,
        "Sensitive" => Kind::Secret,
        _ => return None,
    })
}

fn replacement(kind: &'static str, code: &'static str, range: TextRange, with: &str) -> Mistake {
    Mistake {
        kind,
        code,
        from: usize::from(range.start()),
        to: usize::from(range.end()),
        with: with.to_owned(),
        at: usize::from(range.start()),
    }
}

/// A default that does not match the type.
fn default(parameter: &Parameter, found: &mut Vec<Mistake>) {
    let (Some(default), Some(kind)) = (parameter.default(), kind(parameter)) else {
        return;
    };
    let (name, with) = match kind {
        Kind::Text => ("default of a String that is a number", "8"),
        Kind::Number => ("default of an Integer that is a string", "'8'"),
        Kind::Flag => ("default of a Boolean that is a string", "'true'"),
        Kind::List => ("default of an Array that is a string", "'pupil'"),
        Kind::Map => ("default of a Hash that is an array", "['pupil']"),
        Kind::Choice => ("default of an Enum that is not listed", "'pupil_planted'"),
        Kind::Secret => ("default of a Sensitive that is a string", "'pupil'"),
    };
    let range = default.syntax().text_range();
    found.push(replacement(name, "type-mismatch", range, with));
}

/// Statements that use a parameter with a wrong type.
fn with_parameter(parameter: &Parameter, at: usize, found: &mut Vec<Mistake>) {
    let (Some(name), Some(kind)) = (parameter.name(), kind(parameter)) else {
        return;
    };
    for (kind, code, statement) in misuses(kind) {
        let statement = statement.replace("$p", &format!("${name}"));
        found.push(insertion(kind, code, at, format!("\n  {statement}\n")));
    }
}

/// The name of the mistake, the rule that reports it, and the statements.
type Misuse = (&'static str, &'static str, &'static str);

const OPERAND: &str = "invalid-operand";
const CONSTANT: &str = "constant-condition";
const MISMATCH: &str = "type-mismatch";

/// Returns wrong uses of a parameter, which is `$p` in the statements.
fn misuses(kind: Kind) -> &'static [Misuse] {
    match kind {
        Kind::Text => TEXT,
        Kind::Number => NUMBER,
        Kind::Flag => FLAG,
        Kind::List => LIST,
        Kind::Map => MAP,
        Kind::Choice => CHOICE,
        Kind::Secret => SECRET,
    }
}

const TEXT: &[Misuse] = &[
    ("String as a condition", CONSTANT, "if $p { notice('x') }"),
    (
        "String equal to a number",
        "never-equal",
        "if $p == 8 { notice('x') }",
    ),
    (
        "String less than a number",
        OPERAND,
        "if $p < 8 { notice('x') }",
    ),
    (
        "String matched by Integer",
        CONSTANT,
        "if $p =~ Integer { notice('x') }",
    ),
    (
        "String in a case of numbers",
        "unreachable-option",
        "case $p { 8: { notice('x') } default: { } }",
    ),
    (
        "invalid regex",
        "invalid-regex",
        "notice(regsubst($p, '(pupil', 'x'))",
    ),
    (
        "invalid regex in =~",
        "invalid-regex",
        "if $p =~ '[pupil' { notice('x') }",
    ),
    (
        "format with too few values",
        "invalid-format",
        "notice(sprintf('%s and %s', $p))",
    ),
    (
        "String iterated over as a hash",
        MISMATCH,
        "notice(keys($p))",
    ),
    ("String and list", OPERAND, "notice($p + ['x'])"),
    (
        "option after a wider one",
        "unreachable-option",
        "case $p { String: { notice('x') } 'a': { notice('y') } default: { } }",
    ),
    (
        "negated String",
        CONSTANT,
        "if ! $p =~ String { notice('x') }",
    ),
];

const NUMBER: &[Misuse] = &[
    (
        "Integer as a condition",
        CONSTANT,
        "unless $p { notice('x') }",
    ),
    (
        "Integer equal to a string",
        "never-equal",
        "if $p == '80' { notice('x') }",
    ),
    (
        "Integer matched by a regex",
        OPERAND,
        "if $p =~ /^80/ { notice('x') }",
    ),
    (
        "Integer as a string argument",
        MISMATCH,
        "notice(regsubst($p, 'a', 'b'))",
    ),
    ("division by zero", "division-by-zero", "notice($p / 0)"),
    ("remainder by zero", "division-by-zero", "notice($p % 0)"),
    ("Integer and list", OPERAND, "notice($p + [1])"),
    ("Integer as a title", "invalid-title", "notify { $p: }"),
    (
        "Integer in assert_type",
        MISMATCH,
        "assert_type(String, $p)",
    ),
];

const FLAG: &[Misuse] = &[
    (
        "Boolean equal to a string",
        "never-equal",
        "if $p == 'true' { notice('x') }",
    ),
    ("Boolean in arithmetic", OPERAND, "notice($p + 1)"),
    ("element of a Boolean", OPERAND, "notice($p['pupil'])"),
    (
        "Boolean iterated over",
        MISMATCH,
        "$p.each |$x| { notice($x) }",
    ),
    (
        "selector that misses false",
        "missing-option",
        "notice($p ? { true => 'x' })",
    ),
    (
        "selector with a string for a Boolean",
        "unreachable-option",
        "notice($p ? { 'yes' => 'x', default => 'y' })",
    ),
    ("ordered Boolean", OPERAND, "if $p > false { notice('x') }"),
    (
        "Boolean tested twice",
        CONSTANT,
        "if $p { if $p { notice('x') } }",
    ),
];

const LIST: &[Misuse] = &[
    ("Array as a condition", CONSTANT, "if $p { notice('x') }"),
    (
        "Array matched by a regex",
        OPERAND,
        "if $p =~ /x/ { notice('x') }",
    ),
    ("key of an Array", OPERAND, "notice($p['pupil'])"),
    (
        "Array as a version",
        MISMATCH,
        "notice(versioncmp($p, '1'))",
    ),
    (
        "block of an Array with too many parameters",
        "block-mismatch",
        "$p.each |$x, $y, $z| { notice($x, $y, $z) }",
    ),
    ("Array negated", OPERAND, "notice(-$p)"),
    ("Array without its block", "block-mismatch", "$p.filter"),
];

const MAP: &[Misuse] = &[
    ("Hash as a condition", CONSTANT, "if $p { notice('x') }"),
    ("Hash and number", OPERAND, "notice($p + 1)"),
    (
        "Hash equal to a string",
        "never-equal",
        "if $p == '' { notice('x') }",
    ),
    (
        "block of a Hash with too many parameters",
        "block-mismatch",
        "$p.map |$k, $v, $z| { notice($k, $v, $z) }",
    ),
    ("ordered Hash", OPERAND, "if $p > {} { notice('x') }"),
    ("Hash as a title", "invalid-title", "notify { $p: }"),
];

const CHOICE: &[Misuse] = &[
    (
        "option that is not in the Enum",
        "unreachable-option",
        "case $p { 'pupil_planted': { notice('x') } default: { } }",
    ),
    (
        "Enum equal to another string",
        "never-equal",
        "if $p == 'pupil_planted' { notice('x') }",
    ),
    (
        "Enum unequal to another string",
        "never-equal",
        "unless $p != 'pupil_planted' { notice('x') }",
    ),
    (
        "Enum matched by Undef",
        CONSTANT,
        "if $p =~ Undef { notice('x') }",
    ),
    ("Enum and number", OPERAND, "if $p >= 3 { notice('x') }"),
    (
        "selector that misses options",
        "missing-option",
        "notice($p ? { 'pupil_planted' => 'x' })",
    ),
];

const SECRET: &[Misuse] = &[
    (
        "interpolated Sensitive",
        "redacted-sensitive",
        "notice(\"x ${p}\")",
    ),
    (
        "Sensitive as a string",
        MISMATCH,
        "notice(regsubst($p, 'a', 'b'))",
    ),
];

/// Statements that are independent of their context.
fn statements(at: usize, found: &mut Vec<Mistake>) {
    const ALL: [Misuse; 13] = [
        (
            "integer overflow",
            "integer-overflow",
            "notice(9223372036854775807 + 1)",
        ),
        (
            "integer overflow of a product",
            "integer-overflow",
            "$pupil_n = 9000000000\n  notice(1, $pupil_n * $pupil_n)",
        ),
        (
            "strings joined by plus",
            "invalid-operand",
            "notice('a' + 'b')",
        ),
        (
            "index after the end",
            "index-out-of-range",
            "$pupil_l = ['a', 'b']\n  notice(1, $pupil_l[2])",
        ),
        (
            "index before the start",
            "index-out-of-range",
            "notice(['a', 'b'][-3])",
        ),
        (
            "unknown key",
            "unknown-key",
            "$pupil_h = { 'name' => 1, 'size' => 2 }\n  notice(1, $pupil_h['nmae'])",
        ),
        (
            "unknown capture group",
            "unknown-capture-group",
            "if 'ab' =~ /(a)b/ { notice($2) }",
        ),
        ("invalid version", "failing-call", "notice(SemVer('1.x'))"),
        (
            "invalid version range",
            "failing-call",
            "notice(SemVerRange('>=a.b'))",
        ),
        (
            "string that is not a number",
            "failing-call",
            "notice(Integer('eighty'))",
        ),
        (
            "value of the wrong type for a format",
            "invalid-format",
            "notice(sprintf('%d', 'many'))",
        ),
        (
            "condition on an assigned value",
            "constant-condition",
            "$pupil_c = undef\n  if $pupil_c { notice(1) }",
        ),
        (
            "code after fail",
            "unreachable-code",
            "if $facts['pupil'] { fail('x')\n  notice('y') }",
        ),
    ];
    for (kind, code, statement) in ALL {
        let mut mistake = insertion(kind, code, at, format!("\n  {statement}\n"));
        // The mistake is in the last line.
        if let Some(lines) = statement.rfind('\n') {
            mistake.at += lines + 1;
        }
        found.push(mistake);
    }
}

/// Calls of Puppet's functions.
fn call(source: &Source<'_>, node: &SyntaxNode, found: &mut Vec<Mistake>) {
    if let Some(call) = MethodCall::cast(node.clone()) {
        return method(&call, found);
    }
    let Some(call) = CallExpr::cast(node.clone()) else {
        return;
    };
    let (Some(name), arguments) = (call.name_token(), call.arguments()) else {
        return;
    };
    let is_known = ["versioncmp", "regsubst", "split", "epp"];
    let plain = !call.is_statement_call() && call.lambda().is_none();
    if !is_known.contains(&name.text()) || !plain || node.text().contains_char('*') {
        return;
    }
    let (Some(first), Some(last)) = (arguments.first(), arguments.last()) else {
        return;
    };
    let same_line = |range: TextRange| {
        let text = node.text().to_string();
        let to = usize::from(range.end() - node.text_range().start());
        !text[..to].contains('\n')
    };
    let (from, to) = (first.syntax().text_range(), last.syntax().text_range());
    let code = "argument-count";
    let at = usize::from(name.text_range().start());
    let mut push = |kind, range: TextRange, with: &str, code| {
        found.push(Mistake {
            at,
            ..replacement(kind, code, range, with)
        });
    };
    if same_line(to) {
        push("call without its arguments", from.cover(to), "", code);
    }
    match name.text() {
        "versioncmp" if arguments.len() == 2 => {
            let behind = TextRange::empty(to.end());
            push(
                "call with too many arguments",
                behind,
                ", true, 'pupil'",
                code,
            );
            if same_line(from) {
                push("version that is a number", from, "8", "type-mismatch");
                push("version that is undef", from, "undef", "type-mismatch");
            }
        }
        "regsubst" if arguments.len() >= 3 && same_line(from) => {
            push(
                "Hash as a string argument",
                from,
                "{ 'a' => 1 }",
                "type-mismatch",
            );
        }
        "epp" => template(source, &arguments, at, found),
        "split" if same_line(from) => {
            push("Array as a string argument", from, "['a']", "type-mismatch");
        }
        _ => {}
    }
}

/// The parameters of a template: one misspelled, one missing, one with a wrong value.
fn template(source: &Source<'_>, arguments: &[Expr], at: usize, found: &mut Vec<Mistake>) {
    let [path, Expr::HashExpr(hash)] = arguments else {
        return;
    };
    let path = path.syntax().text().to_string();
    let path = path.trim_matches(['\'', '"']);
    let module = source.module.name.as_str();
    let in_module = path
        .split_once('/')
        .filter(|it| [module, "${module_name}"].contains(&it.0));
    let text = in_module.and_then(|it| source.module.files.get(&format!("templates/{}", it.1)));
    let Some(text) = text.and_then(|it| it.as_deref()) else {
        return;
    };
    let dialect = Dialect {
        epp: true,
        ..Dialect::default()
    };
    let template = syntax::parse(text, dialect).tree().epp_parameters();
    let parameters = template.map(|it| it.parameters()).unwrap_or_default();
    for entry in hash.entries() {
        let (Some(key), Some(value)) = (entry.key(), entry.value()) else {
            continue;
        };
        let key = key.syntax();
        let name = key.text().to_string();
        let name = name.trim_matches(['\'', '"']);
        let Some(parameter) = parameters
            .iter()
            .find(|it| it.name().as_deref() == Some(name))
        else {
            continue;
        };
        let (code, range) = ("unknown-parameter", key.text_range());
        let kind = "template with a misspelled parameter";
        found.push(replacement(kind, code, range, &format!("'pupil_{name}'")));
        if parameter.default().is_none() {
            let (code, kind) = ("missing-parameter", "template without a required parameter");
            let mut mistake = replacement(kind, code, range, "'pupil_other'");
            mistake.at = at;
            found.push(mistake);
        }
        if parameter.type_expr().is_some() {
            let kind = "template with a value of a wrong type";
            let range = value.syntax().text_range();
            found.push(replacement(kind, "type-mismatch", range, "default"));
        }
    }
}
/// Functions that call a block for each element.
const ITERATING: [&str; 3] = ["each", "map", "filter"];

fn method(call: &MethodCall, found: &mut Vec<Mistake>) {
    let (Some(name), Some(lambda)) = (call.name_token(), call.lambda()) else {
        return;
    };
    let iterates = ITERATING.contains(&name.text());
    if iterates && call.arguments().is_empty() {
        let range = lambda.syntax().text_range();
        found.push(Mistake {
            at: usize::from(name.text_range().start()),
            ..replacement("iteration without its block", "block-mismatch", range, "")
        });
        let receiver = call.receiver().map(|it| it.syntax().text_range());
        if let Some(range) = receiver.filter(|it| it.end() <= name.text_range().start()) {
            let kind = "iteration over a boolean";
            found.push(replacement(kind, "type-mismatch", range, "true"));
        }
    }
}

fn lambda(node: &SyntaxNode, found: &mut Vec<Mistake>) {
    let Some(lambda) = Lambda::cast(node.clone()) else {
        return;
    };
    let call = node.parent().and_then(MethodCall::cast);
    let name = call.and_then(|it| it.name_token());
    let is_each = name.is_some_and(|it| ITERATING.contains(&it.text()));
    let (Some(last), true) = (lambda.parameters().last().cloned(), is_each) else {
        return;
    };
    let behind = TextRange::empty(last.syntax().text_range().end());
    let with = ", $pupil_a, $pupil_b";
    let kind = "block with too many parameters";
    found.push(replacement(kind, "block-mismatch", behind, with));
}

/// A misspelled title of a resource that the same file declares, if all titles of the type are
/// known.
fn reference(source: &Source<'_>, node: &SyntaxNode, found: &mut Vec<Mistake>) {
    let Some(access) = AccessExpr::cast(node.clone()) else {
        return;
    };
    let keys = access.keys();
    let (Some(Expr::QualifiedReference(base)), [Expr::StringLiteral(title)]) =
        (access.base(), keys.as_slice())
    else {
        return;
    };
    let type_ = base.text().to_ascii_lowercase();
    let written = title.value();
    let declares = |rest: &str| source.text.contains(&format!("{type_} {{ {rest}"));
    let known = declares(&format!("'{written}':"));
    let others = declares("$") || declares("\"") || declares("[");
    let Some(misspelled) = misspell(&written, written.len()).filter(|_| known && !others) else {
        return;
    };
    let range = title.syntax().text_range();
    let kind = "reference with a misspelled title";
    found.push(replacement(
        kind,
        "unknown-reference",
        range,
        &format!("'{misspelled}'"),
    ));
}

fn resource(source: &Source<'_>, node: &SyntaxNode, found: &mut Vec<Mistake>) {
    let Some(resource) = ResourceExpr::cast(node.clone()) else {
        return;
    };
    let Some(Expr::QualifiedName(type_)) = resource.type_name() else {
        return;
    };
    let type_ = type_.text();
    for body in resource.bodies() {
        let attributes = body.syntax().children().filter_map(Attribute::cast);
        for attribute in attributes {
            let (Some(name), Some(value)) = (attribute.name_token(), attribute.value()) else {
                continue;
            };
            let range = value.syntax().text_range();
            if let Some(kind) = listed(&type_, name.text()) {
                let code = "invalid-attribute-value";
                found.push(replacement(kind, code, range, "'pupil_planted'"));
            }
            if let Some((kind, with)) = declared(source, &type_, name.text()) {
                found.push(replacement(kind, "type-mismatch", range, with));
            }
        }
    }
}

/// Returns the name of the mistake for attributes of Puppet's types that list their values.
fn listed(type_: &str, attribute: &str) -> Option<&'static str> {
    let known = library::resource_type(type_, PuppetVersion::V8)?;
    let attribute = known.attributes.iter().find(|it| it.name == attribute)?;
    if attribute.values.is_empty() || !attribute.patterns.is_empty() {
        return None;
    }
    Some(match (type_, attribute.name.as_str()) {
        ("service", "ensure") => "state of a service",
        ("service", "enable") => "start of a service",
        ("file", "recurse" | "purge" | "force" | "replace") => "boolean attribute of a file",
        ("exec", "refreshonly" | "logoutput") => "boolean attribute of an exec",
        ("user" | "group", _) => "attribute of a user or group",
        ("cron", "ensure") => "state of a cron",
        _ => return None,
    })
}

/// Returns the mistake for a parameter of a defined type of Debian's modules, by the name of its
/// type.
fn declared(
    source: &Source<'_>,
    type_: &str,
    parameter: &str,
) -> Option<(&'static str, &'static str)> {
    let definition = source.names.definition_of(type_)?;
    let root = syntax::parse(definition, syntax::Dialect::default()).syntax();
    let mut defines = root.descendants().filter_map(DefineDefinition::cast);
    let define = defines.find(|it| it.name().is_some_and(|it| it.text() == type_))?;
    let parameters = define.parameters();
    let found = parameters
        .iter()
        .find(|it| it.name().as_deref() == Some(parameter))?;
    Some(match kind(found)? {
        Kind::Text => ("String parameter with a number", "8"),
        Kind::Number => ("Integer parameter with a string", "'pupil'"),
        Kind::Flag => ("Boolean parameter with a string", "'yes'"),
        Kind::List => ("Array parameter with a hash", "{ 'pupil' => 1 }"),
        Kind::Map => ("Hash parameter with an array", "['pupil']"),
        Kind::Choice => ("Enum parameter with an unlisted value", "'pupil_planted'"),
        Kind::Secret => return None,
    })
}
