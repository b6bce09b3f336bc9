//! The literal parts of the titles of resources, which are known before code is evaluated.

use syntax::ast::{AttributeOperation, Expr, InterpolatedString, ResourceBody, Segment};

use crate::canonical_name;
use crate::declared_resources::unique_title;

/// The minimum number of known bytes of a title. Shorter ones fit too many others.
const MIN_LENGTH: usize = 3;

/// The literal parts at the start and the end of a title.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TitlePattern {
    start: String,
    end: String,
    /// Whether the start is the whole title.
    is_whole: bool,
}

impl TitlePattern {
    /// Returns the pattern of a literal title.
    pub fn of_text(text: String) -> TitlePattern {
        TitlePattern {
            start: text,
            end: String::new(),
            is_whole: true,
        }
    }

    /// Returns the pattern of a string of which the start and the end are known.
    pub fn of_ends(start: &str, end: &str) -> TitlePattern {
        TitlePattern {
            start: start.to_owned(),
            end: end.to_owned(),
            is_whole: false,
        }
    }

    /// Returns the pattern of a string with interpolations.
    pub fn of_interpolated(string: &InterpolatedString) -> TitlePattern {
        let segments = string.segments();
        let literal = |part: Option<&Segment>| match part {
            Some(Segment::Text(text)) => text.clone(),
            _ => String::new(),
        };
        TitlePattern {
            start: literal(segments.first()),
            end: literal(segments.last().filter(|_| segments.len() > 1)),
            is_whole: false,
        }
    }

    /// Returns the pattern of the canonical name of a class or type.
    #[must_use]
    pub fn canonical(self) -> TitlePattern {
        TitlePattern {
            start: canonical_name(&self.start),
            end: self.end.to_ascii_lowercase(),
            ..self
        }
    }

    /// Returns the number of bytes that are known, without an extension at the end, which says little.
    pub fn known_length(&self) -> usize {
        let name = self.end.rsplit_once('.').map_or(&*self.end, |it| it.0);
        self.start.len() + name.len()
    }

    /// Checks whether the known parts of the title fit few others.
    #[must_use]
    pub fn is_specific(&self) -> bool {
        self.is_whole || self.known_length() >= MIN_LENGTH
    }

    /// Returns the patterns of the titles in an expression; `None` if they can be any.
    pub fn of_titles(title: &Expr) -> Option<Vec<TitlePattern>> {
        match title {
            Expr::ArrayExpr(it) => {
                let all: Option<Vec<_>> = it.elements().map(|it| Self::of_titles(&it)).collect();
                all.map(|it| it.concat())
            }
            Expr::ParenExpr(it) => Self::of_titles(&it.expr()?),
            Expr::InterpolatedString(it) => Some(vec![TitlePattern::of_interpolated(it)]),
            _ => Some(vec![TitlePattern::of_text(title.plain_text()?)]),
        }
    }

    /// Returns the patterns of the titles of a resource; `None` if they can be any, or if an attribute may set
    /// another name.
    pub fn of_body(body: &ResourceBody, namevar: Option<&str>) -> Option<Vec<TitlePattern>> {
        let title = body.title().filter(|_| !may_set_name(body, namevar))?;
        Self::of_titles(&title)
    }

    /// Returns the literal start up to this text, which must be in it.
    #[must_use]
    pub fn start_until(&self, text: &str) -> Option<&str> {
        self.start.split_once(text).map(|it| it.0)
    }

    /// Returns the number of bytes that the literal parts of two titles with interpolations share; `None` if the titles
    /// cannot be equal.
    fn shared_length(&self, other: &TitlePattern) -> Option<usize> {
        let starts = self.start.starts_with(&other.start) || other.start.starts_with(&self.start);
        let ends = self.end.ends_with(&other.end) || other.end.ends_with(&self.end);
        let shared = self.start.len().min(other.start.len()) + self.end.len().min(other.end.len());
        (starts && ends).then_some(shared)
    }

