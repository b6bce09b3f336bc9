//! The list of rules about style, documentation and security. Each rule is one file in `style/`, as in
//! `rules/`.

mod absolute_class_name;
mod absolute_class_reference;
mod anchor_resource;
mod block_comment;
mod collector_without_query;
mod cron_resource;
mod deprecated_function;
mod empty_string_default;
mod exec_not_idempotent;
mod latest_package;
mod leading_zero;
mod long_line;
mod lookup_in_default;
mod optional_with_default;
mod password_in_code;
mod passwordless_sudo;
mod present_file;
mod root_ssh_login;
mod setgid_file;
mod setuid_file;
mod stale_documentation;
mod symbolic_file_mode;
mod tidy_everything;
mod top_scope_class_variable;
mod uid_zero_user;
mod unauthenticated_package_source;
mod undef_argument;
mod undocumented_parameter;
mod unquoted_case_option;
mod unquoted_reference_title;
mod unquoted_selector_option;
mod unsafe_command;
mod untyped_parameter;
mod world_writable_file;

use crate::rule::Rule;

/// The rules about style, documentation and security, in documentation order.
pub static STYLE_RULES: &[&Rule] = &[
    &anchor_resource::ANCHOR_RESOURCE,
    &block_comment::BLOCK_COMMENT,
    &long_line::LONG_LINE,
    &present_file::PRESENT_FILE,
    &latest_package::LATEST_PACKAGE,
    &world_writable_file::WORLD_WRITABLE_FILE,
    &symbolic_file_mode::SYMBOLIC_FILE_MODE,
    &setuid_file::SETUID_FILE,
    &setgid_file::SETGID_FILE,
    &cron_resource::CRON_RESOURCE,
    &collector_without_query::COLLECTOR_WITHOUT_QUERY,
    &tidy_everything::TIDY_EVERYTHING,
    &uid_zero_user::UID_ZERO_USER,
    &absolute_class_name::ABSOLUTE_CLASS_NAME,
    &absolute_class_reference::ABSOLUTE_CLASS_REFERENCE,
    &top_scope_class_variable::TOP_SCOPE_CLASS_VARIABLE,
    &leading_zero::LEADING_ZERO,
    &lookup_in_default::LOOKUP_IN_DEFAULT,
    &unquoted_case_option::UNQUOTED_CASE_OPTION,
    &unquoted_selector_option::UNQUOTED_SELECTOR_OPTION,
    &unquoted_reference_title::UNQUOTED_REFERENCE_TITLE,
    &exec_not_idempotent::EXEC_NOT_IDEMPOTENT,
    &optional_with_default::OPTIONAL_WITH_DEFAULT,
    &empty_string_default::EMPTY_STRING_DEFAULT,
    &untyped_parameter::UNTYPED_PARAMETER,
    &undocumented_parameter::UNDOCUMENTED_PARAMETER,
    &stale_documentation::STALE_DOCUMENTATION,
    &deprecated_function::DEPRECATED_FUNCTION,
    &undef_argument::UNDEF_ARGUMENT,
    &unsafe_command::UNSAFE_COMMAND,
    &password_in_code::PASSWORD_IN_CODE,
    &root_ssh_login::ROOT_SSH_LOGIN,
    &passwordless_sudo::PASSWORDLESS_SUDO,
    &unauthenticated_package_source::UNAUTHENTICATED_PACKAGE_SOURCE,
];
