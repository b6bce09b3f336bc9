//! The kinds of tokens and nodes of the tree.
//!
//! Token kinds follow Puppet's lexer (`lexer2.rb`), node kinds follow the classes of its model.

/// Declares [`SyntaxKind`] with its tokens, keywords and nodes in that order.
macro_rules! syntax_kinds {
    (
        tokens { $($(#[$tdoc:meta])* $token:ident,)* }
        keywords { $($keyword:ident = $text:literal,)* }
        nodes { $($(#[$ndoc:meta])* $node:ident,)* }
    ) => {
        /// The kind of a token or node of the tree.
        #[expect(non_camel_case_types, reason = "the convention of rowan trees")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum SyntaxKind {
            $($(#[$tdoc])* $token,)*
            $(#[doc = concat!("The keyword `", $text, "`.")] $keyword,)*
            $($(#[$ndoc])* $node,)*
        }

        impl SyntaxKind {
            const ALL: &[SyntaxKind] = &[
                $(SyntaxKind::$token,)* $(SyntaxKind::$keyword,)* $(SyntaxKind::$node,)*
            ];

            /// Returns the keyword spelled `text`; `plan` and `apply` only in tasks mode.
            pub fn from_keyword(text: &str, tasks: bool) -> Option<SyntaxKind> {
                let kind = match text {
                    $($text => SyntaxKind::$keyword,)*
                    _ => return None,
                };
                let only_in_tasks = matches!(kind, SyntaxKind::PLAN_KW | SyntaxKind::APPLY_KW);
                (tasks || !only_in_tasks).then_some(kind)
            }

            /// Checks whether this is a keyword token.
            pub fn is_keyword(self) -> bool {
                matches!(self, $(SyntaxKind::$keyword)|*)
            }
        }
    };
}

syntax_kinds! {
    tokens {
        /// The end of the tokens; never in a tree.
        EOF,
        /// Blanks and line breaks.
        WHITESPACE,
        /// `# …` up to the end of the line.
        LINE_COMMENT,
        /// `/* … */`.
        BLOCK_COMMENT,
        /// A marker of a merge conflict, or all of a conflict after its first version.
        CONFLICT,
        /// A character that cannot start a token.
        UNKNOWN,

        /// A decimal, octal, hexadecimal or floating point number.
        NUMBER,
        /// A lowercase name, possibly qualified: `foo`, `a::b`.
        NAME,
        /// A bare word that is not a name: `foo-bar`, `_x`.
        WORD,
        /// An uppercase, possibly qualified name: `File`, `Foo::Bar`.
        CLASSREF,
        /// `$name`, also inside strings.
        VARIABLE,
        /// `/…/`.
        REGEX,
        /// `'…'`.
        SINGLE_QUOTED,
        /// `"…"` without interpolation.
        DOUBLE_QUOTED,
        /// The `"` before the first segment of an interpolated string.
        STRING_OPEN,
        /// The `"` after the last segment of an interpolated string.
        STRING_CLOSE,
        /// Literal text inside an interpolated string.
        STRING_TEXT,
        /// `${`.
        INTERPOLATION_OPEN,
        /// The `}` that ends `${`.
        INTERPOLATION_CLOSE,
        /// `@(TAG)`: a heredoc in the code.
        HEREDOC_START,
        /// Literal text of a heredoc.
        HEREDOC_TEXT,
        /// The indentation that the `|` of the end line removes.
        HEREDOC_MARGIN,
        /// The whole line that ends a heredoc.
        HEREDOC_END,
        /// Literal text of a template.
        EPP_TEXT,
        /// Text of a template that is trimmed by a tag.
        EPP_TRIMMED,
        /// `<%# … %>`.
        EPP_COMMENT,
        /// `<%` and `<%-`.
        EPP_OPEN,
        /// `%>` and `-%>` of a tag without output.
        EPP_CLOSE,
        /// `<%=`.
        EPP_EXPR_OPEN,
        /// `%>` and `-%>` of a tag that prints a value.
        EPP_EXPR_CLOSE,

        /// `[` directly after a token: an index.
        L_BRACK,
        /// `[` after whitespace or at the start: a list.
        LIST_START,
        /// `]`.
        R_BRACK,
        /// `{`.
        L_BRACE,
        /// `{` after `?`.
        SELECTOR_BRACE,
        /// `}`.
        R_BRACE,
        /// `(`.
        L_PAREN,
        /// `(` that is first on its line.
        WS_L_PAREN,
        /// `)`.
        R_PAREN,
        /// `=`.
        EQ,
        /// `+=`.
        PLUS_EQ,
        /// `-=`.
        MINUS_EQ,
        /// `==`.
        EQ_EQ,
        /// `!=`.
        NOT_EQ,
        /// `=~`.
        MATCH,
        /// `!~`.
        NOT_MATCH,
        /// `>=`.
        GT_EQ,
        /// `>`.
        GT,
        /// `<=`.
        LT_EQ,
        /// `<`.
        LT,
        /// `=>`.
        FAT_ARROW,
        /// `+>`.
        PLUS_ARROW,
        /// `<<`.
        SHL,
        /// `>>`.
        SHR,
        /// `<<|`.
        LL_COLLECT,
        /// `<|`.
        L_COLLECT,
        /// `|>>`.
        RR_COLLECT,
        /// `|>`.
        R_COLLECT,
        /// `+`.
        PLUS,
        /// `-`.
        MINUS,
        /// `/`.
        SLASH,
        /// `*`.
        STAR,
        /// `%`.
        PERCENT,
        /// `!`.
        BANG,
        /// `.`.
        DOT,
        /// `|`.
        PIPE,
        /// `@`.
        AT,
        /// `@@`.
        AT_AT,
        /// `:`.
        COLON,
        /// `,`.
        COMMA,
        /// `;`.
        SEMICOLON,
        /// `?`.
        QUESTION,
        /// `~`, which is not an operator.
        TILDE,
        /// `->`.
        IN_EDGE,
        /// `~>`.
        IN_EDGE_SUB,
        /// `<-`.
        OUT_EDGE,
        /// `<~`.
        OUT_EDGE_SUB,
    }
    keywords {
        CASE_KW = "case",
        CLASS_KW = "class",
        DEFAULT_KW = "default",
        DEFINE_KW = "define",
        IF_KW = "if",
        ELSIF_KW = "elsif",
        ELSE_KW = "else",
        INHERITS_KW = "inherits",
        NODE_KW = "node",
        AND_KW = "and",
        OR_KW = "or",
        UNDEF_KW = "undef",
        FALSE_KW = "false",
        TRUE_KW = "true",
        IN_KW = "in",
        UNLESS_KW = "unless",
        FUNCTION_KW = "function",
        TYPE_KW = "type",
        ATTR_KW = "attr",
        PRIVATE_KW = "private",
        PLAN_KW = "plan",
        APPLY_KW = "apply",
    }
    nodes {
        /// A whole manifest.
        SOURCE_FILE,
        /// A whole template.
        TEMPLATE,
        /// Tokens skipped by error recovery.
        ERROR,

        /// `class a::b (…) inherits c { … }`.
        CLASS_DEFINITION,
        /// `define a::b (…) { … }`.
        DEFINE_DEFINITION,
        /// `plan a::b (…) { … }`.
        PLAN_DEFINITION,
        /// `function a::b (…) >> T { … }`.
        FUNCTION_DEFINITION,
        /// `node 'a', /b/ { … }`.
        NODE_DEFINITION,
        /// `type A = T`.
        TYPE_ALIAS,
        /// `type Runtime[…] = T`.
        TYPE_MAPPING,
        /// `type A { … }`, which Puppet parses but rejects.
        TYPE_DEFINITION,
        /// The name in a definition.
        DEFINITION_NAME,
        /// `inherits c`.
        INHERITS,
        /// One name of a node definition.
        HOST_NAME,
        /// `(…)` of a definition.
        PARAMETER_LIST,
        /// `T *$x = v`.
        PARAMETER,
        /// `>> T`.
        RETURN_TYPE,
        /// `{ … }` around statements.
        BLOCK,

        /// A number, a boolean, `undef`, `default` or a regular expression.
        LITERAL,
        /// A bare name as a value.
        QUALIFIED_NAME,
        /// A type name as a value.
        QUALIFIED_REFERENCE,
        /// `$x`.
        VARIABLE_EXPR,
        /// `attr` or `private`.
        RESERVED_WORD,
        /// `type` or `function` as a plain word in a list or hash.
        KEYWORD_WORD,
        /// A string without interpolation.
        STRING,
        /// A string with interpolation.
        INTERPOLATED_STRING,
        /// `${ … }` or `$x` inside a string.
        INTERPOLATION,
        /// `@(TAG)`.
        HEREDOC,
        /// The body of a heredoc, at its position in the file.
        HEREDOC_BODY,
        /// `[ … ]`.
        ARRAY,
        /// `{ k => v }`.
        HASH,
        /// `k => v, …` without braces, in a list or call.
        UNBRACED_HASH,
        /// `k => v`.
        HASH_ENTRY,
        /// `a + b` and all other binary operators, `in`, `and`, `or` too.
        BINARY_EXPR,
        /// `!a`, `-a`, `*a`.
        UNARY_EXPR,
        /// `( a )`.
        PAREN_EXPR,
        /// `$a = v`, `+=`, `-=`.
        ASSIGNMENT,
        /// `a -> b`.
        RELATIONSHIP,
        /// `a[k]`.
        ACCESS_EXPR,
        /// `f(a)`, also the statement form `f a, b`.
        CALL_EXPR,
        /// `a.f(b)`.
        METHOD_CALL,
        /// The arguments of a call, with their parentheses if there are any.
        ARGUMENT_LIST,
        /// The keys of an access, with their brackets.
        ACCESS_KEYS,
        /// `|$x| { … }`.
        LAMBDA,
        /// `if a { … } …` and its `elsif` parts.
        IF_EXPR,
        /// `unless a { … } …`.
        UNLESS_EXPR,
        /// `else { … }` or `elsif …`.
        ELSE_CLAUSE,
        /// `case a { … }`.
        CASE_EXPR,
        /// `a, b: { … }`.
        CASE_OPTION,
        /// `a ? { … }`.
        SELECTOR_EXPR,
        /// `a => b` of a selector.
        SELECTOR_ENTRY,
        /// `@…` or `@@…` before a resource.
        VIRTUAL_EXPR,
        /// `file { 'a': … }`, `class { 'a': … }`.
        RESOURCE_EXPR,
        /// `'a': k => v, …`.
        RESOURCE_BODY,
        /// `File { k => v }`.
        RESOURCE_DEFAULTS,
        /// `File['a'] { k => v }`.
        RESOURCE_OVERRIDE,
        /// `name { k => v }`: a name and a hash, possibly a resource without a title.
        UNTITLED_RESOURCE,
        /// `k => v` or `k +> v`.
        ATTRIBUTE,
        /// `* => v`.
        ATTRIBUTE_SPLAT,
        /// `File <| q |> { … }`.
        COLLECT_EXPR,
        /// `<| q |>` or `<<| q |>>`.
        COLLECT_QUERY,
        /// `apply(…) { … }`.
        APPLY_EXPR,
        /// `| … |` at the start of a template.
        EPP_PARAMETERS,
        /// Literal text of a template.
        RENDER_STRING,
        /// `<%= … %>`.
        RENDER_EXPR,
    }
}

impl SyntaxKind {
    /// Checks whether the parser skips this token.
    pub fn is_trivia(self) -> bool {
        use SyntaxKind::*;
        matches!(
            self,
            WHITESPACE
                | LINE_COMMENT
                | BLOCK_COMMENT
                | CONFLICT
                | EPP_COMMENT
                | EPP_TRIMMED
                | EPP_OPEN
                | EPP_CLOSE
                | HEREDOC_BODY
        )
    }

    /// Checks whether this is a comment of any form.
    pub fn is_comment(self) -> bool {
        matches!(
            self,
            SyntaxKind::LINE_COMMENT | SyntaxKind::BLOCK_COMMENT | SyntaxKind::EPP_COMMENT
        )
    }
}

/// The Puppet language, for rowan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PuppetLanguage {}

impl rowan::Language for PuppetLanguage {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::ALL[usize::from(raw.0)]
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

/// A node of the tree.
pub type SyntaxNode = rowan::SyntaxNode<PuppetLanguage>;
/// A token of the tree.
pub type SyntaxToken = rowan::SyntaxToken<PuppetLanguage>;
/// A node or a token of the tree.
pub type SyntaxElement = rowan::SyntaxElement<PuppetLanguage>;
