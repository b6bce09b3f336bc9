//! Attributes that are passed as hashes: after `* =>`, and by `create_resources`.

use syntax::TextRange;
use syntax::ast::{AstNode, Expr, HashEntry};
use syntax::validation::PuppetVersion;

use super::calls::{Call, known_string};
use super::declared_sets::{AttributeSet, SetAttribute};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::problem::{AttributeOwner, TypeProblemKind, ValueTarget};
use super::{declared_parameters, needed_parameters};
use hir::resolve::Definition;
use hir::{Item, signature};
use library::KnownFunction as F;
use library::signatures::ResourceType;
use types::values::Value;
use types::{StructType, Type};

/// An entry of a hash whose key is known.
struct Entry {
    name: String,
    value: Inferred,
    /// The range of the key, or of the whole hash if it is not a literal.
    key: TextRange,
    /// The value, or the whole hash.
    expr: Expr,
}

impl<'db> InferenceContext<'db> {
    /// Checks the attributes in a hash. `declares` states whether they belong to a declaration that
    /// is always evaluated.
    pub(super) fn hash_attributes(
        &mut self,
        definition: Option<&Definition<'db>>,
        hash: &Expr,
        value: &Inferred,
        declares: bool,
    ) {
        self.hash_attributes_if(definition, hash, value, |_| declares);
    }

    /// Checks the attributes in a hash. `declares` states for a name whether its value belongs to a
    /// declaration that is always evaluated.
    fn hash_attributes_if(
        &mut self,
        definition: Option<&Definition<'db>>,
        hash: &Expr,
        value: &Inferred,
        declares: impl Fn(&str) -> bool,
    ) {
        let Some(definition) = definition else {
            return;
        };
        for it in &entries(hash, value).0 {
            self.check_entry(definition, it, declares(&it.name));
        }
    }

    fn check_entry(&mut self, definition: &Definition<'db>, entry: &Entry, declares: bool) {
        if self.check_attribute_name(definition, &entry.name, entry.key) {
            return;
        }
        let (name, expr, value) = (&entry.name, &entry.expr, &entry.value);
        match definition {
            Definition::Item(item) => self.parameter_of(*item, name, expr, value, declares),
            Definition::ResourceType(type_) => {
                self.listed_value(type_.declared(), name, expr, value);
            }
            _ => {}
        }
    }

    /// Checks the attributes that the operands of `+` add to a hash whose entries are not known.
    pub(super) fn sum_attributes(
        &mut self,
        definition: Option<&Definition<'db>>,
        sum: &Expr,
        value: &Inferred,
    ) {
        let (known, is_complete) = entries(sum, value);
        let is_sum = matches!(sum, Expr::BinaryExpr(_) | Expr::ParenExpr(_));
        if let Some(definition) = definition
            && known.is_empty()
            && !is_complete
            && is_sum
        {
            self.summand_attributes(definition, sum, true);
        }
    }

    /// Checks the attributes that an operand of `+` adds to a hash with unknown ones: names certainly remain, and so do
    /// the values of the last operand.
    fn summand_attributes(&mut self, definition: &Definition<'db>, hash: &Expr, is_last: bool) {
        match hash {
            Expr::ParenExpr(it) => {
                if let Some(inner) = it.expr() {
                    self.summand_attributes(definition, &inner, is_last);
                }
            }
            Expr::BinaryExpr(it) if it.operator().is_some_and(|it| it.text() == "+") => {
                let operands = [(it.lhs(), false), (it.rhs(), is_last)];
                for (operand, is_last) in operands {
                    if let Some(operand) = operand {
                        self.summand_attributes(definition, &operand, is_last);
                    }
                }
            }
            _ => {
                let Some(value) = self.recorded(hash).cloned() else {
                    return;
                };
                for it in &entries(hash, &value).0 {
                    match is_last {
                        true => self.check_entry(definition, it, false),
                        false => drop(self.check_attribute_name(definition, &it.name, it.key)),
                    }
                }
            }
        }
    }

