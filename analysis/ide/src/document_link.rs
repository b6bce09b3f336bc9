//! Document links: templates and files of modules, and URLs in comments and strings.

use salsa::Database;
use syntax::{NodeOrToken, SyntaxKind, SyntaxToken, TextRange, TextSize};

use base::{FileId, FileInput};
use hir::body::{ReferenceName, body};
use hir::items;
use hir::resolve::{Definition, resolve};

/// A document link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentLink {
    /// The range, without quotes.
    pub range: TextRange,
    /// The target.
    pub target: LinkTarget,
}

/// The target of a [`DocumentLink`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkTarget {
    /// A file of a module.
    File(FileId),
    /// An `http` or `https` URL.
    Url(String),
}

/// Returns the links of a file, in source order.
pub(crate) fn document_links(db: &dyn Database, file: FileInput) -> Vec<DocumentLink> {
    let mut found = Vec::new();
    for item in items(db, file) {
        for reference in &body(db, *item).references {
            if !matches!(reference.name, ReferenceName::Path(..)) {
                continue;
            }
            if let Ok(Definition::File(target)) = resolve(db, *item, reference) {
                let range = item.in_file(db, reference.range);
                found.push(DocumentLink {
                    range: without_quotes(db, file, range),
                    target: LinkTarget::File(target.id(db)),
                });
            }
        }
    }
    let root = base::parse(db, file).syntax();
    let tokens = root.descendants_with_tokens();
    for token in tokens.filter_map(NodeOrToken::into_token) {
        if may_contain_urls(token.kind()) {
            urls(&token, &mut found);
        }
    }
    found.sort_by_key(|it| (it.range.start(), it.range.end()));
    found
}

/// Strips the quotes from a range of a file.
pub(super) fn without_quotes(db: &dyn Database, file: FileInput, range: TextRange) -> TextRange {
    let text = file.text(db).as_deref();
    let text = text.and_then(|it| it.get(std::ops::Range::from(range)));
    match text {
        Some(it) if it.len() >= 2 && (is_quoted(it, '\'') || is_quoted(it, '"')) => {
            let one = TextSize::new(1);
            TextRange::new(range.start() + one, range.end() - one)
        }
        _ => range,
    }
}

fn is_quoted(text: &str, quote: char) -> bool {
    text.starts_with(quote) && text.ends_with(quote)
}

fn may_contain_urls(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    kind.is_comment()
        || matches!(
            kind,
            SINGLE_QUOTED | DOUBLE_QUOTED | STRING_TEXT | HEREDOC_TEXT | EPP_TEXT
        )
}

fn urls(token: &SyntaxToken, found: &mut Vec<DocumentLink>) {
    let text = token.text();
    let mut from = 0;
    while let Some(start) = text[from..].find("http").map(|it| it + from) {
        from = start + 4;
        let rest = &text[start..];
        let Some(after_scheme) = ["http://", "https://"]
            .iter()
            .find_map(|it| rest.strip_prefix(it))
        else {
            continue;
        };
        let scheme = rest.len() - after_scheme.len();
        let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'<>`|\\^{}$".contains(c);
        let length = scheme + after_scheme.find(ends).unwrap_or(after_scheme.len());
        // An interpolation continues the URL; its value is only known at run time.
        let is_cut = rest[length..].starts_with(['$', '\\'])
            || length == rest.len()
                && token.kind() == SyntaxKind::STRING_TEXT
                && token
                    .next_sibling_or_token()
                    .is_some_and(|it| it.kind() == SyntaxKind::INTERPOLATION);
        let mut url = rest[..length].trim_end_matches(['.', ',', ';', ':', '!', '?']);
        if !url.contains('(') {
            url = url.trim_end_matches([')', ']']);
        }
        from = start + url.len().max(4);
        if is_cut || url.len() <= scheme {
            continue;
        }
        let start = token.text_range().start() + size(start);
        found.push(DocumentLink {
            range: TextRange::at(start, size(url.len())),
            target: LinkTarget::Url(url.to_owned()),
        });
    }
}

fn size(length: usize) -> TextSize {
    TextSize::new(u32::try_from(length).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::LinkTarget;
    use crate::fixture::{Fixture, visible_text};
    use base::FileId;

    #[test]
    fn files_and_urls() {
        let text = "# See https://example.com/a(b), http://x.y.\n\
            notice(template('a/t.erb'), epp(\"a/t.epp\"), file('a/gone'), 'https://z/q')\n\
            file { '/x': source => 'puppet:///modules/a/f' }\n\
            notice(\"http://h/${x}/y http://full/ $x\", 'http:// x')\n";
        let fixture = Fixture::new(&format!(
            "//- manifests/site.pp\n{text}\
             //- modules/a/templates/t.erb\n//- modules/a/templates/t.epp\n//- modules/a/files/f\n"
        ));
        let found = fixture.analysis().document_links(FileId(0)).into_iter();
        let found = found.map(|it| {
            let place = visible_text(text, it.range);
            match it.target {
                LinkTarget::File(file) => format!("{place} -> {}", fixture.path(file)),
                LinkTarget::Url(url) => {
                    assert_eq!(url, place);
                    place
                }
            }
        });
        let found: Vec<_> = found.collect();
        assert_eq!(
            found,
            [
                "https://example.com/a(b)",
                "http://x.y",
                "a/t.erb -> modules/a/templates/t.erb",
                "a/t.epp -> modules/a/templates/t.epp",
                "https://z/q",
                "puppet:///modules/a/f -> modules/a/files/f",
                "http://full/",
            ]
        );
    }

    #[test]
    fn paths_with_the_module_name() {
        let text = "class a {
              notice(template(\"${module_name}/t.erb\"), epp(\"${module_name}/${x}.epp\"))
              file { '/x': source => [\"puppet:///modules/$module_name/f\"] }
              file { '/y': source => [\"puppet:///modules/$module_name/f\", $y] }
            }
            function a::f() { template(\"${module_name}/t.erb\") }
            class a::b { $x.each |$module_name| { template(\"${module_name}/t.erb\") } }\n";
        let fixture = Fixture::new(&format!(
            "//- modules/a/manifests/init.pp\n{text}\
             //- modules/a/templates/t.erb\n//- modules/a/files/f\n"
        ));
        let found = fixture.analysis().document_links(FileId(0)).into_iter();
        let found: Vec<_> = found.map(|it| visible_text(text, it.range)).collect();
        assert_eq!(
            found,
            ["${module_name}/t.erb", "puppet:///modules/$module_name/f"]
        );
    }
}
