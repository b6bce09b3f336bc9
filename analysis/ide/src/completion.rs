//! Completion: candidates for the cursor position, sorted by relevance.

mod argument_keys;
mod attributes;
mod autoloaded_name;
mod blocks;
mod class_declaration;
mod comment_tags;
mod compared;
mod context;
mod counted_modules;
mod definition_name;
mod definitions;
mod documentation;
mod expected;
mod keys;
mod keywords;
mod likelihood;
mod members;
mod methods;
mod named_arguments;
mod nearest_titles;
mod origin;
mod paths;
mod references;
mod relative_words;
mod resource;
mod siblings;
mod similar_hashes;
mod titles;
mod topic;
mod usage;
mod values;
mod variables;
mod word;
mod word_contexts;
mod word_end;
mod word_model;

#[cfg(test)]
mod tests;

pub(crate) use expected::alternatives;
pub(crate) use origin::Origins;
pub(crate) use usage::{declared_classes, fact_uses};

use std::rc::Rc;

use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::bolt;
use super::cursor::CursorContext;
use base::FileInput;
use context::{CompletionContext, ExpectedSyntax, classify};
use expected::ExpectedValue;
use likelihood::rank_by_likelihood;
use origin::Origin;
use siblings::sibling_names;
use topic::Topic;
use usage::{UsageCounts, UsageKind, usage_in_other_modules, usage_in_sibling_files};
use word_model::{WordModel, words_in_other_modules, words_in_sibling_files};

pub(crate) use documentation::documentation;
pub(super) use resource::{AttributeOwner, ResourceContext, enclosing_resource, is_set_by_data};
pub(crate) use word_end::{end_of_name, rest_of_string};

/// The maximum number of items returned.
const MAX_ITEMS: usize = 250;

/// The result of a completion request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completions {
    /// The items, best first.
    pub items: Vec<CompletionItem>,
    /// Whether items were left out that typing more characters can bring up.
    pub is_incomplete: bool,
    /// The end of the word around the cursor. An editor may replace the word up to here instead of up to the cursor.
    pub word_end: TextSize,
}

/// A completion item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionItem {
    /// The text to display.
    pub label: String,
    /// The text that typed words are compared with, if it is not the label.
    pub filter: Option<String>,
    /// The kind of item.
    pub kind: CompletionKind,
    /// A short detail, such as a type or signature.
    pub detail: Option<String>,
    /// The range to replace: the word up to the cursor.
    pub range: TextRange,
    /// The text to insert.
    pub insert: String,
    /// The text to insert for clients that support LSP snippets.
    pub snippet: Option<String>,
    /// The range that the snippet replaces, which may include the rest of the line.
    pub snippet_range: TextRange,
    /// Whether the item is deprecated.
    pub deprecated: bool,
    /// The key to look up its documentation.
    pub documentation_key: Option<DocumentationKey>,
}

/// The kind of a [`CompletionItem`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompletionKind {
    /// A variable.
    Variable,
    /// A parameter of an enclosing scope.
    Parameter,
    /// An attribute of a resource.
    Attribute,
    /// A class.
    Class,
    /// A resource type or defined type.
    ResourceType,
    /// A function.
    Function,
    /// A data type.
    DataType,
    /// A fact or a key.
    Key,
    /// A value.
    Value,
    /// A resource title.
    Title,
    /// A file.
    File,
    /// A keyword.
    Keyword,
    /// A snippet.
    Snippet,
}

/// The key to look up the documentation of a [`CompletionItem`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DocumentationKey {
    /// The kind of documented entity.
    pub kind: DocumentedKind,
    /// The name. For an attribute, the type and the attribute name separated by a space, with the
    /// type `class NAME` for classes; for a fact, its keys separated by spaces.
    pub name: String,
}

/// The kind of a [`DocumentationKey`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DocumentedKind {
    /// A class.
    Class,
    /// A resource type or defined type.
    ResourceType,
    /// A function.
    Function,
    /// A data type.
    DataType,
    /// An attribute.
    Attribute,
    /// A built-in variable, or a variable of a class by its qualified name.
    Variable,
    /// A fact.
    Fact,
    /// A member of the objects of a data type of Bolt, by the type and the member.
    BoltMember,
    /// A parameter of a task, by the task and the parameter.
    TaskParameter,
}

