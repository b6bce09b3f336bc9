//! The list of rules about style, documentation and security. Each rule is one file in `style/`, as in
//! `rules/`.

mod anchor_resource;
mod bare_interpolation;
mod block_comment;
mod case_without_default;
mod dash_after_variable;
mod file_mode;
mod file_url_without_modules;
mod foreign_inheritance;
mod late_required_parameter;
mod leftward_arrow;
mod line_over_80;
mod literal_interpolation;
mod long_line;
mod misplaced_ensure;
mod needless_double_quotes;
mod needless_interpolation;
mod nested_definition;
mod params_inheritance;
mod quoted_boolean;
mod selector_in_resource;
mod symlink_target_in_ensure;
mod top_level_code;
mod top_scope_fact;
mod unclosed_suppression;
mod undocumented_definition;
mod unquoted_file_mode;
mod unquoted_node_name;
mod unquoted_title;
mod uppercase_definition;
mod uppercase_variable;

use crate::rule::Rule;

/// The rules about style, documentation and security, in documentation order.
pub static STYLE_RULES: &[&Rule] = &[
    &anchor_resource::ANCHOR_RESOURCE,
    &bare_interpolation::BARE_INTERPOLATION,
    &block_comment::BLOCK_COMMENT,
    &case_without_default::CASE_WITHOUT_DEFAULT,
    &dash_after_variable::DASH_AFTER_VARIABLE,
    &file_mode::FILE_MODE,
    &file_url_without_modules::FILE_URL_WITHOUT_MODULES,
    &foreign_inheritance::FOREIGN_INHERITANCE,
    &late_required_parameter::LATE_REQUIRED_PARAMETER,
    &leftward_arrow::LEFTWARD_ARROW,
    &line_over_80::LINE_OVER_80,
    &literal_interpolation::LITERAL_INTERPOLATION,
    &long_line::LONG_LINE,
    &misplaced_ensure::MISPLACED_ENSURE,
    &needless_double_quotes::NEEDLESS_DOUBLE_QUOTES,
    &needless_interpolation::NEEDLESS_INTERPOLATION,
    &nested_definition::NESTED_DEFINITION,
    &params_inheritance::PARAMS_INHERITANCE,
    &quoted_boolean::QUOTED_BOOLEAN,
    &selector_in_resource::SELECTOR_IN_RESOURCE,
    &symlink_target_in_ensure::SYMLINK_TARGET_IN_ENSURE,
    &top_level_code::TOP_LEVEL_CODE,
    &top_scope_fact::TOP_SCOPE_FACT,
    &unclosed_suppression::UNCLOSED_SUPPRESSION,
    &undocumented_definition::UNDOCUMENTED_DEFINITION,
    &unquoted_file_mode::UNQUOTED_FILE_MODE,
    &unquoted_node_name::UNQUOTED_NODE_NAME,
    &unquoted_title::UNQUOTED_TITLE,
    &uppercase_definition::UPPERCASE_DEFINITION,
    &uppercase_variable::UPPERCASE_VARIABLE,
];
