//! Operations for flow analysis that Puppet's own algebra lacks: a sound subtype test, a union that
//! keeps alternatives separate, intersection and difference.
//!
//! All operations are sound with regard to [`super::is_instance`]: they over-approximate, so a
//! result may contain more values than required, but never fewer. In doubt they return the wider
//! type.

mod intersection;
mod union;
mod within;

use super::Type;

use intersection::parts;
pub use intersection::{difference, intersection};
pub use union::{MAX_ALTERNATIVES, MAX_STRINGS, union};
pub use within::{collection_size, within};

/// The maximum depth of nested types and aliases.
const MAX_DEPTH: u32 = 48;

/// The kinds of values of a type, as a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kinds(u32);

impl Kinds {
    const NONE: Kinds = Kinds(0);
    const UNDEF: Kinds = Kinds(1);
    const DEFAULT: Kinds = Kinds(1 << 1);
    const BOOLEAN: Kinds = Kinds(1 << 2);
    const INTEGER: Kinds = Kinds(1 << 3);
    const FLOAT: Kinds = Kinds(1 << 4);
    const STRING: Kinds = Kinds(1 << 5);
    const REGEXP: Kinds = Kinds(1 << 6);
    const ARRAY: Kinds = Kinds(1 << 7);
    const HASH: Kinds = Kinds(1 << 8);
    const TYPE: Kinds = Kinds(1 << 9);
    const SENSITIVE: Kinds = Kinds(1 << 10);
    const BINARY: Kinds = Kinds(1 << 11);
    const TIMESPAN: Kinds = Kinds(1 << 12);
    const TIMESTAMP: Kinds = Kinds(1 << 13);
    const SEM_VER: Kinds = Kinds(1 << 14);
    const SEM_VER_RANGE: Kinds = Kinds(1 << 15);
    const URI: Kinds = Kinds(1 << 16);
    const OBJECT: Kinds = Kinds(1 << 17);
    const ITERATOR: Kinds = Kinds(1 << 18);
    const ALL: Kinds = Kinds((1 << 19) - 1);

    const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    fn overlap(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Over-approximates the kinds of values of a type.
    fn of(ty: &Type, depth: u32) -> Kinds {
        const NUMERIC: Kinds = Kinds::INTEGER.and(Kinds::FLOAT);
        const DATA: Kinds = NUMERIC.and(Kinds::STRING).and(Kinds::BOOLEAN);
        const TIMES: Kinds = Kinds::TIMESPAN.and(Kinds::TIMESTAMP);
        const VERSIONS: Kinds = Kinds::SEM_VER.and(Kinds::SEM_VER_RANGE);
        if depth == 0 {
            return Kinds::ALL;
        }
        match ty {
            Type::Undef | Type::Optional(None) => Kinds::UNDEF,
            Type::Default => Kinds::DEFAULT,
            Type::Boolean(_) => Kinds::BOOLEAN,
            Type::Integer(_) => Kinds::INTEGER,
            Type::Float(_) => Kinds::FLOAT,
            Type::Numeric => NUMERIC,
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Kinds::STRING,
            Type::ScalarData => DATA,
            Type::Scalar => DATA.and(Kinds::REGEXP).and(TIMES).and(VERSIONS),
            Type::Regexp(_) => Kinds::REGEXP,
            Type::Array(_) | Type::Tuple(_) => Kinds::ARRAY,
            Type::Hash(_) | Type::Struct(_) => Kinds::HASH,
            Type::Collection(_) => Kinds::ARRAY.and(Kinds::HASH),
            Type::Type(_) | Type::TypeSet(_) => Kinds::TYPE,
            Type::Sensitive(_) => Kinds::SENSITIVE,
            Type::Binary => Kinds::BINARY,
            Type::Timespan(_) => Kinds::TIMESPAN,
            Type::Timestamp(_) => Kinds::TIMESTAMP,
            Type::SemVer(_) => Kinds::SEM_VER,
            Type::SemVerRange => Kinds::SEM_VER_RANGE,
            Type::Uri(_) => Kinds::URI,
            Type::Object(_) | Type::ObjectExtension(_) => Kinds::OBJECT.and(Kinds::TYPE),
            Type::Iterator(_) => Kinds::ITERATOR,
            Type::Variant(types) => types
                .iter()
                .fold(Kinds::NONE, |kinds, it| kinds.and(Kinds::of(it, depth - 1))),
            Type::Optional(Some(inner)) => Kinds::UNDEF.and(Kinds::of(inner, depth - 1)),
            Type::NotUndef(inner) => {
                let kinds = inner
                    .as_ref()
                    .map_or(Kinds::ALL, |it| Kinds::of(it, depth - 1));
                Kinds(kinds.0 & !Kinds::UNDEF.0)
            }
            Type::Alias(alias) => Kinds::of(&alias.resolved(), depth - 1),
            // These have no instances: references are types, and no value is a callable.
            Type::CatalogEntry
            | Type::Class(_)
            | Type::Resource(_)
            | Type::Callable(_)
            | Type::Runtime(_)
            | Type::Reference(_) => Kinds::NONE,
            // Strings, integers, collections and some types are iterable.
            Type::Iterable(_) => Kinds::STRING
                .and(Kinds::INTEGER)
                .and(Kinds::ARRAY)
                .and(Kinds::HASH)
                .and(Kinds::TYPE)
                .and(Kinds::ITERATOR)
                .and(Kinds::OBJECT),
            Type::Any | Type::Unit | Type::Init(_) | Type::Recursion(_) => Kinds::ALL,
        }
    }
}

/// Checks whether `undef` may be an instance of the type.
fn may_be_undef(ty: &Type) -> bool {
    Kinds::of(ty, 8).overlap(Kinds::UNDEF)
}
