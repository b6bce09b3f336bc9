//! The strings that may become titles of resources.

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::{NameKey, module_puppet_files};
use hir::canonical_name;
use hir::resolve::{Definition, missing_modules, resource_type};
use hir::title_pattern::TitlePattern;
use infer::layer_files;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use salsa::Database;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use syntax::ast::{AccessExpr, AstNode, Attribute, Expr, InterpolatedString, ResourceExpr};
use syntax::validation::PuppetVersion;
use syntax::{SyntaxNode, TextSize};

use crate::resource_attributes::declared_type;

/// The strings in a file, except for those in references to resources.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Strings {
    /// The hashes of the literal strings.
    literals: FxHashSet<u64>,
    /// The hashes of the titles of resources of built-in types, together with the type.
    titles: FxHashSet<u64>,
    /// The interpolated strings, as patterns.
    patterns: Vec<TitlePattern>,
    /// The strings in the attributes of resources, by the type.
    attributes: FxHashMap<String, Strings>,
}

impl Strings {
    /// Adds where a string that may be a title occurs.
    fn add_mentions(&self, type_: &str, title: &str, into: &mut Mentions) {
        into.is_value |= self.may_be(type_, title);
        for (name, strings) in &self.attributes {
            if strings.may_be(type_, title) {
                into.attribute_types.insert(name.clone());
            }
        }
    }

    fn may_be(&self, type_: &str, title: &str) -> bool {
        self.literals.contains(&hash_of(title))
            || self.titles.contains(&hash_of_resource(type_, title))
            || self.patterns.iter().any(|it| it.may_be(type_, title))
    }
}

/// Where code contains a string that may be a title.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Mentions {
    /// Whether data or code contains it as a value that may become a title.
    is_value: bool,
    /// The types of the resources with attributes that contain it.
    attribute_types: BTreeSet<String>,
}

impl Mentions {
    fn add(&mut self, other: &Mentions) {
        self.is_value |= other.is_value;
        let types = other.attribute_types.iter().cloned();
        self.attribute_types.extend(types);
    }

