//! Completes values of the expected type: strings of an Enum, booleans, keys of a Struct.

use syntax::ast::{AstNode, HashEntry, HashExpr, UnbracedHash};
use syntax::{SyntaxKind, SyntaxNode};

use super::super::cursor::CursorContext;
use super::expected::{ExpectedValue, alternatives};
use super::word_model::is_bare_word;
use super::{Candidate, Candidates, CompletionKind, group, score};
use types::values::Value;
use types::{StringType, Type, display_hover};

/// Adds the values of the expected type.
pub(super) fn values(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    let group = if expected.is_default {
        group::LIKELY
    } else {
        0
    };
    let mut strings: Vec<String> = Vec::new();
    for type_ in expected.type_.iter().flat_map(alternatives) {
        match type_ {
            Type::Enum(it) => strings.extend(it.values().iter().map(|it| it.to_string())),
            Type::String(StringType::Value(it)) => strings.push(it.to_string()),
            _ => {}
        }
    }
    let is_used = |it: &str| expected.is_option && acc.siblings.contains(it);
    strings.retain(|it| !is_used(it));
    let common = expected.common.iter().filter(|it| !is_used(it));
    let common: Vec<&str> = common.copied().collect();
    let default = expected.default_of_compared.as_deref();
    let default = default.filter(|it| !is_used(it));
    for (text, order) in expected.values.iter().zip(0..) {
        let is_boolean = matches!(text.as_str(), "true" | "false");
        let candidate = match is_boolean {
            true => Candidate::new(CompletionKind::Value, text),
            false => string(acc, text, expected.is_native),
        };
        acc.add(candidate.score(score::EXACT - order));
    }
    for (text, order) in strings.iter().zip(0..) {
        let candidate = string(acc, text, expected.is_native);
        acc.add(candidate.score(score::EXACT - order).group(group));
    }
    if expected.is_option {
        default_option(acc);
    }
    for (text, order) in common.into_iter().zip(0..) {
        // Less than the values of a type, which are all that there are.
        let points = score::EXACT - (20 + order) * score::SAME_SCOPE;
        let candidate = string(acc, text, false);
        acc.add(candidate.score(points));
    }
    if let Some(text) = default {
        let candidate = string(acc, text, false);
        acc.add(candidate.score(score::EXACT - 20 * score::SAME_SCOPE));
    }
    used_strings(acc, expected);
    if !acc.context.in_string {
        words(acc, expected);
        literals(acc, expected);
    }
}

/// Adds `default`, unless the case or selector has it already.
fn default_option(acc: &mut Candidates<'_, '_>) {
    if !acc.context.in_string && !acc.siblings.contains("default") {
        let candidate = Candidate::new(CompletionKind::Keyword, "default");
        acc.add(candidate.score(score::TYPE_MATCH));
    }
}

/// Adds Booleans, `undef` and `default`: first those that the expected type lists.
fn words(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    let mut listed: Vec<&str> = Vec::new();
    for type_ in expected.type_.iter().flat_map(alternatives) {
        match type_ {
            Type::Boolean(Some(true)) => listed.push("true"),
            Type::Boolean(Some(false)) => listed.push("false"),
            Type::Boolean(None) => listed.extend(["true", "false"]),
            Type::Undef => listed.push("undef"),
            Type::Default => listed.push("default"),
            _ => {}
        }
    }
    for (word, order) in listed.into_iter().zip(0..) {
        let (points, first) = match word {
            "undef" => (score::SAME_SCOPE, group::FIRST),
            _ => (score::TYPE_MATCH, group::LIKELY),
        };
        let group = if expected.is_default { first } else { 0 };
        let candidate = Candidate::new(CompletionKind::Value, word);
        acc.add(candidate.score(points - order).group(group));
    }
    for (word, value) in [
        ("true", Value::Boolean(true)),
        ("false", Value::Boolean(false)),
        ("undef", Value::Undef),
    ] {
        if expected.accepts(&value) {
            // Whoever types a letter of a Boolean rather means it than a longer name.
            let is_meant = word != "undef" && !acc.typed.is_empty();
            let points = if is_meant { score::SAME_SCOPE } else { 0 };
            acc.add(Candidate::new(CompletionKind::Keyword, word).score(points));
        }
    }
}

