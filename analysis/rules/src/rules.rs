//! The list of rules. Each rule is one file: its page, its detection, messages and fixes, and its
//! tests.

mod argument_count;
mod bare_word;
mod block_mismatch;
mod class_as_resource;
mod conflicting_attributes;
mod constant_condition;
mod data_mismatch;
mod dependency_cycle;
mod division_by_zero;
mod duplicate_attribute;
mod duplicate_data_key;
mod duplicate_definition;
mod duplicate_resource;
mod early_defined;
mod empty_collector;
mod failing_call;
mod failing_class;
mod foreign_data_key;
mod hidden_data;
mod index_out_of_range;
mod inheritance_cycle;
mod integer_overflow;
mod interpolated_deferred;
mod invalid_assignment;
mod invalid_attribute_value;
mod invalid_data;
mod invalid_environment_conf;
mod invalid_format;
mod invalid_hiera_config;
mod invalid_interpolation;
mod invalid_lookup_option;
mod invalid_metadata;
mod invalid_operand;
mod invalid_override;
mod invalid_plan;
mod invalid_puppetfile;
mod invalid_regex;
mod invalid_ruby;
mod invalid_task;
mod invalid_template;
mod invalid_title;
mod invalid_type;
mod legacy_fact;
mod literal_index;
mod literal_interpolation;
mod misplaced_definition;
mod misplaced_exit;
mod missing_data;
mod missing_dependency;
mod missing_file;
mod missing_module;
mod missing_option;
mod missing_parameter;
mod missing_template;
mod needless_realize;
mod negation_precedence;
mod never_equal;
mod parameter_order;
mod plan_context;
mod possible_mismatch;
mod possibly_unassigned_variable;
mod quoted_regex;
mod reassigned_variable;
mod redacted_sensitive;
mod removed_function;
mod type_mismatch;
mod uncontained_class;
mod undef_result;
mod unintended_symlink;
mod unknown_attribute;
mod unknown_capture_group;
mod unknown_class;
mod unknown_data_key;
mod unknown_fact_value;
mod unknown_function;
mod unknown_key;
mod unknown_lookup_key;
mod unknown_parameter;
mod unknown_plan;
mod unknown_reference;
mod unknown_resource_type;
mod unknown_rule;
mod unknown_type;
mod unknown_variable;
mod unmet_dependency;
mod unqualified_command;
mod unreachable_code;
mod unreachable_node;
mod unreachable_option;
mod unread_data;
mod unrealized_resource;
mod unsupported_iterator;
mod unused_data_key;
mod unused_definition;
mod unused_file;
mod unused_parameter;
mod unused_value;
mod unused_variable;
mod version_comparison;

use crate::rule::Rule;

pub(crate) use data_mismatch::DATA_MISMATCH;
#[cfg(test)]
pub(crate) use duplicate_resource::DUPLICATE_RESOURCE;
#[cfg(test)]
pub(crate) use failing_class::FAILING_CLASS;
#[cfg(test)]
pub(crate) use invalid_attribute_value::INVALID_ATTRIBUTE_VALUE;
#[cfg(test)]
pub(crate) use legacy_fact::LEGACY_FACT;
pub(crate) use missing_module::MISSING_MODULE;
pub(crate) use missing_option::single_values;
#[cfg(test)]
pub(crate) use missing_parameter::MISSING_PARAMETER;
#[cfg(test)]
pub(crate) use unknown_function::UNKNOWN_FUNCTION;
#[cfg(test)]
pub(crate) use unknown_parameter::UNKNOWN_PARAMETER;
#[cfg(test)]
pub(crate) use unknown_plan::UNKNOWN_PLAN;
#[cfg(test)]
pub(crate) use unknown_reference::UNKNOWN_REFERENCE;
#[cfg(test)]
pub(crate) use unknown_variable::UNKNOWN_VARIABLE;

