//! The objects of the model in PN.

use super::{Pn, call, float, literals};
use crate::model::{Definition, DefinitionClass, Form, Kind, Node, Parameter, UnaryClass};

type Entries = Vec<(String, Pn)>;

fn entry(key: &str, value: Pn) -> (String, Pn) {
    (key.to_owned(), value)
}

pub(super) fn pn(node: &Node) -> Pn {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || pn_here(node))
}

fn pn_here(node: &Node) -> Pn {
    match &node.kind {
        Kind::Nop => call("nop", vec![]),
        Kind::Program(body) => option(body.as_deref()),
        Kind::Block(statements) => call("block", list(statements)),
        Kind::Binary {
            op, left, right, ..
        } => call(op.as_str(), vec![pn(left), pn(right)]),
        Kind::Unary { class, expr } => unary(*class, expr),
        Kind::Access { left, keys } => call(
            "access",
            std::iter::once(pn(left))
                .chain(keys.iter().map(pn))
                .collect(),
        ),
        Kind::NamedAccess { left, name } => call(".", vec![pn(left), name_of(name)]),
        Kind::List(values) => call("array", list(values)),
        Kind::Hash(entries) => call("hash", list(entries)),
        Kind::KeyedEntry { key, value } => call("=>", vec![pn(key), pn(value)]),
        Kind::If {
            unless,
            test,
            then,
            otherwise,
        } => {
            let mut entries = vec![entry("test", pn(test))];
            entries.extend(
                then.as_deref()
                    .map(|it| entry("then", statements(Some(it)))),
            );
            entries.extend(
                otherwise
                    .as_deref()
                    .map(|it| entry("else", statements(Some(it)))),
            );
            call(
                if *unless { "unless" } else { "if" },
                vec![Pn::Map(entries)],
            )
        }
        Kind::Case { test, options } => call("case", vec![pn(test), Pn::List(list(options))]),
        Kind::CaseOption { values, then } => Pn::Map(vec![
            entry("when", Pn::List(list(values))),
            entry("then", statements(then.as_deref())),
        ]),
        Kind::Selector { left, selectors } => call("?", vec![pn(left), Pn::List(list(selectors))]),
        Kind::SelectorEntry { matching, value } => call("=>", vec![pn(matching), pn(value)]),
        Kind::Call {
            functor,
            is_value,
            arguments,
            lambda,
        } => {
            let name = if *is_value { "call" } else { "invoke" };
            call(name, vec![call_map(functor, arguments, lambda.as_deref())])
        }
        Kind::MethodCall {
            functor,
            arguments,
            lambda,
        } => call(
            "call-method",
            vec![call_map(functor, arguments, lambda.as_deref())],
        ),
        Kind::Lambda {
            parameters,
            body,
            return_type,
        } => {
            let mut entries = Entries::new();
            entries.extend(parameters_entry(parameters));
            entries.extend(return_type.as_deref().map(|it| entry("returns", pn(it))));
            entries.extend(
                body.as_deref()
                    .map(|it| entry("body", statements(Some(it)))),
            );
            call("lambda", vec![Pn::Map(entries)])
        }
        Kind::Epp(body) => match body.as_deref().map(|it| &it.kind) {
            Some(Kind::Block(statements)) => call("epp", list(statements)),
            _ => call("epp", vec![]),
        },
        Kind::Resource {
            form,
            type_name,
            bodies,
        } => {
            let entries = vec![
                entry("type", pn(type_name)),
                entry("bodies", Pn::List(list(bodies))),
            ];
            with_form("resource", entries, *form)
        }
        Kind::ResourceBody { title, operations } => Pn::Map(vec![
            entry("title", pn(title)),
            entry("ops", Pn::List(list(operations))),
        ]),
        Kind::ResourceDefaults {
            form,
            type_ref,
            operations,
        } => {
            let entries = vec![
                entry("type", pn(type_ref)),
                entry("ops", Pn::List(list(operations))),
            ];
            with_form("resource-defaults", entries, *form)
        }
        Kind::ResourceOverride {
            form,
            resources,
            operations,
        } => {
            let entries = vec![
                entry("resources", pn(resources)),
                entry("ops", Pn::List(list(operations))),
            ];
            with_form("resource-override", entries, *form)
        }
        Kind::Attribute { name, op, value } => {
            call(op.as_str(), vec![Pn::text(name.as_str()), pn(value)])
        }
        Kind::AttributeSplat(value) => call("splat-hash", vec![pn(value)]),
        Kind::Collect {
            type_expr,
            query,
            operations,
        } => {
            let mut entries = vec![entry("type", pn(type_expr)), entry("query", pn(query))];
            if !operations.is_empty() {
                entries.push(entry("ops", Pn::List(list(operations))));
            }
            call("collect", vec![Pn::Map(entries)])
        }
        Kind::Query { exported, expr } => {
            let name = if *exported {
                "exported-query"
            } else {
                "virtual-query"
            };
            call(name, expr.iter().map(|it| pn(it)).collect())
        }
        Kind::Definition(it) => definition(it),
        Kind::NodeDefinition {
            hosts,
            parent,
            body,
        } => {
            let mut entries = vec![entry("matches", Pn::List(list(hosts)))];
            entries.extend(parent.as_deref().map(|it| entry("parent", pn(it))));
            entries.extend(
                body.as_deref()
                    .map(|it| entry("body", statements(Some(it)))),
            );
            call("node", vec![Pn::Map(entries)])
        }
        Kind::TypeAlias { name, type_expr } => {
            call("type-alias", vec![Pn::text(name.as_str()), pn(type_expr)])
        }
        Kind::TypeMapping { type_expr, mapping } => {
            call("type-mapping", vec![pn(type_expr), pn(mapping)])
        }
        Kind::TypeDefinition { name, parent, body } => {
            let parent = parent
                .as_ref()
                .map_or(Pn::plain("nil"), |it| Pn::text(it.as_str()));
            let body = option(body.as_deref());
            call(
                "type-definition",
                vec![Pn::text(name.as_str()), parent, body],
            )
        }
        Kind::Parameter(it) => Pn::Map(parameter(it)),
        Kind::Apply { arguments, body } => call("apply", vec![Pn::List(list(arguments)), pn(body)]),
        Kind::ApplyBlock(statements) => call("block", list(statements)),
        Kind::Integer { value, radix } => literals::integer(*value, *radix),
        Kind::Float(value) => Pn::plain(float(*value)),
        Kind::Boolean(value) => Pn::plain(value.to_string()),
        Kind::Undef => Pn::plain("nil"),
        Kind::Default => call("default", vec![]),
        Kind::Regex(source) => call("regexp", vec![Pn::text(regex(source))]),
        Kind::String(value) => Pn::text(value.as_str()),
        Kind::QualifiedName(name) => name_of(name),
        Kind::QualifiedReference(name) => call("qr", vec![Pn::text(name.as_str())]),
        Kind::ReservedWord(word) => call("reserved", vec![Pn::text(word.as_str())]),
        Kind::Variable(name) => call("var", vec![Pn::text(name.as_str())]),
        Kind::Concat(segments) => call("concat", list(segments)),
        Kind::Heredoc { syntax, text } => {
            let mut entries = Entries::new();
            if !syntax.is_empty() {
                entries.push(entry("syntax", Pn::text(syntax.as_str())));
            }
            entries.push(entry("text", pn(text)));
            call("heredoc", vec![Pn::Map(entries)])
        }
        Kind::RenderString(text) => call("render-s", vec![Pn::text(text.as_str())]),
    }
}

