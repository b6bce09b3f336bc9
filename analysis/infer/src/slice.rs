//! Program slicing for inference on demand: determines the statements of an item that an expression
//! does not depend on, so that a request for one expression does not have to wait for a large
//! definition.
//!
//! A statement before the expression is part of the slice if it mentions a relevant variable: it
//! may assign the variable or narrow it, which a resource does not. Skipping a statement only makes
//! inference less precise (a call that is not known to fail may return), never unsound.

use rustc_hash::FxHashSet;
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, TextRange, WalkEvent};

/// The statements and parameters of an item that inference skips.
#[derive(Debug, Default)]
pub(super) struct Slice {
    skipped: FxHashSet<TextRange>,
}

impl Slice {
    /// Returns the slice for the expression at `at`; `text` is the source of `root`, which starts
    /// at offset 0.
    pub(super) fn for_range(root: &SyntaxNode, text: &str, at: TextRange) -> Slice {
        let mut builder = SliceBuilder {
            text,
            names: FxHashSet::default(),
            keeps_everything: false,
            classes: false,
            skipped: FxHashSet::default(),
        };
        builder.collect(root, at);
        Slice {
            skipped: match builder.keeps_everything {
                true => FxHashSet::default(),
                false => builder.skipped,
            },
        }
    }

    /// Checks whether a statement or parameter is skipped.
    pub(super) fn skips(&self, node: &SyntaxNode) -> bool {
        !self.skipped.is_empty() && self.skipped.contains(&node.text_range())
    }
}

struct SliceBuilder<'a> {
    text: &'a str,
    /// The relevant variables, without their class qualifiers.
    names: FxHashSet<&'a str>,
    /// Whether one of them belongs to another class, so that the evaluation of classes is relevant.
    classes: bool,
    /// Whether the relevant variables cannot be determined.
    keeps_everything: bool,
    skipped: FxHashSet<TextRange>,
}

impl<'a> SliceBuilder<'a> {
    fn collect(&mut self, root: &SyntaxNode, at: TextRange) {
        let inner = match root.covering_element(at) {
            NodeOrToken::Node(it) => Some(it),
            NodeOrToken::Token(it) => it.parent(),
        };
        let Some(inner) = inner else { return };
        // A lambda may run several times and feed its result to the next run, so it is relevant as
        // a whole.
        let lambdas = inner
            .ancestors()
            .filter(|it| it.kind() == SyntaxKind::LAMBDA);
        let mut node = lambdas.last().unwrap_or(inner);
        self.mark_relevant(node.text_range());
        while let Some(parent) = node.parent() {
            self.visit_parent(&parent, &node);
            node = parent;
        }
    }

    /// Visits the siblings of a node in its parent.
    fn visit_parent(&mut self, parent: &SyntaxNode, node: &SyntaxNode) {
        use SyntaxKind::*;
        let others = parent.children().filter(|it| it != node);
        match parent.kind() {
            BLOCK | SOURCE_FILE | TEMPLATE => self.statements(parent, node),
            IF_EXPR | UNLESS_EXPR | ELSE_CLAUSE | CASE_EXPR | CASE_OPTION => {
                others.for_each(|it| self.other_branch(&it));
            }
            CLASS_DEFINITION | DEFINE_DEFINITION | FUNCTION_DEFINITION | PLAN_DEFINITION
            | NODE_DEFINITION => {
                for other in others {
                    match other.kind() {
                        PARAMETER_LIST => self.before(other.children().collect()),
                        BLOCK => self.other_branch(&other),
                        _ => {}
                    }
                }
            }
            // Sibling values do not affect each other.
            RESOURCE_EXPR | RESOURCE_BODY | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | ARRAY
            | HASH | UNBRACED_HASH => {}
            _ => others.for_each(|it| self.mark_relevant(it.text_range())),
        }
    }

    /// Skips the statements after `inner`, and visits those before it.
    fn statements(&mut self, block: &SyntaxNode, inner: &SyntaxNode) {
        let mut before: Vec<_> = block.children().collect();
        let at = before.iter().position(|it| it == inner);
        let following = before.split_off(at.unwrap_or(before.len()));
        let following = following.iter().skip(1);
        self.skipped.extend(following.map(SyntaxNode::text_range));
        self.before(before);
    }

    /// Skips the nodes that do not mention a relevant variable, from last to first: a node that is
    /// kept can make further variables relevant.
    fn before(&mut self, nodes: Vec<SyntaxNode>) {
        for node in nodes.into_iter().rev() {
            let range = node.text_range();
            let is_kept = match node.kind() {
                SyntaxKind::EPP_PARAMETERS => {
                    self.mark_relevant(range);
                    true
                }
                _ => self.is_relevant(range) && self.keep_relevant_parts(&node),
            };
            if !is_kept {
                self.skipped.insert(range);
            }
        }
    }

