//! Checks the attributes of a resource together: those that exclude each other, and those that the
//! values of others require or rule out.
//!
//! The resources are collected while an item is inferred, and checked at its end, because resource
//! defaults also apply to the resources above them.

use syntax::TextRange;

use super::attributes::texts;
use super::declared_sets::{AttributeSet, DeclaredSet, DeclaredSets, SetAttribute, Setting};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::{alternatives, element_of, size_of};
use super::problem::TypeProblemKind;
use hir::resolve::Definition;
use library::signatures::{AttributeCondition, ResourceType};
use types::Type;

/// A rule about several attributes of a resource type.
enum Constraint {
    /// At most one of the attributes is set.
    Exclusive(&'static [&'static str]),
    /// The second condition does not hold together with the first one.
    Excludes(Condition, Condition),
    /// If the condition holds, one of the attributes is set.
    Requires(Condition, &'static [&'static str]),
    /// One of the attributes is set.
    NeedsOne(&'static [&'static str]),
    /// The attribute is not set if the condition holds.
    RulesOut(Condition, Condition),
    /// The attribute has no effect if the condition holds.
    Ignores(Condition, Condition),
}

/// A condition on the value of an attribute that is set.
struct Condition {
    attribute: &'static str,
    values: Values,
}

enum Values {
    Any,
    OneOf(&'static [&'static str]),
    NoneOf(&'static [&'static str]),
}

const fn set(attribute: &'static str) -> Condition {
    let values = Values::Any;
    Condition { attribute, values }
}

