//! Blocks of code in Markdown.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A fenced block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FencedBlock {
    /// The text of the heading above it.
    pub heading: String,
    /// The words after the opening fence.
    pub info: String,
    /// The code.
    pub text: String,
}

/// Returns the fenced blocks of a document, in order.
pub fn fenced_blocks(document: &str) -> Vec<FencedBlock> {
    let mut blocks = Vec::new();
    let (mut heading, mut in_heading) = (String::new(), false);
    let mut open: Option<FencedBlock> = None;
    for event in Parser::new(document) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                heading.clear();
                in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = Some(FencedBlock {
                    heading: heading.clone(),
                    info: info.to_string(),
                    text: String::new(),
                });
            }
            Event::Text(text) | Event::Code(text) => match &mut open {
                Some(open) => open.text.push_str(&text),
                None if in_heading => heading.push_str(&text),
                None => {}
            },
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}
