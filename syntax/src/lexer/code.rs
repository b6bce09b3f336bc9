//! The words of Puppet code, independent of context. Decisions that depend on the previous token
//! are made in [`super::scan`].

use logos::Logos;

/// A word of code.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    #[regex(r"[ \t\r\n\u{a0}\u{1680}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}]+")]
    Whitespace,
    /// A comment, without the carriage return of its line break.
    #[regex(r"#([^\n]*[^\r\n])?", allow_greedy = true)]
    LineComment,
    #[token("/*")]
    BlockCommentStart,

    #[regex(r"(::)?[a-z][A-Za-z0-9_]*(::[a-z][A-Za-z0-9_]*)*", priority = 10)]
    Name,
    #[regex(
        r"(::)?[a-z_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(::[a-z_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*",
        priority = 5
    )]
    Bare,
    #[regex(r"(::)?[A-Z][A-Za-z0-9_]*(::[A-Z][A-Za-z0-9_]*)*")]
    Classref,
    #[token("::")]
    DoubleColon,
    #[regex(r"\$(::)?([A-Za-z0-9_]+::)*[A-Za-z0-9_]+")]
    Variable,
    #[token("$")]
    Dollar,
    #[regex(r"[0-9]")]
    Digit,

    #[token("'")]
    SingleQuote,
    #[token("\"")]
    DoubleQuote,
    #[token("@(")]
    HeredocStart,
    #[token("/")]
    Slash,
    #[token("%>")]
    EppClose,
    #[token("-%>")]
    EppCloseTrim,

    #[token("[")]
    LBrack,
    #[token("]")]
    RBrack,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    /// The start of a marker of a merge conflict, if it starts a line.
    #[token("<<<<<<<")]
    #[token("|||||||")]
    #[token("=======")]
    #[token(">>>>>>>")]
    SevenSigns,
    #[token("=")]
    Eq,
    #[token("+=")]
    PlusEq,
    #[token("-=")]
    MinusEq,
    #[token("==")]
    EqEq,
    #[token("!=")]
    NotEq,
    #[token("=~")]
    Match,
    #[token("!~")]
    NotMatch,
    #[token(">=")]
    GtEq,
    #[token(">")]
    Gt,
    #[token("<=")]
    LtEq,
    #[token("<")]
    Lt,
    #[token("=>")]
    FatArrow,
    #[token("+>")]
    PlusArrow,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("<<|")]
    LlCollect,
    #[token("<|")]
    LCollect,
    #[token("|>>")]
    RrCollect,
    #[token("|>")]
    RCollect,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("%")]
    Percent,
    #[token("!")]
    Bang,
    #[token(".")]
    Dot,
    #[token("|")]
    Pipe,
    #[token("@")]
    At,
    #[token("@@")]
    AtAt,
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token("?")]
    Question,
    #[token("~")]
    Tilde,
    #[token("->")]
    InEdge,
    #[token("~>")]
    InEdgeSub,
    #[token("<-")]
    OutEdge,
    #[token("<~")]
    OutEdgeSub,
}
