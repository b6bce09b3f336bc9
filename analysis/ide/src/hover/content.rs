//! The parts of a hover and their order: the signature, the summary and what is known at the place;
//! then, below a rule, the documentation and the links.

use super::super::markdown::{code_block, render_sections};
use super::super::{Hover, HoverLink, HoverTarget, NavigationTarget};
use super::SECTION_SEPARATOR;
use base::truncated;
use library::signatures::Doc;
use syntax::TextRange;

/// The maximum length of a line of the signature, in characters. Longer ones are folded.
pub(crate) const MAX_SIGNATURE: usize = 100;
/// The maximum length of a parameter in a folded signature, in characters.
const MAX_PARAMETER: usize = 60;
/// The maximum number of signatures of a function.
pub(super) const MAX_SIGNATURES: usize = 3;

/// A hover whose range is not known yet.
#[derive(Clone, Debug, Default)]
pub(super) struct HoverContent {
    /// The signatures, one a line.
    pub(super) signatures: Vec<String>,
    /// The first sentences of the documentation, on one line.
    summary: String,
    /// The type and value at the place, as Markdown on one line.
    pub(super) here: String,
    /// The paragraphs below the rule.
    pub(super) details: Vec<String>,
    links: Vec<HoverLink>,
}

impl HoverContent {
    pub(super) fn new(signature: impl Into<String>) -> HoverContent {
        HoverContent::of_lines(vec![signature.into()])
    }

    /// Creates the content from several lines of code.
    pub(super) fn of_lines(signatures: Vec<String>) -> HoverContent {
        HoverContent {
            signatures,
            ..HoverContent::default()
        }
    }

    /// Adds a documentation comment.
    pub(super) fn doc(mut self, doc: &Doc) -> HoverContent {
        let doc = render_sections(doc);
        self.summary = doc.summary;
        self.details.extend(doc.details);
        self
    }

    /// Adds the full signature below the rule if the one above it is folded.
    pub(super) fn full_signature(mut self, full: &str) -> HoverContent {
        let shown = self.signatures.join("\n");
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        if one_line(&shown) != one_line(full) && shown.contains('…') {
            self.details.insert(0, code_block(full));
        }
        self
    }

    /// Adds the definition of a variable to its type at a place.
    pub(super) fn with_definition(mut self, definition: HoverContent) -> HoverContent {
        let is_shown = self.signatures == definition.signatures;
        if !is_shown && !definition.signatures.is_empty() {
            let code = code_block(&definition.signatures.join("\n"));
            self.details.push(code);
        }
        self.summary = definition.summary;
        self.details.extend(definition.details);
        self.links = definition.links;
        self
    }

    pub(super) fn detail(mut self, paragraph: String) -> HoverContent {
        if !paragraph.is_empty() {
            self.details.push(paragraph);
        }
        self
    }

    /// Adds the origin, which leads to the definition if there is one.
    pub(super) fn origin(
        mut self,
        title: impl Into<String>,
        target: Option<NavigationTarget>,
    ) -> HoverContent {
        let title = title.into();
        if !title.is_empty() {
            let target = target.map(HoverTarget::Definition);
            self.links.push(HoverLink { title, target });
        }
        self
    }

    /// Adds a link to the official documentation.
    pub(super) fn page(mut self, address: Option<String>) -> HoverContent {
        self.links.extend(address.map(|address| HoverLink {
            title: "documentation".to_owned(),
            target: Some(HoverTarget::Url(address)),
        }));
        self
    }

    pub(super) fn into_hover(self, range: TextRange) -> Hover {
        Hover {
            range,
            markdown: self.markdown(),
            links: self.links,
        }
    }

    /// Returns the content with its origin, for places that cannot follow links.
    pub(super) fn into_documentation(self) -> String {
        self.into_hover(TextRange::default()).to_markdown(|_| None)
    }

    fn markdown(&self) -> String {
        let code = match self.signatures.as_slice() {
            [] => String::new(),
            lines => code_block(&lines.join("\n")),
        };
        let above = [code.as_str(), &self.summary, &self.here];
        let above = above.into_iter().filter(|it| !it.is_empty());
        let above = above.collect::<Vec<_>>().join("\n\n");
        match self.details.is_empty() {
            true => above,
            false => format!("{above}{SECTION_SEPARATOR}{}", self.details.join("\n\n")),
        }
    }
}