impl DocumentedKind {
    const ALL: [(DocumentedKind, &str); 9] = [
        (DocumentedKind::Class, "class"),
        (DocumentedKind::ResourceType, "resourceType"),
        (DocumentedKind::Function, "function"),
        (DocumentedKind::DataType, "dataType"),
        (DocumentedKind::Attribute, "attribute"),
        (DocumentedKind::Variable, "variable"),
        (DocumentedKind::Fact, "fact"),
        (DocumentedKind::BoltMember, "boltMember"),
        (DocumentedKind::TaskParameter, "taskParameter"),
    ];

    /// Returns the identifier used in the protocol.
    pub fn name(self) -> &'static str {
        let found = DocumentedKind::ALL.iter().find(|it| it.0 == self);
        found.map_or("", |it| it.1)
    }

    /// Parses the identifier used in the protocol.
    pub fn from_name(name: &str) -> Option<DocumentedKind> {
        let found = DocumentedKind::ALL.iter().find(|it| it.1 == name);
        found.map(|it| it.0)
    }
}

/// A completion item with its score.
pub(super) struct Candidate {
    label: String,
    /// The text that typed words are compared with, if it is not the label.
    filter: Option<String>,
    kind: CompletionKind,
    detail: Option<String>,
    /// The text to insert, if it differs from the label.
    insert: Option<String>,
    snippet: Option<String>,
    /// The length of the text after the cursor that the snippet replaces.
    replaced_after: TextSize,
    deprecated: bool,
    /// Whether this is a fact as a variable.
    is_variable: bool,
    documentation_key: Option<DocumentationKey>,
    /// The relevance; higher is better. See [`score`].
    score: i64,
    /// The factor of its likelihood.
    weight: f64,
    /// Candidates of a lower group come first. See [`group`].
    group: i8,
    /// Whether it is a name of the same file or module, which is offered even in a long list.
    is_own: bool,
}

/// The groups of candidates that come before or after all others that match as well.
mod group {
    /// The best of the likely ones.
    pub(super) const FIRST: i8 = -2;
    /// The kinds of values that the position expects.
    pub(super) const LIKELY: i8 = -1;
    /// Candidates that hardly fit. The numbers between [`LIKELY`] and this are the [origins](super::origin::Origin) of
    /// names.
    pub(super) const UNLIKELY: i8 = 10;
}

/// Weights for scoring. Each one exceeds the sum of all lower contributions.
mod score {
    /// The position expects exactly this candidate.
    pub(super) const EXACT: i64 = 1_000_000_000;
    /// The candidate has the expected type.
    pub(super) const TYPE_MATCH: i64 = 100_000_000;
    /// The candidate is in the same scope or file.
    pub(super) const SAME_SCOPE: i64 = 10_000_000;
    /// The candidate is in the same module; this weighs as much as a few uses.
    pub(super) const SAME_MODULE: i64 = 500;
    /// The candidate is used once.
    pub(super) const PER_USE: i64 = 10;
}

/// The factor of definitions in the namespace of the one around the cursor: they are its helpers.
const INNER: f64 = 8.0;

/// The factor of the definition around the cursor, which hardly declares itself although the topic has all its words.
const ITSELF: f64 = 1e-3;

/// The factor of a reference to the type of the definition around the cursor.
const OWN_REFERENCE: f64 = 4.0;

/// The factor of definitions in the namespace that the one around the cursor is in, below that of the module.
const BESIDE: f64 = 4.0;

/// The factor of definitions with a similar name: a type alias often joins such ones.
const SIMILAR: f64 = 4.0;

impl Candidate {
    /// Checks whether the position expects exactly this candidate.
    fn is_listed(&self) -> bool {
        self.score > score::EXACT / 2
    }

    fn new(kind: CompletionKind, label: impl Into<String>) -> Candidate {
        Candidate {
            label: label.into(),
            filter: None,
            kind,
            detail: None,
            insert: None,
            snippet: None,
            replaced_after: TextSize::new(0),
            deprecated: false,
            is_variable: false,
            documentation_key: None,
            score: 0,
            weight: 1.0,
            group: 0,
            is_own: false,
        }
    }

    fn detail(self, detail: Option<String>) -> Candidate {
        Candidate { detail, ..self }
    }

    fn documentation_key(mut self, kind: DocumentedKind, name: impl Into<String>) -> Candidate {
        let name = name.into();
        self.documentation_key = Some(DocumentationKey { kind, name });
        self
    }

