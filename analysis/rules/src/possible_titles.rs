//! The strings that may become titles of resources.

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::{NameKey, module_puppet_files};
use infer::layer_files;
use rustc_hash::{FxHashSet, FxHasher};
use salsa::Database;
use std::hash::{Hash, Hasher};
use syntax::SyntaxNode;
use syntax::ast::{AccessExpr, AstNode, Attribute, Expr, InterpolatedString};

/// The minimum length of the constant parts of a string with interpolations. A shorter one fits too many titles.
const MIN_LENGTH: usize = 3;

/// The strings in a file, except for those in references to resources.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Strings {
    /// The hashes of the literal ones.
    literals: FxHashSet<u64>,
    /// The constant parts at the start and at the end of those with interpolations.
    patterns: Vec<(String, String)>,
}

impl Strings {
    fn may_be(&self, title: &str) -> bool {
        let is_match = |(start, end): &(String, String)| {
            title.len() >= start.len() + end.len()
                && title.starts_with(start.as_str())
                && title.ends_with(end.as_str())
        };
        self.literals.contains(&hash_of(title)) || self.patterns.iter().any(is_match)
    }
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.trim_end_matches('/').hash(&mut hasher);
    hasher.finish()
}

/// Returns the strings in a Puppet file.
#[salsa::tracked]
fn strings(db: &dyn Database, file: FileInput) -> Strings {
    let mut found = Strings::default();
    let tree = base::parse(db, file).tree();
    collect(tree.syntax(), &mut found);
    found
}

fn collect(node: &SyntaxNode, into: &mut Strings) {
    for child in node.children() {
        let expr = Expr::cast(child.clone());
        if let Some(text) = expr.as_ref().and_then(Expr::plain_text) {
            into.literals.insert(hash_of(&text));
            continue;
        }
        match expr {
            Some(Expr::AccessExpr(it)) if is_reference(&it) => {}
            _ if is_stage(&child) => {}
            Some(Expr::InterpolatedString(it)) => {
                into.patterns.extend(constant_ends(&it));
                collect(&child, into);
            }
            _ => collect(&child, into),
        }
    }
}

/// Checks whether an access names a resource, as in `File['/a']`.
fn is_reference(expr: &AccessExpr) -> bool {
    matches!(expr.base(), Some(Expr::QualifiedReference(_)))
}

/// Checks whether a node is the attribute of a class that refers to its stage.
fn is_stage(node: &SyntaxNode) -> bool {
    let name = Attribute::cast(node.clone()).and_then(|it| it.name_token());
    name.is_some_and(|it| it.text() == "stage")
}

/// Returns the constant parts at the start and at the end of a string.
fn constant_ends(string: &InterpolatedString) -> Option<(String, String)> {
    let text = string.syntax().text().to_string();
    let text = text.trim_matches('"');
    let start = text.split('$').next().unwrap_or_default();
    let end = match text.rsplit_once('}') {
        Some((_, end)) if !end.contains('$') => end,
        _ => "",
    };
    // An extension alone says little.
    let name = end.rsplit_once('.').map_or(end, |it| it.0);
    let is_specific = start.len() + name.len() >= MIN_LENGTH;
    is_specific.then(|| (start.to_owned(), end.to_owned()))
}

/// Checks whether the code or the data of a module may contain a title.
#[salsa::tracked(returns(copy))]
fn is_in_module<'db>(db: &'db dyn Database, module: ModuleInput, title: NameKey<'db>) -> bool {
    let title = title.text(db);
    let mut files = module_puppet_files(db, module).iter();
    let is_in_data = |file: FileInput| {
        let text = file.text(db).as_deref().unwrap_or_default();
        text.contains(title.trim_end_matches('/'))
    };
    files.any(|it| strings(db, *it).may_be(title))
        || layer_files(db, module).iter().any(|it| is_in_data(*it.0))
}

/// Checks whether the code or the data of an environment contains a string that may be this title, other than in
/// references to resources.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_mentioned<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    title: NameKey<'db>,
) -> bool {
    let mut manifests = environment.manifests(db).iter();
    let mut modules = environment.modules(db).values();
    manifests.any(|it| strings(db, *it).may_be(title.text(db)))
        || modules.any(|it| is_in_module(db, *it, title))
}
