//! The names of the data types.

/// The names of the built-in data types.
pub const DATA_TYPES: [&str; 42] = [
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Deferred",
    "Enum",
    "Error",
    "Float",
    "Hash",
    "Init",
    "Integer",
    "Iterable",
    "Iterator",
    "NotUndef",
    "Numeric",
    "Object",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Runtime",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
    "Type",
    "Undef",
    "URI",
    "Variant",
];

/// Returns the built-in data type with this name, ignoring case, as it is written in Puppet code.
pub fn spelled_data_type(name: &str) -> Option<&'static str> {
    let mut all = DATA_TYPES.into_iter();
    all.find(|it| it.eq_ignore_ascii_case(name))
}
