//! `Init[T]`: the values accepted by the constructors of a type.
//!
//! The signatures are those of the `new_function` of each type; `p_init_type.rb` defines how they
//! are combined.

use std::sync::{Arc, LazyLock};

use super::assign::Passed;
use super::guard::Question;
use super::reader::{self, BuiltInTypes};
use super::{InitType, IntRange, ObjectType, StructElement, TupleType, Type, infer_detailed};

/// Returns the parameter tuples of the constructors of a type; `None` if the type has no
/// constructor.
pub fn constructors(ty: &Type) -> Option<Vec<Arc<TupleType>>> {
    let signatures = match ty {
        Type::Numeric => &NUMERIC,
        Type::Integer(_) => &INTEGER,
        Type::Float(_) => &FLOAT,
        Type::String(_) => &STRING,
        Type::Boolean(_) => &BOOLEAN,
        Type::Regexp(_) => &REGEXP,
        Type::Array(_) | Type::Tuple(_) => &ARRAY,
        Type::Hash(_) | Type::Struct(_) => &HASH,
        Type::Type(_) => &TYPE,
        Type::Unit => &UNIT,
        Type::Sensitive(_) => &SENSITIVE,
        Type::Binary => &BINARY,
        Type::SemVer(_) => &SEM_VER,
        Type::SemVerRange => &SEM_VER_RANGE,
        Type::Timespan(_) => &TIMESPAN,
        Type::Timestamp(_) => &TIMESTAMP,
        Type::Uri(_) => &URI,
        Type::Alias(alias) => return constructors(&alias.resolved()),
        Type::Object(object) => return object_constructors(object),
        Type::ObjectExtension(object) => return object_constructors(&object.base),
        _ => return None,
    };
    Some((*signatures).clone())
}

/// An object is constructed from a hash, or from positional arguments with the required attributes
/// first. An anonymous object type has no constructor.
fn object_constructors(object: &ObjectType) -> Option<Vec<Arc<TupleType>>> {
    object.name.as_ref()?;
    let mut elements = Vec::new();
    let (mut required, mut optional) = (Vec::new(), Vec::new());
    let mut least = 0;
    for (name, attribute) in object.all_attributes() {
        if !attribute.is_given() {
            continue;
        }
        let element = if attribute.value.is_some() {
            StructElement::optional(name, attribute.ty.clone())
        } else {
            StructElement::named(name, attribute.ty.clone())
        };
        least += usize::from(!element.is_optional());
        elements.push(element);
        let in_turn = if attribute.value.is_some() {
            &mut optional
        } else {
            &mut required
        };
        in_turn.push(attribute.ty);
    }
    let hash = TupleType::new([Type::structure(elements)], Some(IntRange::exactly(1)));
    required.append(&mut optional);
    let bound = |it: usize| i64::try_from(it).unwrap_or(i64::MAX);
    let count = IntRange::between(bound(least), bound(required.len()));
    let in_turn = TupleType::new(required, Some(count));
    Some(vec![Arc::new(hash), Arc::new(in_turn)])
}

type Signatures = LazyLock<Vec<Arc<TupleType>>>;

/// Parses the literal tuples below; the test checks that none is dropped.
fn tuples(texts: &[&str]) -> Vec<Arc<TupleType>> {
    let tuple = |text: &&str| match reader::read(text, &BuiltInTypes) {
        Ok(Type::Tuple(tuple)) => Some(tuple),
        _ => None,
    };
    texts.iter().filter_map(tuple).collect()
}

macro_rules! signatures {
    ($($name:ident = [$($text:expr),* $(,)?];)*) => {
        $(static $name: Signatures = LazyLock::new(|| tuples(&[$($text),*]));)*

        #[cfg(test)]
        const ALL: &[(&str, &Signatures, usize)] =
            &[$((stringify!($name), &$name, [$(stringify!($text)),*].len())),*];
    };
}

macro_rules! float_pattern {
    () => {
        r"Pattern[/\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z/]"
    };
}

macro_rules! integer_pattern {
    () => {
        r"Pattern[/\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z/]"
    };
}

macro_rules! number {
    ($pattern:expr) => {
        concat!(
            "Variant[Integer, Float, Boolean, ",
            $pattern,
            ", Timespan, Timestamp]"
        )
    };
}

