//! The names that templates see in Ruby: methods of the object that evaluates them and of their scope, and global
//! variables.
//!
//! The list is that of Puppet 7 with Ruby 3.1, of other versions of Ruby, and of JRuby.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// A set of names.
type Words = LazyLock<FxHashSet<&'static str>>;

fn words(text: &'static str) -> FxHashSet<&'static str> {
    text.split_whitespace().collect()
}

/// The methods that templates are meant to call. From `templatewrapper.rb`.
const API: [&str; 6] = [
    "all_tags",
    "classes",
    "file",
    "has_variable?",
    "scope",
    "tags",
];

/// The parameters of blocks that declare none.
const NUMBERED_PARAMETERS: [&str; 9] = ["_1", "_2", "_3", "_4", "_5", "_6", "_7", "_8", "_9"];

/// The local variables at the place where Puppet evaluates a template. From `templatewrapper.rb`.
const LOCALS: [&str; 6] = [
    "_erbout",
    "escaped_template_source",
    "result",
    "string",
    "template",
    "template_source",
];

/// The other methods of a template: those of Ruby and of Puppet.
static METHODS: Words = LazyLock::new(|| {
    words(
        "
    _ __ENCODING__ __FILE__ __LINE__ __callee__ __dir__ __id__ __method__ __send__ abort absolute_path
    absolute_path? alert at_exit autoload autoload? benchmark binding binread block_given? byebug callcc
    caller caller_locations catch class class_def clear_environment clone com create_erb crit daemonize
    debug default_env define_singleton_method deterministic_rand deterministic_rand_int display dup emerg
    enum_for eql? equal? err eval evaluate exec execfail execpipe execute exit exit! exit_on_fail extend
    fail fork format freeze frozen? gem gem_original_require get_env get_environment get_proc_count
    get_updates gets global_variables hash include_package info initialize initialize_clone
    initialize_copy initialize_dup inspect instance_eval instance_exec instance_of?
    instance_variable_defined? instance_variable_get instance_variable_names instance_variable_set
    instance_variables irb is_a? it iterator? itself j java java_import java_kind_of? java_package javafx
    javax jj jruby kind_of? lambda load load_dir local_variables logmethods loop merge_environment
    meta_def meta_eval meta_undef method method_missing methods n_ nil? notice object_id open org p
    path_to_uri pp pretty_inspect pretty_print pretty_print_cycle pretty_print_inspect
    pretty_print_instance_variables print printf private_methods proc protected_methods pry public_method
    public_methods public_send putc puts raise rand readline readlines remove_instance_variable
    replace_file require require_jar require_relative respond_to? respond_to_missing? result
    rfc2396_escape safe_posix_fork script_line secure_open select send set_env set_trace_func
    singleton_class singleton_method singleton_method_added singleton_method_removed
    singleton_method_undefined singleton_methods skip_external_facts sleep spawn sprintf srand
    symbolizehash syscall system taint tainted? tap test then thinmark threadlock throw to_enum to_json
    to_pson to_s to_yaml to_zaml trace_var trap trust untaint untrace_var untrust untrusted? uri_encode
    uri_query_encode uri_to_path uri_unescape warn warning which withenv withumask y yield_self zaml_to_s
",
    )
});

/// The methods of `Puppet::Parser::Scope` that other objects lack.
static SCOPE_METHODS: Words = LazyLock::new(|| {
    words(
        "
    adderrorcontext assert_class_and_title bound? call_function catalog class_scope class_set compiler
    deep_freeze defaults define_settings devfail effective_symtable enclosing_scope environment
    ephemeral_from ephemeral_level error_context exceptwrap exist? extend_with_functions_module
    find_builtin_resource_type find_defined_resource_type find_definition find_global_scope find_hostclass
    find_resource_type findresource get_local_variable handle_not_found has_enclosing_scope?
    has_local_variable? include? inherited_scope is_classscope? is_default? is_nodescope? is_topscope?
    lookup_qualified_variable lookupdefaults lookuptype lookupvar merge_settings new_ephemeral
    new_match_scope newscope parent parent_module_name pop_ephemerals push_ephemerals qualified_scope
    resolve_type_and_titles resource set_facts set_match_data set_server_facts set_trusted setvar source
    to_hash transform_and_assert_classnames transform_setting undef_as variable_not_found with_global_scope
    with_guarded_scope with_local_scope with_parameter_scope without_ephemeral_scopes
",
    )
});

/// The global variables of Ruby with names that are words.
static GLOBALS: Words = LazyLock::new(|| {
    words(
        "
    ARGV CGI_ENV CHILD_STATUS DEBUG DEFAULT_INPUT DEFAULT_OUTPUT ERROR_INFO ERROR_POSITION FIELD_SEPARATOR
    FILENAME FS IGNORECASE INPUT_LINE_NUMBER INPUT_RECORD_SEPARATOR KCODE LAST_MATCH_INFO LAST_PAREN_MATCH
    LAST_READ_LINE LOADED_FEATURES LOAD_PATH MATCH NR OFS ORS OUTPUT_FIELD_SEPARATOR OUTPUT_RECORD_SEPARATOR
    PID POSTMATCH PREMATCH PROCESS_ID PROGRAM_NAME RS SAFE VERBOSE stderr stdin stdout
",
    )
});

/// The functions of Puppet that can be called with the 3.x API, and do not only report that they cannot. As observed
/// with Puppet 7.
static LEGACY_FUNCTIONS: Words = LazyLock::new(|| {
    words(
        "
    alert binary_file break contain create_resources crit debug digest emerg err fail file find_file fqdn_rand
    generate include info inline_template match md5 notice realize regsubst require scanf sha1 sha256 shellquote
    split sprintf tag tagged template versioncmp warning
",
    )
});

/// The meaning of a name without a receiver in a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RubyName {
    /// A method that templates are meant to call, or a name of the language.
    Api,
    /// A method or a local variable that happens to be there.
    Incidental,
}

/// Returns the meaning of a name without a receiver; `None` if it is unknown.
pub(super) fn ruby_name(name: &str) -> Option<RubyName> {
    if API.contains(&name) || NUMBERED_PARAMETERS.contains(&name) {
        return Some(RubyName::Api);
    }
    (LOCALS.contains(&name) || METHODS.contains(name)).then_some(RubyName::Incidental)
}

/// Checks whether all objects have a method.
pub(in crate::ruby) fn is_method_of_objects(name: &str) -> bool {
    METHODS.contains(name)
}

/// Checks whether the scope of a template has a method.
pub(super) fn is_scope_method(name: &str) -> bool {
    SCOPE_METHODS.contains(name) || METHODS.contains(name)
}

/// Checks whether a global variable, without its dollar sign, belongs to Ruby.
pub(super) fn is_ruby_global(name: &str) -> bool {
    !name.starts_with(|it: char| it.is_ascii_lowercase()) || GLOBALS.contains(name)
}

/// Checks whether a function of Puppet can be called with the 3.x API: `scope.function_x([…])`.
pub fn has_legacy_api(name: &str) -> bool {
    LEGACY_FUNCTIONS.contains(name)
}
