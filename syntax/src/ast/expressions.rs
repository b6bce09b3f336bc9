//! Views of expressions. In Puppet nearly everything is an expression, including definitions and
//! resources.

use super::{
    ApplyExpr, AstNode, Block, ClassDefinition, CollectExpr, DefineDefinition, FunctionDefinition,
    HasBody, HasParameters, Heredoc, InterpolatedString, NodeDefinition, PlanDefinition,
    RenderExpr, RenderString, ResourceDefaults, ResourceExpr, ResourceOverride, ReturnType,
    StringLiteral, TypeAlias, TypeDefinition, TypeMapping, UntitledResource, VirtualExpr, ast_enum,
    ast_node, exprs, support,
};
use crate::{SyntaxKind, SyntaxNode, SyntaxToken};

ast_enum!(
    /// Any expression.
    Expr {
        /// A number, a boolean, `undef`, `default` or a regular expression.
        Literal,
        /// A bare name as a value.
        QualifiedName,
        /// A type name.
        QualifiedReference,
        /// `$x`.
        VariableExpr,
        /// `attr` or `private`.
        ReservedWord,
        /// `type` or `function` as a plain word.
        KeywordWord,
        /// A string without interpolation.
        StringLiteral,
        /// A string with interpolation.
        InterpolatedString,
        /// `@(TAG)`.
        Heredoc,
        /// `[ … ]`.
        ArrayExpr,
        /// `{ … }`.
        HashExpr,
        /// `k => v, …` without braces.
        UnbracedHash,
        /// `a + b`.
        BinaryExpr,
        /// `!a`.
        UnaryExpr,
        /// `( a )`.
        ParenExpr,
        /// `$a = v`.
        Assignment,
        /// `a -> b`.
        Relationship,
        /// `a[k]`.
        AccessExpr,
        /// `f(a)`.
        CallExpr,
        /// `a.f(b)`.
        MethodCall,
        /// `if`.
        IfExpr,
        /// `unless`.
        UnlessExpr,
        /// `case`.
        CaseExpr,
        /// `a ? b`.
        SelectorExpr,
        /// `@a`, `@@a`.
        VirtualExpr,
        /// `file { 'a': … }`.
        ResourceExpr,
        /// `File { … }`.
        ResourceDefaults,
        /// `File['a'] { … }`.
        ResourceOverride,
        /// `name { k => v }`.
        UntitledResource,
        /// `File <| … |>`.
        CollectExpr,
        /// `apply(…) { … }`.
        ApplyExpr,
        /// Text of a template.
        RenderString,
        /// `<%= … %>`.
        RenderExpr,
        /// `class`.
        ClassDefinition,
        /// `define`.
        DefineDefinition,
        /// `plan`.
        PlanDefinition,
        /// `function`.
        FunctionDefinition,
        /// `node`.
        NodeDefinition,
        /// `type A = T`.
        TypeAlias,
        /// `type Runtime[…] = T`.
        TypeMapping,
        /// `type A { … }`.
        TypeDefinition,
    }
);

