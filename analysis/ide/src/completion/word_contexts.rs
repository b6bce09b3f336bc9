//! The contexts of words, read from the tokens before them. Incomplete code therefore has the same
//! contexts as complete code.

use rowan::{GreenNodeData, Language, NodeOrToken};
use syntax::{PuppetLanguage, SyntaxKind, TextRange, TextSize};

use super::relative_words::DefinitionName;
use super::word::{Word, hash};

/// The number of contexts of a position.
pub(super) const LEVELS: usize = 7;

/// The contexts of a position, from general to specific.
pub(super) type Contexts = [u32; LEVELS];

/// A word where it occurs.
#[derive(Clone, Copy)]
pub(super) struct Occurrence<'a> {
    pub(super) word: Word<'a>,
    /// The identity that the word shares with those of similar definitions.
    pub(super) relative: Option<u32>,
    pub(super) form: WordForm,
    /// Whether an attribute, a key or an operand before it says what it is.
    pub(super) has_key: bool,
    pub(super) range: TextRange,
}

/// How a word is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordForm {
    /// A string without quotes.
    Bare,
    /// A string with quotes.
    Quoted,
    /// The start of a string with interpolations. The word is empty.
    Interpolated,
    /// No string: a variable, a keyword, or the name of a type, a function, an attribute or a definition.
    Name,
}

/// A token before the position.
#[derive(Clone, Copy, Default)]
struct Recent {
    /// The kind, or the text of a name.
    shape: u32,
    text: u32,
    kind: Option<SyntaxKind>,
}

/// An open bracket.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// The resource type, function, keyword or variable before the bracket.
    owner: u32,
    /// The last attribute or key.
    key: u32,
    /// The first word of the line before.
    line: u32,
    is_index: bool,
}

/// Reads tokens and reports the words with their contexts.
pub(super) struct Scanner<'f> {
    report: &'f mut dyn FnMut(&Contexts, Occurrence<'_>),
    /// The name of the last definition that began.
    definition: DefinitionName,
    recent: [Recent; 3],
    frames: Vec<Frame>,
    /// The tokens of this line, and of the one before.
    line: u32,
    previous_line: u32,
    /// The first word of this line.
    first: u32,
    first_kind: Option<SyntaxKind>,
    /// The operand that ends here: a variable with its keys, or a name.
    operand: u32,
    /// Whether a line break precedes the next token.
    is_first: bool,
    /// Whether the next token names what a call calls or a resource declares.
    names_callee: bool,
    offset: TextSize,
}

