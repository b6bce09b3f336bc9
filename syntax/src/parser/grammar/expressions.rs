//! Expressions, from assignments down to single words.
//!
//! The precedences are those of `egrammar.ra`.

use super::lists::Items;
use super::*;

/// Checks whether an expression can start with this token.
pub(super) fn starts(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        VARIABLE
            | NAME
            | WORD
            | CLASSREF
            | NUMBER
            | REGEX
            | SINGLE_QUOTED
            | DOUBLE_QUOTED
            | STRING_OPEN
            | HEREDOC_START
            | EPP_TEXT
            | EPP_EXPR_OPEN
            | L_BRACK
            | LIST_START
            | L_BRACE
            | L_PAREN
            | WS_L_PAREN
            | MINUS
            | STAR
            | BANG
            | AT
            | AT_AT
            | CASE_KW
            | CLASS_KW
            | DEFAULT_KW
            | DEFINE_KW
            | IF_KW
            | NODE_KW
            | UNDEF_KW
            | TRUE_KW
            | FALSE_KW
            | UNLESS_KW
            | FUNCTION_KW
            | TYPE_KW
            | ATTR_KW
            | PRIVATE_KW
            | PLAN_KW
            | APPLY_KW
    )
}

pub(super) fn at_start(p: &Parser<'_>) -> bool {
    starts(p.current())
}

/// Checks whether a node of this kind is an expression in the narrow sense: not an assignment, a
/// relationship or a resource.
pub(super) fn is_expression(kind: SyntaxKind) -> bool {
    !matches!(
        kind,
        ASSIGNMENT
            | RELATIONSHIP
            | VIRTUAL_EXPR
            | RESOURCE_EXPR
            | RESOURCE_DEFAULTS
            | RESOURCE_OVERRIDE
            | UNTITLED_RESOURCE
    )
}

/// `a = b`, and everything that binds more tightly.
pub(super) fn assignment(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let left = relationship(p)?;
    if !matches!(p.current(), EQ | PLUS_EQ | MINUS_EQ) {
        return Some(left);
    }
    let whole = left.precede(p);
    let operator = p.at;
    p.bump();
    if p.deeper(assignment).is_none() {
        p.expected_after("an expression", operator);
    }
    Some(whole.complete(p, ASSIGNMENT))
}

fn relationship(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let mut left = resources::resource(p)?;
    let mut links = 0;
    while matches!(p.current(), IN_EDGE | IN_EDGE_SUB | OUT_EDGE | OUT_EDGE_SUB)
        && p.chain(&mut links)
    {
        let whole = left.precede(p);
        let operator = p.at;
        p.bump();
        if resources::resource(p).is_none() {
            p.expected_after("a resource", operator);
        }
        left = whole.complete(p, RELATIONSHIP);
    }
    Some(left)
}

/// Parses an expression without assignments, relationships and resources.
pub(super) fn expression(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    binary(p, 0)
}

/// Parses a required expression, described by `what` in the error message.
pub(super) fn expect_expression(p: &mut Parser<'_>, what: &str) -> Option<CompletedMarker> {
    let found = expression(p);
    if found.is_none() {
        p.expected(what);
    }
    found
}

/// Returns the precedence of a binary operator; a larger one binds more tightly.
fn binding_power(kind: SyntaxKind) -> Option<u8> {
    Some(match kind {
        OR_KW => 1,
        AND_KW => 2,
        QUESTION => 3,
        GT | GT_EQ | LT | LT_EQ => 4,
        EQ_EQ | NOT_EQ => 5,
        SHL | SHR => 6,
        PLUS | MINUS => 7,
        STAR | SLASH | PERCENT => 8,
        MATCH | NOT_MATCH => 9,
        IN_KW => 10,
        _ => return None,
    })
}

pub(super) fn is_binary_operator(kind: SyntaxKind) -> bool {
    binding_power(kind).is_some()
}

fn binary(p: &mut Parser<'_>, weakest: u8) -> Option<CompletedMarker> {
    p.deeper(|p| {
        let mut left = unary(p)?;
        let mut links = 0;
        while let Some(power) = binding_power(p.current()).filter(|&it| it >= weakest) {
            if p.at_repaired_close() || !p.chain(&mut links) {
                break;
            }
            if p.at(QUESTION) {
                let selector = conditionals::selector(p, left);
                left = postfix_of(p, selector);
                continue;
            }
            let whole = left.precede(p);
            let operator = p.at;
            p.bump();
            if binary(p, power + 1).is_none() {
                p.expected_after("an expression", operator);
            }
            left = whole.complete(p, BINARY_EXPR);
        }
        if conditionals::lacks_question(p) {
            left = conditionals::selector_without_question(p, left);
        }
        Some(left)
    })
}

fn unary(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !matches!(p.current(), BANG | MINUS | STAR) {
        return postfix(p);
    }
    p.deeper(|p| {
        let whole = p.start();
        let operator = p.at;
        p.bump();
        if unary(p).is_none() {
            p.expected_after("an expression", operator);
        }
        Some(whole.complete(p, UNARY_EXPR))
    })
}

