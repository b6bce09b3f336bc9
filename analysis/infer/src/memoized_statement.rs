//! Memoizes the inference of single statements in long bodies.
//!
//! An edit in a long body usually changes one statement. The effects of the others depend only on
//! their own trees and on the state of the variables that they mention, so they need not be
//! inferred again: a [`MemoizedStatement`] is a statement with the state that it reads, and
//! [`infer_statement`] is the query that returns its effects.
//!
//! Its ranges are relative to the statement. Variables that were assigned before the
//! statement appear to be assigned past its end: the first one that it reads right at the end, the
//! second one a byte later, and so on. Applying the summary restores the real ranges.

use std::hash::{Hash, Hasher};

use salsa::Database;
use syntax::ast::{AstNode, Definition, Expr};
use syntax::{GreenNode, SyntaxNode, TextRange};

use super::flow::{VariableState, is_class_key};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::slice::{Slice, variables};
use super::summary::{InferenceSummary, RangeTranslation, recover_summary};
use hir::{Item, ItemKind};

/// The minimum length in bytes for memoization: below it, inferring again is faster.
const MIN_LENGTH: u32 = 16_384;

/// The number of revisions after which salsa may collect an unused statement.
const REVISIONS: usize = 8;

/// A statement of an item's body, with the state that it reads.
#[salsa::interned(revisions = REVISIONS)]
struct MemoizedStatement<'db> {
    #[returns(copy)]
    item: Item<'db>,
    code: HashedTree,
    /// The state before the statement: of the variables that it mentions, and of the classes that
    /// have been evaluated.
    known: Vec<(String, VariableState)>,
}

#[derive(Clone, Debug)]
struct HashedTree {
    tree: GreenNode,
    /// A hash of the source, which is faster to compute than a hash of the tree.
    hash: u64,
}

impl PartialEq for HashedTree {
    fn eq(&self, other: &HashedTree) -> bool {
        self.hash == other.hash && self.tree == other.tree
    }
}

impl Eq for HashedTree {}

impl Hash for HashedTree {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// Infers a statement. Returns `None` if it depends on more than a [`MemoizedStatement`] contains.
#[salsa::tracked(
    cycle_initial = |_, _, _| None,
    cycle_fn = |_, cycle, _, after, _| recover_summary(cycle, after),
)]
fn infer_statement<'db>(
    db: &'db dyn Database,
    memoized: MemoizedStatement<'db>,
) -> Option<InferenceSummary> {
    let root = SyntaxNode::new_root(memoized.code(db).tree.clone());
    let statement = Expr::cast(root.clone())?;
    let mentioned = root.text().to_string();
    let mut ctx = InferenceContext::for_tree(db, memoized.item(db), root, Slice::default());
    ctx.allowed_reads = Some(mentioned_keys(&ctx, &mentioned).collect());
    ctx.flow.restore(memoized.known(db));
    let start = ctx.flow.checkpoint();
    let value = ctx.infer_expr(&statement);
    ctx.into_summary(&start, value)
}

/// Returns the keys of the variables that `text` mentions.
fn mentioned_keys(ctx: &InferenceContext<'_>, text: &str) -> impl Iterator<Item = String> {
    variables(text).map(|it| ctx.variable_key(it))
}

/// The inference of a long body, or of a long block in one.
pub(super) struct LongBody {
    /// The classes that have been evaluated so far; `None` if that may have changed since.
    classes: Option<Vec<(String, VariableState)>>,
}

impl LongBody {
    /// Returns `None` for a body that is too short or whose statements cannot be memoized.
    pub(super) fn of(ctx: &InferenceContext<'_>, body: TextRange) -> Option<LongBody> {
        let is_long = u32::from(body.len()) >= MIN_LENGTH;
        // The result of a function is checked while its last statement is inferred. The lambda of a
        // call may run several times.
        let is_plain = ctx.exit_scopes.len() == 1 && ctx.suppressed_depth == 0;
        let is_function = || ctx.item.kind(ctx.db) == ItemKind::Function;
        (is_long && is_plain && ctx.is_original_tree && !is_function())
            .then_some(LongBody { classes: None })
    }

