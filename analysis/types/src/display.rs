//! Formats types: in Puppet's own notation, and as the specification writes them.

use std::fmt::Write;
use std::sync::Arc;

use super::alias::is_built_in;
use super::{
    Alias, Attribute, CallableType, EnumType, FloatRange, IntRange, ObjectExtension, ObjectType,
    ResourceType, RuntimeName, StringType, StructElement, TimeRange, Type, TypeSetType, assignable,
};
use crate::values::{self, Value, quote, quote_readable};

/// Formats the type as Puppet prints it, without the strings for which Puppet has no syntax.
pub fn display(ty: &Type) -> String {
    Printer::new(Style::Plain).print(ty)
}

/// Formats the type with all known strings: `String['abc']` for the literal type of one string.
pub fn display_exact(ty: &Type) -> String {
    Printer::new(Style::Exact).print(ty)
}

/// Like [`display_exact`], but Puppet can parse the result: Puppet escapes backslashes differently
/// from how it parses them.
pub fn display_readable(ty: &Type) -> String {
    Printer::new(Style::Readable).print(ty)
}

/// Formats the type as Puppet interpolates it: an alias with its body, an object type with its
/// definition.
pub fn display_expanded(ty: &Type) -> String {
    let expands = matches!(ty, Type::Alias(_) | Type::Object(_) | Type::TypeSet(_));
    let mut printer = Printer::new(Style::Plain);
    printer.expanded = expands;
    printer.print(ty)
}

/// Formats the type for hovers, with sets of strings as in the specification: `String<a,b>`.
pub fn display_hover(ty: &Type) -> String {
    Printer::new(Style::Hover).print(ty)
}

/// Formats the type as valid Puppet code where possible: `Enum['a']` for the literal type of one
/// string.
pub fn display_written(ty: &Type) -> String {
    Printer::new(Style::Written).print(ty)
}

/// Formats the start of a type as [`display_written`] does: at least `length` bytes of it, if it is as long.
pub fn display_written_start(ty: &Type, length: usize) -> String {
    let printer = Printer {
        max_length: length,
        ..Printer::new(Style::Written)
    };
    printer.print(ty)
}

/// Capitalizes every segment of a name, as Puppet does for resource types.
pub fn capitalize_segments(name: &str) -> String {
    if name
        .lines()
        .any(|line| line.starts_with(|it: char| it.is_ascii_uppercase()))
    {
        return name.to_owned();
    }
    let mut capitalized = String::with_capacity(name.len());
    for (at, segment) in name.split("::").enumerate() {
        if at > 0 {
            capitalized.push_str("::");
        }
        let mut chars = segment.chars();
        capitalized.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        match chars.as_str() {
            // The lower case of a sigma depends on the letters around it.
            rest if rest.is_ascii() => {
                capitalized.extend(rest.chars().map(|it| it.to_ascii_lowercase()))
            }
            rest => capitalized.push_str(&rest.to_lowercase()),
        }
    }
    capitalized
}

/// The length at which the output is truncated, in bytes.
const MAX_LENGTH: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Plain,
    Exact,
    Readable,
    Hover,
    Written,
}

impl Style {
    fn quote(self, text: &str) -> String {
        match self {
            Style::Plain | Style::Exact | Style::Hover => quote(text),
            Style::Readable | Style::Written => quote_readable(text),
        }
    }
}

struct Printer {
    out: String,
    /// The length at which the output is truncated, in bytes.
    max_length: usize,
    style: Style,
    /// Whether aliases and object types are printed with their definitions.
    expanded: bool,
    /// The aliases being expanded.
    inside: Vec<Arc<str>>,
}

impl Printer {
    fn new(style: Style) -> Printer {
        Printer {
            out: String::new(),
            max_length: MAX_LENGTH,
            style,
            expanded: false,
            inside: Vec::new(),
        }
    }

    fn is_full(&self) -> bool {
        self.out.len() > self.max_length
    }

    fn print(mut self, ty: &Type) -> String {
        self.ty(ty);
        self.out
    }

