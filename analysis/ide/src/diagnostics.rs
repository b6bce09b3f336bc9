//! All diagnostics of a file.
//!
//! Puppet runs its static checks only on files that parse. Pupil also checks the intact statements
//! of a file with syntax errors, but drops diagnostics that the errors could have caused.

use salsa::Database;
use syntax::ast::{AstNode, SourceFile};
use syntax::validation::{ValidationContext, validate};
use syntax::{Code, Diagnostic, Parse, Severity, Stage, SyntaxKind, SyntaxNode, TextRange};

use crate::data_files::{FileKind, file_kind};
use crate::fixes::adapt_line_breaks;
use base::{FileId, FileInput, Fix, RelatedInformation};
use hir::{Item, items};
use infer::infer_item;
use rules::{ItemFinding, Suppressions};

/// Returns the diagnostics of the single-file checks, in source order.
#[salsa::tracked(lru = 256)]
pub(crate) fn single_file_diagnostics(db: &dyn Database, file: FileInput) -> Vec<Diagnostic> {
    check_file(base::parse(db, file), &base::validation_context(db, file))
}

/// Infers the items of a file ahead of [`file_diagnostics`], and compiles the nodes with them. Running this on
/// another thread at the same time halves the time to diagnostics.
pub(crate) fn prepare_diagnostics(db: &dyn Database, file: FileInput) {
    if file_kind(db, file) != FileKind::Code || rules::is_asset(db, file) {
        return;
    }
    if !base::parse(db, file).is_well_formed() {
        return;
    }
    for item in items(db, file) {
        infer_item(db, *item);
    }
    rules::compile_nodes(db, file);
}

/// Returns all diagnostics of a workspace file, in source order: those of the single-file checks,
/// and those of the rules that resolve names if the file has no syntax errors.
pub(crate) fn file_diagnostics(db: &dyn Database, file: FileInput) -> Vec<base::Diagnostic> {
    let mut found = match file_kind(db, file) {
        FileKind::Code | FileKind::Erb if rules::is_asset(db, file) => rules::check_asset(db, file),
        FileKind::Code => code_diagnostics(db, file),
        FileKind::Data => rules::data::check(db, file).unwrap_or_default(),
        // The checks of project files report its mistakes.
        FileKind::Config | FileKind::Erb => Vec::new(),
    };
    let text = file.text(db).as_deref().unwrap_or_default();
    adapt_line_breaks(&mut found, file.id(db), text);
    found
}

/// Returns the diagnostics of a manifest or a template in Puppet's language.
fn code_diagnostics(db: &dyn Database, file: FileInput) -> Vec<base::Diagnostic> {
    let parse = base::parse(db, file);
    let found = single_file_diagnostics(db, file).iter();
    let is_broken = found
        .clone()
        .any(|it| it.stage == Stage::Parse && it.severity == Severity::Error);
    let found = found.cloned().map(|it| from_syntax(it, file.id(db)));
    let mut found: Vec<_> = found.collect();
    if !is_broken {
        // Another thread infers the types meanwhile.
        rules::compile_definitions(db, file);
        let names = rules::file_findings(db, file).into_iter();
        found.extend(names.map(|(item, diagnostic)| from_rule(db, item, diagnostic)));
        found.extend(rules::whole_file_findings(db, file));
    }
    if !found.is_empty() {
        let text = file.text(db).as_deref().unwrap_or_default();
        let suppressions = Suppressions::of(&parse.syntax(), text);
        found.retain(|it| !suppressions.covers_diagnostic(it, text));
    }
    found.sort_by(|a, b| {
        let key = |it: &base::Diagnostic| (it.range.start(), it.range.end(), it.severity, it.code);
        key(a).cmp(&key(b))
    });
    found
}

fn from_syntax(found: Diagnostic, file: FileId) -> base::Diagnostic {
    let related = found.related.into_iter().map(|it| RelatedInformation {
        file,
        range: it.range,
        message: it.message,
    });
    base::Diagnostic {
        code: found.code.0,
        severity: found.severity,
        message: found.message,
        range: found.range,
        related: related.collect(),
        fixes: convert_fixes(found.fixes, file, |it| it),
    }
}

/// Converts fixes of a single file, mapping their ranges with `to_file`.
fn convert_fixes(
    fixes: Vec<syntax::Fix>,
    file: FileId,
    to_file: impl Fn(TextRange) -> TextRange,
) -> Vec<Fix> {
    let in_file = |mut fix: syntax::Fix| {
        for edit in &mut fix.edits {
            edit.range = to_file(edit.range);
        }
        Fix::in_file(file, fix)
    };
    fixes.into_iter().map(in_file).collect()
}

fn from_rule<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    found: &ItemFinding<'db>,
) -> base::Diagnostic {
    let related = found.related.iter().map(|it| RelatedInformation {
        file: it.item.file(db).id(db),
        range: it.item.in_file(db, it.range),
        message: it.message.clone(),
    });
    base::Diagnostic {
        code: found.code,
        severity: found.severity,
        message: found.message.clone(),
        range: item.in_file(db, found.range),
        related: related.collect(),
        fixes: convert_fixes(found.fixes.clone(), item.file(db).id(db), |it| {
            item.in_file(db, it)
        }),
    }
}

