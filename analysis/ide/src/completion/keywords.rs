//! Completes keywords and the snippets that they start.

use super::definition_name::{AutoloadKind, expected_name};
use super::{Candidate, Candidates, CompletionKind, score};

/// A keyword and its snippet.
type KeywordSnippet = (&'static str, &'static str);

const KEYWORD_SNIPPETS: [KeywordSnippet; 6] = [
    ("if", "if ${1:condition} {\n  $0\n}"),
    ("unless", "unless ${1:condition} {\n  $0\n}"),
    ("elsif", "elsif ${1:condition} {\n  $0\n}"),
    ("else", "else {\n  $0\n}"),
    (
        "case",
        "case ${1:value} {\n  ${2:option}: {\n    $0\n  }\n  default: { }\n}",
    ),
    ("class", "class { '$1':\n  $0\n}"),
];

/// The keywords of definitions with their snippets, and the kind of name to fill in.
const DEFINITIONS: [(&str, &str, Option<AutoloadKind>); 6] = [
    (
        "class",
        "# @summary ${2:A short summary}\n#\n# @param ${3:name}\n#   ${4:A description}\n\
         class ${1:name} (\n  ${5:String} \\$$3,\n) {\n  $0\n}",
        Some(AutoloadKind::Manifest),
    ),
    (
        "define",
        "# @summary ${2:A short summary}\n#\n# @param ${3:name}\n#   ${4:A description}\n\
         define ${1:name} (\n  ${5:String} \\$$3,\n) {\n  $0\n}",
        Some(AutoloadKind::Manifest),
    ),
    (
        "function",
        "# @summary ${2:A short summary}\n#\n# @param ${3:name}\n#   ${4:A description}\n\
         # @return ${6:A description}\nfunction ${1:name}(${5:String} \\$$3) >> ${7:Any} {\n  $0\n}",
        Some(AutoloadKind::Function),
    ),
    (
        "type",
        "type ${1:Name} = ${0:Any}",
        Some(AutoloadKind::Type),
    ),
    ("node", "node ${1:default} {\n  $0\n}", None),
    (
        "plan",
        "# @summary ${2:A short summary}\nplan ${1:name} (\n  TargetSpec \\$targets,\n) {\n  $0\n}",
        Some(AutoloadKind::Plan),
    ),
];

/// Adds the keywords that start statements.
pub(super) fn statements(acc: &mut Candidates<'_, '_>) {
    let is_outside = acc.cursor.definition.is_none();
    if is_outside {
        let tasks = acc.cursor.file.spec(acc.cursor.db).dialect.tasks;
        for (word, snippet, kind) in DEFINITIONS {
            if word != "plan" || tasks {
                let name = kind.and_then(|it| expected_name(acc.cursor.db, acc.cursor.file, it));
                let snippet = match name {
                    Some(it) => snippet
                        .replace("${1:name}", &format!("${{1:{it}}}"))
                        .replace("${1:Name}", &format!("${{1:{it}}}")),
                    None => snippet.to_owned(),
                };
                add(acc, word, &snippet, score::SAME_SCOPE);
            }
        }
    }
    for (word, snippet) in KEYWORD_SNIPPETS {
        // At top level, `class` starts a definition.
        if !(is_outside && word == "class") {
            add(acc, word, snippet, 20 * score::SAME_MODULE);
        }
    }
    let words = [
        "undef", "true", "false", "inherits", "default", "and", "or", "in",
    ];
    for word in words {
        acc.add(Candidate::new(CompletionKind::Keyword, word).score(-score::SAME_SCOPE));
    }
}

fn add(acc: &mut Candidates<'_, '_>, word: &str, snippet: &str, points: i64) {
    let candidate = Candidate::new(CompletionKind::Keyword, word).snippet(snippet);
    acc.add(candidate.score(points));
}