    /// A type with shared parts can have a huge output, which is truncated. Callers that need all
    /// of it check [`super::weight`] first.
    fn ty(&mut self, ty: &Type) {
        match ty {
            _ if self.is_full() => {}
            Type::Any => self.word("Any"),
            Type::Unit => self.word("Unit"),
            Type::Undef => self.word("Undef"),
            Type::Default => self.word("Default"),
            Type::Scalar => self.word("Scalar"),
            Type::ScalarData => self.word("ScalarData"),
            Type::Numeric => self.word("Numeric"),
            Type::CatalogEntry => self.word("CatalogEntry"),
            Type::Binary => self.word("Binary"),
            Type::SemVerRange => self.word("SemVerRange"),
            Type::Integer(range) => self.integers(*range),
            Type::Float(range) => self.floats(*range),
            Type::Boolean(value) => self.list("Boolean", value.map(|it| it.to_string())),
            Type::String(strings) => self.strings(strings),
            Type::Enum(it) => self.enumeration(it),
            Type::Pattern(patterns) => {
                self.list("Pattern", patterns.iter().map(|it| it.to_string()));
            }
            Type::Regexp(pattern) => {
                self.list("Regexp", pattern.iter().map(|it| it.to_string()));
            }
            Type::Collection(size) => self.list("Collection", size_parts(*size)),
            Type::Array(it) if it.size() == Some(IntRange::exactly(0)) => self.word("Array[0, 0]"),
            Type::Array(it) if it.element().is_any() && it.size().is_none() => self.word("Array"),
            Type::Array(it) => self.types("Array", [it.element()], size_parts(it.size())),
            Type::Hash(it) if it.size() == Some(IntRange::exactly(0)) => self.word("Hash[0, 0]"),
            Type::Hash(it) if it.is_default() => self.word("Hash"),
            Type::Hash(it) => self.types("Hash", [it.key(), it.value()], size_parts(it.size())),
            Type::Tuple(it) if it.types().is_empty() => self.word("Tuple"),
            Type::Tuple(it) => self.types("Tuple", it.types(), size_parts(it.size())),
            Type::Struct(it) => self.structure(it.elements()),
            Type::Variant(types) if types.is_empty() => self.word("Variant"),
            Type::Variant(types) => self.types("Variant", types.iter(), []),
            Type::Optional(inner) => self.wrapper("Optional", inner.as_deref()),
            Type::NotUndef(inner) => self.wrapper("NotUndef", inner.as_deref()),
            Type::Type(inner) => self.types_or_word("Type", inner.as_deref()),
            Type::Iterable(inner) => self.types_or_word("Iterable", inner.as_deref()),
            Type::Iterator(inner) => self.types_or_word("Iterator", inner.as_deref()),
            Type::Callable(it) => self.callable(it),
            Type::Class(name) => self.list("Class", name.iter().map(|it| it.to_string())),
            Type::Resource(it) => self.resource(it),
            Type::Sensitive(inner) => {
                self.types_or_word("Sensitive", Some(&**inner).filter(|it| !it.is_any()));
            }
            Type::Uri(None) => self.word("URI"),
            Type::Uri(Some(parts)) => {
                self.word("URI[");
                self.named_values(parts);
                self.word("]");
            }
            Type::SemVer(ranges) => {
                self.list("SemVer", ranges.iter().map(|it| format!("'{it}'")));
            }
            Type::Timespan(range) => {
                let text = |it| format!("'{}'", values::timespan_text(it));
                self.list("Timespan", time_parts(range, text));
            }
            Type::Timestamp(range) => {
                let text = |it| format!("'{}'", values::timestamp_text(it));
                self.list("Timestamp", time_parts(range, text));
            }
            Type::Runtime(it) => self.runtime(it.runtime.as_deref(), it.name.as_ref()),
            Type::Init(None) => self.word("Init"),
            Type::Init(Some(it)) => {
                self.word("Init[");
                self.ty(&it.inner);
                for arg in it.args.iter() {
                    self.word(", ");
                    self.value(arg);
                }
                self.word("]");
            }
            Type::Object(it) if self.expanded => self.object(it),
            Type::Object(it) => self.word(it.label()),
            Type::ObjectExtension(it) => self.extension(it),
            Type::TypeSet(it) => self.type_set(it.as_deref()),
            Type::Alias(it) => self.alias(it),
            Type::Recursion(name) => self.word(name),
            Type::Reference(name) => {
                let quoted = self.style.quote(name);
                self.list("TypeReference", [quoted]);
            }
        }
    }

    fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// `name[parts…]`, or the bare name without parts.
    fn list(&mut self, name: &str, parts: impl IntoIterator<Item = String>) {
        self.word(name);
        let mut before = "[";
        for part in parts {
            if self.is_full() {
                break;
            }
            let _ = write!(self.out, "{before}{part}");
            before = ", ";
        }
        if before != "[" {
            self.word("]");
        }
    }

    /// `name[types…, parts…]`.
    fn types<'a>(
        &mut self,
        name: &str,
        types: impl IntoIterator<Item = &'a Type>,
        parts: impl IntoIterator<Item = String>,
    ) {
        self.word(name);
        self.word("[");
        for (index, ty) in types.into_iter().enumerate() {
            if index > 0 {
                self.word(", ");
            }
            self.ty(ty);
        }
        for part in parts {
            let _ = write!(self.out, ", {part}");
        }
        self.word("]");
    }

    fn types_or_word(&mut self, name: &str, inner: Option<&Type>) {
        match inner {
            None => self.word(name),
            Some(inner) => self.types(name, [inner], []),
        }
    }

    /// `Optional` and `NotUndef`, which have a syntax for a literal string.
    fn wrapper(&mut self, name: &str, inner: Option<&Type>) {
        match inner {
            Some(Type::String(StringType::Value(text))) => {
                let quoted = self.style.quote(text);
                self.list(name, [quoted]);
            }
            inner => self.types_or_word(name, inner),
        }
    }

    fn integers(&mut self, range: IntRange) {
        self.list("Integer", int_parts(range));
    }

    fn floats(&mut self, range: FloatRange) {
        self.list("Float", float_parts(range));
    }

    fn strings(&mut self, strings: &StringType) {
        match strings {
            StringType::Any => self.word("String"),
            StringType::Sized(size) => self.list("String", size_parts(Some(*size))),
            StringType::Value(text) => match self.style {
                Style::Plain => self.word("String"),
                Style::Exact | Style::Readable => {
                    let quoted = self.style.quote(text);
                    self.list("String", [quoted]);
                }
                Style::Hover => {
                    let text = Arc::clone(text);
                    self.string_set(&[text]);
                }
                Style::Written => {
                    let quoted = self.style.quote(text);
                    self.list("Enum", [quoted]);
                }
            },
        }
    }

    fn enumeration(&mut self, ty: &EnumType) {
        if self.style == Style::Hover && !ty.case_insensitive() && !ty.values().is_empty() {
            return self.string_set(ty.values());
        }
        let folds = (ty.case_insensitive() && !ty.values().is_empty()).then(|| "true".to_owned());
        let style = self.style;
        let values = ty.values().iter().map(|it| style.quote(it));
        self.list("Enum", values.chain(folds));
    }

    /// `String<a,b>`; strings other than simple words are quoted.
    fn string_set(&mut self, strings: &[Arc<str>]) {
        let simple = |it: char| it.is_alphanumeric() || "_-./".contains(it);
        let word = |text: &Arc<str>| {
            if !text.is_empty() && text.chars().all(simple) {
                text.to_string()
            } else {
                self.style.quote(text)
            }
        };
        let words: Vec<String> = strings.iter().map(word).collect();
        let _ = write!(self.out, "String<{}>", words.join(","));
    }

    fn structure(&mut self, elements: &[StructElement]) {
        self.word("Struct");
        if elements.is_empty() {
            return;
        }
        self.word("[{");
        for (index, element) in elements.iter().enumerate() {
            if self.is_full() {
                break;
            }
            if index > 0 {
                self.word(", ");
            }
            self.struct_key(element);
            self.word(" => ");
            self.ty(&element.value);
        }
        self.word("}]");
    }

    /// A bare key is optional exactly if its value may be `undef`; other combinations are written
    /// out.
    fn struct_key(&mut self, element: &StructElement) {
        let quoted = self.style.quote(&element.name);
        match (
            element.is_optional(),
            assignable(&element.value, &Type::Undef),
        ) {
            (true, false) => self.list("Optional", [quoted]),
            (false, true) => self.list("NotUndef", [quoted]),
            _ => self.word(&quoted),
        }
    }

    fn callable(&mut self, ty: &CallableType) {
        match (ty.params(), ty.returns()) {
            (None, None) => self.word("Callable"),
            (None, Some(returns)) => {
                self.word("Callable[[], ");
                self.ty(returns);
                self.word("]");
            }
            (Some(_), None) => {
                self.word("Callable[");
                self.parameters(ty);
                self.word("]");
            }
            (Some(_), Some(returns)) => {
                self.word("Callable[[");
                self.parameters(ty);
                self.word("], ");
                self.ty(returns);
                self.word("]");
            }
        }
    }

    fn parameters(&mut self, ty: &CallableType) {
        let Some(params) = ty.params() else {
            return;
        };
        let mut first = true;
        let mut separate = |printer: &mut Printer| {
            if !std::mem::take(&mut first) {
                printer.word(", ");
            }
        };
        for ty in params.types().iter().filter(|it| !matches!(it, Type::Unit)) {
            separate(self);
            self.ty(ty);
        }
        let size = if params.types().is_empty() {
            vec!["0".to_owned(), "0".to_owned()]
        } else {
            size_parts(params.size())
        };
        for part in size {
            separate(self);
            self.word(&part);
        }
        if let Some(block) = ty.block() {
            separate(self);
            self.ty(block);
        }
    }

    fn resource(&mut self, ty: &ResourceType) {
        match ty.type_name() {
            None => self.word("Resource"),
            Some(name) => {
                let name = capitalize_segments(name);
                let title = ty.title().map(|it| self.style.quote(it));
                self.list(&name, title);
            }
        }
    }

    fn runtime(&mut self, runtime: Option<&str>, name: Option<&RuntimeName>) {
        if runtime.is_none() && name.is_none() {
            return self.word("Runtime");
        }
        let name = match name {
            None => "undef".to_owned(),
            Some(RuntimeName::Name(name)) => self.style.quote(name),
            Some(RuntimeName::Mapping(pattern, name)) => {
                format!("[{pattern}, {}]", self.style.quote(name))
            }
        };
        self.list("Runtime", [runtime.unwrap_or("undef").to_owned(), name]);
    }

    fn alias(&mut self, alias: &Arc<Alias>) {
        self.word(alias.name());
        let once = !alias.is_recursive() || !self.inside.contains(alias.name());
        if self.expanded && once && !is_built_in(alias.name()) {
            self.word(" = ");
            self.inside.push(Arc::clone(alias.name()));
            self.ty(&alias.resolved());
            self.inside.pop();
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Type(ty) => self.ty(ty),
            Value::Array(items) => {
                self.word("[");
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.word(", ");
                    }
                    self.value(item);
                }
                self.word("]");
            }
            Value::Hash(entries) => {
                self.word("{");
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        self.word(", ");
                    }
                    self.value(key);
                    self.word(" => ");
                    self.value(value);
                }
                self.word("}");
            }
            value => {
                let text = values::type_argument(value);
                self.word(&text);
            }
        }
    }

    /// `{'name' => value}`.
    fn named_values(&mut self, values: &[(Arc<str>, Value)]) {
        self.word("{");
        for (index, (name, value)) in values.iter().enumerate() {
            if index > 0 {
                self.word(", ");
            }
            let quoted = self.style.quote(name);
            let _ = write!(self.out, "{quoted} => ");
            self.value(value);
        }
        self.word("}");
    }

    fn extension(&mut self, ty: &ObjectExtension) {
        self.word(ty.base.label());
        self.word("[");
        if ty.base.all_type_parameters().len() > 2 {
            self.named_values(&ty.parameters);
        } else {
            for (index, value) in ty.positional().iter().enumerate() {
                if index > 0 {
                    self.word(", ");
                }
                self.value(value);
            }
        }
        self.word("]");
    }

    fn type_set(&mut self, ty: Option<&TypeSetType>) {
        let name = ty.map_or(Some("DefaultTypeSet"), |it| it.name.as_deref());
        let version = ty.map_or(Some("0.0.0"), |it| it.version.as_deref());
        self.word("TypeSet[{");
        if ty.is_none() {
            self.word("pcore_uri => 'http://puppet.com/2016.1/pcore', ");
        }
        self.word("pcore_version => '1.0.0'");
        let authority = ty.map_or(Some(RUNTIME_AUTHORITY), |it| it.name_authority.as_deref());
        for (key, text) in [
            ("name_authority", authority),
            ("name", name),
            ("version", version),
        ] {
            if let Some(text) = text {
                let quoted = self.style.quote(text);
                let _ = write!(self.out, ", {key} => {quoted}");
            }
        }
        if let Some(ty) = ty.filter(|it| !it.types.is_empty()) {
            self.word(", types => {");
            for (index, (name, ty)) in ty.types.iter().enumerate() {
                if index > 0 {
                    self.word(", ");
                }
                let _ = write!(self.out, "{name} => ");
                self.ty(ty);
            }
            self.word("}");
        }
        self.word("}]");
    }

    /// The definition of an object type; nested types are not expanded.
    fn object(&mut self, ty: &ObjectType) {
        let expanded = std::mem::take(&mut self.expanded);
        self.word("Object[{");
        let mut first = true;
        let mut key = |printer: &mut Printer, key: &str| {
            if !std::mem::take(&mut first) {
                printer.word(", ");
            }
            printer.word(key);
            printer.word(" => ");
        };
        if let Some(name) = &ty.name {
            key(self, "name");
            let quoted = self.style.quote(name);
            self.word(&quoted);
        }
        if let Some(parent) = &ty.parent {
            key(self, "parent");
            self.ty(parent);
        }
        if !ty.type_parameters.is_empty() {
            key(self, "type_parameters");
            self.members(ty.type_parameters.iter());
        }
        let constant = |(_, it): &(&Arc<str>, &Attribute)| it.is_plain_constant();
        if ty.attributes.iter().any(|it| !constant(&it)) {
            key(self, "attributes");
            self.members(ty.attributes.iter().filter(|it| !constant(it)));
        }
        if ty.attributes.iter().any(|it| constant(&it)) {
            key(self, "constants");
            let values: Vec<(Arc<str>, Value)> = ty
                .attributes
                .iter()
                .filter(constant)
                .filter_map(|(name, it)| Some((Arc::clone(name), it.value.clone()?)))
                .collect();
            self.named_values(&values);
        }
        if !ty.functions.is_empty() {
            key(self, "functions");
            self.members(ty.functions.iter());
        }
        if let Some(equality) = &ty.equality {
            key(self, "equality");
            let names: Vec<String> = equality.iter().map(|it| self.style.quote(it)).collect();
            let _ = write!(self.out, "[{}]", names.join(", "));
        }
        if let Some(checks) = &ty.checks {
            key(self, "checks");
            self.value(checks);
        }
        self.word("}]");
        self.expanded = expanded;
    }

    fn members<'a>(&mut self, members: impl Iterator<Item = (&'a Arc<str>, &'a Attribute)>) {
        self.word("{");
        for (index, (name, member)) in members.enumerate() {
            if index > 0 {
                self.word(", ");
            }
            let quoted = self.style.quote(name);
            let _ = write!(self.out, "{quoted} => ");
            self.member(member);
        }
        self.word("}");
    }

    fn member(&mut self, member: &Attribute) {
        // Constants are implicitly final.
        let is_final = member.is_final && member.kind != super::AttributeKind::Constant;
        let plain = member.value.is_none()
            && member.kind.keyword().is_none()
            && !is_final
            && !member.is_override;
        if plain {
            return self.ty(&member.ty);
        }
        self.word("{type => ");
        self.ty(&member.ty);
        if is_final {
            self.word(", final => true");
        }
        if member.is_override {
            self.word(", override => true");
        }
        if let Some(kind) = member.kind.keyword() {
            let _ = write!(self.out, ", kind => {kind}");
        }
        if let Some(value) = &member.value {
            self.word(", value => ");
            self.value(value);
        }
        self.word("}");
    }
}

