//! The width of inferred types: how often the type that is inferred for an expression is as narrow as
//! the values that the real Puppet had there.
//!
//! An expression is a range of a file; a parameter and an assigned variable are expressions of their
//! own. Everything that Puppet had there, over all classes and fact sets of a recording, is joined
//! into one type. Values of the lenient mode only count where strict mode has none.
//!
//! * An inferred type is *exactly* as narrow if it is within the union of the exact types of the
//!   values (`Enum['a', 'b']` if only these two were seen), or a constant.
//! * It is as narrow *in general* if it is after both are generalized: without values, ranges, sizes
//!   and titles, arrays and hashes with one type for all elements ([`Shape`]). If only empty
//!   collections were seen, any type of elements is as narrow.
//!
//! An expression without an inferred type is not as narrow. A parameter without a declared type can
//! have any value, so that neither it nor its uses can have a narrower type: they are kinds of their
//! own, and [`is_open`] separates them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use analysis::ide::TypedRangeKind;
use analysis::library;
use analysis::types::precise::{union, within};
use analysis::types::{Type, display, reader};
use syntax::TextRange;
use syntax::ast::{self, AstNode, Definition, Expr, HasName, HasParameters};

use crate::corpus::dialect;
use crate::tally::Tally;
use crate::traces::{AnyResource, TraceInferences, TraceRecord};

/// The depth of nested types beyond which everything is unknown.
const MAX_DEPTH: u32 = 6;

/// A generalized type: the kinds of values that it has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    is_any: bool,
    kinds: BTreeSet<String>,
    /// The elements of arrays, if it has arrays.
    elements: Option<Box<Shape>>,
    /// The keys and values of hashes, if it has hashes.
    entries: Option<Box<(Shape, Shape)>>,
    sensitive: Option<Box<Shape>>,
}

impl Shape {
    /// Generalizes a type.
    pub fn of(type_: &Type) -> Shape {
        let mut shape = Shape::default();
        shape.add(type_, MAX_DEPTH);
        shape
    }

    fn any() -> Shape {
        Shape {
            is_any: true,
            ..Shape::default()
        }
    }

    fn is_empty(&self) -> bool {
        *self == Shape::default()
    }

    fn kind(&mut self, kind: &str) {
        self.kinds.insert(kind.to_owned());
    }

    fn each(&mut self, kinds: &[&str]) {
        kinds.iter().for_each(|it| self.kind(it));
    }

    fn add(&mut self, type_: &Type, depth: u32) {
        if depth == 0 {
            self.is_any = true;
            return;
        }
        match type_ {
            Type::Unit => {}
            Type::Undef | Type::Optional(None) => self.kind("undef"),
            Type::Default => self.kind("default"),
            Type::Boolean(_) => self.kind("boolean"),
            Type::Integer(_) => self.kind("integer"),
            Type::Float(_) => self.kind("float"),
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => self.kind("string"),
            Type::Regexp(_) => self.kind("regexp"),
            Type::Numeric => self.each(&["integer", "float"]),
            Type::ScalarData => self.each(&["integer", "float", "string", "boolean"]),
            Type::Scalar => {
                self.add(&Type::ScalarData, depth);
                self.each(&["regexp", "timespan", "timestamp", "semver", "semverrange"]);
            }
            Type::Timespan(_) => self.kind("timespan"),
            Type::Timestamp(_) => self.kind("timestamp"),
            Type::SemVer(_) => self.kind("semver"),
            Type::SemVerRange => self.kind("semverrange"),
            Type::Binary => self.kind("binary"),
            Type::Iterator(_) => self.kind("iterator"),
            Type::Optional(Some(inner)) => {
                self.kind("undef");
                self.add(inner, depth);
            }
            Type::NotUndef(Some(inner)) => {
                let mut inner = Shape::at(inner, depth);
                inner.kinds.remove("undef");
                self.join(inner);
            }
            Type::Variant(all) => all.iter().for_each(|it| self.add(it, depth)),
            Type::Alias(alias) => self.add(&alias.resolved(), depth - 1),
            Type::Sensitive(inner) => {
                let inner = Shape::at(inner, depth - 1);
                self.sensitive.get_or_insert_default().join(inner);
            }
            Type::Type(inner) => self.kind(&kind_of_type(inner.as_deref())),
            other => self.add_collection(other, depth),
        }
    }

