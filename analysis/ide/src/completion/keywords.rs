//! Completes keywords and the snippets that they start.

use super::super::cursor::{CursorContext, token_before};
use super::autoloaded_name::{AutoloadKind, expected_name};
use crate::bolt;
use base::EnvironmentInput;
use syntax::{SyntaxKind, SyntaxToken};

use super::blocks::{kind_before, opening};
use super::{Candidate, Candidates, CompletionKind, group, score};

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
        "# @summary ${2:A short summary}\n#\n# @param ${3:parameter}\n#   ${4:A description}\n\
         class ${1:name} (\n  ${5:String} \\$$3,\n) {\n  $0\n}",
        Some(AutoloadKind::Manifest),
    ),
    (
        "define",
        "# @summary ${2:A short summary}\n#\n# @param ${3:parameter}\n#   ${4:A description}\n\
         define ${1:name} (\n  ${5:String} \\$$3,\n) {\n  $0\n}",
        Some(AutoloadKind::Manifest),
    ),
    (
        "function",
        "# @summary ${2:A short summary}\n#\n# @param ${3:parameter}\n#   ${4:A description}\n\
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
    if is_outside && !acc.is_template() {
        definitions(acc);
    }
    let is_in_plan = bolt::is_in_plan(acc.cursor);
    if is_in_plan {
        apply(acc);
    }
    let before = token_before(&acc.cursor.token);
    let is_after_block = match acc.is_template() {
        true => kind_before(&acc.cursor.token) == Some(SyntaxKind::R_BRACE),
        false => before.is_some_and(|it| it.kind() == SyntaxKind::R_BRACE && ends_condition(&it)),
    };
    for (word, snippet) in KEYWORD_SNIPPETS {
        // At top level, `class` starts a definition. An alternative follows a block.
        let fits = match word {
            "class" => !is_outside && !is_in_plan,
            "else" => is_after_block && !is_condition_next(acc),
            "elsif" => is_after_block && !is_block_next(acc),
            _ => true,
        };
        if !fits {
            continue;
        }
        let snippet = match (acc.is_template(), snippet.split_once(" {\n")) {
            (true, Some((header, _))) => opening(acc, header),
            _ => snippet.to_owned(),
        };
        let mut candidate = Candidate::new(CompletionKind::Keyword, word).snippet(snippet);
        // Tags mostly contain conditions, and one with a closing brace the alternative too.
        if acc.is_template() {
            let is_alternative = matches!(word, "else" | "elsif");
            let group = if is_alternative {
                group::FIRST
            } else {
                group::LIKELY
            };
            candidate = candidate.group(group);
        }
        acc.add(candidate.score(20 * score::SAME_MODULE));
    }
    operators(acc);
    for word in ["undef", "true", "false", "default"] {
        acc.add(Candidate::new(CompletionKind::Keyword, word).score(-score::SAME_SCOPE));
    }
}

/// Checks whether a closing brace ends the block of a condition, which an alternative can follow.
fn ends_condition(brace: &SyntaxToken) -> bool {
    use SyntaxKind::{BLOCK, IF_EXPR, UNLESS_EXPR};
    let owner = brace.parent_ancestors().find(|it| it.kind() != BLOCK);
    owner.is_some_and(|it| matches!(it.kind(), IF_EXPR | UNLESS_EXPR))
}

/// Adds the keyword that starts a block of resources in a plan.
pub(super) fn apply(acc: &mut Candidates<'_, '_>) {
    let candidate = Candidate::new(CompletionKind::Keyword, "apply")
        .snippet("apply(${1:\\$targets}) {\n  $0\n}")
        .score(score::SAME_SCOPE);
    acc.add(candidate);
}

/// Adds the keywords of definitions; first the kind that the folder of the file is for. The cursor does not stop at
/// the name that autoloading expects.
fn definitions(acc: &mut Candidates<'_, '_>) {
    let tasks = acc.cursor.file.spec(acc.cursor.db).dialect.tasks;
    for (word, snippet, kind) in DEFINITIONS {
        if word == "plan" && !tasks {
            continue;
        }
        let name = kind.and_then(|it| expected_name(acc.cursor.db, acc.cursor.file, it));
        let candidate = Candidate::new(CompletionKind::Keyword, word).score(score::SAME_SCOPE);
        let candidate = match word == "node" && is_place_of_nodes(acc) {
            true => candidate.group(group::LIKELY),
            false => candidate,
        };
        acc.add(match name {
            Some(it) => candidate
                .snippet(snippet.replace("${1:name}", &it).replace("${1:Name}", &it))
                .group(group::LIKELY),
            None => candidate.snippet(snippet),
        });
    }
}

/// Checks whether the file is a main manifest that has no other code than definitions of nodes.
fn is_place_of_nodes(acc: &Candidates<'_, '_>) -> bool {
    let (db, file) = (acc.cursor.db, acc.cursor.file);
    let is_main = |it: EnvironmentInput| it.manifests(db).contains(&file);
    let mut statements = acc.cursor.root.children();
    acc.cursor.environment.is_some_and(is_main)
        && statements
            .all(|it| it.kind() == SyntaxKind::NODE_DEFINITION || acc.cursor.is_within(&it))
}

