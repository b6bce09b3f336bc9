//! Completes variables.

use rustc_hash::FxHashMap;
use syntax::ast::{AstNode, Definition, Parameter};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::super::cursor::Site;
use super::expected::Expected;
use super::names::typed_colons;
use super::usage::Used;
use super::{Candidate, Collector, CompletionKind, SubjectKind, score};
use hir::autoload::{NameKey, all_definitions, find_item};
use hir::outside::custom_facts;
use hir::variables::variables as own_variables;
use hir::{ItemKind, items, signature};
use infer::{Inferred, WorkspaceTypes};
use types::{Type, display_hover};

/// The maximum length of a type in the details of an item, in characters.
const MAX_DETAIL: usize = 80;

/// The maximum length in bytes of a definition that is inferred for the types of its variables.
const MAX_INFERRED: usize = 16 * 1024;

/// A local variable in scope.
struct Local {
    name: String,
    /// The range where it is assigned or declared.
    range: TextRange,
    parameter: Option<Parameter>,
    /// The number of scopes between the variable and the cursor.
    depth: i64,
}

/// Adds all variables; with `sigil`, including the dollar sign.
pub(super) fn variables(into: &mut Collector<'_, '_>, expected: Option<&Expected>, sigil: bool) {
    if sigil && !into.typed.is_empty() {
        return;
    }
    let near = mentions(into.site);
    let typed = into.typed.strip_prefix("::").unwrap_or(into.typed);
    if let Some((class, _)) = typed.rsplit_once("::") {
        of_class(into, class);
        return qualified_classes(into, &near);
    }
    // Variables are rare at the start of a statement and in place of a class name.
    let base = match expected {
        None => -10 * score::NEAR,
        Some(_) => 0,
    };
    let asked = Asked {
        expected,
        sigil,
        base,
        with_flow: expected.is_some() && into.site.len() <= MAX_INFERRED,
        near: &near,
    };
    if typed.len() == into.typed.len() {
        for local in locals(into.site) {
            add_local(into, &asked, &local);
        }
        inherited(into, &asked);
        if let Some(item) = into.site.item
            && matches!(item.kind(into.site.db), ItemKind::Class | ItemKind::Define)
        {
            add_top(into, &asked, "title", "String");
            add_top(into, &asked, "name", "String");
        }
    }
    for name in [
        "facts",
        "trusted",
        "module_name",
        "server_facts",
        "environment",
    ] {
        if let Some(it) = library::variable(name) {
            let type_ = it.type_.clone().unwrap_or_default();
            add_top(into, &asked, name, &type_);
        }
    }
    globals(into, &asked);
    if !sigil {
        qualified_classes(into, &near);
    }
}

/// Parameters of a variable completion.
struct Asked<'a> {
    expected: Option<&'a Expected>,
    /// Whether to insert the dollar sign.
    sigil: bool,
    base: i64,
    /// Whether to infer types; otherwise only declared types are used.
    with_flow: bool,
    /// The scores of the variables mentioned before the cursor.
    near: &'a FxHashMap<String, i64>,
}

impl Asked<'_> {
    /// Scores a variable by its name alone.
    fn points(&self, name: &str) -> i64 {
        let near = self.near.get(name).copied().unwrap_or(0);
        self.base + near + fitness(self.expected, name, None)
    }
}

fn add_local(into: &mut Collector<'_, '_>, asked: &Asked<'_>, local: &Local) {
    let inferred = known(into.site, local, asked.with_flow);
    let near = asked.near.get(local.name.as_str()).copied().unwrap_or(0);
    let fits = fitness(asked.expected, &local.name, inferred.as_ref());
    let kind = match local.parameter {
        Some(_) => CompletionKind::Parameter,
        None => CompletionKind::Variable,
    };
    let scope = score::NEAR * (5 - local.depth.min(3));
    let found = Candidate::new(kind, written(&local.name, asked.sigil))
        .detail(inferred.map(|it| detail(&it.type_)))
        .score(asked.base + scope + near + fits);
    into.add(found);
}

fn written(name: &str, sigil: bool) -> String {
    match sigil {
        true => format!("${name}"),
        false => name.to_owned(),
    }
}

fn detail(type_: &Type) -> String {
    base::shortened(&display_hover(type_), MAX_DETAIL)
}

/// Scores how well a variable matches the expected name and type.
fn fitness(expected: Option<&Expected>, name: &str, inferred: Option<&Inferred>) -> i64 {
    let Some(expected) = expected else { return 0 };
    let mut points = 0;
    if let Some(wanted) = &expected.name {
        if wanted == name {
            points += 8 * score::NEAR;
        } else if name.ends_with(wanted.as_str()) || wanted.ends_with(name) {
            points += 3 * score::NEAR;
        } else if name.contains(wanted.as_str()) {
            points += 2 * score::NEAR;
        }
    }
    let is_a = inferred.zip(expected.type_.as_ref());
    match is_a.map(|(it, type_)| it.is_a(type_)) {
        Some(Some(true)) => points += score::NEAR,
        Some(Some(false)) => points -= score::FITS,
        _ => {}
    }
    points
}