    /// Reports an attribute that a class or type lacks, and returns whether it does.
    pub(super) fn check_attribute_name(
        &mut self,
        definition: &Definition<'db>,
        name: &str,
        range: TextRange,
    ) -> bool {
        let Some(owner) = unknown_in(self.db, definition, name) else {
            return false;
        };
        let file = match definition {
            Definition::Item(item) => Some(item.file(self.db)),
            Definition::ResourceType(type_) => type_.file(),
            _ => None,
        };
        let name = name.to_owned();
        let kind = TypeProblemKind::UnknownAttribute { owner, name };
        self.check_against(file, |it| it.report(range, kind));
        true
    }

    /// Checks the resources that `create_resources` declares.
    pub(super) fn check_created_resources(&mut self, call: &Call, expr: &Expr) {
        let (Some(type_), false) = (
            call.arguments.first().and_then(known_string),
            call.has_unknown_splat,
        ) else {
            return;
        };
        let Some((instances, value)) = argument(call, expr, 1) else {
            return;
        };
        let defaults = argument(call, expr, 2);
        for (name, given) in [
            ("instances", Some(&(instances.clone(), value.clone()))),
            ("defaults", defaults.as_ref()),
        ] {
            if let Some((expr, value)) = given
                && value.is_a(&Type::any_hash()) == Some(false)
                && !value.is_never()
            {
                let kind = TypeProblemKind::Mismatch {
                    what: ValueTarget::Argument(call.name.clone(), name.to_owned()),
                    expected: Type::any_hash(),
                    actual: value.type_.clone(),
                };
                return self.report(expr.syntax().text_range(), kind);
            }
        }
        let name = type_.trim_start_matches('@').to_ascii_lowercase();
        let is_class = name == "class";
        let declares = !type_.starts_with('@');
        let type_definition = (!is_class).then(|| self.resource_type(&name)).flatten();
        let (titles, _) = entries(&instances, &value);
        self.check_instances(call, "instances", &titles, &Type::any_hash());
        if let Some((expr, value)) = &defaults {
            let keeps = |name: &str| {
                let has = |it: &Entry| {
                    let (given, is_complete) = entries(&it.expr, &it.value);
                    !is_complete || given.iter().any(|it| it.name == name)
                };
                titles.iter().all(has)
            };
            self.hash_attributes_if(type_definition.as_ref(), expr, value, |it| !keeps(it));
        }
        if let Some(definition) = &type_definition {
            let computed = self.computed_entries(&instances, &value);
            self.check_computed(definition, &computed, defaults.as_ref(), declares);
        }
        for title in &titles {
            if is_class {
                let name = Inferred::value(Value::from(title.name.as_str()));
                self.check_computed_classes(&name, title.key);
            }
            let definition = match is_class {
                true => self.class(&title.name),
                false => type_definition.clone(),
            };
            self.hash_attributes(definition.as_ref(), &title.expr, &title.value, declares);
            if let (Some(Definition::Item(item)), true, false) = (&definition, declares, is_class) {
                self.check_required(*item, title, defaults.as_ref());
            }
            if let Some(Definition::ResourceType(type_)) = &definition {
                self.created_title(type_.declared(), title, defaults.as_ref());
                let mut set = hash_set(&title.expr, &title.value);
                if let Some((expr, value)) = &defaults {
                    set.add_defaults(&hash_set(expr, value));
                }
                self.declare_set(type_.declared(), title.key, set);
            }
        }
    }

    /// Checks the attributes of resources whose titles are computed.
    fn check_computed(
        &mut self,
        definition: &Definition<'db>,
        titles: &[Entry],
        defaults: Option<&(Expr, Inferred)>,
        declares: bool,
    ) {
        for title in titles {
            self.hash_attributes(Some(definition), &title.expr, &title.value, declares);
            if let (Definition::Item(item), true) = (definition, declares) {
                self.check_required(*item, title, defaults);
            }
        }
    }