    fn insert(mut self, text: impl Into<String>) -> Candidate {
        self.insert = Some(text.into());
        self
    }

    fn snippet(mut self, text: impl Into<String>) -> Candidate {
        self.snippet = Some(text.into());
        self
    }

    fn score(mut self, score: i64) -> Candidate {
        self.score += score;
        self
    }

    fn weight(self, weight: f64) -> Candidate {
        Candidate { weight, ..self }
    }

    fn group(self, group: i8) -> Candidate {
        Candidate { group, ..self }
    }

    /// Sets where the name comes from.
    fn from(self, origin: Origin) -> Candidate {
        Candidate {
            is_own: origin.is_own(),
            weight: self.weight * origin.weight(),
            ..self
        }
    }

    /// Sets where the name comes from, and sorts it by that.
    fn grouped_by(self, origin: Origin) -> Candidate {
        self.from(origin).group(origin.group())
    }
}

/// Collects candidates that match the typed text, without duplicates.
pub(super) struct Candidates<'a, 'db> {
    cursor: &'a CursorContext<'db>,
    context: &'a CompletionContext,
    /// How likely words are at the cursor.
    model: WordModel<'db>,
    /// Shared with the query of variables, which adds candidates.
    topic: Rc<Topic>,
    /// The names that the list at the cursor has already.
    siblings: FxHashSet<String>,
    /// The text of the word up to the cursor.
    typed: &'a str,
    /// The names used in other modules, in other files of this module, and in this file.
    usage: [Option<&'db UsageCounts>; 3],
    matches: Vec<(NameMatch, Candidate)>,
    /// The labels, and whether they are those of functions.
    seen: FxHashSet<(bool, String)>,
}

/// How well a candidate matches the typed text, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum NameMatch {
    /// The candidate is the text.
    Exact,
    /// The candidate starts with the text.
    Prefix,
    /// The candidate starts with the text, ignoring case.
    PrefixIgnoreCase,
    /// A word of the candidate starts with the text.
    WordPrefix,
    /// The candidate contains the characters in order.
    Subsequence,
}

impl Candidates<'_, '_> {
    fn add(&mut self, candidate: Candidate) {
        let name = candidate.filter.as_ref().unwrap_or(&candidate.label);
        let Some(quality) = match_name(name, self.typed) else {
            return;
        };
        // Users type `d` for `Debian`, if it is one of the values of the position.
        let quality = match quality {
            NameMatch::PrefixIgnoreCase if candidate.is_listed() => NameMatch::Prefix,
            quality => quality,
        };
        // A function may have the name of a resource type; otherwise a name is offered once.
        let is_function = candidate.kind == CompletionKind::Function;
        if self.seen.insert((is_function, candidate.label.clone())) {
            self.matches.push((quality, candidate));
        }
    }

    /// Checks whether a candidate starts with the typed text.
    fn has_prefix_match(&self) -> bool {
        self.matches.iter().any(|it| it.0 <= NameMatch::Prefix)
    }

    /// Creates the candidate of a string, with quotes if needed.
    fn string(&self, kind: CompletionKind, text: &str) -> Candidate {
        let candidate = Candidate::new(kind, text);
        match self.context.in_string {
            true => candidate,
            false => {
                let quoted = text.replace('\\', "\\\\").replace('\'', "\\'");
                candidate.insert(format!("'{quoted}'"))
            }
        }
    }

    /// Scores a name by the words that it shares with that of the enclosing definition.
    fn kinship_score(&self, name: &str) -> i64 {
        let is_inner = self.topic.is_inside(name);
        let points = 4.0 * self.topic.kinship(name) + if is_inner { 4.0 } else { 0.0 };
        points.round() as i64 * score::SAME_SCOPE
    }

    /// Returns the factor of a definition by how its name relates to that of the one around the cursor.
    fn definition_weight(&self, name: &str) -> f64 {
        if self.topic.is_definition(name) {
            return ITSELF;
        }
        let inner = if self.topic.is_inside(name) {
            INNER
        } else {
            1.0
        };
        let similar = if self.topic.is_similar(name) {
            SIMILAR
        } else {
            1.0
        };
        let beside = if self.topic.is_beside(name) {
            BESIDE
        } else {
            1.0
        };
        inner * similar * beside
    }