    /// Checks whether a resource of a type may have the title. Types in Ruby declare no resources that code can refer to,
    /// but an attribute may be another name of the resource itself. A module that is not installed may declare a
    /// resource of any name that the code knows.
    pub(super) fn may_be_title(
        &self,
        db: &dyn Database,
        environment: EnvironmentInput,
        type_: &str,
    ) -> bool {
        let declares_none = |it: &String| {
            it != type_
                && matches!(
                    resource_type(db, Some(environment), it),
                    Ok(Definition::ResourceType(_))
                )
        };
        self.is_value
            || !self.attribute_types.iter().all(declares_none)
            || !self.attribute_types.is_empty() && !missing_modules(db, environment).is_empty()
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
    node.children().for_each(|it| collect_node(&it, into));
}

/// Collects the strings in a node and the node itself.
fn collect_node(node: &SyntaxNode, into: &mut Strings) {
    let expr = Expr::cast(node.clone());
    if let Some(text) = expr.as_ref().and_then(Expr::plain_text) {
        into.literals.insert(hash_of(&text));
        return;
    }
    match expr {
        Some(Expr::AccessExpr(it)) if is_reference(&it) => {}
        Some(Expr::ResourceExpr(it)) => collect_in_resources(&it, into),
        _ if is_stage(node) => {}
        Some(Expr::InterpolatedString(it)) => {
            into.patterns.extend(specific_pattern(&it));
            collect(node, into);
        }
        _ => collect(node, into),
    }
}

/// Collects the strings in a resource expression. No code reads the titles of built-in types.
fn collect_in_resources(expr: &ResourceExpr, into: &mut Strings) {
    let type_ = declared_type(expr).filter(|it| it != "class");
    let Some(type_) = type_ else {
        return collect(expr.syntax(), into);
    };
    let is_built_in = library::resource_type(&type_, PuppetVersion::default()).is_some();
    for body in expr.bodies() {
        let title = body.title();
        let is_literal =
            |it: &Expr, into: &mut Strings| is_built_in && add_titles(&type_, it, into);
        let title = title.filter(|it| !is_literal(it, into));
        title.iter().for_each(|it| collect_node(it.syntax(), into));
        let attributes = body.operations();
        let own = into.attributes.entry(type_.clone()).or_default();
        attributes.for_each(|it| collect(it.syntax(), own));
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
    pattern.is_specific().then_some(pattern)
}

/// Returns where the code or the data of a module contains a title.
#[salsa::tracked(returns(ref))]
fn mentions_in_module<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    type_: NameKey<'db>,
    title: NameKey<'db>,
) -> Mentions {
    let (type_, title) = (type_.text(db), title.text(db));
    let mut found = Mentions::default();
    for file in module_puppet_files(db, module) {
        add_mentions_in_file(db, *file, (type_, title), &mut found);
    }
    add_mentions_in_data(db, module, title, &mut found);
    found
}

/// Adds where a Puppet file contains the title of a resource.
pub(super) fn add_mentions_in_file(
    db: &dyn Database,
    file: FileInput,
    (type_, title): (&str, &str),
    into: &mut Mentions,
) {
    strings(db, file).add_mentions(type_, title, into);
}

/// Adds whether the data of a module contains a title.
pub(super) fn add_mentions_in_data(
    db: &dyn Database,
    module: ModuleInput,
    title: &str,
    into: &mut Mentions,
) {
    let words = title.trim_end_matches('/');
    into.is_value |= is_in_data(db, module, |it| contains_words(it, words));
}

/// Checks whether a condition holds for the text of a data file of a module.
fn is_in_data(db: &dyn Database, module: ModuleInput, condition: impl Fn(&str) -> bool) -> bool {
    let files = layer_files(db, module);
    let mut texts = files.keys().filter_map(|it| it.text(db).as_deref());
    texts.any(condition)
}

/// Checks whether a string contains a title as words: code splits strings at characters other than letters and digits.
/// A title in a reference, as in `File[/a]`, is that of a resource that exists already.
fn contains_words(text: &str, words: &str) -> bool {
    let mut starts = words_in(text, words);
    starts.any(|it| !is_referred_to(&text[..it], &text[it + words.len()..]))
}

/// Checks whether the text between two others is the title in a reference.
fn is_referred_to(before: &str, after: &str) -> bool {
    let is_type_name = |it: &str| {
        let name = it.rsplit(|it: char| !it.is_alphanumeric() && it != '_' && it != ':');
        let mut names = name.take(1);
        names.any(|it| it.starts_with(char::is_uppercase))
    };
    let quotes = ['\'', '"'];
    let type_name = before.trim_end_matches(quotes).strip_suffix('[');
    type_name.is_some_and(is_type_name) && after.trim_start_matches(quotes).starts_with(']')
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
    let mut found = Mentions::default();
    for manifest in environment.manifests(db).iter() {
        strings(db, *manifest).add_mentions(type_.text(db), title.text(db), &mut found);
    }
    for module in environment.modules(db).values() {
        found.add(mentions_in_module(db, *module, type_, title));
    }
    found.may_be_title(db, environment, type_.text(db))
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
    others.any(|it| {
        let found = mentions_in_module(db, *it, type_, class);
        found.may_be_title(db, environment, "class")
    })
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
    let mut code = module_puppet_files(db, module).iter();
    code.any(|it| is_computed_in_file(db, *it, title))
        || is_in_data(db, module, |it| it.contains(title.part(db)))
}

fn is_computed_in_file(db: &dyn Database, file: FileInput, title: ComputedTitle<'_>) -> bool {
    let (pattern, part) = (title.pattern(db), title.part(db));
    let found = strings(db, file);
    let in_attributes = found.attributes.values().flat_map(|it| &it.patterns);
    let mut patterns = found.patterns.iter().chain(in_attributes);
    patterns.any(|it| it.may_equal(pattern)) || contains_outside_of_references(db, file, part)
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
        for text in ["File[/a]", "- Ssh::Key['/a']", "require: \"File[/a]\""] {
            assert!(!contains_words(text, "/a"), "{text}");
        }
        for text in ["[/a]", "File[/a, /b]", "File[/a] /a", "- file[/a]"] {
            assert!(contains_words(text, "/a"), "{text}");
        }
    }
}