    /// Returns the entries of a literal hash with a computed key, without their names: the type of such a hash does not
    /// contain its entries.
    fn computed_entries(&self, hash: &Expr, value: &Inferred) -> Vec<Entry> {
        let is_known =
            value.value.is_some() || matches!(value.type_, Type::Struct(_) | Type::Variant(_));
        let (Expr::HashExpr(literal), false) = (hash, is_known) else {
            return Vec::new();
        };
        let entries = literal.entries().filter_map(|it| {
            let (key, expr) = (it.key()?, it.value()?);
            Some(Entry {
                name: String::new(),
                value: self.recorded(&expr)?.clone(),
                key: key.syntax().text_range(),
                expr,
            })
        });
        entries.collect()
    }

    /// Reports titles in an argument whose attributes do not have a type.
    fn check_instances(
        &mut self,
        call: &Call,
        argument: &str,
        titles: &[Entry],
        attributes: &Type,
    ) {
        for title in titles {
            if title.value.is_a(attributes) == Some(false) && !title.value.is_never() {
                let kind = TypeProblemKind::Mismatch {
                    what: ValueTarget::Argument(call.name.clone(), argument.to_owned()),
                    expected: Type::hash(Type::STRING, attributes.clone(), None),
                    actual: title.value.type_.clone(),
                };
                self.report(title.expr.syntax().text_range(), kind);
            }
        }
    }

    /// Checks the resources that `ensure_packages`, `ensure_resource` and `ensure_resources` of stdlib
    /// declare, unless they are declared already.
    pub(super) fn check_ensured_resources(&mut self, call: &Call, expr: &Expr) {
        let ensures = |it: &F| {
            matches!(
                it,
                F::EnsurePackages | F::EnsureResource | F::EnsureResources
            )
        };
        let Some(known) = call.known().filter(ensures) else {
            return;
        };
        if call.has_unknown_splat {
            return;
        }
        let (definition, start) = match known {
            F::EnsurePackages => (self.resource_type("package"), 0),
            _ => {
                let Some(type_) = call.arguments.first().and_then(known_string) else {
                    return;
                };
                (self.resource_type(&type_.to_ascii_lowercase()), 1)
            }
        };
        let Some(titles) = argument(call, expr, start) else {
            return;
        };
        if known == F::EnsureResource {
            self.check_title_is_no_hash(call, &titles);
        }
        let shared = argument(call, expr, start + 1);
        if let Some((hash, value)) = &shared {
            self.hash_attributes(definition.as_ref(), hash, value, false);
        }
        let Some(Definition::ResourceType(type_)) = &definition else {
            return;
        };
        let type_ = type_.declared();
        let defaults = shared.as_ref().map(|it| hash_set(&it.0, &it.1));
        let defaults = defaults.unwrap_or_default();
        let has_attributes = known == F::EnsureResources
            || known == F::EnsurePackages && titles.1.is_a(&Type::any_hash()) == Some(true);
        let named = match has_attributes {
            true => entries(&titles.0, &titles.1).0,
            false => titled(&titles.0, &titles.1),
        };
        if known == F::EnsurePackages && has_attributes {
            let attributes = Type::optional(Type::any_hash());
            self.check_instances(call, "packages", &named, &attributes);
        }
        for title in &named {
            let mut set = defaults.clone();
            if has_attributes {
                self.hash_attributes(definition.as_ref(), &title.expr, &title.value, false);
                set = hash_set(&title.expr, &title.value);
                set.add_defaults(&defaults);
            }
            self.created_title(type_, title, shared.as_ref());
            self.declare_set(type_, title.key, set);
        }
    }

    /// Reports a hash as the title: Puppet declares one resource, whose title is the text of the hash.
    fn check_title_is_no_hash(&mut self, call: &Call, (title, value): &(Expr, Inferred)) {
        if value.is_never() || value.is_a(&Type::any_hash()) != Some(true) {
            return;
        }
        let kind = TypeProblemKind::UnusableValue {
            what: ValueTarget::Argument(call.name.clone(), "title".to_owned()),
            description: "a title or an array of titles".to_owned(),
            actual: Type::any_hash(),
        };
        self.report(title.syntax().text_range(), kind);
    }