    /// Keeps the parts of a statement that may affect a relevant variable, and returns whether any
    /// remain. A resource does not affect the variables that it uses.
    fn keep_relevant_parts(&mut self, node: &SyntaxNode) -> bool {
        let resources = self.skippable_resources(node);
        let mut start = node.text_range().start();
        let mut relevant = Vec::new();
        for it in &resources {
            relevant.push(TextRange::new(start, it.start()));
            start = it.end();
        }
        relevant.push(TextRange::new(start, node.text_range().end()));
        if !relevant.iter().any(|it| self.is_relevant(*it)) {
            return false;
        }
        relevant.into_iter().for_each(|it| self.mark_relevant(it));
        self.skipped.extend(resources);
        true
    }

    /// Returns the resources nested in a statement that do not assign variables.
    fn skippable_resources(&self, node: &SyntaxNode) -> Vec<TextRange> {
        use SyntaxKind::*;
        let mut found = Vec::new();
        let mut walk = node.preorder();
        while let Some(event) = walk.next() {
            let WalkEvent::Enter(node) = event else {
                continue;
            };
            match node.kind() {
                BLOCK | IF_EXPR | UNLESS_EXPR | ELSE_CLAUSE | CASE_EXPR | CASE_OPTION => {}
                RESOURCE_EXPR => {
                    let range = node.text_range();
                    let text = self.source_of(range);
                    let may_matter = assigns(text) || self.classes && declares(text);
                    if !may_matter {
                        found.push(range);
                    }
                    walk.skip_subtree();
                }
                _ => walk.skip_subtree(),
            }
        }
        found
    }

    /// Keeps only the condition of a branch that does not contain the expression.
    fn other_branch(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::BLOCK => {
                let statements = node.children();
                self.skipped.extend(statements.map(|it| it.text_range()));
            }
            SyntaxKind::IF_EXPR | SyntaxKind::ELSE_CLAUSE | SyntaxKind::CASE_OPTION => {
                node.children().for_each(|it| self.other_branch(&it));
            }
            _ => self.mark_relevant(node.text_range()),
        }
    }

    fn source_of(&self, range: TextRange) -> &'a str {
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        self.text.get(start..end).unwrap_or_default()
    }

    /// Marks the variables in a range as relevant.
    fn mark_relevant(&mut self, range: TextRange) {
        let text = self.source_of(range);
        // Its argument is the name of a variable.
        self.keeps_everything |= text.contains("getvar");
        for name in variables(text) {
            let unqualified = unqualified(name);
            // Match variables, set by an earlier match.
            self.keeps_everything |= unqualified.starts_with(|it: char| it.is_ascii_digit());
            self.classes |= unqualified.len() != name.len();
            self.names.insert(unqualified);
        }
    }

    fn is_relevant(&self, range: TextRange) -> bool {
        let text = self.source_of(range);
        variables(text).any(|it| self.names.contains(unqualified(it)))
            || (self.classes && declares(text))
    }
}

/// Checks whether code may declare a class.
fn declares(text: &str) -> bool {
    let words = ["include", "contain", "require", "class"];
    words.iter().any(|it| text.contains(it))
}

/// Checks whether code may assign a variable: whether it contains a `=` outside of arrows and
/// comparisons.
fn assigns(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_alone = |(at, _): (usize, &str)| {
        let before = at.checked_sub(1).and_then(|it| bytes.get(it));
        let is_end = before.is_some_and(|it| b"=!<>".contains(it));
        let is_start = bytes.get(at + 1).is_some_and(|it| b"=>~".contains(it));
        !is_end && !is_start
    };
    text.match_indices('=').any(is_alone)
}

/// Removes the class qualifier of a variable.
fn unqualified(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |it| it.1)
}