macro_rules! radix {
    () => {
        "Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]]"
    };
}

signatures! {
    NUMERIC = [
        concat!("Tuple[", number!(float_pattern!()), ", Boolean, 1, 2]"),
        concat!("Tuple[Struct[{from => ", number!(float_pattern!()), ", Optional[abs] => Boolean}]]"),
    ];
    FLOAT = [
        concat!("Tuple[", number!(float_pattern!()), ", Boolean, 1, 2]"),
        concat!("Tuple[Struct[{from => ", number!(float_pattern!()), ", Optional[abs] => Boolean}]]"),
    ];
    INTEGER = [
        concat!("Tuple[", number!(integer_pattern!()), ", ", radix!(), ", Boolean, 1, 3]"),
        concat!(
            "Tuple[Struct[{from => ", number!(integer_pattern!()),
            ", Optional[radix] => ", radix!(), ", Optional[abs] => Boolean}]]"
        ),
    ];
    STRING = [concat!(
        "Tuple[Any, Variant[Default, String[1], Hash[Type, Variant[",
        r"Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], ",
        r"Struct[{Optional[format] => Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], ",
        r"Optional[separator] => String, Optional[separator2] => String, ",
        r"Optional[string_formats] => Hash[Type, Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]]}]",
        "]]], 1, 2]"
    )];
    BOOLEAN = [
        "Tuple[Variant[Integer, Float, Boolean, Enum['false', 'true', 'yes', 'no', 'y', 'n', true]]]",
    ];
    REGEXP = ["Tuple[String, Boolean, 1, 2]"];
    ARRAY = [
        "Tuple[Variant[Array, Hash, Binary, Iterable], Boolean[false], 1, 2]",
        "Tuple[Any, Boolean[true]]",
    ];
    HASH = [
        "Tuple[Array[Tuple[Array, Any], 1], Enum[tree, hash_tree], 1, 2]",
        "Tuple[Array[Tuple[Any, Any], 1]]",
        "Tuple[Any]",
    ];
    TYPE = ["Tuple[String[1]]"];
    UNIT = ["Tuple[Any]"];
    SENSITIVE = ["Tuple[Sensitive]", "Tuple[Any]"];
    BINARY = [
        "Tuple[String, Enum['%b', '%u', '%B', '%s', '%r'], 1, 2]",
        "Tuple[Array[Integer[0, 255]]]",
        concat!(
            "Tuple[Variant[Struct[{value => String, 'format' => Optional[Enum['%b', '%u', '%B', ",
            "'%s', '%r']]}], Struct[{value => Array[Integer[0, 255]]}]]]"
        ),
    ];
    SEM_VER = [
        concat!(
            r"Tuple[Pattern[/\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)",
            r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z/]]"
        ),
        concat!(
            "Tuple[Integer[0], Integer[0], Integer[0], ",
            r"Pattern[/\A(?:[0-9A-Za-z-]+)(?:\.[0-9A-Za-z-]+)*\Z/], ",
            r"Pattern[/\A(?:[0-9A-Za-z-]+)(?:\.[0-9A-Za-z-]+)*\Z/], 3, 5]"
        ),
        concat!(
            "Tuple[Struct[{major => Integer[0], minor => Integer[0], patch => Integer[0], ",
            r"Optional[prerelease] => Pattern[/\A(?:[0-9A-Za-z-]+)(?:\.[0-9A-Za-z-]+)*\Z/], ",
            r"Optional[build] => Pattern[/\A(?:[0-9A-Za-z-]+)(?:\.[0-9A-Za-z-]+)*\Z/]}]]"
        ),
    ];
    SEM_VER_RANGE = [
        "Tuple[String[1]]",
        "Tuple[Variant[Default, SemVer], Variant[Default, SemVer], Boolean, 2, 3]",
        concat!(
            "Tuple[Struct[{min => Variant[Default, SemVer], ",
            "Optional[max] => Variant[Default, SemVer], Optional[exclude_max] => Boolean}]]"
        ),
    ];
    TIMESPAN = [
        "Tuple[Variant[Integer, Float]]",
        "Tuple[String[1], Variant[String[2], Array[String[2], 1]], 1, 2]",
        "Tuple[Integer, Integer, Integer, Integer, Integer, Integer, Integer, 4, 7]",
        "Tuple[Struct[{string => String[1], Optional[format] => Variant[String[2], Array[String[2], 1]]}]]",
        concat!(
            "Tuple[Struct[{Optional[negative] => Boolean, Optional[days] => Integer, ",
            "Optional[hours] => Integer, Optional[minutes] => Integer, Optional[seconds] => Integer, ",
            "Optional[milliseconds] => Integer, Optional[microseconds] => Integer, ",
            "Optional[nanoseconds] => Integer}]]"
        ),
    ];
    TIMESTAMP = [
        "Tuple[0, 0]",
        "Tuple[Variant[Integer, Float]]",
        "Tuple[String[1], Variant[String[2], Array[String[2], 1]], String[1], 1, 3]",
        concat!(
            "Tuple[Struct[{string => String[1], ",
            "Optional[format] => Variant[String[2], Array[String[2], 1]], ",
            "Optional[timezone] => String[1]}]]"
        ),
    ];
    URI = [
        "Tuple[String[1]]",
        concat!(
            "Tuple[Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1], ",
            "Optional[host] => String[1], Optional[port] => Integer[0], Optional[path] => String[1], ",
            "Optional[query] => String[1], Optional[fragment] => String[1], ",
            "Optional[opaque] => String[1]}]]"
        ),
    ];
}