ast_node!(
    /// A number, a boolean, `undef`, `default` or a regular expression.
    Literal,
    LITERAL
);
ast_node!(
    /// A bare name as a value.
    QualifiedName,
    QUALIFIED_NAME
);
ast_node!(
    /// A type name as a value.
    QualifiedReference,
    QUALIFIED_REFERENCE
);
ast_node!(
    /// `$x`.
    VariableExpr,
    VARIABLE_EXPR
);
ast_node!(
    /// `attr` or `private`.
    ReservedWord,
    RESERVED_WORD
);
ast_node!(
    /// `type` or `function` as a plain word in a list or hash.
    KeywordWord,
    KEYWORD_WORD
);
ast_node!(
    /// `[ … ]`.
    ArrayExpr,
    ARRAY
);
ast_node!(
    /// `{ k => v }`.
    HashExpr,
    HASH
);
ast_node!(
    /// `k => v, …` without braces, in a list or call.
    UnbracedHash,
    UNBRACED_HASH
);
ast_node!(
    /// `k => v`.
    HashEntry,
    HASH_ENTRY
);
ast_node!(
    /// `a + b` and all other binary operators.
    BinaryExpr,
    BINARY_EXPR
);
ast_node!(
    /// `!a`, `-a`, `*a`.
    UnaryExpr,
    UNARY_EXPR
);
ast_node!(
    /// `( a )`.
    ParenExpr,
    PAREN_EXPR
);
ast_node!(
    /// `$a = v`, `+=`, `-=`.
    Assignment,
    ASSIGNMENT
);
ast_node!(
    /// `a -> b`.
    Relationship,
    RELATIONSHIP
);
ast_node!(
    /// `a[k]`.
    AccessExpr,
    ACCESS_EXPR
);
ast_node!(
    /// The keys of an access, with their brackets.
    AccessKeys,
    ACCESS_KEYS
);
ast_node!(
    /// `f(a)`, also the statement form `f a, b`.
    CallExpr,
    CALL_EXPR
);
ast_node!(
    /// `a.f(b)`.
    MethodCall,
    METHOD_CALL
);
ast_node!(
    /// The arguments of a call, with their parentheses if there are any.
    ArgumentList,
    ARGUMENT_LIST
);
ast_node!(
    /// `|$x| { … }`.
    Lambda,
    LAMBDA
);
ast_node!(
    /// `if a { … }` and what follows.
    IfExpr,
    IF_EXPR
);
ast_node!(
    /// `unless a { … } else { … }`.
    UnlessExpr,
    UNLESS_EXPR
);
ast_node!(
    /// `else { … }` or `elsif …`.
    ElseClause,
    ELSE_CLAUSE
);
ast_node!(
    /// `case a { … }`.
    CaseExpr,
    CASE_EXPR
);
ast_node!(
    /// `a, b: { … }`.
    CaseOption,
    CASE_OPTION
);
ast_node!(
    /// `a ? { … }`.
    SelectorExpr,
    SELECTOR_EXPR
);
ast_node!(
    /// `a => b` of a selector.
    SelectorEntry,
    SELECTOR_ENTRY
);

/// The kind of a [`Literal`], with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiteralKind {
    /// A number as written.
    Number(String),
    /// `true` or `false`.
    Boolean(bool),
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// A regular expression without its slashes, and with `/` for `\/`.
    Regex(String),
}

impl Literal {
    /// Returns the only token.
    pub fn token(&self) -> Option<SyntaxToken> {
        support::first_token(self.syntax())
    }

    /// Returns the kind, with the value.
    pub fn kind(&self) -> Option<LiteralKind> {
        let token = self.token()?;
        let text = token.text();
        Some(match token.kind() {
            SyntaxKind::NUMBER => LiteralKind::Number(text.to_owned()),
            SyntaxKind::TRUE_KW => LiteralKind::Boolean(true),
            SyntaxKind::FALSE_KW => LiteralKind::Boolean(false),
            SyntaxKind::UNDEF_KW => LiteralKind::Undef,
            SyntaxKind::DEFAULT_KW => LiteralKind::Default,
            SyntaxKind::REGEX => {
                let inner = text.strip_prefix('/').and_then(|it| it.strip_suffix('/'));
                LiteralKind::Regex(inner.unwrap_or(text).replace("\\/", "/"))
            }
            _ => return None,
        })
    }
}

/// The value of a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer, as `i128` for the overflow check.
    Integer {
        /// The value.
        value: i128,
        /// 8, 10 or 16.
        radix: u32,
    },
    /// A floating point number.
    Float(f64),
}

impl Number {
    /// Parses the text of a NUMBER token. Returns `None` if it is malformed. Integers too large for
    /// `i128` saturate, as they are out of Puppet's range anyway.
    pub fn parse(text: &str) -> Option<Number> {
        let integer = |digits: &str, radix| {
            let all_digits = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
            all_digits.then(|| Number::Integer {
                value: i128::from_str_radix(digits, radix).unwrap_or(i128::MAX),
                radix,
            })
        };
        if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            return integer(hex, 16);
        }
        if text.contains(['.', 'e', 'E']) {
            return text.parse().ok().map(Number::Float);
        }
        match text.strip_prefix('0') {
            Some(octal) if !octal.is_empty() => integer(octal, 8),
            _ => integer(text, 10),
        }
    }
}

