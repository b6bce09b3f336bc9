# Functions that only modules and older releases define, as far as the analysis treats them
# specially. They are not offered as built-in functions, so the stubs have neither parameters nor
# documentation, only tags.

# ---- stdlib

# @pure
function any2array() { }

function any2bool() { }

# @reads_variables
function assert_private() { }

function base64() { }

# @pure
function basename() { }

# @pure
function bool2num() { }

# @pure
function bool2str() { }

# @pure
function concat() { }

function convert_base() { }

# @pure
function count() { }

function deep_merge() { }

# @tests_definedness
function defined_with_params() { }

# @pure
function delete() { }

# @pure
function delete_at() { }

# @pure
function delete_undef_values() { }

# @pure
function delete_values() { }

# @pure
function difference() { }

# @pure
function dirname() { }

# @pure
function enclose_ipv6() { }

# @needs_catalog
function ensure_packages() { }

# @names resource_type
# @needs_catalog
function ensure_resource() { }

# @names resource_type
# @needs_catalog
function ensure_resources() { }

# @names fact
# @external
function fact() { }

function fqdn_rand_string() { }
function fqdn_rotate() { }
function grep() { }
function has_interface_with() { }

# @pure
function has_key() { }

function hash() { }

# @pure
function intersection() { }

function is_a() { }
function is_array() { }
function is_bool() { }
function is_float() { }

# @tests_definedness
function is_function_available() { }

function is_hash() { }
function is_integer() { }
function is_numeric() { }
function is_string() { }

# @pure
function join_keys_to_values() { }

# @tests_definedness
function load_module_metadata() { }

# @pure
function member() { }

# @pure
function merge() { }

# @pure
function num2bool() { }

function os_version_gte() { }

function parsejson() { }

# @pure
function pick() { }

# @pure
function pick_default() { }

# @pure
function prefix() { }

# @pure
function range() { }

function regexpescape() { }
function reject() { }

# @pure
function reverse() { }

function seeded_rand() { }
function seeded_rand_string() { }
function shell_escape() { }
function shell_join() { }
function shell_split() { }
function shuffle() { }
function sprintf_hash() { }
function squeeze() { }
function stdlib::end_with() { }
function stdlib::fqdn_rotate() { }
function stdlib::merge() { }
function stdlib::nested_values() { }
function stdlib::seeded_rand() { }
function stdlib::sha256() { }
function stdlib::shell_escape() { }
function stdlib::start_with() { }
function stdlib::to_json() { }
function stdlib::to_json_pretty() { }
function stdlib::to_yaml() { }

# @pure
function str2bool() { }

# @pure
function suffix() { }

function swapcase() { }
function to_json() { }
function to_json_pretty() { }
function to_yaml() { }
function type_of() { }

# @pure
function union() { }

function uriescape() { }

function validate_array() { }
function validate_bool() { }
function validate_hash() { }
function validate_legacy() { }
function validate_re() { }
function validate_string() { }

# @pure
function values_at() { }

# @pure
function zip() { }

# ---- boltlib

# @names plan
function run_plan() { }

# @names task
function run_task() { }

# @names task
function run_task_with() { }

# ---- Puppet 3

function extlookup() { }

# @reads_variables
function scope() { }

function search() { }

# ---- openstacklib

function inet6_prefix() { }
function is_service_default() { }
function normalize_ip_for_uri() { }
