//! Memoizes the inference of single statements in long bodies.
//!
//! An edit in a long body usually changes one statement. The effects of the others depend only on
//! their own trees and on the state of the variables that they mention, so they need not be
//! inferred again: a [`Passage`] is a statement with the state that it reads, and [`told`] is the
//! query that returns its effects.
//!
//! Ranges in a passage are relative to the statement. Variables that were assigned before the
//! statement appear to be assigned past its end: the first one that it reads right at the end, the
//! second one a byte later, and so on. Applying the summary restores the real ranges.

use std::hash::{Hash, Hasher};

use salsa::Database;
use syntax::ast::{AstNode, Definition, Expr};
use syntax::{GreenNode, SyntaxNode, TextRange};

use super::flow::{Variable, names_class};
use super::inferred::Inferred;
use super::part::{Part, variables};
use super::told::{Shift, Told, settle};
use super::walker::Walker;
use hir::{Item, ItemKind};

/// The minimum length in bytes for memoization: below it, inferring again is faster.
const MIN_LENGTH: u32 = 16_384;

/// The number of revisions after which salsa may collect an unused passage.
const REVISIONS: usize = 8;

/// A statement of an item's body, with the state that it reads.
#[salsa::interned(revisions = REVISIONS)]
struct Passage<'db> {
    #[returns(copy)]
    item: Item<'db>,
    code: Code,
    /// The state before the statement: of the variables that it mentions, and of the classes that
    /// have been evaluated.
    known: Vec<(String, Variable)>,
}

#[derive(Clone, Debug)]
struct Code {
    tree: GreenNode,
    /// A hash of the source, which is faster to compute than a hash of the tree.
    hash: u64,
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.hash == other.hash && self.tree == other.tree
    }
}

impl Eq for Code {}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// Infers a passage. Returns `None` if the statement depends on more than a passage contains.
#[salsa::tracked(
    cycle_initial = |_, _, _| None,
    cycle_fn = |_, cycle, _, after, _| settle(cycle, after),
)]
fn told<'db>(db: &'db dyn Database, passage: Passage<'db>) -> Option<Told> {
    let root = SyntaxNode::new_root(passage.code(db).tree.clone());
    let statement = Expr::cast(root.clone())?;
    let mentioned = root.text().to_string();
    let mut walker = Walker::over(db, passage.item(db), root, Part::default());
    walker.reads = Some(mentions(&walker, &mentioned).collect());
    walker.flow.resume(passage.known(db));
    let start = walker.flow.mark();
    let value = walker.expr(&statement);
    walker.into_told(&start, value)
}

/// Returns the keys of the variables that `text` mentions.
fn mentions(walker: &Walker<'_>, text: &str) -> impl Iterator<Item = String> {
    variables(text).map(|it| walker.variable_key(it))
}

/// The inference of a long body, or of a long block in one.
pub(super) struct LongBody {
    /// The classes that have been evaluated so far; `None` if that may have changed since.
    classes: Option<Vec<(String, Variable)>>,
}

impl LongBody {
    /// Returns `None` for a body that is too short or whose statements cannot be memoized.
    pub(super) fn of(walker: &Walker<'_>, body: TextRange) -> Option<LongBody> {
        let is_long = u32::from(body.len()) >= MIN_LENGTH;
        // The result of a function is checked while its last statement is inferred. The lambda of a
        // call may run several times.
        let is_plain = walker.frames.len() == 1 && walker.quiet == 0;
        let is_function = || walker.item.kind(walker.db) == ItemKind::Function;
        (is_long && is_plain && walker.is_whole && !is_function())
            .then_some(LongBody { classes: None })
    }

    /// Returns the value of a statement and records its effects.
    pub(super) fn statement(&mut self, walker: &mut Walker<'_>, statement: &Expr) -> Inferred {
        let Some((passage, places)) = self.passage(walker, statement) else {
            return self.walked(walker, statement);
        };
        let Some(told) = told(walker.db, passage) else {
            return self.walked(walker, statement);
        };
        if told.changes.iter().any(|it| names_class(&it.0)) {
            self.classes = None;
        }
        let shift = Shift::new(statement.syntax().text_range(), places);
        walker.take_over(told, &shift);
        told.value.clone()
    }

    fn walked(&mut self, walker: &mut Walker<'_>, statement: &Expr) -> Inferred {
        self.classes = None;
        walker.statement(statement)
    }

