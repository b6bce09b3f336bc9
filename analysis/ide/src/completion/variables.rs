//! Completes variables.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Assignment, AstNode, Definition, Expr, Parameter, assigned_variables};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

mod passed_variables;
mod surroundings;

use super::super::cursor::CursorContext;
use super::definitions::typed_colons;
use super::expected::ExpectedValue;
use super::topic::{Topic, source_parameters};
use super::usage::UsageKind;
use super::{Candidate, Candidates, CompletionKind, DocumentedKind, group, score};
use crate::readable_type::readable_type;
use hir::autoload::{NameKey, all_definitions, find_item};
use hir::ruby_symbols::custom_facts;
use hir::variables::{OwnVariables, own_variables};
use hir::{ItemKind, ParameterSignature, items, signature};
use infer::{Inferred, WorkspaceTypes};
use surroundings::Surroundings;
use types::Type;

/// The maximum length of a type in the details of an item, in characters.
const MAX_DETAIL_LENGTH: usize = 80;

/// The maximum length in bytes of a definition that is inferred for the types of its variables.
const MAX_INFERRED_LENGTH: usize = 16 * 1024;

/// The factor of a parameter whose final value another variable has, and of its default in a class `params`.
const SUPERSEDED: f64 = 0.03;

/// The factor of a variable that is the whole value of another one before the cursor.
const ALIASED: f64 = 0.25;

/// The factor of a variable that a call around the cursor iterates over: its lambda rather uses the elements.
const ITERATED: f64 = 0.15;

/// The factors of parameters that are not used yet: of the innermost lambda, of the definition in a condition, and of the
/// definition elsewhere.
const UNUSED: (f64, f64, f64) = (4.0, 10.0, 2.0);

/// The factor of a custom fact as a variable that no code reads with leading colons.
const BARE_CUSTOM_FACT: f64 = 0.05;

/// The factor of a variable whose declared type does not fit.
const UNFIT: f64 = 0.03;

/// The score of `$title` and `$name` beyond that of other built-in variables.
const OWN_NAME: i64 = 2 * score::SAME_SCOPE;

/// A local variable in scope.
struct LocalVariable {
    name: String,
    /// The range where it is assigned or declared.
    range: TextRange,
    parameter: Option<Parameter>,
    /// The name of another variable that is its whole value.
    alias_of: Option<String>,
    /// The number of scopes between the variable and the cursor.
    depth: i64,
}

/// Adds all variables; with `sigil`, including the dollar sign.
pub(super) fn variables(
    acc: &mut Candidates<'_, '_>,
    expected: Option<&ExpectedValue>,
    sigil: bool,
) {
    if sigil && !acc.typed.is_empty() {
        return;
    }
    let mention_scores = mention_scores(acc.cursor);
    let topic = Rc::clone(&acc.topic);
    let typed = acc.typed.strip_prefix("::").unwrap_or(acc.typed);
    // Variables are rare at the start of a statement and in place of a class name.
    let base = match expected {
        None => -10 * score::SAME_SCOPE,
        Some(_) => 0,
    };
    let locals = locals(acc.cursor);
    let aliased = locals.iter().filter_map(|it| it.alias_of.as_deref());
    let query = VariableQuery {
        expected,
        aliased: aliased.map(|it| it.trim_start_matches("::")).collect(),
        sigil,
        base,
        infers_types: expected.is_some() && acc.cursor.inferred_len() <= MAX_INFERRED_LENGTH,
        mention_scores: &mention_scores,
        mentioned_classes: mention_scores
            .keys()
            .filter_map(|it| Some(it.rsplit_once("::")?.0))
            .collect(),
        topic: &topic,
        // Letters say more than other uses.
        surroundings: acc.typed.is_empty().then(|| Surroundings::of(acc.cursor)),
        next_parameter: next_parameter(acc.cursor, &mention_scores),
    };
    if let Some((class, _)) = typed.rsplit_once("::") {
        add_class_variables(acc, &query, class);
        return add_qualified_variables(acc, &query);
    }
    if typed.len() == acc.typed.len() {
        let variables = locals.iter().filter(|it| it.parameter.is_none());
        let superseded: FxHashSet<&str> = variables
            .flat_map(|it| source_parameters(&it.name))
            .collect();
        for local in &locals {
            let is_superseded =
                local.parameter.is_some() && superseded.contains(local.name.as_str());
            add_local(acc, &query, local, is_superseded);
        }
        add_inherited(acc, &query);
        passed_variables::add(acc, &query);
        if let Some(item) = acc.cursor.item
            && item.kind(acc.cursor.db).is_declarable()
        {
            // The title of a class is its name.
            let is_class = item.kind(acc.cursor.db) == ItemKind::Class;
            for name in ["title", "name"] {
                let type_ = library::variable(name).and_then(|it| it.type_.clone());
                let type_ = match is_class {
                    true => Some("String".to_owned()),
                    false => type_,
                };
                add_built_in(acc, &query, name, &type_.unwrap_or_default(), OWN_NAME);
            }
        }
    }
    for name in [
        "facts",
        "trusted",
        "module_name",
        "caller_module_name",
        "server_facts",
        "environment",
    ] {
        if let Some(it) = library::variable(name) {
            let type_ = it.type_.clone().unwrap_or_default();
            add_built_in(acc, &query, name, &type_, 0);
        }
    }
    add_top_scope(acc, &query);
    if !sigil {
        add_qualified_variables(acc, &query);
    }
}

