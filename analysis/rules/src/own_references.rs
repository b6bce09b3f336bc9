//! References to resources of a module that none of its code declares: titles with interpolations that differ from a
//! declared one in one letter, titles that contain the name of the module, and titles of types such as `exec`.

use base::FileInput;
use base::suggest::hint;
use std::cell::{OnceCell, RefCell};

use hir::autoload::NameKey;
use hir::body::ReferenceName;
use hir::canonical_name;
use hir::resolve::resource_type;
use hir::title_pattern::TitlePattern;
use library::KnownFunction;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{
    AccessExpr, AstNode, Expr, InterpolatedString, ResourceExpr, ResourceOverride, Segment,
};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::checker::{Checker, ItemFinding};
use crate::compiled::missing_resource::is_slip_of;
use crate::fixes::capitalized;
use crate::index::default_reach::is_loaded;
use crate::index::possible_titles::{is_computed_mentioned, is_mentioned, is_of_module};
use crate::index::usage_index::is_declared;
use crate::resource_attributes::declared_type;
use crate::rule::Rule;
use crate::wording;

/// The minimum length of the longest literal part of a title. A shorter one occurs in too many others.
const MIN_LENGTH: usize = 4;

/// The maximum number of declared titles that one is compared with.
const MAX_COMPARED: usize = 200;

/// The types of resources that other modules hardly refer to: their titles are those of the module itself.
const INTERNAL_TYPES: [&str; 4] = ["anchor", "concat::fragment", "exec", "file_line"];

/// A reference to a resource that no code declares.
struct OwnReference {
    range: TextRange,
    message: String,
}

/// A title, as the parts of a string.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Parts {
    /// The literal text, with a mark at the place of each interpolation.
    text: String,
    /// The source of the interpolations.
    interpolations: Vec<String>,
}

/// Stands for an interpolation.
const MARK: char = '\0';

impl Parts {
    fn of(string: &InterpolatedString) -> Parts {
        let mut text = String::new();
        let mut interpolations = Vec::new();
        for segment in string.segments() {
            match segment {
                Segment::Text(it) => text.push_str(&it),
                Segment::Interpolation(it) => {
                    let source = it.syntax().text().to_string();
                    let inner = source.trim_matches(['$', '{', '}', ' ']);
                    // The name of a resource is its title, unless the code sets another one.
                    let inner = if inner == "title" { "name" } else { inner };
                    interpolations.push(inner.to_owned());
                    text.push(MARK);
                }
            }
        }
        Parts {
            text,
            interpolations,
        }
    }

    fn longest(&self) -> &str {
        let parts = self.text.split(MARK);
        parts.max_by_key(|it| it.len()).unwrap_or_default()
    }
}

/// Reports the references that no code declares, except for those in ranges that were reported.
pub(crate) fn check(checker: &mut Checker<'_>, rule: &'static Rule, reported: &[TextRange]) {
    for found in undeclared(checker, reported) {
        let is_found =
            |it: &ItemFinding<'_>| it.code == rule.code && found.range.contains_range(it.range);
        if !checker.found().iter().any(is_found) {
            checker.report(rule, found.range, found.message);
        }
    }
}

fn undeclared(checker: &Checker<'_>, reported: &[TextRange]) -> Vec<OwnReference> {
    let file = checker.item.file(checker.db);
    let Some(module) = file.module(checker.db) else {
        return Vec::new();
    };
    if !is_loaded(checker) {
        return Vec::new();
    }
    let search = Search {
        checker,
        module: module.name(checker.db),
        declared: OnceCell::new(),
        tested: RefCell::default(),
    };
    let root = checker.root();
    let accesses = root.descendants().filter_map(AccessExpr::cast);
    let titles = accesses.flat_map(|it| {
        let keys = it.keys();
        keys.into_iter().map(move |key| (it.clone(), key))
    });
    let is_reported = |range: TextRange| {
        let mut reported = reported.iter();
        reported.any(|it| it.contains_range(range) || range.contains_range(*it))
    };
    let found = titles.filter_map(|(access, key)| {
        let found = search.undeclared(&access, &key)?;
        let is_open = !is_reported(found.range) && !search.is_tested(access.syntax());
        is_open.then_some(found)
    });
    found.collect()
}

/// Returns the type of the resources that an access names, in canonical form.
fn referred_type(checker: &Checker<'_>, access: &AccessExpr) -> Option<String> {
    let Some(Expr::QualifiedReference(base)) = access.base() else {
        return None;
    };
    let type_ = canonical_name(&base.syntax().text().to_string());
    let is_known = resource_type(checker.db, Some(checker.environment), &type_).is_ok();
    (type_ != "class" && is_known).then_some(type_)
}