/// The rules for manifests, functions, types, plans and templates, in documentation order.
pub static RULES: &[&Rule] = &[
    &unknown_variable::UNKNOWN_VARIABLE,
    &unknown_class::UNKNOWN_CLASS,
    &unknown_resource_type::UNKNOWN_RESOURCE_TYPE,
    &unknown_attribute::UNKNOWN_ATTRIBUTE,
    &unknown_parameter::UNKNOWN_PARAMETER,
    &missing_parameter::MISSING_PARAMETER,
    &unknown_function::UNKNOWN_FUNCTION,
    &removed_function::REMOVED_FUNCTION,
    &unknown_plan::UNKNOWN_PLAN,
    &plan_context::PLAN_CONTEXT,
    &unknown_type::UNKNOWN_TYPE,
    &missing_template::MISSING_TEMPLATE,
    &missing_file::MISSING_FILE,
    &missing_module::MISSING_MODULE,
    &duplicate_definition::DUPLICATE_DEFINITION,
    &duplicate_resource::DUPLICATE_RESOURCE,
    &early_defined::EARLY_DEFINED,
    &needless_realize::NEEDLESS_REALIZE,
    &unrealized_resource::UNREALIZED_RESOURCE,
    &empty_collector::EMPTY_COLLECTOR,
    &duplicate_attribute::DUPLICATE_ATTRIBUTE,
    &reassigned_variable::REASSIGNED_VARIABLE,
    &possibly_unassigned_variable::POSSIBLY_UNASSIGNED_VARIABLE,
    &inheritance_cycle::INHERITANCE_CYCLE,
    &legacy_fact::LEGACY_FACT,
    &unused_variable::UNUSED_VARIABLE,
    &unused_parameter::UNUSED_PARAMETER,
    &unused_definition::UNUSED_DEFINITION,
    &unused_file::UNUSED_FILE,
    &type_mismatch::TYPE_MISMATCH,
    &possible_mismatch::POSSIBLE_MISMATCH,
    &invalid_attribute_value::INVALID_ATTRIBUTE_VALUE,
    &invalid_title::INVALID_TITLE,
    &invalid_type::INVALID_TYPE,
    &literal_interpolation::LITERAL_INTERPOLATION,
    &conflicting_attributes::CONFLICTING_ATTRIBUTES,
    &unqualified_command::UNQUALIFIED_COMMAND,
    &class_as_resource::CLASS_AS_RESOURCE,
    &invalid_override::INVALID_OVERRIDE,
    &invalid_assignment::INVALID_ASSIGNMENT,
    &parameter_order::PARAMETER_ORDER,
    &misplaced_definition::MISPLACED_DEFINITION,
    &misplaced_exit::MISPLACED_EXIT,
    &argument_count::ARGUMENT_COUNT,
    &block_mismatch::BLOCK_MISMATCH,
    &invalid_operand::INVALID_OPERAND,
    &unsupported_iterator::UNSUPPORTED_ITERATOR,
    &dependency_cycle::DEPENDENCY_CYCLE,
    &uncontained_class::UNCONTAINED_CLASS,
    &division_by_zero::DIVISION_BY_ZERO,
    &integer_overflow::INTEGER_OVERFLOW,
    &interpolated_deferred::INTERPOLATED_DEFERRED,
    &invalid_regex::INVALID_REGEX,
    &invalid_template::INVALID_TEMPLATE,
    &invalid_ruby::INVALID_RUBY,
    &invalid_format::INVALID_FORMAT,
    &failing_call::FAILING_CALL,
    &failing_class::FAILING_CLASS,
    &constant_condition::CONSTANT_CONDITION,
    &unreachable_option::UNREACHABLE_OPTION,
    &missing_option::MISSING_OPTION,
    &unreachable_code::UNREACHABLE_CODE,
    &unreachable_node::UNREACHABLE_NODE,
    &never_equal::NEVER_EQUAL,
    &unknown_fact_value::UNKNOWN_FACT_VALUE,
    &quoted_regex::QUOTED_REGEX,
    &version_comparison::VERSION_COMPARISON,
    &negation_precedence::NEGATION_PRECEDENCE,
    &bare_word::BARE_WORD,
    &unused_value::UNUSED_VALUE,
    &undef_result::UNDEF_RESULT,
    &unintended_symlink::UNINTENDED_SYMLINK,
    &index_out_of_range::INDEX_OUT_OF_RANGE,
    &unknown_key::UNKNOWN_KEY,
    &unknown_capture_group::UNKNOWN_CAPTURE_GROUP,
    &redacted_sensitive::REDACTED_SENSITIVE,
    &literal_index::LITERAL_INDEX,
    &unknown_reference::UNKNOWN_REFERENCE,
    &unknown_lookup_key::UNKNOWN_LOOKUP_KEY,
    &missing_data::MISSING_DATA,
    &unknown_rule::UNKNOWN_RULE,
];