/// A parameter or attribute in a signature.
pub(super) struct SignaturePart {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) is_required: bool,
}

/// Renders a signature on one line. A long one is folded: it shows the parts that are used at the
/// place, or else those that are required and as many others as fit, and `…` for the rest.
pub(super) fn signature(
    before: &str,
    parts: &[SignaturePart],
    after: &str,
    used: &[String],
) -> String {
    let all: Vec<&str> = parts.iter().map(|it| it.text.as_str()).collect();
    let full = format!("{before}{}{after}", all.join(", "));
    if full.chars().count() <= MAX_SIGNATURE && !full.contains('\n') {
        return full;
    }
    let is_used = |it: &&SignaturePart| used.contains(&it.name);
    let mut ordered: Vec<&SignaturePart> = parts.iter().filter(is_used).collect();
    if ordered.is_empty() {
        ordered = parts.iter().collect();
        ordered.sort_by_key(|it| !it.is_required);
    }
    let around = before.chars().count() + after.chars().count() + "…".len();
    let mut room = MAX_SIGNATURE.saturating_sub(around);
    let mut shown: Vec<String> = Vec::new();
    for part in ordered {
        let text = shortened(&part.text);
        let length = text.chars().count() + 2;
        if length > room && !shown.is_empty() {
            break;
        }
        room = room.saturating_sub(length);
        shown.push(text);
    }
    if shown.len() < parts.len() {
        shown.push("…".to_owned());
    }
    format!("{before}{}{after}", shown.join(", "))
}

/// Renders code on one line, and truncates it.
pub(super) fn one_line(code: &str) -> String {
    let words: Vec<&str> = code.split_whitespace().collect();
    truncated(&words.join(" "), MAX_SIGNATURE)
}

/// Renders a parameter as a signature of its own.
pub(crate) fn parameter_signature(declaration: &str) -> String {
    let words: Vec<&str> = declaration.split_whitespace().collect();
    let line = words.join(" ");
    match line.chars().count() <= MAX_SIGNATURE {
        true => line,
        false => shortened(&line),
    }
}

/// Renders a parameter on one line. Of a long one, omits the parameters of the type, and then the
/// default.
pub(crate) fn shortened(part: &str) -> String {
    let line = part.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_PARAMETER {
        return line;
    }
    let (declared, default) = match line.split_once(" = ") {
        Some((declared, default)) => (declared, Some(default)),
        None => (line.as_str(), None),
    };
    let declared = match (declared.find('['), declared.rfind(']')) {
        (Some(start), Some(end)) if start < end => {
            format!("{}[…]{}", &declared[..start], &declared[end + 1..])
        }
        _ => declared.to_owned(),
    };
    let is_short = |it: &&str| declared.chars().count() + it.chars().count() + 3 <= MAX_PARAMETER;
    match default.map(|it| Some(it).filter(is_short).unwrap_or("…")) {
        Some(default) => truncated(&format!("{declared} = {default}"), MAX_PARAMETER),
        None => truncated(&declared, MAX_PARAMETER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn part(text: &str) -> SignaturePart {
        let name = text.split('$').nth(1).and_then(|it| it.split(' ').next());
        SignaturePart {
            name: name.unwrap_or_default().to_owned(),
            text: text.to_owned(),
            is_required: !text.contains('='),
        }
    }

    #[test]
    fn folds_long_signatures() {
        let parts = [
            "Boolean $manage_the_service = true",
            "Stdlib::Absolutepath $configuration_file",
            "String[1] $owner = 'root'",
            "Enum['present', 'absent', 'latest', 'purged', 'held', 'installed'] $ensure = 'present'",
        ];
        let parts = parts.map(part);
        let shown = |used: &[&str]| {
            let used: Vec<String> = used.iter().map(|it| (*it).to_owned()).collect();
            signature("class web (", &parts, ") inherits params", &used)
        };
        let lines = [shown(&[]), shown(&["owner"]), shown(&["ensure"])];
        expect![[r#"
            class web (Stdlib::Absolutepath $configuration_file, …) inherits params
            class web (String[1] $owner = 'root', …) inherits params
            class web (Enum[…] $ensure = 'present', …) inherits params"#]]
        .assert_eq(&lines.join("\n"));
        let short = signature("class web (", &parts[..1], ")", &[]);
        assert_eq!(short, "class web (Boolean $manage_the_service = true)");
    }
}