    /// Checks whether two titles with interpolations may be equal, and share enough for that to be likely.
    #[must_use]
    pub fn may_equal(&self, other: &TitlePattern) -> bool {
        self.shared_length(other).is_some_and(|it| it >= MIN_LENGTH)
    }

    /// Checks whether a resource of a type may have this title.
    pub fn may_be(&self, type_name: &str, title: &str) -> bool {
        let title = unique_title(type_name, title);
        if self.is_whole {
            return unique_title(type_name, &self.start) == title;
        }
        // Puppet ignores slashes at the end of a path.
        let end = match unique_title(type_name, &self.end) {
            "/" => "",
            end => end,
        };
        let is_folder = end.is_empty() && unique_title(type_name, &self.start) == title;
        let is_long_enough = title.len() >= self.start.len() + end.len();
        is_folder || is_long_enough && title.starts_with(&self.start) && title.ends_with(end)
    }
}

/// Checks whether an attribute of a resource may set another name than the title.
#[must_use]
pub fn may_set_name(body: &ResourceBody, namevar: Option<&str>) -> bool {
    let is_name = |it: &str| matches!(it, "alias" | "name") || namevar == Some(it);
    body.operations().any(|it| match it {
        AttributeOperation::Attribute(it) => it.name_token().is_none_or(|it| is_name(it.text())),
        AttributeOperation::AttributeSplat(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use syntax::ast::{AstNode, ResourceBody};

    use super::TitlePattern;

    fn patterns(body: &str) -> Option<Vec<TitlePattern>> {
        let parse = syntax::parse(&format!("file {{ {body} }}"), syntax::Dialect::default());
        let mut nodes = parse.tree().syntax().descendants();
        let body = nodes.find_map(ResourceBody::cast)?;
        TitlePattern::of_body(&body, Some("path"))
    }

    #[test]
    fn literal_parts_exclude_titles() {
        for (body, possible, impossible) in [
            ("'/a/': ", ["/a", "/a/"], ["/", "/b"]),
            ("\"/a/${x}\": ", ["/a/b", "/a"], ["/b", "/ab"]),
            ("\"${x}.conf\": ", [".conf", "/a.conf"], ["/a", "/a.conf.d"]),
            ("\"/a/${x}/b\": ", ["/a//b", "/a/c/b/"], ["/a/b", "/a/b/c"]),
            ("['/a', \"/b/${x}\"]: ", ["/a", "/b/c"], ["/c", "/a/b"]),
        ] {
            let found = patterns(body).unwrap_or_default();
            let may_be = |title: &str| found.iter().any(|it| it.may_be("file", title));
            assert!(possible.iter().all(|it| may_be(it)), "{body}");
            assert!(!impossible.iter().any(|it| may_be(it)), "{body}");
        }
    }

    #[test]
    fn titles_share_literal_parts() {
        let shared = |one: &str, other: &str| {
            let of = |title: &str| {
                patterns(&format!("{title}: "))
                    .unwrap_or_default()
                    .remove(0)
            };
            of(one).shared_length(&of(other))
        };
        assert_eq!(shared("\"/a/${x}\"", "\"/a/b/${x}\""), Some(3));
        assert_eq!(shared("\"/a/${x}\"", "\"${x}/b\""), Some(0));
        assert_eq!(shared("\"/a/${x}/c\"", "\"${x}/b/c\""), Some(2));
        assert_eq!(shared("\"/a/${x}\"", "\"/b/${x}\""), None);
    }

    #[test]
    fn other_names_allow_any_title() {
        for body in [
            "$x: ",
            "['/a', $x]: ",
            "\"/a/${x}\": path => $y",
            "\"/a/${x}\": alias => 'b'",
            "\"/a/${x}\": * => $y",
        ] {
            assert_eq!(patterns(body), None, "{body}");
        }
    }
}
