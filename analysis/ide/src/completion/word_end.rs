//! The end of the word around the cursor, up to which an editor may replace instead of insert.

use syntax::{TextRange, TextSize};

/// Returns the end of the word of Puppet code, given its range up to the cursor.
pub(super) fn in_code(text: &str, typed: TextRange, in_string: bool) -> TextSize {
    let cursor = typed.end();
    let after = &text[usize::from(cursor)..];
    let quote = text[..usize::from(typed.start())].chars().next_back();
    let string = quote.filter(|it| in_string && matches!(it, '\'' | '"'));
    let rest = match string.and_then(|it| rest_of_string(after, it)) {
        Some(rest) => rest,
        None if is_rule(text, typed) => {
            let end =
                after.find(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '_' | '-'));
            &after[..end.unwrap_or(after.len())]
        }
        None => end_of_name(after),
    };
    cursor + TextSize::of(rest)
}

/// Checks whether a word is in a comment, where the names of rules have hyphens.
fn is_rule(text: &str, typed: TextRange) -> bool {
    let before = &text[..usize::from(typed.start())];
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.contains("pupil:") || line.contains("lint:ignore:")
}

/// Returns the rest of a string up to its closing quote, if the quote is on the same line and no interpolation is
/// before it.
pub(crate) fn rest_of_string(after: &str, quote: char) -> Option<&str> {
    let end = after.find([quote, '\n', '\r'])?;
    let rest = &after[..end];
    let is_closed = after[end..].starts_with(quote);
    let is_plain = !rest.contains(['$', '\\', '%']);
    (is_closed && is_plain).then_some(rest)
}

/// Returns the rest of a qualified name at the start of a string. A colon that ends a title does not belong to it.
pub(crate) fn end_of_name(after: &str) -> &str {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut end = 0;
    loop {
        let rest = &after[end..];
        end += rest.find(|it| !is_word(it)).unwrap_or(rest.len());
        match after[end..].strip_prefix("::") {
            Some(next) if next.starts_with(is_word) => end += "::".len(),
            _ => return &after[..end],
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    #[track_caller]
    fn check(code: &str, replaced: &str) {
        let fixture = Fixture::new(&format!(
            "//- modules/profile/manifests/web.pp\nclass profile::web {{ }}\n\
             //- modules/facts/manifests/init.pp\nclass facts {{ }}\n\
             //- manifests/site.pp\n{code}"
        ));
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().completions(file, offset);
        let item = found.items.first().expect("something is offered");
        let text = code.replace("<^>", "");
        let range = usize::from(item.range.start())..usize::from(found.word_end);
        assert_eq!(&text[range], replaced, "{code}");
    }

    #[test]
    fn whole_words() {
        check("include profile::w<^>eb", "profile::web");
        check("inc<^>lude a", "include");
        check("notify { a: mess<^>age => 1 }", "message");
        check("$a = [1] $a.ea<^>ch |$x| { }", "each");
        check("notice($fa<^>cts['os'])", "facts");
        check("$a = Str<^>ing[1]", "String");
        check("file { '/x': ensure => 'fi<^>le' }", "file");
        check("file { '/x': ensure => \"fi<^>le\" }", "file");
    }

    #[test]
    fn words_that_end_at_the_cursor() {
        check("notify { a: mess<^> => 1 }", "mess");
        check("file { '/x': ensure => 'fi<^>' }", "fi");
        check("file { '/x': ensure => 'fi<^>\n' }", "fi");
        check("class { fa<^>: }", "fa");
        check("class { fa<^>cts: }", "facts");
    }

    #[test]
    fn rules_in_comments() {
        check("# pupil: ignore[unknown-cl<^>ass]", "unknown-class");
    }
}
