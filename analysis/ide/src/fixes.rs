//! Selects the fixes that can be applied together, and suppresses diagnostics with comments.

use std::collections::BTreeMap;

use syntax::{Applicability, Dialect, Edit, Severity, SyntaxKind, TextRange, TextSize, parse};

use base::{Diagnostic, FileId, Fix};
use rules::rule;

/// Returns the edits of the fixes of a file that are at most as doubtful as `limit`, and the diagnostics that they
/// resolve.
///
/// Uses one fix of each diagnostic unless it overlaps an earlier one. Overlapping fixes can be applied in another pass.
pub fn fix_edits(
    found: &[Diagnostic],
    file: FileId,
    limit: Applicability,
) -> (Vec<Edit>, Vec<&Diagnostic>) {
    let mut edits: Vec<Edit> = Vec::new();
    // The ends of the selected edits by their starts. Edits do not overlap, so the last start has the last end.
    let mut ends: BTreeMap<TextSize, TextSize> = BTreeMap::new();
    let mut resolved = Vec::new();
    for diagnostic in found {
        let Some(fix) = automatic_fix(diagnostic, file, limit) else {
            continue;
        };
        let touches = |it: &Edit| {
            let before = ends.range(..=it.range.end()).next_back();
            before.is_some_and(|(_, end)| *end >= it.range.start())
        };
        if !fix.edits.iter().any(|it| touches(&it.1)) {
            for (_, edit) in &fix.edits {
                let end = ends.entry(edit.range.start()).or_default();
                *end = edit.range.end().max(*end);
            }
            edits.extend(fix.edits.iter().map(|it| it.1.clone()));
            resolved.push(diagnostic);
        }
    }
    edits.sort_by_key(|it| it.range.start());
    (edits, resolved)
}

/// Returns the fix to apply without asking: the first safe one, or a suggested one that has no alternatives. Fixes that
/// change other files are not applied.
pub fn automatic_fix(diagnostic: &Diagnostic, file: FileId, limit: Applicability) -> Option<&Fix> {
    let mut fixes = diagnostic.fixes.iter();
    let safe = fixes.find(|it| it.applicability == Applicability::Safe);
    let fix = safe.or_else(|| match diagnostic.fixes.as_slice() {
        [only] if only.applicability <= limit => Some(only),
        _ => None,
    });
    fix.filter(|it| it.edits.iter().all(|it| it.0 == file))
}