fn known(site: &Site<'_>, local: &Local, with_flow: bool) -> Option<Inferred> {
    if with_flow && let Some(found) = site.inferred(local.range) {
        return Some(found.clone()).filter(|it| !it.type_.is_any());
    }
    let types = WorkspaceTypes::new(site.db, site.environment);
    let expr = local.parameter.as_ref()?.type_expr()?;
    types.read(&expr).map(Inferred::of)
}

/// Returns the variables of the enclosing scopes that are defined before the cursor.
fn locals(site: &Site<'_>) -> Vec<Local> {
    let mut found = Vec::new();
    let mut depth = 0;
    for scope in site.token.parent_ancestors() {
        let is_lambda = scope.kind() == SyntaxKind::LAMBDA;
        let is_file = matches!(scope.kind(), SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE);
        let is_definition = Definition::can_cast(scope.kind());
        if !is_lambda && !is_file && !is_definition {
            continue;
        }
        in_scope(site, &scope, depth, &mut found);
        depth += 1;
        if !is_lambda {
            break;
        }
    }
    found
}

fn in_scope(site: &Site<'_>, scope: &SyntaxNode, depth: i64, into: &mut Vec<Local>) {
    let cursor = site.offset;
    let mut open: Vec<SyntaxNode> = scope.children().collect();
    while let Some(node) = open.pop() {
        if node.text_range().start() >= cursor {
            continue;
        }
        if let Some(parameter) = Parameter::cast(node.clone()) {
            let name = parameter.name().filter(|it| !Site::is_word(it));
            if let (Some(name), Some(token)) = (name, parameter.variable()) {
                into.push(Local {
                    name,
                    range: token.text_range(),
                    parameter: Some(parameter),
                    depth,
                });
            }
            continue;
        }
        if let Some(assignment) = syntax::ast::Assignment::cast(node.clone()) {
            // A variable is not defined yet in the value assigned to it.
            let is_done = !site.is_in(&node);
            let targets = syntax::ast::assigned_variables(&assignment).into_iter();
            into.extend(targets.filter(|_| is_done).map(|it| Local {
                name: it.text().trim_start_matches('$').to_owned(),
                range: it.text_range(),
                parameter: None,
                depth,
            }));
        }
        if node.kind() != SyntaxKind::LAMBDA && !Definition::can_cast(node.kind()) {
            open.extend(node.children());
        }
    }
}

/// Scores the variables mentioned before the cursor; nearer ones score higher.
fn mentions(site: &Site<'_>) -> FxHashMap<String, i64> {
    /// The number of tokens to look back; code further away is hardly relevant.
    const MAX_TOKENS: usize = 600;
    let mut found = FxHashMap::default();
    let mut at = site.token.prev_token();
    let mut left = score::NEAR - 1;
    for _ in 0..MAX_TOKENS {
        let Some(token) = at else { break };
        if token.kind() == SyntaxKind::VARIABLE {
            let name = token.text().trim_start_matches('$').to_owned();
            found.entry(name).or_insert(left);
            left -= 10_000;
        }
        at = token.prev_token();
    }
    found
}

/// Adds the variables that the enclosing class inherits.
fn inherited(into: &mut Collector<'_, '_>, asked: &Asked<'_>) {
    let db = into.site.db;
    let Some(mut item) = into.site.item else {
        return;
    };
    for depth in 0..10 {
        let parent = signature(db, item).inherits.clone();
        let found = parent
            .zip(into.site.environment)
            .and_then(|(name, it)| find_item(db, it, ItemKind::Class, NameKey::new(db, name)));
        let Some(parent) = found else { return };
        for name in &own_variables(db, parent).names {
            let detail = format!("inherited from {}", parent.name(db));
            let subject = format!("{}::{name}", parent.name(db));
            let points = asked.points(name) + score::NEAR * (3 - depth).max(1);
            let found = Candidate::new(CompletionKind::Variable, written(name, asked.sigil))
                .detail(Some(detail))
                .about(SubjectKind::Variable, subject);
            into.add(found.score(points));
        }
        item = parent;
    }
}

/// Adds a built-in variable.
fn add_top(into: &mut Collector<'_, '_>, asked: &Asked<'_>, name: &str, type_: &str) {
    let type_ = type_.split('[').next().unwrap_or_default();
    let (label, points) = global(into, asked, name);
    let found = Candidate::new(CompletionKind::Variable, label)
        .detail(Some(type_.to_owned()))
        .about(SubjectKind::Variable, name);
    into.add(found.score(2 * score::NEAR + points));
}