    fn add_collection(&mut self, type_: &Type, depth: u32) {
        match type_ {
            Type::Array(it) => self.add_elements(std::slice::from_ref(it.element()), depth),
            Type::Tuple(it) => self.add_elements(it.types(), depth),
            Type::Hash(it) => {
                let (key, value) = (it.key().clone(), it.value().clone());
                self.add_entries([(key, value)], depth);
            }
            Type::Struct(it) => {
                let elements = it.elements().iter();
                self.add_entries(elements.map(|it| (Type::STRING, it.value.clone())), depth);
            }
            Type::Collection(_) => {
                self.add_elements(&[Type::Any], depth);
                self.add_entries([(Type::Any, Type::Any)], depth);
            }
            Type::Object(_) | Type::ObjectExtension(_) | Type::Uri(_) | Type::Runtime(_) => {
                self.kind(&display(type_));
            }
            _ => self.is_any = true,
        }
    }

    fn add_elements(&mut self, types: &[Type], depth: u32) {
        let elements = self.elements.get_or_insert_default();
        types.iter().for_each(|it| elements.add(it, depth - 1));
    }

    fn add_entries(&mut self, types: impl IntoIterator<Item = (Type, Type)>, depth: u32) {
        let entries = self.entries.get_or_insert_default();
        for (key, value) in types {
            entries.0.add(&key, depth - 1);
            entries.1.add(&value, depth - 1);
        }
    }

    fn at(type_: &Type, depth: u32) -> Shape {
        let mut shape = Shape::default();
        shape.add(type_, depth);
        shape
    }

    /// Adds the values of another one.
    pub fn join(&mut self, other: Shape) {
        self.is_any |= other.is_any;
        self.kinds.extend(other.kinds);
        if let Some(elements) = other.elements {
            self.elements.get_or_insert_default().join(*elements);
        }
        if let Some(entries) = other.entries {
            let into = self.entries.get_or_insert_default();
            into.0.join(entries.0);
            into.1.join(entries.1);
        }
        if let Some(inner) = other.sensitive {
            self.sensitive.get_or_insert_default().join(*inner);
        }
    }

    /// Checks whether it has only values that `seen` has.
    pub fn is_as_narrow_as(&self, seen: &Shape) -> bool {
        if seen.is_any || self.is_any {
            return seen.is_any;
        }
        // The shape of what is within an empty collection is unknown.
        let within = |this: &Shape, seen: &Shape| seen.is_empty() || this.is_as_narrow_as(seen);
        let elements = match (&self.elements, &seen.elements) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(this), Some(seen)) => within(this, seen),
        };
        let entries = match (&self.entries, &seen.entries) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(this), Some(seen)) => within(&this.0, &seen.0) && within(&this.1, &seen.1),
        };
        let sensitive = match (&self.sensitive, &seen.sensitive) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(this), Some(seen)) => this.is_as_narrow_as(seen),
        };
        self.kinds.is_subset(&seen.kinds) && elements && entries && sensitive
    }
}

/// Returns the kind of a type as a value: classes, resources by their type, and other types.
fn kind_of_type(inner: Option<&Type>) -> String {
    match inner {
        Some(Type::Class(_)) => "class".to_owned(),
        Some(Type::Resource(it)) => match it.type_name() {
            Some(name) => format!("resource {}", name.to_lowercase()),
            None => "resource".to_owned(),
        },
        _ => "type".to_owned(),
    }
}

