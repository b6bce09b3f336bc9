//! Mutations that keep code valid, as random bytes seldom do: the compiler only evaluates valid code.

use syntax::{Dialect, SyntaxElement, SyntaxKind, SyntaxNode, TextRange, TextSize};

use crate::workspace::MARKER;

/// A source of random numbers.
struct Random(u64);

impl Random {
    /// Returns a number below a limit.
    fn below(&mut self, limit: usize) -> usize {
        // From SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % limit.max(1) as u64).unwrap_or(0)
    }

    fn choose<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

/// A token or node of a file.
struct Part {
    kind: SyntaxKind,
    is_statement: bool,
    /// Its range in the input.
    range: TextRange,
    text: String,
}

/// Changes a token or a statement of the files in an input. Returns `None` for an input without code.
pub fn mutate(text: &str, seed: u32) -> Option<String> {
    let mut random = Random(seed.into());
    let parts = parts(text);
    let statements: Vec<&Part> = parts.iter().filter(|it| it.is_statement).collect();
    let statement = random.choose(&statements).copied();
    let (range, new) = match random.below(8) {
        0 => (statement?.range, String::new()),
        1 => {
            let (before, after) = WRAPPERS[random.below(WRAPPERS.len())];
            let statement = statement?;
            (
                statement.range,
                format!("{before}{}{after}", statement.text),
            )
        }
        2 => {
            let other = random.choose(&statements)?;
            (
                TextRange::empty(statement?.range.start()),
                format!("{}\n", other.text),
            )
        }
        _ => {
            let target = random.choose(&parts)?;
            let same: Vec<&Part> = parts
                .iter()
                .filter(|it| it.is_statement && target.is_statement || it.kind == target.kind)
                .filter(|it| it.text != target.text)
                .collect();
            (target.range, random.choose(&same)?.text.clone())
        }
    };
    let mut text = text.to_owned();
    text.replace_range(usize::from(range.start())..usize::from(range.end()), &new);
    Some(text)
}

/// Code around a statement.
const WRAPPERS: [(&str, &str); 6] = [
    ("if $facts['os']['family'] == 'Debian' { ", " }"),
    (
        "if $undefined::unknown { ",
        " } else { notify { 'other': } }",
    ),
    ("unless $facts['virtual'] in ['kvm'] { ", " }"),
    ("[1, 2].each |$i| { ", " }"),
    ("case $facts['kernel'] { 'Linux': { ", " } default: { } }"),
    ("node default { ", " }"),
];

/// Returns the parts of the code in all files.
fn parts(text: &str) -> Vec<Part> {
    let mut all = Vec::new();
    let mut start = 0;
    for (index, whole) in text.split(MARKER).enumerate() {
        let head = match index {
            0 => 0,
            _ => whole.find('\n').map_or(whole.len(), |it| it + 1),
        };
        let (path, code) = whole.split_at(head);
        if index == 0 || path.trim_end().ends_with(".pp") {
            let parsed = syntax::parse(code, Dialect::default());
            add(&parsed.syntax(), start + head, &mut all);
        }
        start += whole.len() + MARKER.len();
    }
    all
}

fn add(root: &SyntaxNode, start: usize, all: &mut Vec<Part>) {
    let start = TextSize::new(u32::try_from(start).expect("an input is short"));
    for element in root.descendants_with_tokens().skip(1) {
        if element.kind().is_trivia() {
            continue;
        }
        let is_in_list =
            |it: SyntaxNode| matches!(it.kind(), SyntaxKind::SOURCE_FILE | SyntaxKind::BLOCK);
        let text = match &element {
            SyntaxElement::Node(it) => it.text().to_string(),
            SyntaxElement::Token(it) => it.text().to_owned(),
        };
        all.push(Part {
            kind: element.kind(),
            is_statement: element.as_node().is_some() && element.parent().is_some_and(is_in_list),
            range: element.text_range() + start,
            text,
        });
    }
}