/// Adds what can follow the name of a class in its definition.
pub(super) fn class_header(acc: &mut Candidates<'_, '_>) {
    acc.add(Candidate::new(CompletionKind::Keyword, "inherits"));
}

/// Adds the name of the definition of all other nodes.
pub(super) fn node_names(acc: &mut Candidates<'_, '_>) {
    acc.add(Candidate::new(CompletionKind::Keyword, "default"));
}

/// Adds the operators that are words.
pub(super) fn operators(acc: &mut Candidates<'_, '_>) {
    let Some(before) = token_before(&acc.cursor.token) else {
        return;
    };
    if !is_operand_on_line(acc.cursor, &before) {
        return;
    }
    for word in ["and", "or", "in"] {
        acc.add(Candidate::new(CompletionKind::Keyword, word).score(score::TYPE_MATCH));
    }
}

/// Checks whether a block follows the word at the cursor.
fn is_block_next(acc: &Candidates<'_, '_>) -> bool {
    acc.text_after_word().trim_start().starts_with('{')
}

/// Checks whether a condition follows the word at the cursor on its line.
fn is_condition_next(acc: &Candidates<'_, '_>) -> bool {
    let line = acc.text_after_word().lines().next().unwrap_or_default();
    let line = line.trim_start();
    let is_end_of_tag = line.starts_with("%>") || line.starts_with("-%>");
    !is_end_of_tag && line.starts_with(|it: char| !matches!(it, '{' | '}' | '#'))
}

/// Checks whether a token on the line of the cursor ends an operand.
fn is_operand_on_line(cursor: &CursorContext<'_>, token: &SyntaxToken) -> bool {
    use SyntaxKind::*;
    let between = &cursor.text[usize::from(token.text_range().end())..usize::from(cursor.offset)];
    let ends = [
        VARIABLE,
        NAME,
        NUMBER,
        R_BRACK,
        R_PAREN,
        SINGLE_QUOTED,
        DOUBLE_QUOTED,
        STRING_CLOSE,
        CLASSREF,
        TRUE_KW,
        FALSE_KW,
        UNDEF_KW,
    ];
    ends.contains(&token.kind()) && !between.contains('\n')
}

/// Checks whether a token is the name of a class that is defined here, or ends its parameters.
pub(super) fn ends_class_header(token: &SyntaxToken) -> bool {
    use SyntaxKind::*;
    let can_end = matches!(token.kind(), NAME | R_PAREN);
    let mut at = can_end.then(|| token.clone());
    let mut depth = 0_usize;
    while let Some(token) = at {
        match token.kind() {
            R_PAREN => depth += 1,
            L_PAREN | WS_L_PAREN => depth = depth.saturating_sub(1),
            NAME if depth == 0 => {
                return token_before(&token).is_some_and(|it| it.kind() == CLASS_KW);
            }
            WHITESPACE | LINE_COMMENT | BLOCK_COMMENT => {}
            _ if depth == 0 => return false,
            _ => {}
        }
        at = token.prev_token();
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{offered, offered_in};

    #[test]
    fn only_inherits_follows_the_name_of_a_class() {
        for code in ["class a <^> {\n}", "class a <^>", "class a($x = 1) <^> { }"] {
            assert_eq!(offered(code, 9), "inherits", "{code}");
        }
        assert_ne!(offered("class a { $x = [b <^>] }", 1), "inherits");
    }

    #[test]
    fn alternatives_follow_conditions() {
        for code in [
            "if $x { }\n<^>",
            "if $x { }\nelsif $y { }\n<^>",
            "unless $x { }\n<^>",
        ] {
            let found = offered(code, usize::MAX);
            assert!(found.split(", ").any(|it| it == "else"), "{code}");
        }
        for code in [
            "file { '/a': }\n<^>",
            "$x = { a => 1 }\n<^>",
            "class a { }\n<^>",
        ] {
            let found = offered(code, usize::MAX);
            assert!(!found.split(", ").any(|it| it == "else"), "{code}");
        }
    }

    #[test]
    fn nodes_come_first_in_main_manifests() {
        assert_eq!(offered("<^>", 1), "node");
        assert_eq!(offered("node default { }\n<^>", 1), "node");
        assert_ne!(offered("include web\n<^>", 1), "node");
    }

    #[test]
    fn keywords_of_the_folder_come_first() {
        for (path, expected) in [
            ("manifests/new.pp", "class, define"),
            ("types/new.pp", "type"),
            ("functions/new.pp", "function"),
        ] {
            let path = format!("modules/web/{path}");
            let count = expected.split(", ").count();
            assert_eq!(offered_in(&path, "<^>", count), expected, "{path}");
        }
    }
}