/// Makes fixes insert the line breaks of their file, if all of them are CRLF. Rules may insert LF in any file.
pub(crate) fn adapt_line_breaks(found: &mut [Diagnostic], file: FileId, text: &str) {
    let fixes = found.iter_mut().flat_map(|it| &mut it.fixes);
    let edits = fixes.flat_map(|it| &mut it.edits);
    let mut edits = edits
        .filter(|(id, edit)| *id == file && edit.text.contains('\n'))
        .peekable();
    if edits.peek().is_none() || !has_only_crlf(text) {
        return;
    }
    for (_, edit) in edits {
        edit.text = edit.text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
}

fn has_only_crlf(text: &str) -> bool {
    let breaks = text.matches('\n').count();
    breaks > 0 && text.matches("\r\n").count() == breaks
}

/// Returns the edit that suppresses a diagnostic with a comment.
///
/// Extends an existing list of rules, or adds a comment on the line above or at the end of the
/// line. Returns `None` if no comment is possible, and for Puppet's own errors, which cannot be
/// suppressed.
pub(crate) fn suppression_edit(
    text: &str,
    dialect: Dialect,
    diagnostic: &Diagnostic,
) -> Option<Edit> {
    let code = diagnostic.code;
    if rule(code).is_none() && diagnostic.severity == Severity::Error {
        return None;
    }
    let at = usize::from(diagnostic.range.start());
    let start = text.get(..at)?.rfind('\n').map_or(0, |it| it + 1);
    let end = text[at..]
        .find(['\r', '\n'])
        .map_or(text.len(), |it| at + it);
    let line = &text[start..end];
    let above = text[..start].strip_suffix('\n').unwrap_or_default();
    let above_start = above.rfind('\n').map_or(0, |it| it + 1);
    let above = &above[above_start..];
    let listed = rule_list_end(line).map(|it| start + it);
    let listed = listed.or_else(|| {
        let alone = above.trim_start().starts_with('#');
        alone
            .then(|| rule_list_end(above))
            .flatten()
            .map(|it| above_start + it)
    });
    let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    let line_break = if text[..start].ends_with("\r\n") || text[end..].starts_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let comment = format!("# pupil: ignore[{code}]");
    let candidates = [
        listed.map(|it| (it, format!(", {code}"))),
        Some((start, format!("{indent}{comment}{line_break}"))),
        Some((end, format!(" {comment}"))),
    ];
    let mut edits = candidates.into_iter().flatten();
    edits
        .find(|it| becomes_comment(text, dialect, it.0, &it.1))
        .map(|(at, text)| Edit {
            range: TextRange::empty(size(at)),
            text,
        })
}

/// Returns the offset of the bracket that ends the list of rules in a comment.
fn rule_list_end(line: &str) -> Option<usize> {
    let start = line.find("pupil: ignore[")?;
    line[start..].find(']').map(|it| start + it)
}

/// Checks whether text inserted at an offset becomes part of a line comment.
fn becomes_comment(text: &str, dialect: Dialect, at: usize, added: &str) -> bool {
    let mut changed = text.to_owned();
    changed.insert_str(at, added);
    let root = parse(&changed, dialect).syntax();
    let inside = at + added.len() - added.trim_start().len();
    let end = at + added.trim_end().len();
    let token = root.token_at_offset(size(inside)).right_biased();
    token.is_some_and(|it| {
        it.kind() == SyntaxKind::LINE_COMMENT && usize::from(it.text_range().end()) >= end
    })
}

fn size(offset: usize) -> TextSize {
    // Files are smaller than 4 GiB.
    TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    const FILE: FileId = FileId(0);

    #[test]
    fn fixes_insert_the_line_breaks_of_the_file() {
        let source = "# m\r\nclass m ($x) {\r\n  file { '/a':\r\n    ensure => '/b',\r\n  }\r\n  case $x {\r\n    'a': { }\r\n  }\r\n}\r\n";
        for (text, line_break) in [(source, "\r\n"), (&source.replace('\r', ""), "\n")] {
            let fixture = Fixture::with_style(&format!("//- modules/m/manifests/init.pp\n{text}"));
            let found = fixture.analysis().diagnostics(FILE);
            for code in ["symlink-target-in-ensure", "case-without-default"] {
                let found = found.iter().filter(|it| it.code == code);
                let (edits, _) = fix_edits(
                    &found.cloned().collect::<Vec<_>>(),
                    FILE,
                    Applicability::Suggested,
                );
                let changed = syntax::apply_edits(text, &edits).expect("edits do not overlap");
                let breaks = |it: &str| it.matches(line_break).count();
                assert_eq!(breaks(&changed), breaks(text) + 1, "{code}");
                assert_eq!(changed.matches('\n').count(), breaks(&changed), "{code}");
            }
        }
    }

    #[test]
    fn fixes_that_touch_are_left_for_another_pass() {
        let with_fix = |edits: &[(u32, u32)]| {
            let edits = edits.iter().map(|(start, end)| {
                let range = TextRange::new((*start).into(), (*end).into());
                let text = "x".to_owned();
                (FILE, Edit { range, text })
            });
            Diagnostic {
                code: "tab",
                severity: Severity::Warning,
                message: String::new(),
                range: TextRange::default(),
                related: Vec::new(),
                fixes: vec![Fix {
                    label: String::new(),
                    applicability: Applicability::Safe,
                    edits: edits.collect(),
                }],
            }
        };
        let found = [
            with_fix(&[(10, 20), (40, 40)]),
            with_fix(&[(20, 22)]),
            with_fix(&[(30, 35), (12, 13)]),
            with_fix(&[(0, 9), (41, 50)]),
            with_fix(&[(40, 40)]),
            with_fix(&[(5, 60)]),
            with_fix(&[(21, 39)]),
        ];
        let (edits, resolved) = fix_edits(&found, FILE, Applicability::Safe);
        assert_eq!(resolved, [&found[0], &found[3], &found[6]]);
        let starts: Vec<u32> = edits.iter().map(|it| it.range.start().into()).collect();
        assert_eq!(starts, [0, 10, 21, 40, 41]);
    }

    /// Suppresses the first diagnostic of a rule, checks that it is gone, and returns the new text.
    fn silenced(source: &str, code: &str) -> String {
        let fixture = Fixture::new(&format!("//- modules/m/manifests/init.pp\n{source}"));
        let found = fixture.analysis().diagnostics(FILE);
        let diagnostic = found
            .iter()
            .find(|it| it.code == code)
            .expect("the rule reports a diagnostic");
        let edit = suppression_edit(source, Dialect::default(), diagnostic);
        let Some(edit) = edit else {
            return "no comment possible".to_owned();
        };
        let text = syntax::apply_edits(source, [&edit]).expect("the edit fits");
        let fixture = Fixture::new(&format!("//- modules/m/manifests/init.pp\n{text}"));
        let left = fixture.analysis().diagnostics(FILE);
        let times = |all: &[Diagnostic]| all.iter().filter(|it| it.code == code).count();
        assert!(times(&left) < times(&found), "{text}");
        text
    }

    #[test]
    fn adds_a_comment_above_with_the_same_indent() {
        assert_eq!(
            silenced(
                "class m {\r\n\t  include m::nothing\r\n}\r\n",
                "unknown-class"
            ),
            "class m {\r\n\t  # pupil: ignore[unknown-class]\r\n\t  include m::nothing\r\n}\r\n"
        );
        assert_eq!(
            silenced("class m { include m::nothing }", "unknown-class"),
            "# pupil: ignore[unknown-class]\nclass m { include m::nothing }"
        );
    }

    #[test]
    fn extends_an_existing_list() {
        let source = "class m {\n  # pupil: ignore[legacy-fact]\n  include m::nothing\n}\n";
        let expected = source.replace("legacy-fact", "legacy-fact, unknown-class");
        assert_eq!(silenced(source, "unknown-class"), expected);
        let source = "class m {\n  include m::nothing # pupil: ignore[legacy-fact]\n}\n";
        let expected = source.replace("legacy-fact", "legacy-fact, unknown-class");
        assert_eq!(silenced(source, "unknown-class"), expected);
    }

    #[test]
    fn never_adds_a_comment_inside_a_string() {
        assert_eq!(
            silenced(
                "class m {\n  notice(\"a\n  ${m::x}\", 1)\n}\n",
                "unknown-variable"
            ),
            "class m {\n  notice(\"a\n  ${m::x}\", 1) # pupil: ignore[unknown-variable]\n}\n"
        );
        assert_eq!(
            silenced(
                "class m {\n  notice(\"a\n  ${m::x}\n  b\")\n}\n",
                "unknown-variable"
            ),
            "no comment possible"
        );
    }

    #[test]
    fn overlapping_fixes_are_not_applied_together() {
        let source = "class m {\n  notice(\"${::osfamily}${::osfamily} \\q\\w\")\n}\n";
        let fixture = Fixture::new(&format!("//- modules/m/manifests/init.pp\n{source}"));
        let found = fixture.analysis().diagnostics(FILE);
        let (edits, resolved) = fix_edits(&found, FILE, Applicability::Safe);
        assert_eq!(resolved.len(), 4);
        assert_eq!(
            syntax::apply_edits(source, &edits).as_deref(),
            Some(
                "class m {\n  notice(\"${facts['os']['family']}${facts['os']['family']} \\\\q\\\\w\")\n}\n"
            )
        );
        let twice = [found[0].clone(), found[0].clone()];
        assert_eq!(fix_edits(&twice, FILE, Applicability::Safe).1.len(), 1);
    }
}