/// Formats a regular expression like Ruby, which adds the (empty) options to one that requires
/// Unicode.
fn regex(source: &str) -> String {
    if source.is_ascii() && !has_unicode_escape(source) {
        source.to_owned()
    } else {
        format!("(?-imx:{source})")
    }
}

/// Checks whether a regular expression contains a property or an escaped non-ASCII character.
fn has_unicode_escape(source: &str) -> bool {
    let mut rest = source;
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at + 1..];
        let digits: String = escape
            .chars()
            .skip(1)
            .filter(|&c| c != '{')
            .take(6)
            .collect();
        let hex: String = digits.chars().take_while(char::is_ascii_hexdigit).collect();
        match escape.chars().next() {
            Some('p' | 'P') => return true,
            Some('u') if u32::from_str_radix(&hex, 16).is_ok_and(|it| it > 0x7f) => return true,
            Some(c) => rest = &escape[c.len_utf8()..],
            None => return false,
        }
    }
    false
}

fn option(node: Option<&Node>) -> Pn {
    node.map_or_else(|| call("nop", vec![]), pn)
}

fn list(nodes: &[Node]) -> Vec<Pn> {
    nodes.iter().map(pn).collect()
}

/// Returns the statements of a block, or the single expression that replaces it.
fn statements(node: Option<&Node>) -> Pn {
    match node.map(|it| &it.kind) {
        Some(Kind::Block(statements)) => Pn::List(list(statements)),
        _ => Pn::List(vec![option(node)]),
    }
}

