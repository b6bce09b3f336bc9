//! Names for characters that a reader cannot see, or takes for others, when a message quotes them.

/// Describes the character at the start of a token, if it is invisible or looks like an ASCII character.
pub(super) fn describe(token: &str) -> Option<String> {
    let found = token.chars().next()?;
    let code = u32::from(found);
    if let Some(name) = invisible(found) {
        return Some(format!("{name} `U+{code:04X}`"));
    }
    let name = look_alike(found)?;
    Some(format!("`{found}` ({name} U+{code:04X})"))
}

/// Names a character without a shape of its own.
fn invisible(found: char) -> Option<&'static str> {
    Some(match found {
        '\u{00A0}' => "no-break space",
        '\u{00AD}' => "soft hyphen",
        '\u{061C}' => "Arabic letter mark",
        '\u{180E}' => "Mongolian vowel separator",
        '\u{200B}' => "zero-width space",
        '\u{200C}' => "zero-width non-joiner",
        '\u{200D}' => "zero-width joiner",
        '\u{200E}' => "left-to-right mark",
        '\u{200F}' => "right-to-left mark",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{202A}' => "left-to-right embedding",
        '\u{202B}' => "right-to-left embedding",
        '\u{202C}' => "pop directional formatting",
        '\u{202D}' => "left-to-right override",
        '\u{202E}' => "right-to-left override",
        '\u{202F}' => "narrow no-break space",
        '\u{2060}' => "word joiner",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "first strong isolate",
        '\u{2069}' => "pop directional isolate",
        '\u{3000}' => "ideographic space",
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => "variation selector",
        '\u{FEFF}' => "byte order mark",
        '\u{E0000}'..='\u{E007F}' => "tag character",
        it if it.is_control() => "control character",
        it if it.is_whitespace() && !it.is_ascii() => "space",
        '\u{2061}'..='\u{206F}' => "format character",
        _ => return None,
    })
}

/// Names a character that word processors and web pages put in place of an ASCII character.
fn look_alike(found: char) -> Option<&'static str> {
    Some(match found {
        '\u{2018}' => "left single quotation mark",
        '\u{2019}' => "right single quotation mark",
        '\u{201C}' => "left double quotation mark",
        '\u{201D}' => "right double quotation mark",
        '\u{2010}' => "hyphen",
        '\u{2011}' => "no-break hyphen",
        '\u{2013}' => "en dash",
        '\u{2014}' => "em dash",
        '\u{2212}' => "minus sign",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::describe;
    use crate::Dialect;

    fn message(code: &str) -> String {
        crate::parse(code, Dialect::default()).errors()[0]
            .message
            .clone()
    }

    #[test]
    fn invisible_characters_are_named() {
        assert_eq!(
            message("$x = \u{200B}1"),
            "expected an expression after `=`, found zero-width space `U+200B`"
        );
        assert_eq!(
            describe("\u{FEFF}").as_deref(),
            Some("byte order mark `U+FEFF`")
        );
        assert_eq!(
            describe("\u{202E}a").as_deref(),
            Some("right-to-left override `U+202E`")
        );
        assert_eq!(
            describe("\u{7}").as_deref(),
            Some("control character `U+0007`")
        );
        assert_eq!(describe("\u{2003}").as_deref(), Some("space `U+2003`"));
    }

    #[test]
    fn typographic_quotes_are_named() {
        assert_eq!(
            message("$x = \u{2019}a'"),
            "expected an expression after `=`, found `\u{2019}` (right single quotation mark U+2019)"
        );
    }

    #[test]
    fn visible_characters_are_quoted() {
        for visible in ["a", "}", "ä", "√", ""] {
            assert_eq!(describe(visible), None, "{visible}");
        }
    }
}