/// Returns the names after dollar signs. Some of them may be located in comments or single-quoted
/// strings, which only makes the slice larger.
pub(super) fn variables(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
    text.match_indices('$').filter_map(move |(at, _)| {
        let rest = &text[at + 1..];
        let rest = rest.strip_prefix('{').unwrap_or(rest).trim_start();
        let end = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        // In `$x:`, as after a title, the colon is not part of the name.
        let name = rest[..end].trim_end_matches(':');
        (!name.is_empty()).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Inferred, TypedRangeKind, infer_item, infer_slice};
    use fixture::database;
    use hir::items;
    use types::display_exact;
    use types::precise::within;

    /// Returns each expression of a manifest: its source, its type in the whole item, and its type
    /// in its slice.
    fn all(manifest: &str) -> Vec<(String, Inferred, Option<Inferred>)> {
        let (db, file) = database(manifest);
        let mut found = Vec::new();
        for item in items(&db, file) {
            let text = item.syntax(&db).text().to_string();
            for typed_range in &infer_item(&db, *item).typed_ranges {
                if typed_range.kind == TypedRangeKind::Expression {
                    let tree = item.syntax(&db);
                    let slice = infer_slice(&db, *item, tree, &text, typed_range.range);
                    let known = slice.at(typed_range.range).cloned();
                    found.push((
                        text[typed_range.range].to_owned(),
                        typed_range.inferred.clone(),
                        known,
                    ));
                }
            }
        }
        found
    }

    const CODE: &str = "class m (
        Optional[String] $a = undef, Integer $b = 1, Array[String] $c = [], $d = $b,
        Hash[String, Integer] $h = {},
    ) {
        $unused = 'x'
        $e = $a ? { undef => 'none', default => $a }
        if $a =~ Undef { fail('no') }
        $f = [$a, $e]
        if $b > 3 {
            $g = $f.map |$it| { $other = \"${it}${b}\" $other.length }
            notice($g, $unused)
        } elsif $a == 'x' {
            notice($a, $e)
        } else {
            $g = 5
        }
        case $d {
            Integer: { $i = $d notice($i + $b) }
            'b': { notice($d, $g) }
            default: { notice($h['k'], $d) }
        }
        $sum = $c.reduce('') |$memo, $it| { $long = $memo.length + 1 \"${memo}${long}\" }
        file { $e: ensure => $a, mode => $sum, content => \"${f[0]} ${b}\" }
        if $e =~ /(x+)(y)/ { notice($1) }
        [1, 2].each |$index, $value| { $last = [$index, $value, $g] notice($last) }
    }\n";

    #[test]
    fn types_in_a_slice_are_not_narrower() {
        let all = all(CODE);
        assert!(all.len() > 100, "{}", all.len());
        for (text, whole, slice) in &all {
            let slice = slice.as_ref();
            let slice = slice.unwrap_or_else(|| panic!("no type inferred for `{text}`"));
            assert!(
                within(&whole.type_, &slice.type_),
                "`{text}` is {} and not {}",
                display_exact(&whole.type_),
                display_exact(&slice.type_),
            );
        }
    }

    #[test]
    fn types_of_variables_in_a_slice_are_exact() {
        for (text, whole, slice) in all(CODE) {
            let is_short = text.len() < 20 && text.starts_with('$');
            if is_short {
                assert_eq!(slice, Some(whole), "{text}");
            }
        }
    }

    #[test]
    fn irrelevant_statements_are_skipped() {
        let many: String = (0..3_000)
            .map(|it| format!("$v{it} = [{it}, 'x']\n"))
            .collect();
        let manifest = format!("class m ($a = 'x') {{ $b = [$a]\n{many}notice($b[0]) }}");
        assert_eq!(skipped(&manifest, "$b[0]").len(), 3_000);
    }

    /// Returns the nodes skipped for the variable at `place`, ordered by position.
    fn skipped<'a>(manifest: &'a str, place: &str) -> Vec<&'a str> {
        let root = syntax::parse(manifest, syntax::Dialect::default()).syntax();
        let at = manifest.find(place).expect("the place exists");
        let at = u32::try_from(at).expect("it is short");
        let at = syntax::TextRange::at(at.into(), 2.into());
        let slice = super::Slice::for_range(&root, manifest, at);
        let mut found: Vec<_> = slice.skipped.into_iter().collect();
        found.sort_by_key(|it| it.start());
        found.into_iter().map(|it| &manifest[it]).collect()
    }

    #[test]
    fn resources_do_not_affect_the_variables_they_use() {
        for (statement, expected) in [
            ("file { $b: }", &["$c", "file { $b: }"][..]),
            (
                "file { '/x': content => \"${b}\" }",
                &["$c", "file { '/x': content => \"${b}\" }"],
            ),
            ("if $c { file { $b: } }", &["$c", "if $c { file { $b: } }"]),
            ("if $b { file { $b: } }", &["$c", "file { $b: }"]),
            ("if $c { file { '/x': } fail($b) }", &["file { '/x': }"]),
            (
                "if $c { $d = 1 file { $b: } } else { notice($b) }",
                &["file { $b: }"],
            ),
            ("file { '/x': content => ($b = 'x') }", &["$c"]),
            (
                "file { '/x': content => $b =~ /x/, mode => $b == 1 }",
                &["$c", "file { '/x': content => $b =~ /x/, mode => $b == 1 }"],
            ),
        ] {
            let manifest = format!("class m ($b, $c) {{ {statement}\nnotice($b.x) }}");
            assert_eq!(skipped(&manifest, "$b.x"), expected, "{statement}");
        }
    }
}