    /// Returns the passage of a statement and the ranges of the assignments that it reads, or
    /// `None` if it depends on more than a passage contains.
    fn passage<'db>(
        &mut self,
        walker: &Walker<'db>,
        statement: &Expr,
    ) -> Option<(Passage<'db>, Vec<Option<TextRange>>)> {
        let range = statement.syntax().text_range();
        // In a long statement, the blocks are memoized instead.
        let is_long = u32::from(range.len()) >= MIN_LENGTH;
        let is_item = Definition::can_cast(statement.syntax().kind());
        if is_long || is_item || walker.flow.groups().is_some() {
            return None;
        }
        let text = statement.syntax().text().to_string();
        // The lines of a heredoc may be located outside of the statement.
        if text.contains("@(") {
            return None;
        }
        let code = Code {
            tree: statement.syntax().green().into_owned(),
            hash: hash(&text),
        };
        let mut names: Vec<String> = mentions(walker, &text).collect();
        names.sort_unstable();
        names.dedup();
        let known = names.into_iter().filter_map(|name| {
            let known = walker.flow.get(&name)?.clone();
            Some((name, known))
        });
        let mut known: Vec<(String, Variable)> = known.collect();
        let classes = self.classes.get_or_insert_with(|| walker.flow.classes());
        known.extend_from_slice(classes);
        let mut places = Vec::with_capacity(known.len());
        for ((_, variable), hidden) in known.iter_mut().zip(u32::from(range.len())..) {
            places.push(variable.assigned_at);
            variable.assigned_at = variable
                .assigned_at
                .map(|_| TextRange::empty(hidden.into()));
        }
        let passage = Passage::new(walker.db, walker.item, code, known);
        Some((passage, places))
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
    use crate::{Inference, infer, infer_tree};
    use base::db::RootDatabase;
    use base::{FileId, FileSpec};
    use fixture::{Log, logging_database};
    use hir::items;

    const FILE: FileId = FileId(0);

    /// A database and the log of the queries that ran on it.
    struct World {
        db: RootDatabase,
        log: Log,
    }

    impl World {
        fn new(text: &str) -> World {
            let (db, log) = logging_database();
            let mut world = World { db, log };
            world.edit(text);
            world
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
        fn infer(&self) -> (&Inference, usize) {
            let file = self.db.file(FILE).expect("it was made");
            let item = items(&self.db, file)[0];
            let found = infer(&self.db, item);
            let is_walk = |it: &DatabaseKeyIndex| {
                self.db.ingredient_debug_name(it.ingredient_index()) == "told"
            };
            let walks = self.log.take().iter().filter(|it| is_walk(it)).count();
            assert_eq!(*found, infer_tree(&self.db, item, item.syntax(&self.db)));
            (found, walks)
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
            let world = World::new(&class(first, last));
            let (found, walks) = world.infer();
            assert!(
                found.claims.len() > 2_000,
                "{first}: {}",
                found.claims.len()
            );
            assert!(walks > 500, "{first}: {walks} walks");
        }
    }

    #[test]
    fn an_edit_reinfers_only_dependent_statements() {
        let mut world = World::new(&class("$first = 'a'", "notice($a299)"));
        assert_eq!(world.infer().1, 602);
        for (text, walks) in [
            (class("$first = 'a'", "notice($a299, 1)"), 1),
            (class("$first = 'a'", "# No more.\nnotice($a299, 1)"), 0),
            (class("$first =    'a'", "notice($a299, 1)"), 1),
            (class("$first = 'b'", "notice($a299, 1)"), 301),
            (class("$new = 1\n$first = 'b'", "notice($a299, 1)"), 1),
            (class("$first = 'b'\n$new = 1", "notice($new)"), 1),
        ] {
            world.edit(&text);
            assert_eq!(world.infer().1, walks, "{}", &text[..90]);
        }
    }

    /// Assignments before a memoized statement keep their ranges when these move.
    #[test]
    fn ranges_of_assignments_move_with_edits() {
        let mut world = World::new(&class("$first = 'a'", "$first + 1\nsplit($p, ',')"));
        world.infer();
        world.edit(&class(
            "# A comment.\n$first = 'a'",
            "$first + 1\nsplit($p, ',')",
        ));
        let (found, walks) = world.infer();
        assert_eq!((found.problems.len(), walks), (2, 0));
    }

    #[test]
    fn short_bodies_are_not_memoized() {
        let world = World::new("class m { $a = 1 notice($a) }");
        assert_eq!(world.infer().1, 0);
    }
}
