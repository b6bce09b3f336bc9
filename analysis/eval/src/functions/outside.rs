//! Functions whose results do not follow from their arguments.

/// Why the result of a function of Puppet's is not known; nothing for any other name.
pub(super) fn reason(name: &str) -> Option<&'static str> {
    Some(match name {
        "annotate" => "it keeps something beside a value",
        "binary_file" | "epp" | "file" | "find_file" | "find_template" | "hocon_data"
        | "json_data" | "module_directory" | "template" | "yaml_data" => "it reads files",
        "inline_epp" => "it evaluates a template",
        "inline_template" => "it runs Ruby",
        "eyaml_lookup_key" | "hiera" | "hiera_array" | "hiera_hash" | "hiera_include"
        | "lookup" => "it reads Hiera",
        "contain" | "create_resources" | "defined" | "include" | "realize" | "require" | "tag"
        | "tagged" => "it needs the catalog",
        "fqdn_rand" => "it depends on facts",
        "generate" => "it runs a program",
        "scanf" => "it needs a library that Ruby no longer ships",
        "import" => "Puppet no longer has it",
        _ => return None,
    })
}