/// Parameters of a variable completion.
struct VariableQuery<'a> {
    expected: Option<&'a ExpectedValue>,
    /// The variables that are the whole value of others before the cursor.
    aliased: FxHashSet<&'a str>,
    /// Whether to insert the dollar sign.
    sigil: bool,
    base: i64,
    /// Whether to infer types; otherwise only declared types are used.
    infers_types: bool,
    /// The scores of the variables mentioned before the cursor.
    mention_scores: &'a FxHashMap<String, i64>,
    /// The classes whose variables are mentioned before the cursor.
    mentioned_classes: FxHashSet<&'a str>,
    topic: &'a Topic,
    surroundings: Option<Surroundings>,
    /// The next parameter in source order that is not used yet.
    next_parameter: Option<String>,
}

impl VariableQuery<'_> {
    /// Returns the factor of a variable whose value may have a variable of its own.
    fn weight(&self, name: &str, is_superseded: bool) -> f64 {
        let is_aliased = self.aliased.contains(name.trim_start_matches("::"));
        let aliased = if is_aliased { ALIASED } else { 1.0 };
        aliased * if is_superseded { SUPERSEDED } else { 1.0 }
    }

    /// Returns the factor of a local variable by its uses around the cursor.
    fn use_weight(&self, local: &LocalVariable) -> f64 {
        let name = local.name.as_str();
        let Some(surroundings) = &self.surroundings else {
            return 1.0;
        };
        if surroundings.iterated.contains(name) {
            return ITERATED;
        }
        let is_used = local.parameter.is_none() || surroundings.used.contains(name);
        match is_used || self.expected.is_none() {
            true => 1.0,
            false if surroundings.is_in_lambda && local.depth == 0 => UNUSED.0,
            false if surroundings.is_condition => UNUSED.1,
            false => UNUSED.2,
        }
    }

    /// Scores a variable by its name alone.
    fn score(&self, name: &str) -> i64 {
        let near = self.mention_scores.get(name).copied().unwrap_or(0);
        self.base + near + self.topic_score(name) + match_score(self.expected, name, None)
    }

    /// Scores the variable of a class: by its name, and by whether others of the class are used.
    fn qualified_score(&self, label: &str) -> i64 {
        let (class, name) = label.rsplit_once("::").unwrap_or(("", label));
        let mentioned = self.mention_scores.get(label).copied();
        let mentioned = mentioned.map_or(0, |it| it + 4 * score::SAME_SCOPE);
        let is_class_used = self.mentioned_classes.contains(class);
        let class = if is_class_used {
            3 * score::SAME_SCOPE
        } else {
            0
        };
        let fits = match_score(self.expected, name, None);
        self.base + mentioned + class + fits + self.topic_score(name)
    }

    /// Returns the factor of a parameter, which is small for a Boolean where none fits.
    fn declared_weight(&self, parameter: Option<&ParameterSignature>) -> f64 {
        let is_boolean = parameter.is_some_and(|it| it.type_.as_deref() == Some("Boolean"));
        let expected = self.expected.and_then(|it| it.type_.as_ref());
        let fits = expected.is_none_or(|it| Inferred::of(Type::BOOLEAN).is_a(it) != Some(false));
        if is_boolean && !fits { UNFIT } else { 1.0 }
    }

    /// Scores a variable by the words of its name that are near the cursor.
    fn topic_score(&self, name: &str) -> i64 {
        let last = name.rsplit("::").next().unwrap_or(name);
        let points = 3.0 * self.topic.nearness(last) + 0.7 * self.topic.kinship(last);
        (points * score::SAME_SCOPE as f64) as i64
    }
}