/// Returns the label and score of a top-scope variable. Uses the leading `::` if it is typed or if
/// the code before the cursor writes the variable that way.
fn global(into: &Collector<'_, '_>, asked: &Asked<'_>, name: &str) -> (String, i64) {
    let full = format!("::{name}");
    let habit =
        into.typed.is_empty() && asked.near.contains_key(&full) && !asked.near.contains_key(name);
    if into.typed.starts_with("::") || habit {
        let near = asked.near.get(&full).map_or(0, |it| it + 4 * score::NEAR);
        return (written(&full, asked.sigil), asked.points(name) + near);
    }
    (written(name, asked.sigil), asked.points(name))
}

/// Adds the variables visible everywhere: facts and the variables of the main manifest.
fn globals(into: &mut Collector<'_, '_>, asked: &Asked<'_>) {
    let db = into.site.db;
    let mut all: Vec<(String, CompletionKind, bool)> = Vec::new();
    if let Some(environment) = into.site.environment {
        for file in environment.manifests(db).iter() {
            for item in items(db, *file) {
                if matches!(item.kind(db), ItemKind::Main | ItemKind::Node) {
                    let names = own_variables(db, *item).names.iter();
                    all.extend(names.map(|it| (it.clone(), CompletionKind::Variable, false)));
                }
            }
        }
        let names = custom_facts(db, environment).keys();
        all.extend(names.map(|it| (it.clone(), CompletionKind::Key, false)));
    }
    all.extend(library::facts().map(|it| (it.name.clone(), CompletionKind::Key, false)));
    let legacy = library::legacy_facts().map(|it| it.name.clone());
    let legacy = legacy.filter(|it| !it.contains('<'));
    all.extend(legacy.map(|it| (it, CompletionKind::Key, true)));
    for (name, kind, deprecated) in all {
        let used = into.used(Used::Fact, &name);
        let (label, points) = global(into, asked, &name);
        let mut found = Candidate::new(kind, label).score(points + used);
        if kind == CompletionKind::Key {
            found = found.about(SubjectKind::Fact, name);
        }
        found.deprecated = deprecated;
        into.add(found);
    }
}

/// Adds the variables of a class.
fn of_class(into: &mut Collector<'_, '_>, class: &str) {
    let db = into.site.db;
    let Some(environment) = into.site.environment else {
        return;
    };
    let leading = typed_colons(into);
    if class == "settings" {
        for it in library::variables().filter(|it| it.name.starts_with("settings::")) {
            let found = Candidate::new(CompletionKind::Variable, format!("{leading}{}", it.name));
            into.add(found.about(SubjectKind::Variable, it.name.clone()));
        }
    }
    let near = mentions(into.site);
    let key = NameKey::new(db, class.to_ascii_lowercase());
    let mut at = find_item(db, environment, ItemKind::Class, key);
    for _ in 0..10 {
        let Some(item) = at else { return };
        let signature = signature(db, item);
        for name in &own_variables(db, item).names {
            let label = format!("{leading}{class}::{name}");
            let parameter = signature.parameter(name);
            let detail = parameter.and_then(|it| it.type_.clone());
            let points = near.get(&label).copied().unwrap_or(0);
            let found = Candidate::new(CompletionKind::Variable, label)
                .detail(detail)
                .about(SubjectKind::Variable, format!("{}::{name}", item.name(db)));
            into.add(found.score(score::NEAR + points));
        }
        let parent = signature.inherits.clone();
        at =
            parent.and_then(|it| find_item(db, environment, ItemKind::Class, NameKey::new(db, it)));
    }
}

/// Adds the variables of classes by their qualified names: always those of the same module, and
/// those of other modules if the class name starts with the typed text.
fn qualified_classes(into: &mut Collector<'_, '_>, near: &FxHashMap<String, i64>) {
    let db = into.site.db;
    let Some(environment) = into.site.environment else {
        return;
    };
    let leading = typed_colons(into);
    let typed = into.typed.trim_start_matches("::").to_ascii_lowercase();
    let module = into.site.file.module(db).map(|it| it.name(db).to_string());
    for ((kind, class), found) in all_definitions(db, environment) {
        let is_ours = module.as_deref() == class.split("::").next();
        if *kind != ItemKind::Class || !(is_ours || !typed.is_empty() && class.starts_with(&typed))
        {
            continue;
        }
        let Some(item) = found.first() else { continue };
        for name in &own_variables(db, *item).names {
            let mut label = format!("{leading}{class}::{name}");
            // With nothing typed, follow the spelling used before the cursor.
            let full = format!("::{label}");
            if into.typed.is_empty() && near.contains_key(&full) {
                label = full;
            }
            let points = near.get(&label).copied().unwrap_or(0);
            let ours = if is_ours { score::MODULE } else { 0 };
            let mentioned = if points > 0 { 4 * score::NEAR } else { 0 };
            let subject = format!("{class}::{name}");
            let found = Candidate::new(CompletionKind::Variable, label)
                .about(SubjectKind::Variable, subject);
            into.add(found.score(points + ours + mentioned));
        }
    }
}