    /// Returns a score for how often a name is used; uses nearby count more.
    fn usage_score(&self, kind: UsageKind, name: &str) -> i64 {
        /// The weight of a use in other modules, in this module, and in this file.
        const WEIGHTS: [i64; 3] = [1, 21, 41];
        let counted = self.usage.iter().zip(WEIGHTS).map(|(usage, weight)| {
            let times = usage.map_or(0, |it| it.count(kind, name));
            i64::from(times) * weight
        });
        // The word at the cursor is not a use.
        let is_typed = name == self.typed.trim_start_matches("::");
        let typed = if is_typed { WEIGHTS[2] } else { 0 };
        (counted.sum::<i64>() - typed).clamp(0, 999_999) * score::PER_USE
    }

    /// Checks whether the file is an EPP template.
    fn is_template(&self) -> bool {
        self.cursor.file.spec(self.cursor.db).dialect.epp
    }

    /// Returns the text to insert for the key of a hash, as it is written in code, with the arrow after it.
    fn hash_key(&self, name: &str, written: &str) -> String {
        match self.context.in_string {
            true => name.to_owned(),
            false if self.is_arrow_next() => written.to_owned(),
            false => format!("{written} => "),
        }
    }

    /// Checks whether an arrow follows the word at the cursor.
    fn is_arrow_next(&self) -> bool {
        let rest = self.text_after_word().trim_start();
        let rest = rest.trim_start_matches(['\'', '"']).trim_start();
        rest.starts_with("=>") || rest.starts_with("+>") || rest.starts_with("==")
    }

    /// Returns the text after the word at the cursor.
    fn text_after_word(&self) -> &str {
        let after = &self.cursor.text[usize::from(self.cursor.offset)..];
        after.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':')
    }
}

/// Matches typed text against a name. Returns `None` if it does not match.
fn match_name(name: &str, typed: &str) -> Option<NameMatch> {
    if name == typed {
        return Some(NameMatch::Exact);
    }
    if name.starts_with(typed) {
        return Some(NameMatch::Prefix);
    }
    let (name, typed) = (name.to_ascii_lowercase(), typed.to_ascii_lowercase());
    if name.starts_with(&typed) {
        return Some(NameMatch::PrefixIgnoreCase);
    }
    let is_start = |at: usize| {
        let before = name[..at].chars().next_back();
        before.is_none_or(|it| !it.is_alphanumeric())
    };
    if name.match_indices(&typed).any(|it| is_start(it.0)) {
        return Some(NameMatch::WordPrefix);
    }
    let mut letters = name.chars();
    let has_all = typed.chars().all(|it| letters.any(|other| other == it));
    has_all.then_some(NameMatch::Subsequence)
}

/// Counts the words of other files, which all completions in a file need.
pub(crate) fn prime_completions(db: &dyn Database, file: FileInput) {
    words_in_sibling_files(db, file);
    usage_in_sibling_files(db, file);
    if let Some(environment) = file.environment(db) {
        words_in_other_modules(db, environment, file.module(db));
        usage_in_other_modules(db, environment, file.module(db));
    }
}

/// Computes the completions at an offset.
pub(crate) fn completions(db: &dyn Database, file: FileInput, offset: TextSize) -> Completions {
    let Some(cursor) = CursorContext::new(db, file, offset) else {
        return Completions::default();
    };
    let Some(context) = classify(&cursor) else {
        return Completions::default();
    };
    let mut acc = Candidates {
        cursor: &cursor,
        context: &context,
        model: WordModel::new(&cursor),
        topic: Rc::new(Topic::new(&cursor, context.replace_range.start().into())),
        siblings: sibling_names(&cursor),
        typed: &cursor.text[context.replace_range],
        usage: [
            cursor
                .environment
                .map(|it| usage_in_other_modules(db, it, file.module(db))),
            Some(usage_in_sibling_files(db, file)),
            Some(usage::file_usage(db, file)),
        ],
        matches: Vec::new(),
        seen: FxHashSet::default(),
    };
    collect(&mut acc);
    finish(acc)
}

/// Checks whether some of the values that an expression at an offset may have are known.
pub(crate) fn expects_known_value(db: &dyn Database, file: FileInput, offset: TextSize) -> bool {
    let cursor = CursorContext::new(db, file, offset);
    let context = cursor.as_ref().and_then(classify);
    context.is_some_and(|it| match it.syntax {
        ExpectedSyntax::Value(expected) => !it.in_string && expected.has_known_values(),
        _ => false,
    })
}

