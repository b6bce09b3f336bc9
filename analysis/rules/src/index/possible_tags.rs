//! The words that may be tags of resources.
//!
//! A resource has the tags in its attribute `tag` and those that `tag()` sets around it. Its type, its title, and the
//! names of the classes and defined types around it are tags, too.

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::{NameKey, module_puppet_files};
use hir::title_pattern::TitlePattern;
use infer::layer_files;
use rustc_hash::{FxHashSet, FxHasher};
use salsa::Database;
use std::hash::{Hash, Hasher};
use syntax::SyntaxNode;
use syntax::ast::{AstNode, CollectQuery, InterpolatedString};

/// The minimum length of the constant parts of a string with interpolations. A shorter one fits too many tags.
const MIN_LENGTH: usize = 2;

/// The words in a file, except for those in the conditions of collectors.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Words {
    /// The hashes of the words, in lower case as Puppet keeps tags.
    literals: FxHashSet<u64>,
    /// The strings with interpolations.
    patterns: Vec<TitlePattern>,
}

impl Words {
    fn collect(&mut self, node: &SyntaxNode) {
        if CollectQuery::can_cast(node.kind()) {
            return;
        }
        let string = InterpolatedString::cast(node.clone());
        let pattern = string.map(|it| TitlePattern::of_interpolated(&it));
        self.patterns
            .extend(pattern.filter(|it| it.known_length() >= MIN_LENGTH));
        let tokens = node.children_with_tokens().filter_map(|it| it.into_token());
        for token in tokens.filter(|it| !it.kind().is_trivia()) {
            self.add_text(token.text());
        }
        node.children().for_each(|it| self.collect(&it));
    }

    fn add_text(&mut self, text: &str) {
        for word in text.split(|it: char| !is_tag_character(it)) {
            let word = word.to_lowercase();
            self.literals.extend(word.split("::").map(hash_of));
            self.literals.insert(hash_of(&word));
        }
    }

    fn may_be(&self, tag: &str) -> bool {
        self.literals.contains(&hash_of(tag)) || self.patterns.iter().any(|it| it.may_be("", tag))
    }
}

fn is_tag_character(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | ':' | '.' | '-')
}

fn hash_of(word: &str) -> u64 {
    let mut hasher = FxHasher::default();
    word.hash(&mut hasher);
    hasher.finish()
}

#[salsa::tracked]
fn words(db: &dyn Database, file: FileInput) -> Words {
    let mut found = Words::default();
    found.collect(base::parse(db, file).tree().syntax());
    found
}

#[salsa::tracked]
fn words_of_data(db: &dyn Database, file: FileInput) -> Words {
    let mut found = Words::default();
    found.add_text(file.text(db).as_deref().unwrap_or_default());
    found
}

#[salsa::tracked(returns(copy))]
fn is_in_module<'db>(db: &'db dyn Database, module: ModuleInput, tag: NameKey<'db>) -> bool {
    let tag = tag.text(db);
    let mut code = module_puppet_files(db, module).iter();
    let data = layer_files(db, module);
    code.any(|it| words(db, *it).may_be(tag))
        || data.keys().any(|it| words_of_data(db, *it).may_be(tag))
}

/// Checks whether any code or data of an environment contains a word that may be this tag, other than in the
/// conditions of collectors.
pub(crate) fn is_possible(db: &dyn Database, environment: EnvironmentInput, tag: &str) -> bool {
    let tag = tag.to_lowercase();
    let mut manifests = environment.manifests(db).iter();
    let mut modules = environment.modules(db).values();
    let key = NameKey::new(db, tag.clone());
    manifests.any(|it| words(db, *it).may_be(&tag)) || modules.any(|it| is_in_module(db, *it, key))
}