/// An expression with the values seen and the type inferred there.
#[derive(Clone, Debug)]
pub struct MeasuredExpression {
    /// The path of the file, starting with the folder of its module.
    pub path: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The kind of expression.
    pub kind: String,
    /// The source.
    pub source: String,
    /// The inferred type.
    pub inferred: Option<Type>,
    /// The union of the types of all values.
    pub seen: Type,
    /// Whether the inferred type is exactly as narrow as the values.
    pub is_exact: bool,
    /// Whether the inferred type is as narrow as the values, if both are generalized.
    pub is_narrow: bool,
}

type Key = (bool, (u32, u32), TypedRangeKind);

/// Compares the inferred types of all expressions of a recording with the values.
pub fn measure(
    records: &[TraceRecord],
    inferences: &mut TraceInferences,
) -> Vec<MeasuredExpression> {
    let mut by_file: BTreeMap<&str, BTreeMap<Key, Vec<&TraceRecord>>> = BTreeMap::new();
    for record in records {
        if let Some(path) = record.path() {
            let key = (record.is_lenient(), record.range(), record.subject());
            let of_file = by_file.entry(path).or_default();
            of_file.entry(key).or_default().push(record);
        }
    }
    let mut found = Vec::new();
    let texts = by_file
        .keys()
        .filter_map(|it| Some((*it, inferences.text(it)?)));
    let texts: BTreeMap<&str, Arc<str>> = texts.collect();
    let untyped = texts.iter().flat_map(|it| untyped_parameters(it.0, it.1));
    let untyped: BTreeSet<String> = untyped.collect();
    for (path, of_file) in by_file {
        let Some(text) = texts.get(path) else {
            continue;
        };
        let kinds = ExpressionKinds::new(path, text, &untyped);
        for ((lenient, range, subject), records) in &of_file {
            if *lenient && of_file.contains_key(&(false, *range, *subject)) {
                continue;
            }
            let source = text.get(range.0 as usize..range.1 as usize);
            found.push(MeasuredExpression {
                path: path.to_owned(),
                kind: kinds.of(records),
                source: source.unwrap_or_default().to_owned(),
                ..measure_one(records, inferences)
            });
        }
    }
    found
}

fn measure_one(records: &[&TraceRecord], inferences: &mut TraceInferences) -> MeasuredExpression {
    let types: Vec<Type> = records.iter().map(|it| seen_type(it)).collect();
    let mut seen_shape = Shape::default();
    types.iter().for_each(|it| seen_shape.join(Shape::of(it)));
    let seen = union(types);
    let inferred = inferences.of(records[0]);
    let is_constant = inferred.is_some_and(|it| it.value.is_some());
    let inferred = inferred.map(|it| it.type_.clone());
    let is_exact = is_constant || inferred.as_ref().is_some_and(|it| within(it, &seen));
    let general = inferred.as_ref().map_or_else(Shape::any, Shape::of);
    MeasuredExpression {
        path: String::new(),
        line: records[0].line(),
        kind: String::new(),
        source: String::new(),
        inferred,
        seen,
        is_exact,
        is_narrow: is_exact || general.is_as_narrow_as(&seen_shape),
    }
}

/// Returns the type of a value; generalized if the exact one is printed in a form that cannot be parsed.
fn seen_type(record: &TraceRecord) -> Type {
    let exact = record.exact_type().filter(|it| !it.contains('\\'));
    let exact = exact.and_then(|it| reader::read(it, &AnyResource).ok());
    let general = || reader::read(record.general_type()?, &AnyResource).ok();
    exact.or_else(general).unwrap_or(Type::Any)
}

/// The kinds of the expressions of a file, for a breakdown of the measure.
struct ExpressionKinds(BTreeMap<(u32, u32), String>);

impl ExpressionKinds {
    /// `untyped` has the qualified names of all parameters without a type.
    fn new(path: &str, text: &str, untyped: &BTreeSet<String>) -> ExpressionKinds {
        let parse = syntax::parse(text, dialect(path));
        let root = parse.tree().syntax().clone();
        let mut kinds = BTreeMap::new();
        for node in root.descendants() {
            if let Some(parameter) = ast::Parameter::cast(node.clone()) {
                let kind = match parameter.type_expr() {
                    Some(_) => "parameter",
                    None => UNTYPED_PARAMETER,
                };
                let token = parameter.variable().map(|it| it.text_range());
                kinds.extend(token.map(|it| (offsets(it), kind.to_owned())));
            } else if let Some(expr) = Expr::cast(node) {
                let kind = kind_of(&expr, untyped);
                kinds.extend(kind.map(|it| (offsets(expr.syntax().text_range()), it)));
            }
        }
        ExpressionKinds(kinds)
    }