/// The values accepted by an `Init` type: as a single argument, and as an argument list.
pub struct Accepted {
    /// The type of a single argument.
    pub single: Type,
    /// The types of the argument lists.
    pub lists: Option<Type>,
    /// Whether an argument list may consist of one argument.
    pub one_will_do: bool,
}

impl Accepted {
    /// Returns `None` if the type has no constructors, or none that is supported.
    pub fn of(init: &InitType) -> Option<Accepted> {
        if matches!(
            init.inner,
            Type::Init(_) | Type::Optional(_) | Type::NotUndef(_)
        ) {
            return None;
        }
        let constructors = constructors(&init.inner)?;
        let first = |it: &Arc<TupleType>| it.types().first().cloned();
        if !init.args.is_empty() {
            let args: Vec<Type> = init.args.iter().map(infer_detailed).collect();
            let count = IntRange::exactly_len(args.len() + 1);
            let takes = |it: &&Arc<TupleType>| {
                let given: Vec<Type> = first(it).into_iter().chain(args.iter().cloned()).collect();
                it.size_range().covers(count)
                    && super::assignable(&Type::Tuple(Arc::clone(it)), &Type::tuple(given, None))
            };
            let fitting: Vec<&Arc<TupleType>> = constructors.iter().filter(takes).collect();
            if fitting.is_empty() {
                return None;
            }
            let singles = fitting.into_iter().filter_map(first);
            let single = Type::variant([init.inner.clone()].into_iter().chain(singles));
            return Some(Accepted {
                single,
                lists: None,
                one_will_do: false,
            });
        }
        let (singles, lists): (Vec<_>, Vec<_>) = constructors
            .into_iter()
            .partition(|it| it.size_range() == IntRange::exactly(1));
        let one_will_do = lists.iter().any(|it| it.size_range().min() == Some(1));
        let single = Type::variant(
            [init.inner.clone()]
                .into_iter()
                .chain(singles.iter().filter_map(first)),
        );
        let lists = (!lists.is_empty()).then(|| Type::variant(lists.into_iter().map(Type::Tuple)));
        Some(Accepted {
            single,
            lists,
            one_will_do,
        })
    }
}

impl Question {
    /// Checks whether a constructor accepts a value of type `from`.
    pub(super) fn constructors_accept(
        &self,
        init: &InitType,
        from: &Type,
        guard: Passed<'_>,
    ) -> bool {
        let Some(accepted) = Accepted::of(init) else {
            self.doubt();
            return false;
        };
        self.assignable(&accepted.single, from, guard)
            || accepted.lists.is_some_and(|lists| {
                self.assignable(&lists, from, guard)
                    || accepted.one_will_do
                        && self.assignable(&lists, &Type::tuple([from.clone()], None), None)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_signature() {
        for (name, signatures, count) in ALL {
            assert_eq!(signatures.len(), *count, "{name}");
        }
    }
}
