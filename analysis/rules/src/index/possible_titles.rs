//! The strings that may become titles of resources.

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::{NameKey, module_puppet_files};
use hir::canonical_name;
use hir::title_pattern::TitlePattern;
use infer::layer_files;
use rustc_hash::{FxHashSet, FxHasher};
use salsa::Database;
use std::hash::{Hash, Hasher};
use syntax::ast::{AccessExpr, AstNode, Attribute, Expr, InterpolatedString, ResourceExpr};
use syntax::validation::PuppetVersion;
use syntax::{SyntaxNode, TextSize};

use crate::resource_attributes::declared_type;

/// The minimum length of the constant parts of a string with interpolations. A shorter one fits too many titles.
const MIN_LENGTH: usize = 3;

/// The strings in a file, except for those in references to resources.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Strings {
    /// The hashes of the literal strings.
    literals: FxHashSet<u64>,
    /// The hashes of the titles of resources of built-in types, together with the type.
    titles: FxHashSet<u64>,
    /// The interpolated strings, as patterns.
    patterns: Vec<TitlePattern>,
}

impl Strings {
    fn may_be(&self, type_: &str, title: &str) -> bool {
        self.literals.contains(&hash_of(title))
            || self.titles.contains(&hash_of_resource(type_, title))
            || self.patterns.iter().any(|it| it.may_be(type_, title))
    }
}

fn hash_of(text: &str) -> u64 {
    hash_of_resource("", text)
}

fn hash_of_resource(type_: &str, title: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (type_, title.trim_end_matches('/')).hash(&mut hasher);
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
    collect_except(node, &[], into);
}

/// Collects the strings in a node, except for those in some of its children.
fn collect_except(node: &SyntaxNode, skipped: &[SyntaxNode], into: &mut Strings) {
    for child in node.children().filter(|it| !skipped.contains(it)) {
        let expr = Expr::cast(child.clone());
        if let Some(text) = expr.as_ref().and_then(Expr::plain_text) {
            into.literals.insert(hash_of(&text));
            continue;
        }
        match expr {
            Some(Expr::AccessExpr(it)) if is_reference(&it) => {}
            Some(Expr::ResourceExpr(it)) => collect_in_resources(&it, into),
            _ if is_stage(&child) => {}
            Some(Expr::InterpolatedString(it)) => {
                into.patterns.extend(specific_pattern(&it));
                collect(&child, into);
            }
            _ => collect(&child, into),
        }
    }
}

/// Collects the strings in a resource expression. No code reads the titles of built-in types.
fn collect_in_resources(expr: &ResourceExpr, into: &mut Strings) {
    let type_ = declared_type(expr);
    let is_built_in = |it: &String| library::resource_type(it, PuppetVersion::default()).is_some();
    let Some(type_) = type_.filter(is_built_in) else {
        return collect(expr.syntax(), into);
    };
    for body in expr.bodies() {
        let title = body.title().filter(|it| add_titles(&type_, it, into));
        let title: Vec<SyntaxNode> = title.iter().map(|it| it.syntax().clone()).collect();
        collect_except(body.syntax(), &title, into);
    }
}

/// Adds the titles of a resource, and returns whether all of them are literal.
fn add_titles(type_: &str, title: &Expr, into: &mut Strings) -> bool {
    let all = match title {
        Expr::ArrayExpr(it) => it.elements().collect(),
        _ => vec![title.clone()],
    };
    let all: Option<Vec<String>> = all.iter().map(Expr::plain_text).collect();
    let hashes = all.iter().flatten().map(|it| hash_of_resource(type_, it));
    into.titles.extend(hashes);
    all.is_some()
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

/// Returns the pattern of a string with interpolations, unless it fits too many titles.
fn specific_pattern(string: &InterpolatedString) -> Option<TitlePattern> {
    let pattern = TitlePattern::of_interpolated(string);
    (pattern.known_length() >= MIN_LENGTH).then_some(pattern)
}

/// Checks whether the code or the data of a module may contain a title.
#[salsa::tracked(returns(copy))]
fn is_in_module<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    type_: NameKey<'db>,
    title: NameKey<'db>,
) -> bool {
    let (type_, title) = (type_.text(db), title.text(db));
    let is_in_data = |text: &str| contains_words(text, title.trim_end_matches('/'));
    let is_in_code = |file| strings(db, file).may_be(type_, title);
    is_in_files(db, module, is_in_code, is_in_data)
}

/// Checks whether a condition holds for a Puppet file of a module, or for the text of a data file.
fn is_in_files(
    db: &dyn Database,
    module: ModuleInput,
    is_in_code: impl Fn(FileInput) -> bool,
    is_in_data: impl Fn(&str) -> bool,
) -> bool {
    let mut code = module_puppet_files(db, module).iter();
    let data = layer_files(db, module);
    let mut texts = data
        .keys()
        .map(|it| it.text(db).as_deref().unwrap_or_default());
    code.any(|it| is_in_code(*it)) || texts.any(is_in_data)
}

/// Checks whether a string contains a title as words: code splits strings at characters other than letters and digits.
fn contains_words(text: &str, words: &str) -> bool {
    words_in(text, words).next().is_some()
}

