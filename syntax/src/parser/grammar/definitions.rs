//! Definitions and their parameters.

use super::*;

pub(super) fn class(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    name(p, "a class name");
    parameter_list(p);
    if p.at(INHERITS_KW) {
        let inherits = p.start();
        p.bump();
        if p.at(DEFAULT_KW) {
            expressions::word(p, DEFINITION_NAME);
        } else {
            name(p, "a class name after `inherits`");
        }
        inherits.complete(p, INHERITS);
    }
    blocks::block(p);
    whole.complete(p, CLASS_DEFINITION)
}

pub(super) fn define(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    name(p, "a defined type name");
    parameter_list(p);
    blocks::block(p);
    whole.complete(p, DEFINE_DEFINITION)
}

pub(super) fn plan(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    name(p, "a plan name");
    parameter_list(p);
    blocks::block(p);
    whole.complete(p, PLAN_DEFINITION)
}

pub(super) fn function(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    name(p, "a function name");
    parameter_list(p);
    return_type(p);
    blocks::block(p);
    whole.complete(p, FUNCTION_DEFINITION)
}

/// Parses the name of a definition. Invalid names are reported later, by the static checks.
fn name(p: &mut Parser<'_>, what: &str) {
    match p.current() {
        NAME | WORD | CLASSREF => {
            expressions::word(p, DEFINITION_NAME);
        }
        SINGLE_QUOTED | DOUBLE_QUOTED => {
            p.expected("an unquoted name");
            expressions::word(p, DEFINITION_NAME);
        }
        CLASS_KW => {
            p.error_here(format!("expected {what}, found keyword `class`"));
            expressions::word(p, DEFINITION_NAME);
        }
        _ => p.expected(what),
    }
}

/// Optional `(…)`.
fn parameter_list(p: &mut Parser<'_>) {
    if !matches!(p.current(), L_PAREN | WS_L_PAREN) {
        return parameters_without_parenthesis(p);
    }
    let list = p.start();
    let open = p.open();
    parameters(p, R_PAREN);
    p.close(open, R_PAREN);
    list.complete(p, PARAMETER_LIST);
}

/// Parses the parameters up to the unmatched closing parenthesis, if the opening one is missing.
fn parameters_without_parenthesis(p: &mut Parser<'_>) {
    let starts_parameter = matches!(p.current(), VARIABLE | CLASSREF);
    if !(p.repairs && starts_parameter && p.next_extra_is(R_PAREN)) {
        return;
    }
    let list = p.start();
    p.expected_mark("(", " before the parameters");
    p.use_next_extra();
    parameters(p, R_PAREN);
    p.eat(R_PAREN);
    list.complete(p, PARAMETER_LIST);
}

/// `|…|`.
pub(super) fn piped_parameters(p: &mut Parser<'_>, kind: SyntaxKind) {
    let list = p.start();
    let open = p.open();
    parameters(p, PIPE);
    p.close(open, PIPE);
    list.complete(p, kind);
}

fn parameters(p: &mut Parser<'_>, close: SyntaxKind) {
    while !p.at_list_end(close) {
        let before = p.at;
        parameter(p);
        if p.at_list_end(close) || p.eat(COMMA) {
            continue;
        }
        p.expected_in_brackets(if close == PIPE {
            "`,` or `|`"
        } else {
            "`,` or `)`"
        });
        if p.is_outer_close() || p.starts_block_or_definition() {
            return;
        }
        if p.at == before {
            p.skip();
        }
    }
}

/// `T *$x = v`.
fn parameter(p: &mut Parser<'_>) {
    let parameter = p.start();
    let has_type = p.at(CLASSREF);
    if has_type {
        simple_type(p);
    }
    let is_rest = p.eat(STAR);
    if !p.eat(VARIABLE) {
        if !has_type && !is_rest {
            parameter.abandon(p);
            return p.expected("a parameter");
        }
        p.expected("a variable");
        parameter.complete(p, PARAMETER);
        return;
    }
    if p.eat(EQ) {
        expressions::expect_expression(p, "a default value");
    }
    parameter.complete(p, PARAMETER);
}