const fn one_of(attribute: &'static str, values: &'static [&'static str]) -> Condition {
    let values = Values::OneOf(values);
    Condition { attribute, values }
}

const fn none_of(attribute: &'static str, values: &'static [&'static str]) -> Condition {
    let values = Values::NoneOf(values);
    Condition { attribute, values }
}

const FILE_KINDS: &[&str] = &[
    "present",
    "absent",
    "file",
    "directory",
    "link",
    "true",
    "false",
];

const UNSET_TIME: &[&str] = &["absent", "*"];

/// A cron job with a special time has no other.
const fn not_special(attribute: &'static str) -> Constraint {
    Constraint::Excludes(
        none_of("special", &["absent"]),
        none_of(attribute, UNSET_TIME),
    )
}

/// Returns the mutually exclusive attributes of a resource type.
#[must_use]
pub fn exclusive_attributes(type_name: &str) -> &'static [&'static str] {
    let mut constraints = CONSTRAINTS.iter();
    let constraints = constraints.find(|it| it.0 == type_name);
    let mut constraints = constraints.iter().flat_map(|it| it.1);
    let found = constraints.find_map(|it| match it {
        Constraint::Exclusive(names) => Some(*names),
        _ => None,
    });
    found.unwrap_or_default()
}

/// From the methods `validate` of the types, and of attributes that depend on others.
const CONSTRAINTS: &[(&str, &[Constraint])] = &[
    (
        "augeas",
        &[
            Constraint::Requires(set("lens"), &["incl"]),
            Constraint::Requires(set("incl"), &["lens"]),
        ],
    ),
    (
        "cron",
        &[
            not_special("minute"),
            not_special("hour"),
            not_special("weekday"),
            not_special("month"),
            not_special("monthday"),
        ],
    ),
    (
        "file",
        &[
            Constraint::Exclusive(&["content", "source", "target"]),
            // Any other value is the target of a link.
            Constraint::RulesOut(none_of("ensure", FILE_KINDS), set("source")),
            Constraint::RulesOut(none_of("ensure", FILE_KINDS), set("content")),
            Constraint::Requires(one_of("recurse", &["remote"]), &["source"]),
            Constraint::Requires(one_of("ensure", &["link"]), &["target", "source"]),
            Constraint::Ignores(one_of("ensure", &["directory"]), set("content")),
            Constraint::Ignores(one_of("ensure", &["file", "directory"]), set("target")),
            Constraint::RulesOut(one_of("checksum", &["none"]), set("source")),
            Constraint::RulesOut(
                one_of("checksum", &["none", "ctime", "mtime"]),
                set("content"),
            ),
        ],
    ),
    (
        "mailalias",
        &[Constraint::Exclusive(&["recipient", "file"])],
    ),
    (
        "package",
        &[Constraint::RulesOut(
            one_of("ensure", &["absent", "purged"]),
            set("mark"),
        )],
    ),
    (
        "schedule",
        &[Constraint::RulesOut(
            one_of("periodmatch", &["number"]),
            none_of("repeat", &["1"]),
        )],
    ),
    (
        "ssh_authorized_key",
        &[Constraint::NeedsOne(&["user", "target"])],
    ),
    (
        "tidy",
        &[
            Constraint::Requires(set("matches"), &["recurse"]),
            Constraint::RulesOut(one_of("recurse", &["false", "0"]), set("matches")),
        ],
    ),
];

impl AttributeSet {
    /// Returns the attribute if a condition certainly holds.
    fn holds(&self, condition: &Condition) -> Option<&SetAttribute> {
        let Setting::Set(found) = self.get(condition.attribute) else {
            return None;
        };
        condition.values.contain(&found.value).then_some(found)
    }

    /// Checks whether a condition of the code of a type holds; `None` if that is unknown.
    fn fulfills(&self, type_: &ResourceType, condition: &AttributeCondition) -> Option<bool> {
        match condition {
            AttributeCondition::Set(name) => match self.get(name) {
                Setting::Set(it) => (it.value.is_a(&Type::BOOLEAN) == Some(false)).then_some(true),
                Setting::Unset => {
                    let attribute = type_.attributes.iter().find(|it| it.name == *name)?;
                    match (attribute.namevar, &attribute.default) {
                        (true, _) => Some(true),
                        (false, Some(_)) => None,
                        (false, None) => Some(false),
                    }
                }
                Setting::Unknown => None,
            },
            AttributeCondition::Equals(name, text) => match self.get(name) {
                Setting::Set(it) => {
                    let texts: Option<Vec<_>> =
                        alternatives(&it.value.type_).iter().map(texts).collect();
                    let texts: Vec<String> = texts?.into_iter().flatten().collect();
                    let is_equal = texts.first()? == text;
                    let mut others = texts.iter();
                    others
                        .all(|it| (it == text) == is_equal)
                        .then_some(is_equal)
                }
                Setting::Unset => {
                    let attribute = type_.attributes.iter().find(|it| it.name == *name)?;
                    let default = attribute.default.as_ref();
                    (!attribute.namevar).then(|| default == Some(text))
                }
                Setting::Unknown => None,
            },
            AttributeCondition::Not(inner) => self.fulfills(type_, inner).map(|it| !it),
            AttributeCondition::All(all) => self.combined(type_, all, false),
            AttributeCondition::Any(all) => self.combined(type_, all, true),
        }
    }

    /// Combines conditions: one with the value `decisive` decides the result.
    fn combined(
        &self,
        type_: &ResourceType,
        all: &[AttributeCondition],
        decisive: bool,
    ) -> Option<bool> {
        let all: Vec<_> = all.iter().map(|it| self.fulfills(type_, it)).collect();
        if all.contains(&Some(decisive)) {
            return Some(decisive);
        }
        all.iter().all(Option::is_some).then_some(!decisive)
    }
}

impl Values {
    /// Checks whether all possible values fit.
    fn contain(&self, value: &Inferred) -> bool {
        let (listed, wanted) = match self {
            Values::Any => return true,
            Values::OneOf(listed) => (listed, true),
            Values::NoneOf(listed) => (listed, false),
        };
        let fits = |it: &Type| match texts(it) {
            Some(texts) => texts
                .iter()
                .all(|it| listed.contains(&it.as_str()) == wanted),
            // Any number differs from listed words.
            None => {
                let is_word = |it: &&str| it.parse::<i64>().is_err();
                !wanted && matches!(it, Type::Integer(_)) && listed.iter().all(is_word)
            }
        };
        // Properties may be arrays of values.
        let is_empty = |it: &Type| size_of(it).min() == Some(0);
        let element = match element_of(&value.type_) {
            Some(_) if is_empty(&value.type_) => return false,
            element => element,
        };
        let all = alternatives(element.as_ref().unwrap_or(&value.type_));
        !all.is_empty() && all.iter().all(fits)
    }
}

impl InferenceContext<'_> {
    /// Notes a resource to check it at the end of the item.
    pub(super) fn declare_set(
        &mut self,
        type_: &ResourceType,
        title: TextRange,
        set: AttributeSet,
    ) {
        let type_name = type_.name.as_str();
        let is_constrained = CONSTRAINTS.iter().any(|it| it.0 == type_name);
        if !is_constrained && type_.refusals.is_empty() || self.is_suppressed() {
            return;
        }
        let declared = DeclaredSet {
            type_name: type_name.to_owned(),
            title,
            set,
        };
        // The body of a lambda may be inferred more than once: the last time counts.
        self.declared_sets.resources.insert(title, declared);
    }

    /// Notes resource defaults. Conditional ones may not apply.
    pub(super) fn declare_defaults(
        &mut self,
        type_name: &str,
        mut set: AttributeSet,
        is_conditional: bool,
    ) {
        if is_conditional {
            for it in &mut set.attributes {
                it.value = Inferred::UNKNOWN;
            }
        }
        let defaults = &mut self.declared_sets.defaults;
        defaults.push((type_name.to_owned(), set));
    }

    /// Checks the resources of the item.
    pub(super) fn check_declared_sets(&mut self) {
        let DeclaredSets {
            resources,
            defaults,
        } = std::mem::take(&mut self.declared_sets);
        for mut it in resources.into_values() {
            for (_, shared) in defaults.iter().filter(|shared| shared.0 == it.type_name) {
                it.set.add_defaults(shared);
            }
            let mut constraints = CONSTRAINTS.iter();
            let constraints = constraints.find(|all| all.0 == it.type_name);
            for constraint in constraints.iter().flat_map(|it| it.1) {
                self.check_constraint(&it, constraint);
            }
            if let Some(Definition::ResourceType(type_)) = self.resource_type(&it.type_name) {
                self.check_against(type_.file(), |this| {
                    this.check_refusals(&it, type_.declared())
                });
            }
        }
    }

    /// Checks the combinations of attributes that the code of the type refuses.
    fn check_refusals(&mut self, declared: &DeclaredSet, type_: &ResourceType) {
        let mut refusals = type_.refusals.iter();
        let refusal = refusals.find(|it| declared.set.fulfills(type_, &it.condition) == Some(true));
        let Some(refusal) = refusal else {
            return;
        };
        let names = refusal.condition.names().into_iter();
        let kind = TypeProblemKind::RefusedResource {
            type_name: declared.type_name.clone(),
            message: refusal.message.clone(),
            attributes: names.map(str::to_owned).collect(),
        };
        self.report_anywhere(declared.title, kind);
    }

    fn check_constraint(&mut self, declared: &DeclaredSet, constraint: &Constraint) {
        let set = &declared.set;
        match constraint {
            Constraint::Exclusive(names) => {
                let all = set.attributes.iter();
                let is_set = |it: &&SetAttribute| {
                    names.contains(&it.name.as_str())
                        && matches!(set.get(&it.name), Setting::Set(_))
                };
                let all: Vec<&SetAttribute> = all.filter(is_set).collect();
                if let [first, others @ ..] = all.as_slice() {
                    for other in others.iter().filter(|it| it.name != first.name) {
                        self.report_conflict(declared, first, other);
                    }
                }
            }
            Constraint::Excludes(first, second) => {
                if let (Some(first), Some(second)) = (set.holds(first), set.holds(second)) {
                    let position = |it: &SetAttribute| it.range.map(TextRange::start);
                    let is_first = position(first) <= position(second);
                    let (first, second) = if is_first {
                        (first, second)
                    } else {
                        (second, first)
                    };
                    self.report_conflict(declared, first, second);
                }
            }
            Constraint::Requires(condition, names) => {
                if let Some(found) = set.holds(condition)
                    && names.iter().all(|it| set.is_unset(it))
                {
                    let value = matches!(condition.values, Values::OneOf(_));
                    let kind = TypeProblemKind::MissingCompanion {
                        type_name: declared.type_name.clone(),
                        needed: names.iter().map(ToString::to_string).collect(),
                        attribute: Some(found.name.clone()),
                        value: value.then(|| found.value.type_.clone()),
                    };
                    self.report_anywhere(found.range.unwrap_or(declared.title), kind);
                }
            }
            Constraint::NeedsOne(names) => {
                if names.iter().all(|it| set.is_unset(it)) {
                    let kind = TypeProblemKind::MissingCompanion {
                        type_name: declared.type_name.clone(),
                        needed: names.iter().map(ToString::to_string).collect(),
                        attribute: None,
                        value: None,
                    };
                    self.report_anywhere(declared.title, kind);
                }
            }
            Constraint::RulesOut(condition, refused) => {
                if let (Some(found), Some(refused)) = (set.holds(condition), set.holds(refused)) {
                    let kind = TypeProblemKind::RuledOut {
                        type_name: declared.type_name.clone(),
                        attribute: refused.name.clone(),
                        by: found.name.clone(),
                        value: found.value.type_.clone(),
                    };
                    let range = refused.range.or(found.range).unwrap_or(declared.title);
                    self.report_anywhere(range, kind);
                }
            }
            Constraint::Ignores(condition, ignored) => {
                if let (Some(found), Some(ignored)) = (set.holds(condition), set.holds(ignored)) {
                    let kind = TypeProblemKind::Ignored {
                        attribute: ignored.name.clone(),
                        by: found.name.clone(),
                        value: found.value.type_.clone(),
                    };
                    let range = ignored.range.or(found.range).unwrap_or(declared.title);
                    self.report_anywhere(range, kind);
                }
            }
        }
    }

    fn report_conflict(
        &mut self,
        declared: &DeclaredSet,
        first: &SetAttribute,
        second: &SetAttribute,
    ) {
        let kind = TypeProblemKind::Conflict {
            attributes: [first.name.clone(), second.name.clone()],
            first: first.range,
        };
        let range = second.range.or(first.range).unwrap_or(declared.title);
        self.report_anywhere(range, kind);
    }
}