    /// Reports required parameters of a defined type that neither a resource nor the defaults set.
    fn check_required(
        &mut self,
        item: Item<'db>,
        title: &Entry,
        defaults: Option<&(Expr, Inferred)>,
    ) {
        let (given, is_complete) = entries(&title.expr, &title.value);
        let (shared, shared_complete) =
            defaults.map_or((Vec::new(), true), |it| entries(&it.0, &it.1));
        if !is_complete || !shared_complete || title.value.is_a(&Type::any_hash()) != Some(true) {
            return;
        }
        let is_given = |name: &str| given.iter().chain(&shared).any(|it| it.name == name);
        for parameter in needed_parameters(self.db, item) {
            if !is_given(&parameter.name) {
                let kind = TypeProblemKind::MissingAttribute {
                    owner: item.name(self.db).clone(),
                    name: parameter.name.clone(),
                };
                self.report(title.key, kind);
            }
        }
    }

    /// Checks the title as the value of the attribute that it sets.
    fn created_title(
        &mut self,
        type_: &ResourceType,
        title: &Entry,
        defaults: Option<&(Expr, Inferred)>,
    ) {
        let mut namevars = type_.attributes.iter().filter(|it| it.namevar);
        let (Some(namevar), None) = (namevars.next(), namevars.next()) else {
            return;
        };
        let Some(accepts) = &namevar.accepts else {
            return;
        };
        let may_set = |hash: &Expr, value: &Inferred| {
            let (all, is_complete) = entries(hash, value);
            !is_complete || all.iter().any(|it| namevar.is_set_by(&it.name))
        };
        if may_set(&title.expr, &title.value) || defaults.is_some_and(|it| may_set(&it.0, &it.1)) {
            return;
        }
        let target = ValueTarget::Namevar(type_.name.clone(), namevar.name.clone());
        let value = Inferred::value(Value::from(title.name.as_str()));
        let before = self.problems.len();
        self.accepted_value(&target, accepts, &title.expr, &value);
        for problem in self.problems.iter_mut().skip(before) {
            problem.range = title.key;
        }
    }
}

/// Returns the owner of an attribute if it certainly lacks it.
fn unknown_in(
    db: &dyn salsa::Database,
    definition: &Definition<'_>,
    name: &str,
) -> Option<AttributeOwner> {
    if name == "name" || library::metaparameter(name).is_some() {
        return None;
    }
    match definition {
        Definition::Item(item) => {
            let kind = item.kind(db);
            let is_known = declared_parameters(db, *item).iter().any(|it| it.0 == name);
            let known = signature(db, *item).parameters.iter();
            (!is_known).then(|| AttributeOwner {
                name: item.name(db).clone(),
                kind: Some(kind).filter(|it| it.is_declarable()),
                known: known.map(|it| it.name.clone()).collect(),
            })
        }
        Definition::ResourceType(type_) => {
            let type_ = type_.declared();
            let mut attributes = type_.attributes.iter();
            let shipped = library::resource_type(&type_.name, PuppetVersion::V8);
            let has_none = shipped.is_some_and(|it| it.providers.is_empty());
            let has_providers = |it: &str| it == "provider" && !has_none;
            let is_known =
                !type_.complete || attributes.any(|it| it.name == name) || has_providers(name);
            (!is_known).then(|| AttributeOwner {
                name: type_.name.clone(),
                kind: None,
                known: type_.attributes.iter().map(|it| it.name.clone()).collect(),
            })
        }
        _ => None,
    }
}