    /// Returns the value of a statement and records its effects.
    pub(super) fn statement(
        &mut self,
        ctx: &mut InferenceContext<'_>,
        statement: &Expr,
    ) -> Inferred {
        let Some((memoized, assignment_ranges)) = self.memoized_statement(ctx, statement) else {
            return self.infer_unmemoized(ctx, statement);
        };
        let Some(summary) = infer_statement(ctx.db, memoized) else {
            return self.infer_unmemoized(ctx, statement);
        };
        if summary.changes.iter().any(|it| is_class_key(&it.0)) {
            self.classes = None;
        }
        let translation = RangeTranslation::new(statement.syntax().text_range(), assignment_ranges);
        ctx.apply_summary(summary, &translation);
        summary.value.clone()
    }

    fn infer_unmemoized(&mut self, ctx: &mut InferenceContext<'_>, statement: &Expr) -> Inferred {
        self.classes = None;
        ctx.statement(statement)
    }

    /// Returns the key of a statement and the ranges of the assignments that it reads, or `None` if
    /// it depends on more than a [`MemoizedStatement`] contains.
    fn memoized_statement<'db>(
        &mut self,
        ctx: &InferenceContext<'db>,
        statement: &Expr,
    ) -> Option<(MemoizedStatement<'db>, Vec<Option<TextRange>>)> {
        let range = statement.syntax().text_range();
        // In a long statement, the blocks are memoized instead.
        let is_long = u32::from(range.len()) >= MIN_LENGTH;
        let is_item = Definition::can_cast(statement.syntax().kind());
        if is_long || is_item || ctx.flow.match_variables().is_some() {
            return None;
        }
        let text = statement.syntax().text().to_string();
        // The lines of a heredoc may be located outside of the statement.
        if text.contains("@(") {
            return None;
        }
        let code = HashedTree {
            tree: statement.syntax().green().into_owned(),
            hash: hash(&text),
        };
        let mut names: Vec<String> = mentioned_keys(ctx, &text).collect();
        names.sort_unstable();
        names.dedup();
        let known = names.into_iter().filter_map(|name| {
            let known = ctx.flow.get(&name)?.clone();
            Some((name, known))
        });
        let mut known: Vec<(String, VariableState)> = known.collect();
        let classes = self.classes.get_or_insert_with(|| ctx.flow.classes());
        known.extend_from_slice(classes);
        let mut assignment_ranges = Vec::with_capacity(known.len());
        for ((_, variable), hidden) in known.iter_mut().zip(u32::from(range.len())..) {
            assignment_ranges.push(variable.assigned_at);
            variable.assigned_at = variable
                .assigned_at
                .map(|_| TextRange::empty(hidden.into()));
        }
        let memoized = MemoizedStatement::new(ctx.db, ctx.item, code, known);
        Some((memoized, assignment_ranges))
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use salsa::{Database, DatabaseKeyIndex};

    use super::MIN_LENGTH;
    use crate::{InferenceResult, infer_item, infer_tree};
    use base::{FileId, FileSpec, RootDatabase};
    use fixture::{Log, logging_database};
    use hir::items;

    const FILE: FileId = FileId(0);

    /// A database and the log of the queries that ran on it.
    struct TestWorkspace {
        db: RootDatabase,
        log: Log,
    }

    impl TestWorkspace {
        fn new(text: &str) -> TestWorkspace {
            let (db, log) = logging_database();
            let mut workspace = TestWorkspace { db, log };
            workspace.edit(text);
            workspace
        }

        fn edit(&mut self, text: &str) {
            let spec = FileSpec {
                dialect: syntax::Dialect::default(),
                place: None,
            };
            self.db.edit_file(FILE, spec, text.into());
        }

        /// Infers the first item, checks the result against an inference without memoized
        /// statements, and returns it with the number of statements that were inferred.
        fn infer(&self) -> (&InferenceResult, usize) {
            let file = self.db.file(FILE).expect("it was made");
            let item = items(&self.db, file)[0];
            let found = infer_item(&self.db, item);
            let is_inference = |it: &DatabaseKeyIndex| {
                self.db.ingredient_debug_name(it.ingredient_index()) == "infer_statement"
            };
            let inferences = self.log.take().iter().filter(|it| is_inference(it)).count();
            assert_eq!(*found, infer_tree(&self.db, item, item.syntax(&self.db)));
            (found, inferences)
        }
    }

    /// Returns a class with a long body that begins with `first` and ends with `last`.
    fn class(first: &str, last: &str) -> String {
        let many: String = (0..300)
            .map(|it| {
                format!(
                    "  $a{it} = $p + {it}\n  file {{ \"/tmp/${{first}}{it}\": mode => \"0${{a{it}}}\" }}\n"
                )
            })
            .collect();
        assert!(many.len() > MIN_LENGTH as usize);
        format!(
            "class m (Integer[0, 9] $p, Optional[String] $o) {{\n  {first}\n{many}  {last}\n}}\n"
        )
    }

    #[test]
    fn memoized_statements_do_not_change_the_result() {
        for (first, last) in [
            ("$first = 'a'", "notice($first)"),
            (
                "if $p > 4 { $first = 'a' } else { $first = 'b' }",
                "$z = \"${first}${a3}\"",
            ),
            ("if $p > 4 { $first = 'a' }", "notice($first, $first[0])"),
            (
                "if $o !~ String { fail('x') }\n$first = $o",
                "notice($o.length, $first.length)",
            ),
            (
                "$first = $o",
                "$s = split($p, ',')\nnotice([1] + split($first, 1))",
            ),
            ("include m::b\n$first = $m::b::x", "$y = $m::b::x + $a7"),
            (
                "$first = $o =~ /(x)(y)/",
                "notice($1)\nif $first { notice($0) }",
            ),
            (
                "$first = 1",
                "if $p > 20 { $q = 1 }\nreturn()\nnotice($first)",
            ),
            ("$first = @(END)\n    ${p}\n    | END\n", "notice($first)"),
            (
                "$first = $a3\n$a3 = 5",
                "$o.each |$it| { $w = [$it, $a9, $first] notice($w) }",
            ),
            (
                "$first = lookup('x', Optional[String])",
                "notice(split($first, ','))",
            ),
            (
                "[$first, $second] = [$p, $o]",
                "notice($second.upcase + $first)",
            ),
            (
                "$first = 2",
                "$t = $p ? { 1 => $a1, 2 => $o, default => $first }\nfail($t)",
            ),
        ] {
            let workspace = TestWorkspace::new(&class(first, last));
            let (found, inferences) = workspace.infer();
            assert!(
                found.typed_ranges.len() > 2_000,
                "{first}: {}",
                found.typed_ranges.len()
            );
            assert!(inferences > 500, "{first}: {inferences} inferences");
        }
    }

    #[test]
    fn an_edit_reinfers_only_dependent_statements() {
        let mut workspace = TestWorkspace::new(&class("$first = 'a'", "notice($a299)"));
        assert_eq!(workspace.infer().1, 602);
        for (text, inferences) in [
            (class("$first = 'a'", "notice($a299, 1)"), 1),
            (class("$first = 'a'", "# No more.\nnotice($a299, 1)"), 0),
            (class("$first =    'a'", "notice($a299, 1)"), 1),
            (class("$first = 'b'", "notice($a299, 1)"), 301),
            (class("$new = 1\n$first = 'b'", "notice($a299, 1)"), 1),
            (class("$first = 'b'\n$new = 1", "notice($new)"), 1),
        ] {
            workspace.edit(&text);
            assert_eq!(workspace.infer().1, inferences, "{}", &text[..90]);
        }
    }

    /// Assignments before a memoized statement keep their ranges when these move.
    #[test]
    fn ranges_of_assignments_move_with_edits() {
        let mut workspace =
            TestWorkspace::new(&class("$first = 'a'", "$first + 1\nsplit($p, ',')"));
        workspace.infer();
        workspace.edit(&class(
            "# A comment.\n$first = 'a'",
            "$first + 1\nsplit($p, ',')",
        ));
        let (found, inferences) = workspace.infer();
        assert_eq!((found.problems.len(), inferences), (2, 0));
    }

    #[test]
    fn short_bodies_are_not_memoized() {
        let workspace = TestWorkspace::new("class m { $a = 1 notice($a) }");
        assert_eq!(workspace.infer().1, 0);
    }
}