/// `T` or `T[…]`, without a trailing comma.
fn simple_type(p: &mut Parser<'_>) -> CompletedMarker {
    let name = expressions::word(p, QUALIFIED_REFERENCE);
    if !p.at(L_BRACK) {
        return name;
    }
    let whole = name.precede(p);
    expressions::access_keys(p, false);
    whole.complete(p, ACCESS_EXPR)
}

/// Optional `>> T`.
pub(super) fn return_type(p: &mut Parser<'_>) {
    if !p.at(SHR) {
        return;
    }
    let whole = p.start();
    p.bump();
    if p.at(CLASSREF) {
        simple_type(p);
    } else {
        p.expected("a return type after `>>`");
    }
    whole.complete(p, RETURN_TYPE);
}

/// `node a, 'b', /c/ { … }`.
pub(super) fn node(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    let mut links = 0;
    loop {
        if !host_name(p) {
            p.expected("a node name");
            break;
        }
        if !p.eat(COMMA) || matches!(p.current(), INHERITS_KW | L_BRACE) || !p.chain(&mut links) {
            break;
        }
    }
    if p.at(INHERITS_KW) {
        let inherits = p.start();
        p.bump();
        if !host_name(p) {
            p.expected("a node name after `inherits`");
        }
        inherits.complete(p, INHERITS);
    }
    blocks::block(p);
    whole.complete(p, NODE_DEFINITION)
}

fn host_name(p: &mut Parser<'_>) -> bool {
    let host = p.start();
    match p.current() {
        NAME | NUMBER => {
            p.bump();
            while p.at(DOT) {
                p.bump();
                if !p.eat(NAME) && !p.eat(NUMBER) {
                    p.expected("a name after `.`");
                    break;
                }
            }
        }
        SINGLE_QUOTED | DOUBLE_QUOTED | WORD => {
            expressions::word(p, STRING);
        }
        STRING_OPEN => {
            strings::interpolated(p);
        }
        HEREDOC_START => {
            expressions::word(p, HEREDOC);
        }
        DEFAULT_KW | REGEX => {
            expressions::word(p, LITERAL);
        }
        _ => {
            host.abandon(p);
            return false;
        }
    }
    host.complete(p, HOST_NAME);
    true
}

/// `type A = T`, `type Runtime[…] = T`, `type A { … }`, or the call `type(…)`.
pub(super) fn type_or_call(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    if p.at(L_PAREN) {
        expressions::arguments(p, true);
        if p.at(PIPE) {
            expressions::lambda(p);
        }
        return whole.complete(p, CALL_EXPR);
    }
    if !p.at(CLASSREF) {
        p.expected("a type name");
        return whole.complete(p, TYPE_ALIAS);
    }
    match p.nth(1) {
        L_BRACE | INHERITS_KW => type_definition(p, whole),
        L_BRACK => {
            simple_type(p);
            type_value(p);
            whole.complete(p, TYPE_MAPPING)
        }
        _ => {
            expressions::word(p, DEFINITION_NAME);
            type_value(p);
            whole.complete(p, TYPE_ALIAS)
        }
    }
}

fn type_definition(p: &mut Parser<'_>, whole: Marker) -> CompletedMarker {
    expressions::word(p, DEFINITION_NAME);
    if p.eat(INHERITS_KW) {
        if p.at(CLASSREF) {
            expressions::word(p, QUALIFIED_REFERENCE);
        } else {
            p.expected("a type name after `inherits`");
        }
    }
    blocks::block(p);
    whole.complete(p, TYPE_DEFINITION)
}

/// `= T`, `= T[…]`, `= T { … }`, `= { … }` or `= [ … ]`.
fn type_value(p: &mut Parser<'_>) {
    if !p.expect(EQ) {
        return;
    }
    match p.current() {
        CLASSREF => {
            let name = expressions::word(p, QUALIFIED_REFERENCE);
            if p.at(L_BRACK) {
                let whole = name.precede(p);
                expressions::access_keys(p, true);
                whole.complete(p, ACCESS_EXPR);
            } else if p.at(L_BRACE) {
                expressions::hash(p);
            }
        }
        L_BRACE => {
            expressions::hash(p);
        }
        L_BRACK | LIST_START => {
            expressions::array(p);
        }
        _ => p.expected("a data type"),
    }
}