fn name_of(name: &str) -> Pn {
    call("qn", vec![Pn::text(name)])
}

fn unary(class: UnaryClass, expr: &Node) -> Pn {
    let name = match (class, &expr.kind) {
        // The radix of a number is lost after a minus.
        (UnaryClass::Minus, Kind::Integer { value, .. }) => return Pn::plain((-value).to_string()),
        (UnaryClass::Minus, Kind::Float(value)) => return Pn::plain(float(-value)),
        (UnaryClass::Minus, _) => "-",
        (UnaryClass::Paren, _) => "paren",
        (UnaryClass::Not, _) => "!",
        (UnaryClass::Unfold, _) => "unfold",
        (UnaryClass::Text, _) => "str",
        (UnaryClass::Render, _) => "render",
    };
    call(name, vec![pn(expr)])
}

fn call_map(functor: &Node, arguments: &[Node], lambda: Option<&Node>) -> Pn {
    let mut entries = vec![
        entry("functor", pn(functor)),
        entry("args", Pn::List(list(arguments))),
    ];
    entries.extend(lambda.map(|it| entry("block", pn(it))));
    Pn::Map(entries)
}

fn with_form(name: &str, mut entries: Entries, form: Form) -> Pn {
    match form {
        Form::Regular => {}
        Form::Virtual => entries.push(entry("form", Pn::text("virtual"))),
        Form::Exported => entries.push(entry("form", Pn::text("exported"))),
    }
    call(name, vec![Pn::Map(entries)])
}

fn definition(definition: &Definition) -> Pn {
    let name = match definition.class {
        DefinitionClass::Class => "class",
        DefinitionClass::Define => "define",
        DefinitionClass::Function => "function",
        DefinitionClass::Plan => "plan",
    };
    let mut entries = vec![entry("name", Pn::text(definition.name.as_str()))];
    entries.extend(
        definition
            .parent
            .as_ref()
            .map(|it| entry("parent", Pn::text(it.as_str()))),
    );
    entries.extend(parameters_entry(&definition.parameters));
    entries.extend(
        definition
            .body
            .as_deref()
            .map(|it| entry("body", statements(Some(it)))),
    );
    entries.extend(
        definition
            .return_type
            .as_deref()
            .map(|it| entry("returns", pn(it))),
    );
    call(name, vec![Pn::Map(entries)])
}

fn parameters_entry(parameters: &[Node]) -> Option<(String, Pn)> {
    let entries: Entries = parameters
        .iter()
        .filter_map(|it| match &it.kind {
            Kind::Parameter(it) => Some((it.name.clone(), Pn::Map(parameter(it)))),
            _ => None,
        })
        .collect();
    (!entries.is_empty()).then(|| entry("params", Pn::Map(entries)))
}

fn parameter(parameter: &Parameter) -> Entries {
    let mut entries = Entries::new();
    entries.extend(
        parameter
            .type_expr
            .as_deref()
            .map(|it| entry("type", pn(it))),
    );
    if parameter.captures_rest {
        entries.push(entry("splat", Pn::plain("true")));
    }
    entries.extend(parameter.value.as_deref().map(|it| entry("value", pn(it))));
    entries
}