/// Runs the single-file checks. Returns the diagnostics in source order.
pub(crate) fn check_file(parse: &Parse, context: &ValidationContext) -> Vec<Diagnostic> {
    let tree = parse.tree();
    let mut found = parse.errors().to_vec();
    let errors: Vec<_> = found
        .iter()
        .filter(|it| it.severity == Severity::Error)
        .map(|it| (it.code, it.range))
        .collect();
    if errors.is_empty() {
        found.extend(validate(&tree, context));
    } else if errors.iter().all(|(code, _)| recovers_after(*code)) {
        let ranges: Vec<_> = errors.into_iter().map(|(_, range)| range).collect();
        let mut valid = in_intact_statements(&tree, context, &ranges);
        // A bracket that is missing moves statements out of their class.
        valid.retain(|it| it.code.0 != "ILLEGAL_TOP_CONSTRUCT_LOCATION");
        found.extend(valid);
    }
    found.sort_by(|a, b| {
        let key = |it: &Diagnostic| (it.range.start(), it.range.end(), it.severity, it.code);
        key(a).cmp(&key(b))
    });
    found.dedup();
    found
}

/// Checks whether the parser recovers after such an error. It does not after an unclosed quote,
/// comment or heredoc.
fn recovers_after(code: Code) -> bool {
    code.0 == "SYNTAX_ERROR"
}

/// Returns the diagnostics in top-level statements that have no syntax errors in or near them.
fn in_intact_statements(
    tree: &SourceFile,
    context: &ValidationContext,
    errors: &[TextRange],
) -> Vec<Diagnostic> {
    let intact = intact_statements(tree.syntax(), errors);
    let is_intact = |range: TextRange| {
        let next = intact.partition_point(|it| it.start() <= range.start());
        next > 0 && intact[next - 1].contains_range(range)
    };
    let diagnostics = validate(tree, context).into_iter();
    diagnostics
        .filter(|it| is_intact(it.range) && it.related.iter().all(|it| is_intact(it.range)))
        .collect()
}

/// The number of statements next to a broken one that may be fragments of it.
const NEIGHBORS: usize = 2;

/// Returns the intact statements that have only intact neighbors, in order.
fn intact_statements(file: &SyntaxNode, errors: &[TextRange]) -> Vec<TextRange> {
    let mut starts: Vec<_> = errors
        .iter()
        .flat_map(|it| [it.start(), it.end()])
        .collect();
    starts.sort();
    let holds_error = |range: TextRange| {
        let first = starts.partition_point(|it| *it < range.start());
        starts.get(first).is_some_and(|it| *it <= range.end())
    };
    let has_error_node =
        |node: &SyntaxNode| node.descendants().any(|it| it.kind() == SyntaxKind::ERROR);
    let statements: Vec<_> = file
        .children()
        .map(|it| {
            (
                it.text_range(),
                holds_error(it.text_range()) || has_error_node(&it),
            )
        })
        .collect();
    let is_intact = |at: usize| {
        let last = (at + 1 + NEIGHBORS).min(statements.len());
        !statements[at.saturating_sub(NEIGHBORS)..last]
            .iter()
            .any(|it| it.1)
    };
    let intact = (0..statements.len()).filter(|&at| is_intact(at));
    intact.map(|at| statements[at].0).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::*;
    use super::*;
    use expect_test::{Expect, expect};

    fn check(source: &str, expected: &Expect) {
        let found = check_file(&parse(source, MANIFEST), &ValidationContext::default());
        let lines: Vec<_> = found
            .iter()
            .map(|it| {
                format!(
                    "{:?} {} {}\n",
                    it.severity,
                    it.code,
                    visible_text(source, it.range)
                )
            })
            .collect();
        expected.assert_eq(&lines.concat());
    }

    #[test]
    fn sorted_by_position() {
        check(
            "$x = \"\\q\"\nclass {\n}\n$y = )",
            &expect![[r#"
                Warning UNRECOGNIZED_ESCAPE \q
                Error SYNTAX_ERROR {
                Error SYNTAX_ERROR )
            "#]],
        );
    }

    #[test]
    fn statements_next_to_errors_are_not_intact() {
        let source = "$a = 1\n$b = 2\n$c = 3\n$d = = 4\n$e = 5\n$f = 6\n";
        let parse = parse(source, MANIFEST);
        let errors: Vec<_> = parse.errors().iter().map(|it| it.range).collect();
        let intact = intact_statements(&parse.syntax(), &errors);
        let shown: Vec<_> = intact.iter().map(|&it| &source[it]).collect();
        assert_eq!(shown, ["$a = 1", "$b = 2", "$f = 6"]);
    }

    #[test]
    fn rules_that_resolve_names() {
        use crate::fixture::Fixture;
        let fixture = Fixture::new(
            "//- modules/web/manifests/init.pp\nclass web ($port) { $x = $prot }\n\
             //- manifests/site.pp\ninclude web::nothing # pupil: ignore[unknown-class]\n\
             include web::sites\nclass { 'web': prot => 1 }\ninclude other\ninclude other::x\n",
        );
        expect![[r#"
            modules/web/manifests/init.pp: unused-parameter `$port`: unused parameter `$port`
            modules/web/manifests/init.pp: unused-variable `$x`: unused variable `$x`
            modules/web/manifests/init.pp: unknown-variable `$prot`: unknown variable `$prot`; did you mean `$port`?
            manifests/site.pp: unknown-class `web::sites`: unknown class `web::sites`
            manifests/site.pp: unknown-parameter `prot`: no parameter `prot` on class `web`; did you mean `port`?
            manifests/site.pp: unknown-class `other`: unknown class `other`: module `other` is neither installed nor declared
            manifests/site.pp: unknown-class `other::x`: unknown class `other::x`: module `other` is neither installed nor declared"#]]
        .assert_eq(&fixture.render_diagnostics());
    }
}
