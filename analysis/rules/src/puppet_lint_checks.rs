//! The checks of puppet-lint and its plugins, some of which have no rule of their own: Puppet itself rejects the code,
//! or a rule finds more than they do.

/// The checks that puppet-lint itself has. All others are in plugins.
pub const CORE_CHECKS: &[&str] = &[
    "140chars",
    "2sp_soft_tabs",
    "80chars",
    "arrow_alignment",
    "arrow_on_right_operand_line",
    "autoloader_layout",
    "case_without_default",
    "class_inherits_from_params_class",
    "code_on_top_scope",
    "documentation",
    "double_quoted_strings",
    "duplicate_params",
    "ensure_first_param",
    "ensure_not_symlink_target",
    "file_mode",
    "hard_tabs",
    "inherits_across_namespaces",
    "legacy_facts",
    "names_containing_dash",
    "names_containing_uppercase",
    "nested_classes_or_defines",
    "only_variable_string",
    "parameter_order",
    "puppet_url_without_modules",
    "quoted_booleans",
    "right_to_left_relationship",
    "selector_inside_resource",
    "single_quote_string_with_variables",
    "slash_comments",
    "space_before_arrow",
    "star_comments",
    "top_scope_facts",
    "trailing_whitespace",
    "unquoted_file_mode",
    "unquoted_node_name",
    "unquoted_resource_title",
    "variable_contains_dash",
    "variable_is_lowercase",
    "variable_scope",
    "variables_not_enclosed",
];

/// Gems with plugins (after `puppet-lint-`), and the checks that each has.
pub const PLUGINS: &[(&str, &[&str])] = &[
    (
        "absolute_classname",
        &[
            "relative_classname_inclusion",
            "relative_classname_reference",
        ],
    ),
    ("anchor", &["anchor_resource"]),
    ("exec_idempotency", &["exec_idempotency"]),
    ("file_ensure", &["file_ensure"]),
    ("leading_zero", &["leading_zero"]),
    ("lookup_in_parameter", &["lookup_in_parameter"]),
    (
        "manifest_whitespace",
        &[
            "manifest_whitespace_arrows_single_space_after",
            "manifest_whitespace_class_name_single_space_before",
            "manifest_whitespace_class_name_single_space_after",
            "manifest_whitespace_inherits_name_single_space_before",
            "manifest_whitespace_opening_brace_before",
            "manifest_whitespace_opening_brace_after",
            "manifest_whitespace_closing_brace_before",
            "manifest_whitespace_closing_brace_after",
            "manifest_whitespace_opening_bracket_before",
            "manifest_whitespace_opening_bracket_after",
            "manifest_whitespace_closing_bracket_before",
            "manifest_whitespace_closing_bracket_after",
            "manifest_whitespace_two_empty_lines",
            "manifest_whitespace_newline_beginning_of_file",
            "manifest_whitespace_missing_newline_end_of_file",
            "manifest_whitespace_double_newline_end_of_file",
        ],
    ),
    ("optional_default", &["optional_default"]),
    ("package_ensure", &["package_ensure"]),
    ("param-docs", &["parameter_documentation"]),
    ("params_empty_string", &["params_empty_string_assignment"]),
    (
        "params_not_optional_with_undef",
        &["params_not_optional_with_undef"],
    ),
    ("param-types", &["parameter_types"]),
    (
        "resource_reference_syntax",
        &[
            "resource_reference_with_unquoted_title",
            "resource_reference_without_title_capital",
            "resource_reference_without_whitespace",
            "resource_reference_chain_without_whitespace",
        ],
    ),
    ("strict_indent", &["strict_indent"]),
    ("topscope-variable", &["topscope_variable"]),
    ("trailing_comma", &["trailing_comma"]),
    (
        "unquoted_string",
        &["unquoted_string_in_case", "unquoted_string_in_selector"],
    ),
    ("variable_contains_upcase", &["variable_contains_upcase"]),
    ("version_comparison", &["version_comparison"]),
];

/// Iterates over the names of all checks.
pub fn all() -> impl Iterator<Item = &'static str> {
    let of_plugins = PLUGINS.iter().flat_map(|it| it.1);
    CORE_CHECKS.iter().chain(of_plugins).copied()
}
