//! Functions whose results depend on more than their arguments.

/// Returns the reason why the result of a built-in function is unknown; `None` for any other name.
/// It is worded to follow the name of the function.
pub(super) fn unknown_reason(name: &str) -> Option<&'static str> {
    Some(match name {
        "annotate" => "stores data outside of the value",
        "binary_file" | "epp" | "file" | "find_file" | "find_template" | "hocon_data"
        | "json_data" | "module_directory" | "template" | "yaml_data" => "reads files",
        "inline_epp" => "evaluates a template",
        "inline_template" => "runs Ruby code",
        "eyaml_lookup_key" | "hiera" | "hiera_array" | "hiera_hash" | "hiera_include"
        | "lookup" => "reads Hiera data",
        "contain" | "create_resources" | "defined" | "include" | "realize" | "require" | "tag"
        | "tagged" => "depends on the catalog",
        "fqdn_rand" => "depends on facts",
        "generate" => "runs a program",
        "scanf" => "depends on a library that Ruby no longer ships",
        "import" => "was removed from Puppet",
        _ => return None,
    })
}
