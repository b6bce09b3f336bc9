//! Completes keywords and the snippets that they start.

use super::own_name::{Named, name_of};
use super::{Candidate, Collector, CompletionKind, score};

/// A keyword and its snippet.
type Form = (&'static str, &'static str);

const FORMS: [Form; 6] = [
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
const DEFINITIONS: [(&str, &str, Option<Named>); 6] = [
    (
        "class",
        "# @summary ${2:A short summary}\n#\n# @param ${3:name}\n#   ${4:A description}\n\
         class ${1:name} (\n  ${5:String} \\$$3,\n) {\n  $0\n}",
        Some(Named::Resource),
    ),
    (
        "define",
        "# @summary ${2:A short summary}\n#\n# @param ${3:name}\n#   ${4:A description}\n\
         define ${1:name} (\n  ${5:String} \\$$3,\n) {\n  $0\n}",
        Some(Named::Resource),
    ),
    (
        "function",
        "# @summary ${2:A short summary}\n#\n# @param ${3:name}\n#   ${4:A description}\n\
         # @return ${6:A description}\nfunction ${1:name}(${5:String} \\$$3) >> ${7:Any} {\n  $0\n}",
        Some(Named::Function),
    ),
    ("type", "type ${1:Name} = ${0:Any}", Some(Named::Type)),
    ("node", "node ${1:default} {\n  $0\n}", None),
    (
        "plan",
        "# @summary ${2:A short summary}\nplan ${1:name} (\n  TargetSpec \\$targets,\n) {\n  $0\n}",
        Some(Named::Plan),
    ),
];

/// Adds the keywords that start statements.
pub(super) fn statements(into: &mut Collector<'_, '_>) {
    let is_outside = into.site.definition.is_none();
    if is_outside {
        let tasks = into.site.file.spec(into.site.db).dialect.tasks;
        for (word, snippet, named) in DEFINITIONS {
            if word != "plan" || tasks {
                let name = named.and_then(|it| name_of(into.site.db, into.site.file, it));
                let snippet = match name {
                    Some(it) => snippet
                        .replace("${1:name}", &format!("${{1:{it}}}"))
                        .replace("${1:Name}", &format!("${{1:{it}}}")),
                    None => snippet.to_owned(),
                };
                add(into, word, &snippet, score::NEAR);
            }
        }
    }
    for (word, snippet) in FORMS {
        // At top level, `class` starts a definition.
        if !(is_outside && word == "class") {
            add(into, word, snippet, 20 * score::MODULE);
        }
    }
    let words = [
        "undef", "true", "false", "inherits", "default", "and", "or", "in",
    ];
    for word in words {
        into.add(Candidate::new(CompletionKind::Keyword, word).score(-score::NEAR));
    }
}

fn add(into: &mut Collector<'_, '_>, word: &str, snippet: &str, points: i64) {
    let found = Candidate::new(CompletionKind::Keyword, word).snippet(snippet);
    into.add(found.score(points));
}