    fn of(&self, records: &[&TraceRecord]) -> String {
        let record = records[0];
        let own = match record.subject() {
            TypedRangeKind::Parameter => {
                let known = self.0.get(&record.range());
                return known.cloned().unwrap_or_else(|| "parameter".to_owned());
            }
            TypedRangeKind::Assigned => "assigned variable",
            TypedRangeKind::Expression => match record.kind() {
                "VariableExpression"
                | "AccessExpression"
                | "CallNamedFunctionExpression"
                | "CallMethodExpression" => {
                    let known = self.0.get(&record.range());
                    return known.cloned().unwrap_or_else(|| "variable".to_owned());
                }
                "IfExpression" | "UnlessExpression" | "CaseExpression" | "SelectorExpression" => {
                    "conditional"
                }
                "BlockExpression" => "block",
                "AssignmentExpression" => "assignment",
                "LiteralHash" | "LiteralList" => "array or hash",
                "ConcatenatedString" | "HeredocExpression" => "interpolation",
                kind if kind.starts_with("Literal") || kind.starts_with("Qualified") => "literal",
                kind if kind.contains("Resource")
                    || kind.contains("Collect")
                    || kind == "RelationshipExpression" =>
                {
                    "resource"
                }
                _ => "operator",
            },
        };
        own.to_owned()
    }
}

fn offsets(range: TextRange) -> (u32, u32) {
    (range.start().into(), range.end().into())
}

/// The kinds of parameters without a declared type, and of their uses.
const UNTYPED_PARAMETER: &str = "parameter without type";
const UNTYPED_USE: &str = "use of parameter without type";

/// Checks whether an expression of this kind has the value of a parameter that accepts everything.
pub fn is_open(kind: &str) -> bool {
    matches!(kind, UNTYPED_PARAMETER | UNTYPED_USE)
}

fn kind_of(expr: &Expr, untyped: &BTreeSet<String>) -> Option<String> {
    Some(match expr {
        Expr::VariableExpr(it) => match kind_of_variable(it, untyped) {
            UNTYPED_USE => UNTYPED_USE.to_owned(),
            kind => format!("variable: {kind}"),
        },
        Expr::AccessExpr(it) => format!("access: {}", kind_of_base(it, untyped)),
        Expr::CallExpr(it) => {
            let name = it.name_token().map(|it| it.text().to_owned());
            format!("call: {}", name.unwrap_or_default())
        }
        Expr::MethodCall(it) => {
            let name = it.name_token().map(|it| it.text().to_owned());
            format!("call: {}", name.unwrap_or_default())
        }
        _ => return None,
    })
}

fn kind_of_base(access: &ast::AccessExpr, untyped: &BTreeSet<String>) -> &'static str {
    match access.base() {
        Some(Expr::VariableExpr(it)) => kind_of_variable(&it, untyped),
        Some(Expr::AccessExpr(it)) => kind_of_base(&it, untyped),
        Some(Expr::QualifiedReference(_)) => "reference",
        _ => "result",
    }
}

