//! Resources, their defaults and overrides, collectors, and `apply`.

use super::*;

/// Parses an expression with optional braces: a resource in any form.
pub(super) fn resource(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    match p.current() {
        AT | AT_AT => return p.deeper(|p| Some(virtual_resource(p))),
        CLASS_KW if p.nth(1) == L_BRACE => {
            let start = p.at;
            let class = class_resource(p);
            return Some(braces(p, class, start));
        }
        _ => {}
    }
    let start = p.at;
    let left = expressions::expression(p)?;
    Some(braces(p, left, start))
}

/// Any number of braces after `left`, which starts at token `start`.
fn braces(p: &mut Parser<'_>, mut left: CompletedMarker, start: usize) -> CompletedMarker {
    let mut links = 0;
    while p.at(L_BRACE) && !p.at_repaired_close() && p.chain(&mut links) {
        left = resource_braces(p, left, start);
    }
    left
}

/// `@` or `@@`, and a resource.
fn virtual_resource(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    let sign = p.at;
    p.bump();
    match resource(p) {
        None => p.expected_after("a resource", sign),
        Some(it) => {
            let is_resource = matches!(
                it.kind,
                RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | VIRTUAL_EXPR | ERROR
            );
            if !is_resource {
                let form = if p.text_of(sign) == "@" {
                    "virtual"
                } else {
                    "exported"
                };
                p.error_at(sign, format!("only resources can be {form}"));
            }
        }
    }
    whole.complete(p, VIRTUAL_EXPR)
}

/// `class { 'a': … }`.
fn class_resource(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    let open = p.open();
    if p.at(R_BRACE) {
        p.expected("a class name");
    }
    bodies(p);
    p.close(open, R_BRACE);
    whole.complete(p, RESOURCE_EXPR)
}

/// Parses the braces after `left`: a resource if they contain titles; otherwise resource defaults,
/// a resource override, or a name and a hash.
fn resource_braces(p: &mut Parser<'_>, left: CompletedMarker, start: usize) -> CompletedMarker {
    let brace = p.at;
    let attributes_only = matches!(p.nth(1), R_BRACE | COMMA) || starts_operation(p, 1);
    let whole = left.precede(p);
    p.open();
    if !attributes_only {
        bodies(p);
        p.close(brace, R_BRACE);
        return whole.complete(p, RESOURCE_EXPR);
    }
    let appends = operations(p);
    p.close(brace, R_BRACE);
    let kind = match left.kind {
        QUALIFIED_NAME if appends => {
            let message = "`+>` is only allowed in a resource override or collector";
            p.error_at(brace, message.to_owned());
            UNTITLED_RESOURCE
        }
        QUALIFIED_NAME => UNTITLED_RESOURCE,
        QUALIFIED_REFERENCE => RESOURCE_DEFAULTS,
        ACCESS_EXPR => RESOURCE_OVERRIDE,
        _ => {
            let message = "expression is not a valid resource, resource default or override";
            p.error_at(start, message.to_owned());
            ERROR
        }
    };
    whole.complete(p, kind)
}

/// `'a': k => v; 'b': …`.
fn bodies(p: &mut Parser<'_>) {
    while !p.at_list_end(R_BRACE) {
        let before = p.at;
        body(p);
        if p.at_list_end(R_BRACE) || p.eat(SEMICOLON) {
            continue;
        }
        p.expected_in_brackets("`,`, `;` or `}`");
        if p.is_outer_close() || starts_statement(p) {
            return;
        }
        if p.at == before {
            p.skip();
        }
    }
}

/// Checks whether the current token starts a statement that cannot be part of a resource.
fn starts_statement(p: &Parser<'_>) -> bool {
    p.starts_block_or_definition()
        || matches!(p.current(), IF_KW | UNLESS_KW | CASE_KW)
        || (p.at(NAME) && p.nth(1) == L_BRACE)
        || (p.at(CLASS_KW) && p.nth(1) == L_BRACE)
}