impl QualifiedName {
    /// Returns the name as written.
    pub fn text(&self) -> String {
        support::first_token(self.syntax())
            .map(|it| it.text().to_owned())
            .unwrap_or_default()
    }
}

impl QualifiedReference {
    /// Returns the name as written.
    pub fn text(&self) -> String {
        support::first_token(self.syntax())
            .map(|it| it.text().to_owned())
            .unwrap_or_default()
    }
}

impl VariableExpr {
    /// Returns the only token. Inside `${name}` it is a name, a word, a number or a keyword.
    pub fn token(&self) -> Option<SyntaxToken> {
        support::first_token(self.syntax())
    }

    /// Returns the name without the dollar sign.
    pub fn name(&self) -> Option<String> {
        let token = self.token()?;
        let text = token.text();
        Some(text.strip_prefix('$').unwrap_or(text).to_owned())
    }
}

impl ReservedWord {
    /// Returns the word.
    pub fn text(&self) -> String {
        support::first_token(self.syntax())
            .map(|it| it.text().to_owned())
            .unwrap_or_default()
    }
}

impl KeywordWord {
    /// Returns the word.
    pub fn text(&self) -> String {
        support::first_token(self.syntax())
            .map(|it| it.text().to_owned())
            .unwrap_or_default()
    }
}

impl ArrayExpr {
    /// Returns the elements; a run of unbraced pairs is one element.
    pub fn elements(&self) -> impl Iterator<Item = Expr> + use<> {
        exprs(self)
    }
}

impl HashExpr {
    /// Returns the entries in order.
    pub fn entries(&self) -> impl Iterator<Item = HashEntry> + use<> {
        support::children(self.syntax())
    }
}

impl UnbracedHash {
    /// Returns the entries in order.
    pub fn entries(&self) -> impl Iterator<Item = HashEntry> + use<> {
        support::children(self.syntax())
    }
}

impl HashEntry {
    /// Returns the key.
    pub fn key(&self) -> Option<Expr> {
        support::child_before(self.syntax(), SyntaxKind::FAT_ARROW)
    }

    /// Returns the value.
    pub fn value(&self) -> Option<Expr> {
        support::child_after(self.syntax(), SyntaxKind::FAT_ARROW)
    }

    /// `=>`.
    pub fn arrow(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::FAT_ARROW)
    }
}

/// Checks whether a token kind is a binary operator of [`BinaryExpr`].
pub fn is_binary_operator(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        IN_KW
            | MATCH
            | NOT_MATCH
            | STAR
            | SLASH
            | PERCENT
            | PLUS
            | MINUS
            | SHL
            | SHR
            | EQ_EQ
            | NOT_EQ
            | GT
            | GT_EQ
            | LT
            | LT_EQ
            | AND_KW
            | OR_KW
    )
}

impl BinaryExpr {
    /// Returns the left operand.
    pub fn lhs(&self) -> Option<Expr> {
        let operator = self.operator()?;
        exprs(self).find(|it| it.syntax().text_range().end() <= operator.text_range().start())
    }

    /// Returns the right operand.
    pub fn rhs(&self) -> Option<Expr> {
        let operator = self.operator()?;
        exprs(self).find(|it| it.syntax().text_range().start() >= operator.text_range().end())
    }

    /// Returns the operator.
    pub fn operator(&self) -> Option<SyntaxToken> {
        support::any_token(self.syntax(), is_binary_operator)
    }
}

impl UnaryExpr {
    /// `!`, `-` or `*`.
    pub fn operator(&self) -> Option<SyntaxToken> {
        support::first_token(self.syntax())
    }

    /// Returns the operand.
    pub fn expr(&self) -> Option<Expr> {
        support::child(self.syntax())
    }
}

impl ParenExpr {
    /// Returns the inner expression.
    pub fn expr(&self) -> Option<Expr> {
        support::child(self.syntax())
    }
}

impl Assignment {
    /// `=`, `+=` or `-=`.
    pub fn operator(&self) -> Option<SyntaxToken> {
        support::any_token(self.syntax(), |it| {
            matches!(
                it,
                SyntaxKind::EQ | SyntaxKind::PLUS_EQ | SyntaxKind::MINUS_EQ
            )
        })
    }

