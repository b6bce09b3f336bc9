//! The tree builder: from events and tokens to the green tree.
//!
//! Trivia, which the grammar never sees, is spliced in here, and so are the bodies of heredocs,
//! which follow the line of their tag.

use std::cell::RefCell;

use rowan::{GreenNode, GreenNodeBuilder, Language, NodeCache};

use super::Event;
use crate::lexer::Lexed;
use crate::{PuppetLanguage, SyntaxKind};

/// The events of the grammar for a run of tokens.
pub(super) struct Parsed {
    pub(super) events: Vec<Event>,
    /// The events of the heredoc bodies among the tokens, in order.
    pub(super) bodies: Vec<Parsed>,
}

/// The amount of text after which the cache of tokens and small nodes is replaced, so that the
/// contents of closed files are freed eventually.
const BYTES_PER_CACHE: usize = 1 << 20;

#[derive(Default)]
struct Cache {
    nodes: NodeCache,
    bytes: usize,
}

thread_local! {
    /// Files share most of their tokens: a lookup is cheaper than an allocation.
    static CACHE: RefCell<Cache> = RefCell::default();
}

pub(super) fn build(text: &str, lexed: &Lexed, parsed: Parsed) -> GreenNode {
    CACHE.with_borrow_mut(|cache| {
        cache.bytes += text.len();
        if cache.bytes > BYTES_PER_CACHE {
            *cache = Cache {
                bytes: text.len(),
                ..Cache::default()
            };
        }
        let mut builder = Builder {
            text,
            inner: GreenNodeBuilder::with_cache(&mut cache.nodes),
        };
        builder.stretch(lexed, parsed);
        builder.inner.finish()
    })
}

struct Builder<'t, 'c> {
    text: &'t str,
    inner: GreenNodeBuilder<'c>,
}

impl Builder<'_, '_> {
    /// Builds the single node that the events describe.
    fn stretch(&mut self, lexed: &Lexed, mut parsed: Parsed) {
        let mut tokens = Tokens {
            lexed,
            next: 0,
            bodies: parsed.bodies.into_iter(),
            next_body: 0,
        };
        let events = &mut parsed.events;
        let last = events
            .iter()
            .rposition(|it| *it == Event::Finish)
            .unwrap_or(0);
        let mut parents = Vec::new();
        for at in 0..events.len() {
            match std::mem::replace(&mut events[at], Event::Nothing) {
                Event::Nothing => {}
                Event::Token => {
                    self.trivia(&mut tokens);
                    self.token(&mut tokens);
                }
                Event::Finish => {
                    if at == last {
                        self.trivia(&mut tokens);
                    }
                    self.inner.finish_node();
                }
                Event::Start {
                    kind,
                    forward_parent,
                } => {
                    parents.clear();
                    parents.push(kind);
                    let mut child = at;
                    let mut forward = forward_parent;
                    while forward != 0 {
                        child += forward as usize;
                        let Event::Start {
                            kind,
                            forward_parent,
                        } = std::mem::replace(&mut events[child], Event::Nothing)
                        else {
                            break;
                        };
                        parents.push(kind);
                        forward = forward_parent;
                    }
                    // Leading trivia stays outside of a node.
                    if at != 0 {
                        self.trivia(&mut tokens);
                    }
                    for &kind in parents.iter().rev() {
                        self.inner.start_node(PuppetLanguage::kind_to_raw(kind));
                    }
                }
            }
        }
    }

    fn trivia(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(token) = tokens.lexed.tokens.get(tokens.next) {
            if token.kind == SyntaxKind::HEREDOC_BODY {
                let body = tokens.next_body();
                tokens.next += 1;
                if let Some((lexed, parsed)) = body {
                    self.stretch(lexed, parsed);
                }
            } else if token.kind.is_trivia() {
                self.token(tokens);
            } else {
                return;
            }
        }
    }

    fn token(&mut self, tokens: &mut Tokens<'_>) {
        let Some(token) = tokens.lexed.tokens.get(tokens.next) else {
            return;
        };
        let end = tokens.lexed.token_end(tokens.next);
        let text = &self.text[token.start as usize..end as usize];
        self.inner
            .token(PuppetLanguage::kind_to_raw(token.kind), text);
        tokens.next += 1;
    }
}

struct Tokens<'l> {
    lexed: &'l Lexed,
    next: usize,
    bodies: std::vec::IntoIter<Parsed>,
    next_body: usize,
}

impl<'l> Tokens<'l> {
    fn next_body(&mut self) -> Option<(&'l Lexed, Parsed)> {
        let lexed = self.lexed.bodies.get(self.next_body)?;
        self.next_body += 1;
        Some((lexed, self.bodies.next()?))
    }
}