fn postfix(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let first = primary(p)?;
    Some(postfix_of(p, first))
}

/// Any number of indexes, calls and collectors after an expression.
fn postfix_of(p: &mut Parser<'_>, mut left: CompletedMarker) -> CompletedMarker {
    let mut links = 0;
    loop {
        if p.at_repaired_close() {
            return left;
        }
        left = match p.current() {
            L_BRACK => access(p, left),
            L_PAREN => call(p, left),
            DOT => method_call(p, left),
            L_COLLECT | LL_COLLECT => resources::collector(p, left),
            _ => return left,
        };
        if !p.chain(&mut links) {
            return left;
        }
    }
}

fn access(p: &mut Parser<'_>, left: CompletedMarker) -> CompletedMarker {
    let whole = left.precede(p);
    access_keys(p, true);
    whole.complete(p, ACCESS_EXPR)
}

/// `[k, k => v]`; `trailing` allows a trailing comma.
pub(super) fn access_keys(p: &mut Parser<'_>, trailing: bool) {
    let keys = p.start();
    let open = p.open();
    if p.at(R_BRACK) {
        p.expected("an expression");
    }
    lists::list(p, Items::Keys, R_BRACK, trailing);
    p.close(open, R_BRACK);
    keys.complete(p, ACCESS_KEYS);
}

fn call(p: &mut Parser<'_>, left: CompletedMarker) -> CompletedMarker {
    let whole = left.precede(p);
    arguments(p, true);
    if p.at(PIPE) {
        lambda(p);
    }
    whole.complete(p, CALL_EXPR)
}

/// `(a, b)`; `trailing` allows a trailing comma.
pub(super) fn arguments(p: &mut Parser<'_>, trailing: bool) {
    let list = p.start();
    let open = p.open();
    lists::list(p, Items::Arguments, R_PAREN, trailing);
    p.close(open, R_PAREN);
    list.complete(p, ARGUMENT_LIST);
}

fn method_call(p: &mut Parser<'_>, left: CompletedMarker) -> CompletedMarker {
    let whole = left.precede(p);
    p.bump();
    if !p.eat(NAME) && !p.eat(TYPE_KW) {
        p.expected("a function name after `.`");
        return whole.complete(p, METHOD_CALL);
    }
    if p.at(L_PAREN) {
        arguments(p, false);
    }
    if p.at(PIPE) {
        lambda(p);
    }
    whole.complete(p, METHOD_CALL)
}

/// `|$a, $b| >> T { … }`.
pub(super) fn lambda(p: &mut Parser<'_>) {
    let whole = p.start();
    definitions::piped_parameters(p, PARAMETER_LIST);
    definitions::return_type(p);
    blocks::block(p);
    whole.complete(p, LAMBDA);
}

fn primary(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if p.at_repaired_close() || missing_operand::found(p) {
        return None;
    }
    Some(match p.current() {
        VARIABLE => word(p, VARIABLE_EXPR),
        NAME => word(p, QUALIFIED_NAME),
        CLASSREF => word(p, QUALIFIED_REFERENCE),
        ATTR_KW | PRIVATE_KW => word(p, RESERVED_WORD),
        NUMBER | REGEX | TRUE_KW | FALSE_KW | UNDEF_KW | DEFAULT_KW => word(p, LITERAL),
        SINGLE_QUOTED | DOUBLE_QUOTED | WORD => word(p, STRING),
        STRING_OPEN => strings::interpolated(p),
        HEREDOC_START => word(p, HEREDOC),
        L_BRACK | LIST_START => array(p),
        L_BRACE => hash(p),
        L_PAREN | WS_L_PAREN => paren(p),
        IF_KW => conditionals::if_expr(p),
        UNLESS_KW => conditionals::unless_expr(p),
        CASE_KW => conditionals::case_expr(p),
        CLASS_KW => definitions::class(p),
        DEFINE_KW => definitions::define(p),
        FUNCTION_KW => definitions::function(p),
        NODE_KW => definitions::node(p),
        PLAN_KW => definitions::plan(p),
        TYPE_KW => definitions::type_or_call(p),
        APPLY_KW => resources::apply(p),
        EPP_TEXT => templates::text(p),
        EPP_EXPR_OPEN => templates::expression(p),
        _ => return None,
    })
}

/// Parses a node of one token.
pub(super) fn word(p: &mut Parser<'_>, kind: SyntaxKind) -> CompletedMarker {
    let node = p.start();
    p.bump();
    node.complete(p, kind)
}

pub(super) fn array(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    let open = p.open();
    lists::list(p, Items::Elements, R_BRACK, true);
    p.close(open, R_BRACK);
    whole.complete(p, ARRAY)
}

pub(super) fn hash(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    let open = p.open();
    lists::hash_entries(p, open);
    whole.complete(p, HASH)
}

fn paren(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    let open = p.open();
    if assignment(p).is_none() {
        p.expected("an expression after `(`");
    }
    if foreign_operators::found_in_parentheses(p) {
        p.skip_to(R_PAREN);
        p.opened.pop();
    } else {
        p.close(open, R_PAREN);
    }
    whole.complete(p, PAREN_EXPR)
}