/// Returns where a string contains other words.
fn words_in<'t>(text: &'t str, words: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_inside = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    let starts_inside = is_inside(words.chars().next());
    let ends_inside = is_inside(words.chars().next_back());
    let all = text.match_indices(words).map(|it| it.0);
    all.filter(move |start| {
        let (before, after) = (&text[..*start], &text[start + words.len()..]);
        let is_start = !starts_inside || !is_inside(before.chars().next_back());
        let is_end = !ends_inside || !is_inside(after.chars().next());
        is_start && is_end
    })
}

/// Checks whether the code or the data of an environment contains a string that may be this title, other than in
/// references to resources and as the title of another built-in type.
pub(crate) fn is_mentioned(
    db: &dyn Database,
    environment: EnvironmentInput,
    type_: &str,
    title: &str,
) -> bool {
    let type_ = NameKey::new(db, canonical_name(type_));
    is_mentioned_as(db, environment, type_, NameKey::new(db, title.to_owned()))
}

#[salsa::tracked(returns(copy))]
fn is_mentioned_as<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
    title: NameKey<'db>,
) -> bool {
    let mut manifests = environment.manifests(db).iter();
    let mut modules = environment.modules(db).values();
    manifests.any(|it| strings(db, *it).may_be(type_.text(db), title.text(db)))
        || modules.any(|it| is_in_module(db, *it, type_, title))
}

/// Checks whether the code or the data of another module contains a string that may be the name of a class.
pub(crate) fn is_mentioned_outside(
    db: &dyn Database,
    environment: EnvironmentInput,
    own: ModuleInput,
    class: &str,
) -> bool {
    let type_ = NameKey::new(db, "class".to_owned());
    let class = NameKey::new(db, class.to_owned());
    let modules = environment.modules(db).values();
    let mut others = modules.filter(|it| **it != own);
    others.any(|it| is_in_module(db, *it, type_, class))
}

/// A title with interpolations.
#[salsa::interned]
struct ComputedTitle<'db> {
    #[returns(ref)]
    pattern: TitlePattern,
    /// The longest of its literal parts.
    #[returns(ref)]
    part: String,
}

/// Checks whether the code or the data of an environment contains a string that may have the same value as a title with
/// interpolations, other than in references to resources.
pub(crate) fn is_computed_mentioned(
    db: &dyn Database,
    environment: EnvironmentInput,
    pattern: &TitlePattern,
    part: &str,
) -> bool {
    let title = ComputedTitle::new(db, pattern.clone(), part.to_owned());
    let mut manifests = environment.manifests(db).iter();
    let mut modules = environment.modules(db).values();
    manifests.any(|it| is_computed_in_file(db, *it, title))
        || modules.any(|it| is_computed_in_module(db, *it, title))
}

#[salsa::tracked(returns(copy))]
fn is_computed_in_module<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    title: ComputedTitle<'db>,
) -> bool {
    let is_in_data = |text: &str| text.contains(title.part(db));
    let is_in_code = |file| is_computed_in_file(db, file, title);
    is_in_files(db, module, is_in_code, is_in_data)
}

fn is_computed_in_file(db: &dyn Database, file: FileInput, title: ComputedTitle<'_>) -> bool {
    let (pattern, part) = (title.pattern(db), title.part(db));
    let mut patterns = strings(db, file).patterns.iter();
    let may_equal =
        |it: &TitlePattern| it.shared_length(pattern).is_some_and(|it| it >= MIN_LENGTH);
    patterns.any(may_equal) || contains_outside_of_references(db, file, part)
}

/// Checks whether a file contains a part of a title, other than in references to resources and in comments.
fn contains_outside_of_references(db: &dyn Database, file: FileInput, part: &str) -> bool {
    let text = file.text(db).as_deref().unwrap_or_default();
    let mut starts = words_in(text, part).peekable();
    if starts.peek().is_none() {
        return false;
    }
    let root = base::parse(db, file).tree().syntax().clone();
    let is_used = |start: usize| {
        let Ok(start) = TextSize::try_from(start) else {
            return true;
        };
        let token = root.token_at_offset(start).right_biased();
        token.is_none_or(|it| {
            let mut around = it.parent_ancestors().filter_map(AccessExpr::cast);
            !it.kind().is_trivia()
                && it.text().contains(part)
                && !around.any(|it| is_reference(&it))
        })
    };
    starts.any(is_used)
}

/// Checks whether a title contains the name of a module as a word.
pub(crate) fn is_of_module(title: &str, module: &str) -> bool {
    let mut words = title.split(|it: char| !it.is_alphanumeric());
    title.len() > module.len() && words.any(|it| it == module)
}

#[cfg(test)]
mod tests {
    use super::contains_words;

    #[test]
    fn finds_titles_between_other_characters() {
        for text in ["ntp", "a: 'ntp'", "ntpd ntp", "/etc/ntp/keys", "x_ntp"] {
            assert!(contains_words(text, "ntp"), "{text}");
        }
        for text in ["", "ntpd", "openntp", "ntp4"] {
            assert!(!contains_words(text, "ntp"), "{text}");
        }
        assert!(contains_words("/etc/ntp.conf", "/etc/ntp.conf"));
        assert!(contains_words("x/etc/ntp", "/etc/ntp"));
        assert!(!contains_words("/etc/ntpd", "/etc/ntp"));
    }
}