fn collect(acc: &mut Candidates<'_, '_>) {
    let context = acc.context;
    match &context.syntax {
        ExpectedSyntax::Variable(expected) => {
            variables::variables(acc, Some(expected), false);
            // The code in `${…}` may be a call.
            if !acc.cursor.token.text().starts_with('$') && !acc.typed.is_empty() {
                add_last(acc, |it| definitions::functions(it, Some(expected)));
            }
        }
        ExpectedSyntax::Attribute(resource) => attributes::attributes(acc, resource),
        ExpectedSyntax::Callee(expected) => {
            match context.is_statement {
                true => keywords::statements(acc),
                false => keywords::operators(acc),
            }
            definitions::functions(acc, Some(expected));
            definitions::data_types(acc);
        }
        ExpectedSyntax::Value(expected) if expected.references => {
            if !context.in_string {
                references::references(acc, expected);
            }
        }
        ExpectedSyntax::Value(expected) => {
            argument_keys::unbraced_keys(acc);
            values::values(acc, expected);
            if !context.in_string {
                expressions(acc, expected);
            }
        }
        ExpectedSyntax::HashKey(expected) => {
            values::struct_keys(acc, expected);
            argument_keys::argument_keys(acc);
            if acc.matches.is_empty() {
                similar_hashes::keys_of_similar_hashes(acc);
            }
            // Keys that other hashes have are only a guess.
            if !acc.has_prefix_match() {
                values::used_keys(acc);
            }
            if !context.in_string {
                variables::variables(acc, None, true);
            }
        }
        ExpectedSyntax::StructKey => {
            definitions::types_of_struct_keys(acc);
            values::used_keys(acc);
        }
        ExpectedSyntax::DefinitionName(kind) => definition_name::definition_name(acc, *kind),
        ExpectedSyntax::ClassTitle => {
            let declaration = class_declaration::rest_of_declaration(acc);
            definitions::classes(acc, declaration.as_ref());
            if !context.in_string {
                add_variables_last(acc);
            }
        }
        ExpectedSyntax::NewTitle => titles::new_titles(acc),
        ExpectedSyntax::NamedArgument(entity) => {
            named_arguments::named_arguments(acc, *entity);
            if !context.in_string {
                add_variables_last(acc);
            }
        }
        ExpectedSyntax::Class => {
            definitions::classes(acc, None);
            if !context.in_string {
                add_variables_last(acc);
            }
        }
        ExpectedSyntax::ResourceType => {
            keywords::statements(acc);
            definitions::resource_types(acc, false);
        }
        ExpectedSyntax::DataType => {
            definitions::data_types(acc);
            definitions::resource_references(acc, -6 * score::SAME_SCOPE);
        }
        ExpectedSyntax::Reference => definitions::resource_references(acc, 0),
        ExpectedSyntax::Comment(word) => comment_tags::comment_words(acc, *word),
        ExpectedSyntax::Method(receiver) => {
            members::members(acc, receiver);
            methods::methods(acc, receiver);
        }
        ExpectedSyntax::AccessKey(base, path) => {
            keys::keys(acc, base, path);
            if !acc.has_prefix_match() {
                values::used_keys(acc);
            }
            if !context.in_string {
                variables::variables(acc, None, true);
            }
        }
        ExpectedSyntax::Title(type_) => titles::titles(acc, type_),
        ExpectedSyntax::CollectedTitle(type_) => {
            titles::titles(acc, type_);
            if !context.in_string {
                add_variables_last(acc);
            }
        }
        ExpectedSyntax::ModulePath(kind) => paths::paths(acc, *kind),
        ExpectedSyntax::OwnModulePath(kind) => paths::own_paths(acc, *kind),
        ExpectedSyntax::VirtualResource => {
            let is_new = !acc.text_after_word().trim_start().starts_with('{');
            definitions::resource_types(acc, is_new);
            acc.matches.retain(|it| it.1.label != "class");
        }
        ExpectedSyntax::NodeName => keywords::node_names(acc),
        ExpectedSyntax::ClassHeader => keywords::class_header(acc),
        ExpectedSyntax::ParameterName => comment_tags::parameter_names(acc),
        ExpectedSyntax::Lambda(receiver, function) => methods::lambda(acc, receiver, function),
        ExpectedSyntax::TemplateOutput => {
            variables_of_template(acc);
            definitions::functions(acc, Some(&ExpectedValue::default()));
        }
        ExpectedSyntax::Statement if is_type_name(acc.typed) => {
            definitions::data_types(acc);
            definitions::resource_references(acc, 0);
        }
        ExpectedSyntax::Statement => {
            keywords::statements(acc);
            definitions::functions(acc, None);
            match acc.is_template() {
                true => {
                    blocks::closing(acc);
                    variables_of_template(acc);
                }
                false => add_variables_of_statement(acc),
            }
            // Plans declare resources only in `apply` blocks.
            if bolt::is_in_plan(acc.cursor) {
                add_last(acc, |it| definitions::resource_types(it, true));
            // Templates print text. They declare no resources.
            } else if !acc.is_template() {
                definitions::resource_types(acc, true);
                definitions::resource_references(acc, -score::SAME_SCOPE);
            }
        }
    }
}