fn kind_of_variable(variable: &ast::VariableExpr, untyped: &BTreeSet<String>) -> &'static str {
    let name = variable.name().unwrap_or_default();
    for node in variable.syntax().ancestors() {
        if let Some(lambda) = ast::Lambda::cast(node.clone()) {
            if parameter(lambda.parameters(), &name).is_some() {
                return "lambda parameter";
            }
        } else if let Some(parameter) = Definition::cast(node).and_then(|it| {
            let (_, parameters) = parameters_of(&it)?;
            parameter(parameters, &name)
        }) {
            return match parameter.type_expr() {
                Some(_) => "parameter",
                None => UNTYPED_USE,
            };
        }
    }
    let plain = name.strip_prefix("::").unwrap_or(&name);
    let is_fact = |it: &str| {
        library::facts().any(|fact| fact.name == it)
            || library::legacy_facts().any(|fact| fact.name == it)
    };
    if untyped.contains(plain) {
        UNTYPED_USE
    } else if plain.contains("::") {
        "other class"
    } else if matches!(plain, "name" | "title") {
        "name and title"
    } else if plain == "facts" || is_fact(plain) {
        "fact"
    } else if name.starts_with("::") {
        "top scope"
    } else {
        "local"
    }
}

/// Returns the name and the parameters of a class, defined type or function.
fn parameters_of(definition: &Definition) -> Option<(String, Vec<ast::Parameter>)> {
    let (name, parameters) = match definition {
        Definition::ClassDefinition(it) => (it.name()?.text(), it.parameters()),
        Definition::DefineDefinition(it) => (it.name()?.text(), it.parameters()),
        Definition::FunctionDefinition(it) => (it.name()?.text(), it.parameters()),
        _ => return None,
    };
    Some((name, parameters))
}

fn parameter(all: Vec<ast::Parameter>, name: &str) -> Option<ast::Parameter> {
    all.into_iter()
        .find(|it| it.name().as_deref() == Some(name))
}

/// Returns the qualified names of the parameters in a file that have no type.
fn untyped_parameters(path: &str, text: &str) -> Vec<String> {
    let parse = syntax::parse(text, dialect(path));
    let nodes = parse.tree().syntax().clone().descendants();
    let definitions = nodes.filter_map(Definition::cast);
    let definitions = definitions.filter_map(|it| parameters_of(&it));
    let names = definitions.flat_map(|(definition, parameters)| {
        let untyped = parameters.into_iter().filter(|it| it.type_expr().is_none());
        let names = untyped.filter_map(|it| it.name());
        let names = names.map(move |it| format!("{definition}::{it}"));
        names.collect::<Vec<_>>()
    });
    names.collect()
}

/// The figures of some expressions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Width {
    /// How many are exactly as narrow as the values.
    pub exact: Tally,
    /// How many are as narrow as the values in general.
    pub general: Tally,
}

impl Width {
    /// Counts some expressions.
    pub fn of<'a>(expressions: impl IntoIterator<Item = &'a MeasuredExpression>) -> Width {
        let mut width = Width::default();
        for it in expressions {
            width.exact.add(it.is_exact);
            width.general.add(it.is_narrow);
        }
        width
    }
}

/// Counts expressions by kind, most frequently wide first. Calls of all functions are one kind.
pub fn by_kind(expressions: &[MeasuredExpression]) -> Vec<(String, Width)> {
    group(expressions, |it| {
        let kind = it.kind.split(": ").next().unwrap_or_default();
        match kind {
            "call" => "call".to_owned(),
            _ => it.kind.clone(),
        }
    })
}

/// Counts calls by function, most frequently wide first.
pub fn by_function(expressions: &[MeasuredExpression]) -> Vec<(String, Width)> {
    let calls = expressions.iter().filter(|it| it.kind.starts_with("call"));
    let calls: Vec<_> = calls.cloned().collect();
    group(&calls, |it| it.kind.clone())
}

fn group(
    expressions: &[MeasuredExpression],
    key: impl Fn(&MeasuredExpression) -> String,
) -> Vec<(String, Width)> {
    let mut groups: BTreeMap<String, Vec<&MeasuredExpression>> = BTreeMap::new();
    for it in expressions {
        groups.entry(key(it)).or_default().push(it);
    }
    let widths = groups
        .into_iter()
        .map(|(key, all)| (key, Width::of(all.iter().copied())));
    let mut widths: Vec<_> = widths.collect();
    let wide = |it: &Width| it.general.all - it.general.good;
    widths.sort_by_key(|it| std::cmp::Reverse(wide(&it.1)));
    widths
}