fn add_local(
    acc: &mut Candidates<'_, '_>,
    query: &VariableQuery<'_>,
    local: &LocalVariable,
    is_superseded: bool,
) {
    let inferred = inferred_type(acc.cursor, local, query.infers_types);
    let near = query
        .mention_scores
        .get(local.name.as_str())
        .copied()
        .unwrap_or(0);
    let fits = match_score(query.expected, &local.name, inferred.as_ref());
    let kind = match local.parameter {
        Some(_) => CompletionKind::Parameter,
        None => CompletionKind::Variable,
    };
    let scope = score::SAME_SCOPE * (5 - local.depth.min(3));
    let is_next = query.next_parameter.as_ref() == Some(&local.name);
    let next = if is_next { 3 * score::SAME_SCOPE } else { 0 };
    // Only few locals are hashes.
    let is_hash = || inferred.as_ref().and_then(|it| it.is_a(&Type::any_hash())) == Some(true);
    let is_wanted = query.expected.is_some_and(|it| it.is_splat) && is_hash();
    let candidate = Candidate::new(kind, with_sigil(&local.name, query.sigil))
        .group(if is_wanted { group::LIKELY } else { 0 })
        .detail(inferred.and_then(|it| readable_type(&it.type_, MAX_DETAIL_LENGTH)))
        .score(query.base + scope + near + fits + next + query.topic_score(&local.name))
        .weight(query.weight(&local.name, is_superseded) * query.use_weight(local));
    acc.add(candidate);
}

/// Returns the parameter after the last one that is used before the cursor.
fn next_parameter(cursor: &CursorContext<'_>, mentions: &FxHashMap<String, i64>) -> Option<String> {
    let definition = cursor.definition.as_ref()?.syntax();
    let list = definition
        .children()
        .find(|it| it.kind() == SyntaxKind::PARAMETER_LIST)?;
    if list.text_range().contains(cursor.offset) {
        return None;
    }
    let parameters = list.children().filter_map(Parameter::cast);
    let names: Vec<String> = parameters.filter_map(|it| it.name()).collect();
    let nearest = names
        .iter()
        .enumerate()
        .filter_map(|(at, it)| Some((*mentions.get(it)?, at)));
    let (_, at) = nearest.max()?;
    let unused = names.into_iter().skip(at + 1);
    unused.into_iter().find(|it| !mentions.contains_key(it))
}

fn with_sigil(name: &str, sigil: bool) -> String {
    match sigil {
        true => format!("${name}"),
        false => name.to_owned(),
    }
}