/// Returns the titles of resources that share their attributes, as entries of an empty hash.
fn titled(expr: &Expr, titles: &Inferred) -> Vec<Entry> {
    let titles: Vec<String> = match &titles.value {
        Some(Value::String(it)) => vec![it.to_string()],
        Some(Value::Array(all)) => {
            let all = all.iter().filter_map(Value::as_str);
            all.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let entry = |name| Entry {
        name,
        value: Inferred::value(Value::hash([])),
        key: expr.syntax().text_range(),
        expr: expr.clone(),
    };
    titles.into_iter().map(entry).collect()
}

/// Returns the attributes in a hash.
pub(super) fn hash_set(hash: &Expr, value: &Inferred) -> AttributeSet {
    let (entries, is_complete) = entries(hash, value);
    let attributes = entries.into_iter().map(|it| SetAttribute {
        name: it.name,
        value: it.value,
        range: Some(it.key),
    });
    AttributeSet {
        attributes: attributes.collect(),
        is_open: !is_complete,
    }
}

/// Returns the entries that a hash certainly has, and whether these are all of them.
fn entries(hash: &Expr, value: &Inferred) -> (Vec<Entry>, bool) {
    let literal = literal_entries(hash);
    let whole = hash.syntax().text_range();
    let entry = |name: &str, value: Inferred| {
        let written = literal.iter().find(|it| it.0 == name);
        Entry {
            name: name.to_owned(),
            value,
            key: written.map_or(whole, |it| it.1),
            expr: written.map_or_else(|| hash.clone(), |it| it.2.clone()),
        }
    };
    match (&value.value, &value.type_.resolved()) {
        (Some(Value::Hash(all)), _) => {
            let named = all.iter().filter_map(|(key, value)| {
                Some(entry(key.as_str()?, Inferred::value(value.clone())))
            });
            let named: Vec<Entry> = named.collect();
            let is_complete = named.len() == all.iter().count();
            (named, is_complete)
        }
        (_, Type::Struct(all)) => {
            let certain = all.elements().iter().filter(|it| !it.is_optional());
            let named: Vec<Entry> = certain
                .map(|it| entry(&it.name, Inferred::of(it.value.clone())))
                .collect();
            let is_complete = named.len() == all.elements().len();
            (named, is_complete)
        }
        (_, Type::Variant(all)) => {
            let all = all.iter().map(|it| match it {
                Type::Struct(it) => Some(&**it),
                _ => None,
            });
            let all: Vec<&StructType> = all.collect::<Option<_>>().unwrap_or_default();
            (
                in_all(&all)
                    .map(|(name, value)| entry(name, value))
                    .collect(),
                false,
            )
        }
        _ => (Vec::new(), false),
    }
}

/// Returns the entries that all of several hashes have.
fn in_all<'t>(all: &'t [&StructType]) -> impl Iterator<Item = (&'t str, Inferred)> {
    let (first, others) = all
        .split_first()
        .map_or((None, all), |it| (Some(it.0), it.1));
    let names = first
        .into_iter()
        .flat_map(|it| it.elements())
        .map(|it| &*it.name);
    names.filter_map(move |name| {
        let of = |it: &StructType| it.get(name).filter(|it| !it.is_optional()).cloned();
        let values = first
            .into_iter()
            .chain(others)
            .map(|it| of(it).map(|it| it.value));
        let values: Vec<Type> = values.collect::<Option<_>>()?;
        Some((name, Inferred::of(Type::variant(values))))
    })
}

/// Returns the keys of a hash literal, with their ranges and values.
fn literal_entries(hash: &Expr) -> Vec<(String, TextRange, Expr)> {
    let entries: Vec<HashEntry> = match hash {
        Expr::HashExpr(it) => it.entries().collect(),
        Expr::UnbracedHash(it) => it.entries().collect(),
        _ => Vec::new(),
    };
    let named = entries.iter().filter_map(|it| {
        let (key, value) = (it.key()?, it.value()?);
        let name = match &key {
            Expr::StringLiteral(it) => it.value(),
            Expr::QualifiedName(it) => it.text(),
            _ => return None,
        };
        Some((name, key.syntax().text_range(), value))
    });
    named.collect()
}

/// Returns an argument of a call, and its value.
fn argument(call: &Call, expr: &Expr, index: usize) -> Option<(Expr, Inferred)> {
    let value = call.arguments.get(index)?.clone();
    Some((expr_at(expr, *call.ranges.get(index)?)?, value))
}

/// Returns the argument at a range.
fn expr_at(call: &Expr, range: TextRange) -> Option<Expr> {
    let mut nodes = call.syntax().descendants().filter_map(Expr::cast);
    nodes.find(|it| it.syntax().text_range() == range)
}
