//! Addresses of the official documentation of what Puppet ships.

use syntax::validation::PuppetVersion;

use crate::signatures::ResourceType;

fn page(version: PuppetVersion, path: &str) -> String {
    let release = match version {
        PuppetVersion::V7 => 7,
        PuppetVersion::V8 => 8,
    };
    format!("https://www.puppet.com/docs/puppet/{release}/{path}")
}

/// Returns the documentation of a function.
pub fn function(name: &str, version: PuppetVersion) -> String {
    page(version, &format!("function.html#{name}"))
}

/// Returns the documentation of a resource type; of one that a module contains now, the page of the
/// module.
pub fn resource_type(type_: &ResourceType, version: PuppetVersion) -> Option<String> {
    Some(match &type_.module {
        Some(module) => format!("https://forge.puppet.com/modules/puppetlabs/{module}"),
        None => page(version, &format!("types/{}.html", type_.name)),
    })
}

/// Returns the documentation of an attribute of a resource type.
pub fn attribute(type_: &ResourceType, name: &str, version: PuppetVersion) -> Option<String> {
    let address = resource_type(type_, version)?;
    Some(match type_.module {
        Some(_) => address,
        None => format!("{address}#{}-attribute-{name}", type_.name),
    })
}

/// Returns the documentation of a metaparameter.
pub fn metaparameter(name: &str, version: PuppetVersion) -> String {
    page(version, &format!("metaparameter.html#{name}"))
}

/// Returns the documentation of a core fact, by its top-level name.
pub fn fact(name: &str, version: PuppetVersion) -> String {
    page(version, &format!("core_facts.html#{name}"))
}

/// Returns the documentation of a built-in variable.
pub fn variable(name: &str, version: PuppetVersion) -> String {
    match name.strip_prefix("settings::") {
        Some(setting) => page(version, &format!("configuration.html#{setting}")),
        None => page(version, "lang_facts_builtin_variables.html"),
    }
}

/// Returns the documentation of the functions of Bolt.
pub fn bolt_functions() -> String {
    "https://www.puppet.com/docs/bolt/latest/plan_functions.html".to_owned()
}

/// Returns the documentation of the data types of Bolt.
pub fn bolt_types() -> String {
    "https://www.puppet.com/docs/bolt/latest/bolt_types_reference.html".to_owned()
}

/// Returns the documentation of a data type.
pub fn data_type(name: &str, version: PuppetVersion) -> String {
    let name = match name {
        "String" => "lang_data_string.html",
        "Integer" | "Float" | "Numeric" => "lang_data_number.html",
        "Boolean" => "lang_data_boolean.html",
        "Array" => "lang_data_array.html",
        "Hash" => "lang_data_hash.html",
        "Regexp" => "lang_data_regexp.html",
        "Sensitive" => "lang_data_sensitive.html",
        "Timespan" | "Timestamp" => "lang_data_time.html",
        "Undef" => "lang_data_undef.html",
        "Default" => "lang_data_default.html",
        "Resource" | "Class" => "lang_data_resource_type.html",
        "Any" | "CatalogEntry" | "Collection" | "Data" | "Enum" | "NotUndef" | "Optional"
        | "Pattern" | "Scalar" | "Struct" | "Tuple" | "Variant" => "lang_data_abstract.html",
        _ => "lang_data_type.html",
    };
    page(version, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_depend_on_the_version() {
        assert_eq!(
            function("split", PuppetVersion::V7),
            "https://www.puppet.com/docs/puppet/7/function.html#split"
        );
        let type_ = |name| crate::resource_type(name, PuppetVersion::V8).expect("it exists");
        assert_eq!(
            attribute(type_("file"), "mode", PuppetVersion::V8).as_deref(),
            Some("https://www.puppet.com/docs/puppet/8/types/file.html#file-attribute-mode")
        );
        assert_eq!(
            resource_type(type_("cron"), PuppetVersion::V8).as_deref(),
            Some("https://forge.puppet.com/modules/puppetlabs/cron_core")
        );
    }
}