/// Scores how well a variable matches the expected name and type.
fn match_score(expected: Option<&ExpectedValue>, name: &str, inferred: Option<&Inferred>) -> i64 {
    let Some(expected) = expected else { return 0 };
    let mut points = 0;
    if let Some(wanted) = &expected.name {
        let mut parameters = source_parameters(name);
        if wanted == name || parameters.any(|it| it == wanted) {
            points += 8 * score::SAME_SCOPE;
        } else if name.ends_with(wanted.as_str()) && wanted.contains('_') {
            points += 5 * score::SAME_SCOPE;
        } else if name.ends_with(wanted.as_str()) || wanted.ends_with(name) {
            points += 3 * score::SAME_SCOPE;
        } else if name.contains(wanted.as_str()) {
            points += 2 * score::SAME_SCOPE;
        }
    }
    let is_a = inferred.zip(expected.type_.as_ref());
    match is_a.map(|(it, type_)| it.is_a(type_)) {
        Some(Some(true)) => points += score::SAME_SCOPE,
        Some(Some(false)) => points -= score::TYPE_MATCH,
        _ => {}
    }
    points
}

fn inferred_type(
    cursor: &CursorContext<'_>,
    local: &LocalVariable,
    infers_types: bool,
) -> Option<Inferred> {
    if infers_types && let Some(found) = cursor.inferred(local.range) {
        return Some(found.clone()).filter(|it| !it.type_.is_any());
    }
    let types = WorkspaceTypes::as_offered(cursor.db, cursor.environment);
    let expr = local.parameter.as_ref()?.type_expr()?;
    types.read(&expr).map(Inferred::of)
}

/// Returns the variables of the enclosing scopes that are defined before the cursor.
fn locals(cursor: &CursorContext<'_>) -> Vec<LocalVariable> {
    let mut found = Vec::new();
    let mut depth = 0;
    for scope in cursor.token.parent_ancestors() {
        let is_lambda = scope.kind() == SyntaxKind::LAMBDA;
        let is_file = matches!(scope.kind(), SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE);
        let is_definition = Definition::can_cast(scope.kind());
        if !is_lambda && !is_file && !is_definition {
            continue;
        }
        collect_scope(cursor, &scope, depth, &mut found);
        depth += 1;
        if !is_lambda {
            break;
        }
    }
    let assigned = assigned_around(cursor);
    found.retain(|it| it.depth > 0 || !assigned.contains(&it.name));
    found
}

/// Returns the names of the variables that get the value at the cursor. The value cannot read them, even if another
/// branch assigns them too.
fn assigned_around(cursor: &CursorContext<'_>) -> Vec<String> {
    let outer = cursor.token.parent_ancestors();
    let mut outer = outer.take_while(|it| it.kind() != SyntaxKind::LAMBDA);
    let assignment = outer.find_map(Assignment::cast);
    let is_value = |it: &Assignment| it.rhs().is_some_and(|it| cursor.is_within(it.syntax()));
    let assignment = assignment.filter(is_value);
    let variables = assignment.iter().flat_map(assigned_variables);
    let names = variables.map(|it| it.text().trim_start_matches('$').to_owned());
    names.collect()
}

/// Returns the names of the variables of the enclosing scopes that are defined before the cursor.
pub(super) fn local_names(cursor: &CursorContext<'_>) -> FxHashSet<String> {
    locals(cursor).into_iter().map(|it| it.name).collect()
}

fn collect_scope(
    cursor: &CursorContext<'_>,
    scope: &SyntaxNode,
    depth: i64,
    acc: &mut Vec<LocalVariable>,
) {
    let offset = cursor.offset;
    let mut open: Vec<SyntaxNode> = scope.children().collect();
    while let Some(node) = open.pop() {
        if node.text_range().start() >= offset {
            continue;
        }
        if let Some(parameter) = Parameter::cast(node.clone()) {
            // Its own default value cannot read it.
            if cursor.is_within(&node) {
                continue;
            }
            let name = parameter.name().filter(|it| !CursorContext::has_marker(it));
            if let (Some(name), Some(token)) = (name, parameter.variable()) {
                acc.push(LocalVariable {
                    name,
                    range: token.text_range(),
                    parameter: Some(parameter),
                    alias_of: None,
                    depth,
                });
            }
            continue;
        }
        if let Some(assignment) = Assignment::cast(node.clone()) {
            // A variable is not defined yet in the value assigned to it.
            let is_done = !cursor.is_within(&node);
            let value = match assignment.rhs() {
                Some(Expr::VariableExpr(it)) => it.name(),
                _ => None,
            };
            let targets = assigned_variables(&assignment).into_iter();
            acc.extend(targets.filter(|_| is_done).map(|it| LocalVariable {
                name: it.text().trim_start_matches('$').to_owned(),
                range: it.text_range(),
                parameter: None,
                alias_of: value.clone(),
                depth,
            }));
        }
        if node.kind() != SyntaxKind::LAMBDA && !Definition::can_cast(node.kind()) {
            open.extend(node.children());
        }
    }
}

