//! Indexes of the names that the code, the data and the templates of an environment use and declare. Each folds over the
//! modules, whose parts are memoized.

pub(crate) mod catalog_titles;
pub(crate) mod class_users;
pub(crate) mod computed_classes;
pub(crate) mod containment;
pub(crate) mod default_reach;
pub(crate) mod early_reads;
pub(crate) mod forgotten_variables;
pub(crate) mod name_uses;
pub(crate) mod path_uses;
pub(crate) mod possible_tags;
pub(crate) mod possible_titles;
pub(crate) mod usage_index;
pub(crate) mod virtual_resources;