impl<'f> Scanner<'f> {
    pub(super) fn new(report: &'f mut dyn FnMut(&Contexts, Occurrence<'_>)) -> Scanner<'f> {
        Scanner {
            report,
            definition: DefinitionName::default(),
            recent: [Recent::default(); 3],
            frames: vec![Frame::default()],
            line: 0,
            previous_line: 0,
            first: 0,
            first_kind: None,
            operand: 0,
            is_first: true,
            names_callee: false,
            offset: TextSize::default(),
        }
    }

    /// Reads the tokens of a tree; those of nodes outside of the window only if they are next to it
    /// in an enclosing node.
    pub(super) fn walk(&mut self, node: &GreenNodeData, window: Option<TextRange>) {
        base::with_growing_stack(|| {
            let is_name = PuppetLanguage::kind_from_raw(node.kind()) == SyntaxKind::QUALIFIED_NAME;
            for child in node.children() {
                let length = match child {
                    NodeOrToken::Node(it) => it.text_len(),
                    NodeOrToken::Token(it) => it.text_len(),
                };
                let range = TextRange::at(self.offset, length);
                let is_inside = window.is_none_or(|it| it.intersect(range).is_some());
                match child {
                    NodeOrToken::Node(it) if is_inside => {
                        let kind = PuppetLanguage::kind_from_raw(it.kind());
                        self.names_callee |= has_callee(kind);
                        self.walk(it, window);
                    }
                    NodeOrToken::Token(it) => {
                        let kind = PuppetLanguage::kind_from_raw(it.kind());
                        self.push(kind, it.text(), range, is_name);
                    }
                    NodeOrToken::Node(_) => {}
                }
                self.offset = range.end();
            }
        });
    }

    /// Returns the contexts of the next word.
    pub(super) fn contexts(&self) -> Contexts {
        let frame = self.frames.last().copied().unwrap_or_default();
        let [last, before, _] = self.recent;
        let first = self.is_first;
        let key = self.key();
        let around = if first { frame.line } else { before.shape };
        let line = if first { self.previous_line } else { self.line };
        // The same variable often has the same value in other modules.
        let assigned = match (last.kind, before.kind) {
            (Some(SyntaxKind::EQ), Some(SyntaxKind::VARIABLE)) => before.text,
            _ => key,
        };
        [
            hash((0, first, last.shape)),
            hash((1, first, last.shape, key)),
            hash((2, first, last.shape, around, frame.owner)),
            hash((3, first, last.shape, assigned, frame.owner)),
            hash((4, last.text, before.text)),
            hash((
                5,
                first,
                last.shape,
                assigned,
                frame.owner,
                self.definition.role,
            )),
            hash((6, first, line)),
        ]
    }

    /// Returns the attribute, the key or the operand that the next word belongs to; 0 if there is none.
    fn key(&self) -> u32 {
        use SyntaxKind::*;
        match self.recent[0].kind {
            Some(EQ_EQ | NOT_EQ | MATCH | NOT_MATCH | IN_KW | FAT_ARROW) => self.operand,
            _ => self.frames.last().map_or(0, |it| it.key),
        }
    }

    /// Reads a token; `is_name` if it is the name in an expression.
    fn push(&mut self, kind: SyntaxKind, text: &str, range: TextRange, is_name: bool) {
        use SyntaxKind::*;
        match kind {
            WHITESPACE => {
                self.is_first |= text.contains('\n');
                return;
            }
            LINE_COMMENT | BLOCK_COMMENT => return,
            _ => {}
        }
        let word = word(kind, text);
        let start = (kind == STRING_OPEN).then_some(Word::String(""));
        if let Some(word) = word.or(start) {
            let contexts = self.contexts();
            let relative = self.definition.relative_id(word);
            let occurrence = Occurrence {
                word,
                relative,
                form: match kind {
                    STRING_OPEN => WordForm::Interpolated,
                    SINGLE_QUOTED | DOUBLE_QUOTED | STRING_TEXT => WordForm::Quoted,
                    _ if is_name && !self.names_callee => WordForm::Bare,
                    _ => WordForm::Name,
                },
                has_key: self.key() != 0,
                range,
            };
            (self.report)(&contexts, occurrence);
        }
        self.names_callee &= matches!(kind, AT | AT_AT);
        if matches!(kind, NAME | CLASSREF) && is_definition(self.recent[0].kind) {
            self.definition = DefinitionName::new(text);
        }
        let text = word.map_or_else(|| hash(text), Word::id);
        let shape = match kind {
            NAME | WORD | CLASSREF => text,
            DOUBLE_QUOTED => hash(SINGLE_QUOTED),
            _ => hash(kind),
        };
        self.follow_line(kind, text);
        self.follow_brackets(kind, text);
        self.recent.rotate_right(1);
        self.recent[0] = Recent {
            shape,
            text,
            kind: Some(kind),
        };
    }

    /// Returns the owner of a bracket that opens here.
    fn owner(&self, bracket: SyntaxKind) -> u32 {
        use SyntaxKind::*;
        let [last, before, _] = self.recent;
        let is_block = bracket == L_BRACE;
        let first_is = |all: &[SyntaxKind]| all.iter().any(|it| Some(*it) == self.first_kind);
        match last.kind {
            Some(NAME | CLASSREF) if is_definition(before.kind) => hash(before.kind),
            Some(FAT_ARROW) => hash(("=>", self.operand)),
            _ if is_block && first_is(&[CASE_KW]) => hash(("case", self.operand)),
            _ if is_block && first_is(&[IF_KW, UNLESS_KW]) => self.first,
            Some(NAME | CLASSREF | CLASS_KW | QUESTION) => self.operand,
            Some(VARIABLE | R_BRACK) if !is_block => self.operand,
            _ => hash((self.first, last.shape)),
        }
    }

    fn follow_line(&mut self, kind: SyntaxKind, text: u32) {
        if self.is_first {
            self.previous_line = self.line;
            self.line = 0;
            if let Some(frame) = self.frames.last_mut() {
                frame.line = self.first;
            }
            self.first = text;
            self.first_kind = Some(kind);
            self.is_first = false;
        }
        self.line = hash((self.line, text));
    }

    fn follow_brackets(&mut self, kind: SyntaxKind, text: u32) {
        use SyntaxKind::*;
        let [last, ..] = self.recent;
        match kind {
            L_BRACE | SELECTOR_BRACE | L_PAREN | WS_L_PAREN | L_BRACK | LIST_START | L_COLLECT
            | LL_COLLECT => {
                let owner = self.owner(kind);
                self.frames.push(Frame {
                    owner,
                    is_index: kind == L_BRACK,
                    ..Frame::default()
                });
            }
            R_BRACE | R_PAREN | R_BRACK | R_COLLECT | RR_COLLECT => {
                let closed = if self.frames.len() > 1 {
                    self.frames.pop()
                } else {
                    None
                };
                if let Some(frame) = closed.filter(|it| it.is_index) {
                    self.operand = hash((frame.owner, last.text));
                    return;
                }
            }
            SEMICOLON | COLON => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.key = 0;
                }
            }
            FAT_ARROW | PLUS_ARROW => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.key = last.text;
                }
            }
            _ => {}
        }
        match kind {
            EQ_EQ | NOT_EQ | MATCH | NOT_MATCH | IN_KW | QUESTION | FAT_ARROW => {}
            _ => self.operand = text,
        }
    }
}

/// Checks whether a node starts with the name of a function or a resource type.
fn has_callee(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(kind, CALL_EXPR | RESOURCE_EXPR | UNTITLED_RESOURCE)
}

fn is_definition(kind: Option<SyntaxKind>) -> bool {
    use SyntaxKind::*;
    matches!(kind, Some(CLASS_KW | DEFINE_KW | FUNCTION_KW | PLAN_KW))
}

/// Returns the word of a token.
fn word(kind: SyntaxKind, text: &str) -> Option<Word<'_>> {
    use SyntaxKind::*;
    Some(match kind {
        VARIABLE => Word::Variable(text.trim_start_matches('$')),
        NAME | WORD | CLASSREF => Word::Text(text),
        SINGLE_QUOTED | DOUBLE_QUOTED => Word::String(text.trim_matches(['\'', '"'])),
        STRING_TEXT => Word::String(text),
        it if it.is_keyword() => Word::Text(text),
        _ => return None,
    })
}