/// Scores the variables mentioned before the cursor; nearer ones score higher.
fn mention_scores(cursor: &CursorContext<'_>) -> FxHashMap<String, i64> {
    /// The number of tokens to look back; code further away is hardly relevant.
    const MAX_TOKENS: usize = 600;
    let mut found = FxHashMap::default();
    let mut at = cursor.token.prev_token();
    let mut distance = 1.0_f64;
    for _ in 0..MAX_TOKENS {
        let Some(token) = at else { break };
        let is_declared = token
            .parent()
            .is_some_and(|it| it.kind() == SyntaxKind::PARAMETER);
        if token.kind() == SyntaxKind::VARIABLE && !is_declared {
            let name = token.text().trim_start_matches('$').to_owned();
            let points = 5.0 - 0.9 * distance.ln();
            let points = (points * score::SAME_SCOPE as f64) as i64;
            found.entry(name).or_insert(points.max(1));
            distance += 1.0;
        }
        at = token.prev_token();
    }
    found
}

/// Adds the variables that the enclosing class inherits.
fn add_inherited(acc: &mut Candidates<'_, '_>, query: &VariableQuery<'_>) {
    let db = acc.cursor.db;
    let Some(mut item) = acc.cursor.item else {
        return;
    };
    for depth in 0..10 {
        let parent = signature(db, item).inherits.clone();
        let found = parent
            .zip(acc.cursor.environment)
            .and_then(|(name, it)| find_item(db, it, ItemKind::Class, NameKey::new(db, name)));
        let Some(parent) = found else { return };
        for name in &own_variables(db, parent).names {
            let detail = format!("inherited from {}", parent.name(db));
            let subject = format!("{}::{name}", parent.name(db));
            let points = query.score(name) + score::SAME_SCOPE * (3 - depth).max(1);
            let candidate = Candidate::new(CompletionKind::Variable, with_sigil(name, query.sigil))
                .detail(Some(detail))
                .documentation_key(DocumentedKind::Variable, subject);
            acc.add(candidate.score(points));
        }
        item = parent;
    }
}

/// Adds a built-in variable; `bonus` is added to its score.
fn add_built_in(
    acc: &mut Candidates<'_, '_>,
    query: &VariableQuery<'_>,
    name: &str,
    type_: &str,
    bonus: i64,
) {
    let type_ = type_.split('[').next().unwrap_or_default();
    let (label, points) = top_scope_label(acc, query, name);
    let candidate = Candidate::new(CompletionKind::Variable, label)
        .detail(Some(type_.to_owned()))
        .documentation_key(DocumentedKind::Variable, name);
    acc.add(candidate.score(bonus + points));
}

/// Returns the label and score of a top-scope variable. Uses the leading `::` if it is typed or if
/// the code before the cursor writes the variable that way.
fn top_scope_label(
    acc: &Candidates<'_, '_>,
    query: &VariableQuery<'_>,
    name: &str,
) -> (String, i64) {
    let full = format!("::{name}");
    let habit = acc.typed.is_empty()
        && query.mention_scores.contains_key(&full)
        && !query.mention_scores.contains_key(name);
    if acc.typed.starts_with("::") || habit {
        let near = query
            .mention_scores
            .get(&full)
            .map_or(0, |it| it + 4 * score::SAME_SCOPE);
        return (with_sigil(&full, query.sigil), query.score(name) + near);
    }
    (with_sigil(name, query.sigil), query.score(name))
}