/// Checks whether a word is the start of the name of a type.
fn is_type_name(typed: &str) -> bool {
    let name = typed.trim_start_matches("::");
    name.starts_with(|it: char| it.is_ascii_uppercase())
}

/// Adds variables, functions and types that can have the expected value.
fn expressions(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    // An option is hardly a call or a resource, and its colon must not accept one.
    if expected.is_option {
        add_last(acc, |it| {
            definitions::data_types(it);
            variables::variables(it, None, true);
        });
        return;
    }
    variables::variables(acc, Some(expected), true);
    definitions::functions(acc, Some(expected));
    if bolt::is_in_plan(acc.cursor) {
        keywords::apply(acc);
    }
    if expected.accepts_types() && !expected.is_free_text {
        definitions::data_types(acc);
        definitions::resource_references(acc, -score::SAME_SCOPE);
    }
}

/// Adds the variables of a template, which tags mostly print or iterate over.
fn variables_of_template(acc: &mut Candidates<'_, '_>) {
    let add = |it: &mut Candidates<'_, '_>| {
        variables::variables(it, Some(&ExpectedValue::default()), true);
    };
    add_changed(acc, add, |it| {
        if matches!(
            it.kind,
            CompletionKind::Variable | CompletionKind::Parameter
        ) {
            it.group = group::LIKELY;
        }
    });
}

/// Adds the variables that a statement may start with, as in `$list.each`, which few do.
fn add_variables_of_statement(acc: &mut Candidates<'_, '_>) {
    const STARTS_STATEMENT: f64 = 0.1;
    let add = |it: &mut Candidates<'_, '_>| variables::variables(it, None, true);
    add_changed(acc, add, |it| it.weight *= STARTS_STATEMENT);
}

/// Adds variables after all other candidates.
fn add_variables_last(acc: &mut Candidates<'_, '_>) {
    add_last(acc, |it| variables::variables(it, None, true));
}

/// Adds candidates after all that there are.
fn add_last<'a, 'db>(acc: &mut Candidates<'a, 'db>, add: impl FnOnce(&mut Candidates<'a, 'db>)) {
    add_changed(acc, add, |it| it.group = group::UNLIKELY);
}

/// Adds candidates, and changes each of them.
fn add_changed<'a, 'db>(
    acc: &mut Candidates<'a, 'db>,
    add: impl FnOnce(&mut Candidates<'a, 'db>),
    change: impl Fn(&mut Candidate),
) {
    let before = acc.matches.len();
    add(acc);
    for (_, it) in &mut acc.matches[before..] {
        change(it);
    }
}

/// Sorts and truncates the candidates. Names of the same file or module are kept beyond the limit.
fn finish(acc: Candidates<'_, '_>) -> Completions {
    let range = acc.context.replace_range;
    let word_end = word_end::in_code(acc.cursor.text, range, acc.context.in_string);
    let found = rank_by_likelihood(acc);
    let is_incomplete = found.len() > MAX_ITEMS;
    let shown = found.into_iter().enumerate();
    let shown = shown.filter(|(at, it)| *at < MAX_ITEMS || it.is_own);
    let items = shown.map(|(_, it)| CompletionItem {
        insert: it.insert.unwrap_or_else(|| it.label.clone()),
        label: it.label,
        filter: it.filter,
        kind: it.kind,
        detail: it.detail,
        range,
        snippet: it.snippet,
        snippet_range: TextRange::new(range.start(), range.end() + it.replaced_after),
        deprecated: it.deprecated,
        documentation_key: it.documentation_key,
    });
    Completions {
        items: items.collect(),
        is_incomplete,
        word_end,
    }
}