    /// Returns the target.
    pub fn lhs(&self) -> Option<Expr> {
        let operator = self.operator()?;
        exprs(self).find(|it| it.syntax().text_range().end() <= operator.text_range().start())
    }

    /// Returns the value.
    pub fn rhs(&self) -> Option<Expr> {
        let operator = self.operator()?;
        exprs(self).find(|it| it.syntax().text_range().start() >= operator.text_range().end())
    }
}

impl Relationship {
    /// `->`, `~>`, `<-` or `<~`.
    pub fn operator(&self) -> Option<SyntaxToken> {
        use SyntaxKind::*;
        support::any_token(self.syntax(), |it| {
            matches!(it, IN_EDGE | IN_EDGE_SUB | OUT_EDGE | OUT_EDGE_SUB)
        })
    }

    /// Returns the left operand.
    pub fn lhs(&self) -> Option<Expr> {
        let operator = self.operator()?;
        exprs(self).find(|it| it.syntax().text_range().end() <= operator.text_range().start())
    }

    /// Returns the right operand.
    pub fn rhs(&self) -> Option<Expr> {
        let operator = self.operator()?;
        exprs(self).find(|it| it.syntax().text_range().start() >= operator.text_range().end())
    }
}

impl AccessExpr {
    /// Returns the accessed expression.
    pub fn base(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the keys with their brackets.
    pub fn access_keys(&self) -> Option<AccessKeys> {
        support::child(self.syntax())
    }

    /// Returns the keys.
    pub fn keys(&self) -> Vec<Expr> {
        self.access_keys()
            .map(|it| exprs(&it).collect())
            .unwrap_or_default()
    }
}

impl CallExpr {
    /// Returns the callee: a name, a type, or (in invalid code) anything else. `None` for
    /// `type(…)`; see [`CallExpr::name_token`].
    pub fn callee(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the token of the function name, including `type`.
    pub fn name_token(&self) -> Option<SyntaxToken> {
        match self.callee() {
            Some(Expr::QualifiedName(name)) => support::first_token(name.syntax()),
            Some(Expr::QualifiedReference(name)) => support::first_token(name.syntax()),
            Some(_) => None,
            None => support::token(self.syntax(), SyntaxKind::TYPE_KW),
        }
    }

    /// Returns the arguments with their parentheses.
    pub fn argument_list(&self) -> Option<ArgumentList> {
        support::child(self.syntax())
    }

    /// Returns the arguments.
    pub fn arguments(&self) -> Vec<Expr> {
        self.argument_list()
            .map(|it| it.arguments().collect())
            .unwrap_or_default()
    }

    /// Returns the lambda after the arguments.
    pub fn lambda(&self) -> Option<Lambda> {
        support::child(self.syntax())
    }

    /// Checks whether this is the form without parentheses: `include a, b`.
    pub fn is_statement_call(&self) -> bool {
        self.argument_list()
            .is_some_and(|it| it.l_paren().is_none())
    }
}

impl MethodCall {
    /// Returns the receiver, before the dot.
    pub fn receiver(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the dot.
    pub fn dot(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::DOT)
    }

    /// Returns the name of the function.
    pub fn name_token(&self) -> Option<SyntaxToken> {
        support::any_token(self.syntax(), |it| {
            matches!(it, SyntaxKind::NAME | SyntaxKind::TYPE_KW)
        })
    }

    /// Returns the arguments with their parentheses.
    pub fn argument_list(&self) -> Option<ArgumentList> {
        support::child(self.syntax())
    }

    /// Returns the arguments.
    pub fn arguments(&self) -> Vec<Expr> {
        self.argument_list()
            .map(|it| it.arguments().collect())
            .unwrap_or_default()
    }

    /// Returns the lambda after the arguments.
    pub fn lambda(&self) -> Option<Lambda> {
        support::child(self.syntax())
    }
}

impl ArgumentList {
    /// Returns the arguments; a run of unbraced pairs is one argument.
    pub fn arguments(&self) -> impl Iterator<Item = Expr> + use<> {
        exprs(self)
    }

    /// `(`, which statement calls lack.
    pub fn l_paren(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::L_PAREN)
    }

    /// `)`.
    pub fn r_paren(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::R_PAREN)
    }
}

impl HasParameters for Lambda {}
impl HasBody for Lambda {}