/// The titles with interpolations of the resources of a type that the item declares.
#[derive(Default)]
struct DeclaredTitles {
    known: FxHashSet<Parts>,
    /// The first ones, with their sources.
    first: Vec<(Parts, String)>,
}

/// The search for undeclared references in an item.
struct Search<'c, 'db> {
    checker: &'c Checker<'db>,
    module: &'c str,
    /// The declared titles, by the types of the resources.
    declared: OnceCell<FxHashMap<String, DeclaredTitles>>,
    /// Whether a conditional or call around references tests whether resources exist.
    tested: RefCell<FxHashMap<SyntaxNode, bool>>,
}

impl Search<'_, '_> {
    fn undeclared(&self, access: &AccessExpr, key: &Expr) -> Option<OwnReference> {
        let type_ = referred_type(self.checker, access)?;
        match key {
            Expr::InterpolatedString(it) if key.plain_text().is_none() => self.computed(&type_, it),
            _ => self.literal(&type_, key),
        }
    }

    /// Checks whether code overrides a resource, or tests whether it exists.
    fn is_tested(&self, reference: &SyntaxNode) -> bool {
        let mut tested = self.tested.borrow_mut();
        let mut tests = |it: SyntaxNode| {
            let text = || it.text().to_string();
            let test = || text().contains(KnownFunction::Defined.name());
            *tested.entry(it.clone()).or_insert_with(test)
        };
        reference.ancestors().any(|it| match it.kind() {
            SyntaxKind::IF_EXPR | SyntaxKind::UNLESS_EXPR | SyntaxKind::CASE_EXPR => tests(it),
            SyntaxKind::CALL_EXPR | SyntaxKind::SELECTOR_EXPR => tests(it),
            _ => ResourceOverride::can_cast(it.kind()),
        })
    }

    /// Checks a literal title.
    fn literal(&self, type_: &str, title: &Expr) -> Option<OwnReference> {
        let (db, environment) = (self.checker.db, self.checker.environment);
        let text = title.plain_text()?;
        let key = |it: &str| NameKey::new(db, it.to_owned());
        let is_internal = INTERNAL_TYPES.contains(&type_) && !names_absent_module(self.checker);
        let is_own = is_internal || is_of_module(&text, self.module);
        let is_unknown = is_own
            && is_alone(self.checker)
            && !is_declared(db, environment, key(type_), key(&text))
            && !is_mentioned(db, environment, type_, &text);
        is_unknown.then(|| OwnReference {
            range: title.syntax().text_range(),
            message: format!("unknown resource `{}`", wording::reference(type_, &text)),
        })
    }

    /// Checks a title with interpolations.
    fn computed(&self, type_: &str, title: &InterpolatedString) -> Option<OwnReference> {
        let parts = Parts::of(title);
        let declared = self.declared.get_or_init(|| declared_titles(self.checker));
        let declared = declared.get(type_);
        if parts.longest().len() < MIN_LENGTH
            || declared.is_some_and(|it| it.known.contains(&parts))
        {
            return None;
        }
        let is_near = |(other, _): &&(Parts, String)| {
            other.interpolations == parts.interpolations && is_slip_of(&parts.text, &other.text)
        };
        let near = declared.and_then(|it| it.first.iter().find(is_near));
        let (db, environment) = (self.checker.db, self.checker.environment);
        let is_own = || is_of_module(&parts.text, self.module) && is_alone(self.checker);
        let pattern = TitlePattern::of_interpolated(title);
        if near.is_none() && !is_own()
            || is_computed_mentioned(db, environment, &pattern, parts.longest())
        {
            return None;
        }
        let near = near.map(|it| it.1.trim_matches('"'));
        let resource = format!("{}[{}]", capitalized(type_), title.syntax().text());
        Some(OwnReference {
            range: title.syntax().text_range(),
            message: format!("unknown resource `{resource}`{}", hint(near)),
        })
    }
}

/// Checks whether all code that may declare resources of a module is known, and none of it is a main manifest with code: with
/// one, the instances of defined types are compiled.
fn is_alone(checker: &Checker<'_>) -> bool {
    let mut manifests = checker.environment.manifests(checker.db).iter();
    let is_empty = |it: FileInput| {
        let root = base::parse(checker.db, it).syntax();
        root.children().next().is_none()
    };
    manifests.all(|it| is_empty(*it)) && checker.has_all_modules()
}

