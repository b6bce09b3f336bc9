//! The list of rules about style, documentation and security. Each rule is one file in `style/`, as in
//! `rules/`.

mod absolute_class_name;
mod absolute_class_reference;
mod additional_definition;
mod anchor_resource;
mod arrow_alignment;
mod arrow_at_line_end;
mod bare_interpolation;
mod block_comment;
mod brace_spacing;
mod bracket_spacing;
mod case_without_default;
mod collector_without_query;
mod cron_resource;
mod dash_after_variable;
mod deprecated_function;
mod empty_lines;
mod empty_string_default;
mod end_of_file;
mod exec_not_idempotent;
mod file_mode;
mod file_url_without_modules;
mod foreign_inheritance;
mod hash_alignment;
mod header_spacing;
mod indentation;
mod late_required_parameter;
mod latest_package;
mod leading_zero;
mod leftward_arrow;
mod line_over_80;
mod long_line;
mod lookup_in_default;
mod misplaced_ensure;
mod missing_parameter_comma;
mod missing_trailing_comma;
mod needless_double_quotes;
mod needless_interpolation;
mod nested_definition;
mod odd_indentation;
mod optional_with_default;
mod params_inheritance;
mod password_in_code;
mod passwordless_sudo;
mod present_file;
mod quoted_boolean;
mod root_ssh_login;
mod selector_in_resource;
mod setgid_file;
mod setuid_file;
mod space_after_arrow;
mod space_before_arrow;
mod stale_documentation;
mod symbolic_file_mode;
mod symlink_target_in_ensure;
mod tab;
mod tidy_everything;
mod top_level_code;
mod top_scope_class_variable;
mod top_scope_fact;
mod trailing_blanks;
mod uid_zero_user;
mod unauthenticated_package_source;
mod unclosed_suppression;
mod uncuddled_else;
mod undef_argument;
mod undocumented_definition;
mod undocumented_parameter;
mod unquoted_case_option;
mod unquoted_file_mode;
mod unquoted_node_name;
mod unquoted_reference_title;
mod unquoted_selector_option;
mod unquoted_title;
mod unsafe_command;
mod untyped_parameter;
mod uppercase_definition;
mod uppercase_variable;
mod world_writable_file;

use crate::rule::Rule;

/// The rules about style, documentation and security, in documentation order.
pub static STYLE_RULES: &[&Rule] = &[
    &absolute_class_name::ABSOLUTE_CLASS_NAME,
    &absolute_class_reference::ABSOLUTE_CLASS_REFERENCE,
    &additional_definition::ADDITIONAL_DEFINITION,
    &anchor_resource::ANCHOR_RESOURCE,
    &arrow_alignment::ARROW_ALIGNMENT,
    &arrow_at_line_end::ARROW_AT_LINE_END,
    &bare_interpolation::BARE_INTERPOLATION,
    &block_comment::BLOCK_COMMENT,
    &brace_spacing::BRACE_SPACING,
    &bracket_spacing::BRACKET_SPACING,
    &case_without_default::CASE_WITHOUT_DEFAULT,
    &collector_without_query::COLLECTOR_WITHOUT_QUERY,
    &cron_resource::CRON_RESOURCE,
    &dash_after_variable::DASH_AFTER_VARIABLE,
    &deprecated_function::DEPRECATED_FUNCTION,
    &empty_lines::EMPTY_LINES,
    &empty_string_default::EMPTY_STRING_DEFAULT,
    &end_of_file::END_OF_FILE,
    &exec_not_idempotent::EXEC_NOT_IDEMPOTENT,
    &file_mode::FILE_MODE,
    &file_url_without_modules::FILE_URL_WITHOUT_MODULES,
    &foreign_inheritance::FOREIGN_INHERITANCE,
    &hash_alignment::HASH_ALIGNMENT,
    &header_spacing::HEADER_SPACING,
    &indentation::INDENTATION,
    &late_required_parameter::LATE_REQUIRED_PARAMETER,
    &latest_package::LATEST_PACKAGE,
    &leading_zero::LEADING_ZERO,
    &leftward_arrow::LEFTWARD_ARROW,
    &line_over_80::LINE_OVER_80,
    &long_line::LONG_LINE,
    &lookup_in_default::LOOKUP_IN_DEFAULT,
    &misplaced_ensure::MISPLACED_ENSURE,
    &missing_parameter_comma::MISSING_PARAMETER_COMMA,
    &missing_trailing_comma::MISSING_TRAILING_COMMA,
    &needless_double_quotes::NEEDLESS_DOUBLE_QUOTES,
    &needless_interpolation::NEEDLESS_INTERPOLATION,
    &nested_definition::NESTED_DEFINITION,
    &odd_indentation::ODD_INDENTATION,
    &optional_with_default::OPTIONAL_WITH_DEFAULT,
    &params_inheritance::PARAMS_INHERITANCE,
    &password_in_code::PASSWORD_IN_CODE,
    &passwordless_sudo::PASSWORDLESS_SUDO,
    &present_file::PRESENT_FILE,
    &quoted_boolean::QUOTED_BOOLEAN,
    &root_ssh_login::ROOT_SSH_LOGIN,
    &selector_in_resource::SELECTOR_IN_RESOURCE,
    &setgid_file::SETGID_FILE,
    &setuid_file::SETUID_FILE,
    &space_after_arrow::SPACE_AFTER_ARROW,
    &space_before_arrow::SPACE_BEFORE_ARROW,
    &stale_documentation::STALE_DOCUMENTATION,
    &symbolic_file_mode::SYMBOLIC_FILE_MODE,
    &symlink_target_in_ensure::SYMLINK_TARGET_IN_ENSURE,
    &tab::TAB,
    &tidy_everything::TIDY_EVERYTHING,
    &top_level_code::TOP_LEVEL_CODE,
    &top_scope_class_variable::TOP_SCOPE_CLASS_VARIABLE,
    &top_scope_fact::TOP_SCOPE_FACT,
    &trailing_blanks::TRAILING_BLANKS,
    &uid_zero_user::UID_ZERO_USER,
    &uncuddled_else::UNCUDDLED_ELSE,
    &unauthenticated_package_source::UNAUTHENTICATED_PACKAGE_SOURCE,
    &unclosed_suppression::UNCLOSED_SUPPRESSION,
    &undef_argument::UNDEF_ARGUMENT,
    &undocumented_definition::UNDOCUMENTED_DEFINITION,
    &undocumented_parameter::UNDOCUMENTED_PARAMETER,
    &unquoted_case_option::UNQUOTED_CASE_OPTION,
    &unquoted_file_mode::UNQUOTED_FILE_MODE,
    &unquoted_node_name::UNQUOTED_NODE_NAME,
    &unquoted_reference_title::UNQUOTED_REFERENCE_TITLE,
    &unquoted_selector_option::UNQUOTED_SELECTOR_OPTION,
    &unquoted_title::UNQUOTED_TITLE,
    &unsafe_command::UNSAFE_COMMAND,
    &untyped_parameter::UNTYPED_PARAMETER,
    &uppercase_definition::UPPERCASE_DEFINITION,
    &uppercase_variable::UPPERCASE_VARIABLE,
    &world_writable_file::WORLD_WRITABLE_FILE,
];