/// Adds an empty string, array and hash, if the required type lists them.
fn literals(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    let group = match expected.is_splat {
        true => group::UNLIKELY,
        false if expected.is_default => group::LIKELY,
        false => 0,
    };
    for type_ in expected
        .required_type()
        .iter()
        .flat_map(|it| alternatives(it))
    {
        let (label, snippet, value) = match type_ {
            Type::String(_) => ("''", "'$0'", Value::String("".into())),
            Type::Array(_) | Type::Tuple(_) => ("[]", "[$0]", Value::array(Vec::new())),
            Type::Hash(_) | Type::Struct(_) => ("{}", "{ $0 }", Value::hash([])),
            _ => continue,
        };
        if expected.accepts(&value) {
            let candidate = Candidate::new(CompletionKind::Value, label).snippet(snippet);
            acc.add(candidate.score(score::SAME_SCOPE).group(group));
        }
    }
}

/// Adds the strings that the workspace has in the same context and, in quotes, those near the cursor. Sentences are not offered.
fn used_strings(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    if expected.is_free_text {
        return;
    }
    // Users, packages and services are often called as their module.
    let module = acc.topic.module().map(str::to_owned);
    for text in known_strings(acc).into_iter().chain(module) {
        let is_fitting = expected.accepts(&Value::String(text.as_str().into()));
        if is_fitting && !(expected.is_option && acc.siblings.contains(&text)) {
            let candidate = string(acc, &text, false);
            acc.add(candidate);
        }
    }
}

/// Adds the keys that the workspace has in the same context, without those that the hash at the cursor has, and without
/// other text.
pub(super) fn used_keys(acc: &mut Candidates<'_, '_>) {
    let existing = existing_keys(acc.cursor);
    let is_key = |it: &str| {
        let starts_word = it.starts_with(|it: char| it.is_alphanumeric() || it == '_' || it == '/');
        starts_word && !it.contains([' ', '\t', '\n', '\'', '"'])
    };
    for text in known_strings(acc) {
        if is_key(&text) && !existing.contains(&text) {
            let candidate = string(acc, &text, false);
            acc.add(candidate);
        }
    }
}

/// Returns the strings that may be meant at the cursor; none in free text.
fn known_strings(acc: &Candidates<'_, '_>) -> Vec<String> {
    if takes_text(acc.cursor) && acc.model.is_free_text() {
        return Vec::new();
    }
    let mut strings: Vec<String> = acc.model.strings().into_iter().map(str::to_owned).collect();
    if acc.context.in_string {
        strings.extend(acc.model.nearby_strings.keys().cloned());
    }
    // Keywords in quotes are hardly meant.
    strings.retain(|it| SyntaxKind::from_keyword(it, true).is_none());
    strings
}

/// Checks whether the value belongs to an attribute, a call or a key, whose other values may be sentences.
fn takes_text(cursor: &CursorContext<'_>) -> bool {
    use SyntaxKind::*;
    let outer = cursor.token.parent_ancestors().nth(1);
    outer.is_some_and(|it| matches!(it.kind(), ATTRIBUTE | ARGUMENT_LIST | HASH_ENTRY))
}

/// Creates the candidate of a string. It is written as a bare word where the code nearby does so or, if that
/// has none, by the convention.
fn string(acc: &Candidates<'_, '_>, text: &str, is_bare_by_convention: bool) -> Candidate {
    let is_bare = || {
        acc.model
            .prefers_bare_words()
            .unwrap_or(is_bare_by_convention)
    };
    match is_bare_word(text) && is_bare() {
        true => Candidate::new(CompletionKind::Value, text),
        false => acc.string(CompletionKind::Value, text),
    }
}

/// Returns the other keys of the hash at the cursor.
pub(super) fn existing_keys(cursor: &CursorContext<'_>) -> Vec<String> {
    let is_hash =
        |it: &SyntaxNode| HashExpr::can_cast(it.kind()) || UnbracedHash::can_cast(it.kind());
    let hash = cursor.token.parent_ancestors().find(is_hash);
    let entries = hash.iter().flat_map(SyntaxNode::children);
    let entries = entries
        .filter(|it| !cursor.is_within(it))
        .filter_map(HashEntry::cast);
    entries.filter_map(|it| it.key()?.plain_text()).collect()
}