/// Checks whether a fact is a hash. It is never the whole word, since an index follows: whoever has typed `$::os` looks
/// for a longer name.
fn is_hash_fact(name: &str) -> bool {
    library::fact_parts(&[name]).next().is_some()
}

/// Adds the variables visible everywhere: facts and the variables of the main manifest.
fn add_top_scope(acc: &mut Candidates<'_, '_>, query: &VariableQuery<'_>) {
    let db = acc.cursor.db;
    let mut all: Vec<(String, CompletionKind, bool, bool)> = Vec::new();
    if let Some(environment) = acc.cursor.environment {
        for file in environment.manifests(db).iter() {
            for item in items(db, *file) {
                if matches!(item.kind(db), ItemKind::Main | ItemKind::Node) {
                    let names = own_variables(db, *item).names.iter();
                    let kind = CompletionKind::Variable;
                    all.extend(names.map(|it| (it.clone(), kind, false, false)));
                }
            }
        }
        let names = custom_facts(db, environment).keys();
        all.extend(names.map(|it| (it.clone(), CompletionKind::Key, false, false)));
    }
    let kind = CompletionKind::Key;
    all.extend(library::facts().map(|it| (it.name.clone(), kind, true, false)));
    let legacy = library::legacy_facts().map(|it| it.name.clone());
    let legacy = legacy.filter(|it| !it.contains('<'));
    all.extend(legacy.map(|it| (it, kind, true, true)));
    let assigned = assigned_around(acc.cursor);
    for (name, kind, is_known_fact, deprecated) in all {
        if kind == CompletionKind::Variable && assigned.contains(&name) {
            continue;
        }
        let used = acc.usage_score(UsageKind::TopScopeVariable, &name);
        // A fact that is not used this way is better read from `$facts`.
        let least = if deprecated {
            1
        } else {
            score::SAME_MODULE / 2
        };
        if is_known_fact && used < least && acc.cursor.environment.is_some() {
            continue;
        }
        let (label, points) = top_scope_label(acc, query, &name);
        let rare = -4 * score::SAME_SCOPE;
        let mut candidate = Candidate::new(kind, label).score(points + used + rare);
        if is_hash_fact(&name) {
            candidate.filter = Some(format!("{}[", candidate.label));
        }
        if kind == CompletionKind::Key {
            candidate = candidate.documentation_key(DocumentedKind::Fact, name);
        }
        // Facts of modules are read from `$facts` too.
        if kind == CompletionKind::Key && !is_known_fact && used == 0 {
            candidate = candidate.weight(BARE_CUSTOM_FACT);
        }
        candidate.deprecated = deprecated;
        candidate.is_variable = true;
        acc.add(candidate);
    }
}

/// Adds the variables of a class.
fn add_class_variables(acc: &mut Candidates<'_, '_>, query: &VariableQuery<'_>, class: &str) {
    let db = acc.cursor.db;
    let Some(environment) = acc.cursor.environment else {
        return;
    };
    let leading = typed_colons(acc);
    if class == "settings" {
        for it in library::variables().filter(|it| it.name.starts_with("settings::")) {
            let candidate =
                Candidate::new(CompletionKind::Variable, format!("{leading}{}", it.name));
            acc.add(candidate.documentation_key(DocumentedKind::Variable, it.name.clone()));
        }
    }
    let key = NameKey::new(db, class.to_ascii_lowercase());
    let mut at = find_item(db, environment, ItemKind::Class, key);
    for _ in 0..10 {
        let Some(item) = at else { return };
        let signature = signature(db, item);
        for name in &own_variables(db, item).names {
            let label = format!("{leading}{class}::{name}");
            let parameter = signature.parameter(name);
            let detail = parameter.and_then(|it| it.type_.clone());
            let points = query.qualified_score(&label);
            let candidate = Candidate::new(CompletionKind::Variable, label)
                .detail(detail)
                .weight(query.declared_weight(parameter))
                .documentation_key(
                    DocumentedKind::Variable,
                    format!("{}::{name}", item.name(db)),
                );
            acc.add(candidate.score(score::SAME_SCOPE + points));
        }
        let parent = signature.inherits.clone();
        at =
            parent.and_then(|it| find_item(db, environment, ItemKind::Class, NameKey::new(db, it)));
    }
}