impl Lambda {
    /// Returns the first argument of the call that gets the lambda: what functions such as `each` iterate over.
    pub fn first_argument(&self) -> Option<Expr> {
        match Expr::cast(self.syntax().parent()?)? {
            Expr::CallExpr(it) => it.arguments().into_iter().next(),
            Expr::MethodCall(it) => it.receiver(),
            _ => None,
        }
    }

    /// `>> T`.
    pub fn return_type(&self) -> Option<ReturnType> {
        support::child(self.syntax())
    }
}

impl HasBody for IfExpr {}
impl HasBody for UnlessExpr {}

impl IfExpr {
    /// Returns the condition.
    pub fn condition(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// `else` or `elsif`.
    pub fn else_clause(&self) -> Option<ElseClause> {
        support::child(self.syntax())
    }
}

impl UnlessExpr {
    /// Returns the condition.
    pub fn condition(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// `else`.
    pub fn else_clause(&self) -> Option<ElseClause> {
        support::child(self.syntax())
    }
}

impl ElseClause {
    /// Returns the body of `else`.
    pub fn block(&self) -> Option<Block> {
        support::child(self.syntax())
    }

    /// Returns the rest of the chain, starting at the `elsif` keyword.
    pub fn elsif(&self) -> Option<IfExpr> {
        support::child(self.syntax())
    }
}

impl CaseExpr {
    /// Returns the control expression.
    pub fn subject(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the options in order.
    pub fn options(&self) -> impl Iterator<Item = CaseOption> + use<> {
        support::children(self.syntax())
    }
}

impl HasBody for CaseOption {}

impl CaseOption {
    /// Returns the values before the colon.
    pub fn values(&self) -> impl Iterator<Item = Expr> + use<> {
        exprs(self)
    }

    /// `:`.
    pub fn colon(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::COLON)
    }
}

impl SelectorExpr {
    /// Returns the control expression.
    pub fn subject(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the entries in order.
    pub fn entries(&self) -> impl Iterator<Item = SelectorEntry> + use<> {
        support::children(self.syntax())
    }
}

impl SelectorEntry {
    /// Returns the value to match, before `=>`.
    pub fn matching(&self) -> Option<Expr> {
        support::child_before(self.syntax(), SyntaxKind::FAT_ARROW)
    }

    /// Returns the result, after `=>`.
    pub fn value(&self) -> Option<Expr> {
        support::child_after(self.syntax(), SyntaxKind::FAT_ARROW)
    }

    /// `=>`.
    pub fn arrow(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::FAT_ARROW)
    }
}

/// Checks whether a function may be called without parentheses.
///
/// From `factory.rb`, `STATEMENT_CALLS`.
pub fn is_statement_function(name: &str) -> bool {
    matches!(
        name,
        "require"
            | "realize"
            | "include"
            | "contain"
            | "tag"
            | "debug"
            | "info"
            | "notice"
            | "warning"
            | "err"
            | "fail"
            | "import"
            | "break"
            | "next"
            | "return"
    )
}

/// Returns the names of the variables that code assigns, in its blocks, too.
pub fn variables_assigned_in(code: &SyntaxNode) -> impl Iterator<Item = String> + use<> {
    let assignments = code.descendants().filter_map(Assignment::cast);
    let variables = assignments.flat_map(|it| assigned_variables(&it));
    variables.map(|it| it.text().trim_start_matches('$').to_owned())
}

/// Returns the tokens of the variables on the left of `=`: one, or those of a nested list. Nothing
/// for other assignment operators, which Puppet refuses.
pub fn assigned_variables(assignment: &Assignment) -> Vec<SyntaxToken> {
    let is_plain = |it: &SyntaxToken| it.kind() == SyntaxKind::EQ;
    let Some(left) = assignment.lhs() else {
        return Vec::new();
    };
    if !assignment.operator().as_ref().is_some_and(is_plain) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut waiting = vec![left];
    while let Some(target) = waiting.pop() {
        match target {
            Expr::VariableExpr(it) => found.extend(it.token()),
            Expr::ArrayExpr(list) => {
                let mut elements: Vec<_> = list.elements().collect();
                elements.reverse();
                waiting.append(&mut elements);
            }
            _ => {}
        }
    }
    found
}
