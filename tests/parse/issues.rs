//! Every issue code that a single file can cause is reported exactly where Puppet reports it.

use std::collections::BTreeSet;

use pupil_tests::cases::Case;
use pupil_tests::recordings::Recorded;
use pupil_tests::verdict::Verdict;
use syntax::validation::PuppetVersion;

use crate::cases::recorded_cases;

/// The codes of Puppet's lexer, parser and validator, except those that no source can cause.
const CODES: &[&str] = &[
    "APPENDS_DELETES_NO_LONGER_SUPPORTED",
    "CAPTURES_REST_NOT_LAST",
    "CAPTURES_REST_NOT_SUPPORTED",
    "CLASS_NOT_VIRTUALIZABLE",
    "CROSS_SCOPE_ASSIGNMENT",
    "DUPLICATE_DEFAULT",
    "DUPLICATE_KEY",
    "DUPLICATE_PARAMETER",
    "EPP_UNBALANCED_COMMENT",
    "EPP_UNBALANCED_EXPRESSION",
    "EPP_UNBALANCED_TAG",
    "EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING",
    "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING",
    "FUTURE_RESERVED_WORD",
    "HEREDOC_EMPTY_ENDTAG",
    "HEREDOC_INVALID_ESCAPE",
    "HEREDOC_INVALID_SYNTAX",
    "HEREDOC_MULTIPLE_AT_ESCAPES",
    "HEREDOC_UNCLOSED_PARENTHESIS",
    "HEREDOC_WITHOUT_END_TAGGED_LINE",
    "HEREDOC_WITHOUT_TEXT",
    "IDEM_EXPRESSION_NOT_LAST",
    "IDEM_NOT_ALLOWED_LAST",
    "ILLEGAL_ASSIGNMENT",
    "ILLEGAL_ASSIGNMENT_CONTEXT",
    "ILLEGAL_ATTRIBUTE_APPEND",
    "ILLEGAL_BOM",
    "ILLEGAL_CLASS_REFERENCE",
    "ILLEGAL_DEFINITION_LOCATION",
    "ILLEGAL_DEFINITION_NAME",
    "ILLEGAL_EPP_PARAMETERS",
    "ILLEGAL_EXPRESSION",
    "ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE",
    "ILLEGAL_FULLY_QUALIFIED_NAME",
    "ILLEGAL_HOSTNAME_CHARS",
    "ILLEGAL_HOSTNAME_INTERPOLATION",
    "ILLEGAL_INDEXED_ASSIGNMENT",
    "ILLEGAL_NODE_INHERITANCE",
    "ILLEGAL_NUMBER",
    "ILLEGAL_NUMERIC_ASSIGNMENT",
    "ILLEGAL_NUMERIC_PARAMETER",
    "ILLEGAL_NUMERIC_VAR_NAME",
    "ILLEGAL_PARAM_NAME",
    "ILLEGAL_QUERY_EXPRESSION",
    "ILLEGAL_TOP_CONSTRUCT_LOCATION",
    "ILLEGAL_TYPE_MAPPING",
    "ILLEGAL_UNICODE_ESCAPE",
    "ILLEGAL_VAR_NAME",
    "INVALID_DECIMAL_NUMBER",
    "INVALID_HEX_NUMBER",
    "INVALID_OCTAL_NUMBER",
    "MULTIPLE_ATTRIBUTES_UNFOLD",
    "NOT_ABSOLUTE_TOP_LEVEL",
    "NOT_RVALUE",
    "NOT_TOP_LEVEL",
    "NOT_VIRTUALIZEABLE",
    "NUMERIC_OVERFLOW",
    "RESERVED_PARAMETER",
    "RESERVED_TYPE_NAME",
    "RESERVED_WORD",
    "RESOURCE_WITHOUT_TITLE",
    "SYNTAX_ERROR",
    "UNCLOSED_MLCOMMENT",
    "UNCLOSED_QUOTE",
    "UNRECOGNIZED_ESCAPE",
    "UNSUPPORTED_EXPRESSION",
];

/// Returns the code that an issue snippet is about, and whether Puppet reports it there.
fn about(case: &Case) -> Option<(&str, bool)> {
    let mut parts = case.id.strip_prefix("issues/")?.split('/');
    let code = parts.next()?.split('-').next()?;
    Some((code, parts.next()?.starts_with("bad")))
}

fn recorded_codes(recorded: &Recorded) -> BTreeSet<&str> {
    let all = recorded.errors.iter().chain(&recorded.warnings);
    all.map(|issue| issue.code()).collect()
}

fn our_codes(case: &Case, version: PuppetVersion) -> BTreeSet<&'static str> {
    let verdict = Verdict::of(&case.source, version);
    let all = verdict.errors.iter().chain(&verdict.warnings);
    all.map(|finding| finding.code()).collect()
}

#[test]
fn every_code_has_snippets_with_and_without_it() {
    let (mut bad, mut good) = (BTreeSet::new(), BTreeSet::new());
    let cases = recorded_cases();
    for (case, recorded) in &cases {
        let Some((code, is_bad)) = about(case) else {
            continue;
        };
        let reported = recorded_codes(&recorded.answer).contains(code);
        assert_eq!(reported, is_bad, "{}", case.id);
        if is_bad { &mut bad } else { &mut good }.insert(code);
    }
    for code in CODES {
        assert!(bad.contains(code), "no snippet reports {code}");
        assert!(
            good.contains(code),
            "no snippet is close to {code} without it"
        );
    }
}

#[test]
fn codes_are_reported_where_puppet_reports_them() {
    let mut wrong = Vec::new();
    for (case, _) in recorded_cases() {
        let Some((code, is_bad)) = about(&case) else {
            continue;
        };
        if our_codes(&case, PuppetVersion::V7).contains(code) != is_bad {
            wrong.push(case.id);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn puppet_8_matches_the_flags() {
    let mut seen = 0;
    for (case, _) in recorded_cases() {
        let Some(expected) = case.flag("8") else {
            continue;
        };
        let verdict = Verdict::of(&case.source, PuppetVersion::V8);
        match expected {
            "ok" => assert!(verdict.ok(), "{}: {:?}", case.id, verdict.errors),
            code => assert!(
                our_codes(&case, PuppetVersion::V8).contains(code),
                "{}",
                case.id
            ),
        }
        let refused = expected != "ok";
        assert_eq!(refused, !verdict.ok(), "{}", case.id);
        seen += 1;
    }
    assert!(seen > 0);
}