/// Adds the missing keys of the expected Struct.
pub(super) fn struct_keys(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    let existing = existing_keys(acc.cursor);
    for type_ in expected.type_.iter().flat_map(alternatives) {
        let Type::Struct(type_) = type_ else { continue };
        for (element, order) in type_.elements().iter().zip(0..) {
            let name = element.name.to_string();
            if existing.contains(&name) {
                continue;
            }
            let required = if element.is_optional() {
                0
            } else {
                score::SAME_SCOPE
            };
            let candidate = Candidate::new(CompletionKind::Key, name.clone())
                .detail(Some(base::truncated(&display_hover(&element.value), 80)))
                .insert(acc.hash_key(&name, &format!("'{name}'")));
            acc.add(candidate.score(score::TYPE_MATCH + required - order));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{completions_of, is_offered, offered};

    #[test]
    fn no_strings_in_free_text() {
        let used = "notify { 'a': message => 'Some text' }\nnotify { 'b': message => \"${x} y\" }\n\
                    file { '/b': content => 'word' }\n";
        for code in [
            "fail('<^>')",
            "notice('<^>')",
            "warning(\"<^>\")",
            "notify { 'c': message => '<^>' }",
        ] {
            assert_eq!(offered(&format!("{used}{code}"), 3), "", "{code}");
        }
        assert!(is_offered(&format!("{used}$a = ['<^>']"), "word"));
    }

    #[test]
    fn names_of_types_and_functions_are_no_strings() {
        let used = "$a = [file('x'), String, abc]\nuser { 'x': }\n";
        let found = completions_of("manifests/site.pp", &format!("{used}$b = ['<^>']"));
        let labels: Vec<_> = found.iter().map(|it| it.label.as_str()).collect();
        for name in ["file", "String", "user"] {
            assert!(!labels.contains(&name), "{labels:?}");
        }
    }

    #[test]
    fn only_values_of_the_declared_type() {
        let used = "class w($a = 'word', $b = 'w/x') { }\n";
        for (type_, first, others) in [
            (
                "Boolean",
                "false, true",
                &["undef", "word", "String", "upcase"][..],
            ),
            ("Integer", "", &["undef", "true", "word", "String"]),
            ("Optional[Enum['x']]", "undef, x as 'x'", &["true", "word"]),
            ("Array[String]", "[]", &["undef", "true", "word", "sprintf"]),
            ("Hash", "{}", &["undef", "[]"]),
            ("String", "''", &["undef", "true", "Integer"]),
            ("String[1]", "", &["''", "undef"]),
            ("Web::Options", "", &["{}", "undef"]),
        ] {
            let code = format!("{used}class a({type_} $x = <^>) {{ }}");
            let count = first.split(", ").count();
            if !first.is_empty() {
                assert_eq!(offered(&code, count), first, "{type_}");
            }
            for other in others {
                assert!(!is_offered(&code, other), "{type_}: {other}");
            }
        }
        let code = "class { 'web': ports => <^> }";
        assert!(is_offered(code, "[]") && !is_offered(code, "true"));
        assert!(is_offered("$x = <^>", "true"));
    }

    #[test]
    fn quotes_follow_the_file() {
        let first = |used: &str, type_: &str| {
            offered(&format!("{used}{type_} {{ 'x': ensure => <^> }}"), 1)
        };
        assert_eq!(first("", "package"), "absent");
        let quoted = "file { '/a': ensure => 'absent' }\n";
        assert_eq!(first(quoted, "package"), "absent as 'absent'");
        let bare = "package { 'a': ensure => installed }\n";
        assert_eq!(first(bare, "package"), "installed");
    }

    #[test]
    fn used_options_are_not_offered_again() {
        for code in [
            "class a(Enum['x', 'y'] $e) { case $e { 'x': { }\n <^> } }",
            "class a(Enum['x', 'y'] $e) { $b = $e ? { 'x' => 1, <^> } }",
        ] {
            assert_eq!(offered(code, 2), "y as 'y', default", "{code}");
            assert!(!is_offered(code, "x as 'x'"), "{code}");
        }
        let code = "class a($v) { case $v { 'a': { }\n <^> } }";
        assert_eq!(offered(code, 1), "default");
        let code = "class a($v) { case $v { default: { }\n <^> } }";
        assert!(!is_offered(code, "default"));
        let code = "class a($v) { case $v { 'a': { $x = '<^>' } } }";
        assert!(!is_offered(code, "default"));
    }
}