/// The rules for plans in YAML and the metadata of tasks, see [`crate::assets`].
pub static BOLT_RULES: &[&Rule] = &[&invalid_plan::INVALID_PLAN, &invalid_task::INVALID_TASK];

/// The rules for project files, see [`crate::project`].
pub static PROJECT_RULES: &[&Rule] = &[
    &invalid_metadata::INVALID_METADATA,
    &invalid_puppetfile::INVALID_PUPPETFILE,
    &invalid_environment_conf::INVALID_ENVIRONMENT_CONF,
    &invalid_hiera_config::INVALID_HIERA_CONFIG,
    &missing_dependency::MISSING_DEPENDENCY,
    &unmet_dependency::UNMET_DEPENDENCY,
];

/// The rules for the data files of Hiera, in documentation order.
pub static DATA_RULES: &[&Rule] = &[
    &invalid_data::INVALID_DATA,
    &data_mismatch::DATA_MISMATCH,
    &unknown_data_key::UNKNOWN_DATA_KEY,
    &duplicate_data_key::DUPLICATE_DATA_KEY,
    &foreign_data_key::FOREIGN_DATA_KEY,
    &invalid_interpolation::INVALID_INTERPOLATION,
    &invalid_lookup_option::INVALID_LOOKUP_OPTION,
    &unread_data::UNREAD_DATA,
    &hidden_data::HIDDEN_DATA,
    &unused_data_key::UNUSED_DATA_KEY,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use crate::rule::Rule;

    #[test]
    fn names_are_unique() {
        let other = |it: &'static Rule| it.aliases.iter().chain(it.puppet_lint);
        let names = crate::all().flat_map(|it| other(it).chain([&it.code]));
        let mut seen = BTreeSet::new();
        for name in names {
            assert!(seen.insert(name), "{name}");
        }
    }

    #[test]
    fn aliases_name_the_same_rule() {
        for (alias, code) in [
            ("hidden-text", "redacted-sensitive"),
            ("index-outside", "index-out-of-range"),
            ("unknown-group", "unknown-capture-group"),
            ("call-fails", "failing-call"),
        ] {
            let rule = crate::rule(alias).expect("it is an alias of a rule");
            assert_eq!(rule.code, code);
        }
        assert!(crate::rule("hidden").is_none());
    }

    #[test]
    fn each_file_declares_the_rule_of_its_name() {
        let files = ["src/rules", "src/style"].into_iter().flat_map(|it| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(it);
            fs::read_dir(folder).expect("the rules are in this folder")
        });
        let names = files.map(|it| it.expect("the folder is readable").file_name());
        let mut names: Vec<_> = names.map(|it| it.to_string_lossy().into_owned()).collect();
        names.sort();
        let codes = crate::all().map(|it| format!("{}.rs", it.code.replace('-', "_")));
        let mut codes: Vec<_> = codes.collect();
        codes.sort();
        assert_eq!(names, codes);
    }
}