fn body(p: &mut Parser<'_>) {
    let body = p.start();
    if expressions::expression(p).is_none() {
        p.expected("a resource title");
        if starts_operation(p, 0) {
            operations(p);
        }
        body.complete(p, RESOURCE_BODY);
        return;
    }
    if p.eat(COLON) {
        operations(p);
    } else {
        let place = " after the resource title";
        if has_arrow(p) {
            p.expected_mark(":", place);
        } else {
            p.expected(&format!("`:`{place}"));
        }
        if starts_operation(p, 0) {
            operations(p);
        }
    }
    body.complete(p, RESOURCE_BODY);
}

/// `k => v, * => h`, with an optional trailing comma. Returns whether `+>` is among them. Puppet's
/// grammar also allows a leading comma.
fn operations(p: &mut Parser<'_>) -> bool {
    let mut appends = false;
    if starts_operation_name(p.current()) && !p.at_repaired_close() {
        appends |= operation(p);
    }
    loop {
        let is_closed = p.brackets.closes_before(p.at + 1);
        if p.at(COMMA) && starts_operation_name(p.nth(1)) && !is_closed {
            p.bump();
        } else if starts_operation(p, 0) && !p.at_repaired_close() {
            if has_arrow(p) {
                p.expected_mark(",", "");
            } else {
                p.expected("`,`");
            }
        } else {
            break;
        }
        appends |= operation(p);
    }
    p.eat(COMMA);
    appends
}

fn starts_operation_name(kind: SyntaxKind) -> bool {
    matches!(kind, NAME | STAR) || (kind.is_keyword() && !matches!(kind, TRUE_KW | FALSE_KW))
}

/// Checks whether an attribute with its arrow starts `n` tokens ahead.
fn starts_operation(p: &Parser<'_>, n: usize) -> bool {
    let arrow = p.nth(n + 1);
    match p.nth(n) {
        STAR => arrow == FAT_ARROW,
        // These keywords cannot start a title, so only the arrow can be missing.
        ELSE_KW | ELSIF_KW | IN_KW | INHERITS_KW | AND_KW | OR_KW => true,
        kind => starts_operation_name(kind) && matches!(arrow, FAT_ARROW | PLUS_ARROW),
    }
}

/// Checks whether a name with an arrow follows, which can only be an attribute.
fn has_arrow(p: &Parser<'_>) -> bool {
    starts_operation(p, 0) && matches!(p.nth(1), FAT_ARROW | PLUS_ARROW)
}

/// One attribute. Returns whether its operator is `+>`.
fn operation(p: &mut Parser<'_>) -> bool {
    let whole = p.start();
    let is_splat = p.at(STAR);
    p.bump();
    let appends = !is_splat && p.at(PLUS_ARROW);
    if appends || p.at(FAT_ARROW) {
        let arrow = p.at;
        p.bump();
        if expressions::expression(p).is_none() {
            p.expected_after("an expression", arrow);
        }
    } else {
        p.expected("`=>`");
    }
    whole.complete(p, if is_splat { ATTRIBUTE_SPLAT } else { ATTRIBUTE });
    appends
}

/// `T <| q |> { … }`.
pub(super) fn collector(p: &mut Parser<'_>, left: CompletedMarker) -> CompletedMarker {
    let whole = left.precede(p);
    let query = p.start();
    let open = p.at;
    let close = if p.at(L_COLLECT) {
        R_COLLECT
    } else {
        RR_COLLECT
    };
    p.bump();
    expressions::expression(p);
    p.close(open, close);
    query.complete(p, COLLECT_QUERY);
    if p.at(L_BRACE) && !p.at_repaired_close() {
        let open = p.open();
        operations(p);
        p.close(open, R_BRACE);
    }
    whole.complete(p, COLLECT_EXPR)
}

/// `apply(…) { … }`.
pub(super) fn apply(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    if p.at(L_PAREN) {
        if p.nth(1) == R_PAREN {
            let message = "`apply` expects at least 1 argument, found 0";
            p.error_at(p.at + 1, message.to_owned());
        }
        expressions::arguments(p, true);
        blocks::block(p);
    } else {
        p.expected("`(`");
    }
    whole.complete(p, APPLY_EXPR)
}