/// Checks whether an item names a class, function or variable of a module that is not installed, which may declare the
/// resources that it refers to.
fn names_absent_module(checker: &Checker<'_>) -> bool {
    let modules = checker.environment.modules(checker.db);
    let mut references = checker.body.references.iter();
    references.any(|it| {
        let name = match &it.name {
            ReferenceName::Class(name, _)
            | ReferenceName::Variable(name)
            | ReferenceName::ResourceType(name)
            | ReferenceName::Function(name) => name,
            _ => return false,
        };
        let name = name.trim_start_matches("::").split_once("::");
        name.is_some_and(|it| !modules.contains_key(it.0) && it.0 != SETTINGS)
    })
}

/// The namespace of the variables for the settings of Puppet.
const SETTINGS: &str = "settings";

/// Returns the titles with interpolations of the resources that the item declares, by their types.
fn declared_titles(checker: &Checker<'_>) -> FxHashMap<String, DeclaredTitles> {
    let mut found: FxHashMap<String, DeclaredTitles> = FxHashMap::default();
    for resource in checker.root().descendants().filter_map(ResourceExpr::cast) {
        let Some(type_) = declared_type(&resource) else {
            continue;
        };
        let titles = resource.bodies().filter_map(|it| it.title());
        let each = titles.flat_map(|it| match it {
            Expr::ArrayExpr(it) => it.elements().collect(),
            _ => vec![it],
        });
        for title in each {
            let Expr::InterpolatedString(title) = title else {
                continue;
            };
            let of_type = found.entry(type_.clone()).or_default();
            let parts = Parts::of(&title);
            if of_type.first.len() < MAX_COMPARED {
                let source = title.syntax().text().to_string();
                of_type.first.push((parts.clone(), source));
            }
            of_type.known.insert(parts);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::rules::UNKNOWN_REFERENCE;
    use crate::testing::reported;

    fn in_define(code: &str) -> Vec<String> {
        let code = format!(
            "//- modules/web/manifests/init.pp\ndefine web ($dir, $x) {{\n\
             exec {{ \"create-site-${{name}}\": command => '/x' }}\n\
             file {{ [\"${{dir}}/${{name}}/logs\", \"/srv/${{x}}\"]: }}\n{code}\n}}\n\
             //- modules/web/manifests/other.pp\nclass web::other {{ notice('web-known', \"web/known/${{x}}\") }}\n"
        );
        reported(&UNKNOWN_REFERENCE, &code)
    }

    #[test]
    fn reports_computed_titles_that_nearly_are_those_of_the_same_code() {
        for (reference, expected) in [
            (
                "Exec[\"create_site-${name}\"]",
                "`\"create_site-${name}\"`: unknown resource `Exec[\"create_site-${name}\"]`; \
                 did you mean `create-site-${name}`?",
            ),
            (
                "File[\"${dir}/${title}/log\"]",
                "`\"${dir}/${title}/log\"`: unknown resource `File[\"${dir}/${title}/log\"]`; \
                 did you mean `${dir}/${name}/logs`?",
            ),
        ] {
            let code = format!("notify {{ 'a': require => {reference} }}");
            assert_eq!(in_define(&code), [expected], "{reference}");
        }
    }

    #[test]
    fn reports_titles_of_the_module_that_occur_nowhere() {
        for (reference, expected) in [
            (
                "Package['web-server']",
                "`'web-server'`: unknown resource `Package['web-server']`",
            ),
            (
                "Exec['stop-all']",
                "`'stop-all'`: unknown resource `Exec['stop-all']`",
            ),
            (
                "Exec[\"web/stop/${name}\"]",
                "`\"web/stop/${name}\"`: unknown resource `Exec[\"web/stop/${name}\"]`",
            ),
        ] {
            let code = format!("{reference} -> Exec[\"create-site-${{name}}\"]");
            assert_eq!(in_define(&code), [expected], "{reference}");
        }
    }

    #[test]
    fn accepts_titles_that_code_may_declare() {
        for reference in [
            "Exec[\"create-site-${title}\"]",
            "File[\"${dir}/${name}/${x}\"]",
            "File[\"${dir}/${x}/log\"]",
            "File[\"/srv/${name}\"]",
            "Package['web']",
            "Package['apache']",
            "Package['web-known']",
            "Exec[\"web/known/${name}\"]",
            "Exec[\"website-${name}\"]",
            "Exec[$x]",
        ] {
            let code = format!("notify {{ 'a': require => {reference} }}");
            assert_eq!(in_define(&code), [""; 0], "{reference}");
        }
        for code in [
            "if defined(Package['web-server']) { Package['web-server'] -> Notify['a'] }",
            "file { $x: } $y = \"create_site-${x}\" Exec[\"create_site-${name}\"] -> Notify['a']",
            "Package['web-server'] -> Notify['a'] package { 'web-server': }",
        ] {
            assert_eq!(in_define(code), [""; 0], "{code}");
        }
    }
}