const RUNTIME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

/// Returns the bounds of a range as parameters: none if it is unbounded, one if it has no upper
/// bound.
fn int_parts(range: IntRange) -> Vec<String> {
    parts(
        range.min().map(|it| it.to_string()),
        range.max().map(|it| it.to_string()),
    )
}

fn float_parts(range: FloatRange) -> Vec<String> {
    parts(
        range.min().map(values::float_text),
        range.max().map(values::float_text),
    )
}

fn parts(min: Option<String>, max: Option<String>) -> Vec<String> {
    if min.is_none() && max.is_none() {
        return Vec::new();
    }
    let mut parts = vec![min.unwrap_or_else(|| "default".to_owned())];
    parts.extend(max);
    parts
}

fn size_parts(size: Option<IntRange>) -> Vec<String> {
    size.map(int_parts).unwrap_or_default()
}

fn time_parts(range: &TimeRange, text: impl Fn(values::Nanos) -> String) -> Vec<String> {
    if range.is_unbounded() {
        return Vec::new();
    }
    let mut parts = vec![range.min().map_or_else(|| "default".to_owned(), &text)];
    parts.extend(
        range
            .max()
            .filter(|max| Some(*max) != range.min())
            .map(&text),
    );
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_ranges() {
        let sized = |size| display(&Type::array(Type::Any, size));
        assert_eq!(sized(None), "Array");
        assert_eq!(sized(Some(IntRange::SIZE)), "Array[Any, 0]");
        assert_eq!(sized(Some(IntRange::exactly(0))), "Array[0, 0]");
        assert_eq!(
            display(&Type::integer(None, Some(3)).expect("in order")),
            "Integer[default, 3]"
        );
        assert_eq!(display(&Type::integer_value(3)), "Integer[3, 3]");
        assert_eq!(display_hover(&Type::integer_value(3)), "Integer[3, 3]");
    }

    #[test]
    fn only_exact_styles_print_literal_strings() {
        let a = Type::string_value("it's");
        assert_eq!(display(&a), "String");
        assert_eq!(display_exact(&a), r"String['it\'s']");
        assert_eq!(display_hover(&a), r"String<'it\'s'>");
        let set = Type::enumeration(["b", "a"]);
        assert_eq!(display(&set), "Enum['a', 'b']");
        assert_eq!(display_hover(&set), "String<a,b>");
        assert_eq!(
            display(&Type::enumeration_any_case(["a"])),
            "Enum['a', true]"
        );
        assert_eq!(display(&Type::optional(a)), r"Optional['it\'s']");
    }

    #[test]
    fn prints_bare_struct_keys_where_possible() {
        let ty = Type::structure(vec![
            StructElement::named("a", Type::INTEGER),
            StructElement::optional("b", Type::INTEGER),
            StructElement::required("c", Type::Any),
            StructElement::named("d", Type::Any),
        ]);
        let expected =
            "Struct[{'a' => Integer, Optional['b'] => Integer, NotUndef['c'] => Any, 'd' => Any}]";
        assert_eq!(display(&ty), expected);
    }

    #[test]
    fn capitalizes_every_segment() {
        assert_eq!(capitalize_segments("a::bC::d"), "A::Bc::D");
        assert_eq!(capitalize_segments("A::b"), "A::b");
    }

    #[test]
    fn expands_the_definition_of_error() {
        let error = Type::Object(Arc::clone(ObjectType::error()));
        assert_eq!(display(&error), "Error");
        let shown = display_expanded(&error);
        assert!(shown.starts_with("Object[{name => 'Error', type_parameters => {'kind' => "));
        assert!(
            shown.ends_with("functions => {'message' => Callable[[0, 0], String[1]]}}]"),
            "{shown}"
        );
    }
}