/// Scores a class of the module by its relation to the enclosing definition.
fn namespace_score(cursor: &CursorContext<'_>, class: &str) -> i64 {
    let db = cursor.db;
    let Some(item) = cursor.item else {
        return 2 * score::SAME_SCOPE;
    };
    let own = item.name(db);
    let inherits = signature(db, item).inherits.as_deref() == Some(class);
    let is_outer = own
        .strip_prefix(class)
        .is_some_and(|it| it.starts_with("::"));
    match () {
        // Own variables are written without the class.
        () if own == class => -2 * score::SAME_SCOPE,
        () if inherits || is_outer => 4 * score::SAME_SCOPE,
        () => 2 * score::SAME_SCOPE,
    }
}

/// Checks whether the cursor is in the parameter list of its definition.
fn is_in_parameters(cursor: &CursorContext<'_>) -> bool {
    let mut outer = cursor.token.parent_ancestors();
    outer.any(|it| it.kind() == SyntaxKind::PARAMETER_LIST)
}

/// Checks whether a variable of a class `params` is the default of a parameter of the class above,
/// which other code reads instead.
fn is_default_of<'db>(
    variables: &impl Fn(&str) -> Option<&'db OwnVariables>,
    class: &str,
    name: &str,
) -> bool {
    let outer = class.strip_suffix("::params").and_then(variables);
    outer.is_some_and(|it| it.names.contains(name))
}

/// Adds the variables of classes by their qualified names: always those of the same module, and
/// those of other modules if the class name starts with the typed text.
fn add_qualified_variables(acc: &mut Candidates<'_, '_>, query: &VariableQuery<'_>) {
    let db = acc.cursor.db;
    let Some(environment) = acc.cursor.environment else {
        return;
    };
    let leading = typed_colons(acc);
    let typed = acc.typed.trim_start_matches("::").to_ascii_lowercase();
    let module = acc.cursor.file.module(db).map(|it| it.name(db).to_string());
    let in_parameters = is_in_parameters(acc.cursor);
    let own_variables_of = |class: &str| {
        let key = NameKey::new(db, class.to_owned());
        find_item(db, environment, ItemKind::Class, key).map(|it| own_variables(db, it))
    };
    for ((kind, class), found) in all_definitions(db, environment) {
        let is_ours = module.as_deref() == class.split("::").next();
        if *kind != ItemKind::Class || !(is_ours || !typed.is_empty() && class.starts_with(&typed))
        {
            continue;
        }
        // Own variables are not written with leading colons, unless the class is typed.
        if !leading.is_empty() && typed.len() < class.len() && acc.topic.is_definition(class) {
            continue;
        }
        let Some(item) = found.first() else { continue };
        for name in &own_variables(db, *item).names {
            let mut label = format!("{leading}{class}::{name}");
            // With nothing typed, follow the spelling used before the cursor.
            let full = format!("::{label}");
            if acc.typed.is_empty() && query.mention_scores.contains_key(&full) {
                label = full;
            }
            let mut points = query.qualified_score(&label);
            if is_ours {
                points += namespace_score(acc.cursor, class);
            }
            let is_default = !in_parameters && is_default_of(&own_variables_of, class, name);
            let subject = format!("{class}::{name}");
            // A parameter cannot be its own default.
            let is_own = in_parameters && acc.topic.is_definition(class);
            let declared = query.declared_weight(signature(db, *item).parameter(name));
            let weight = query.weight(&subject, is_default || is_own) * declared;
            let candidate = Candidate::new(CompletionKind::Variable, label)
                .documentation_key(DocumentedKind::Variable, subject)
                .weight(weight);
            acc.add(candidate.score(points));
        }
    }
}
