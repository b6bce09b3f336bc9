# Hiera lookups, and the Hiera backends.

type NameType = Variant[String, Array[String]]
type ValueType = Type
type DefaultValueType = Any
type MergeType = Variant[String[1], Hash[String, Scalar]]
type BlockType = Callable[NameType]
type OptionsWithName = Struct[{
  name => NameType,
  value_type => Optional[ValueType],
  default_value => Optional[DefaultValueType],
  override => Optional[Hash[String, Any]],
  default_values_hash => Optional[Hash[String, Any]],
  merge => Optional[MergeType],
}]
type OptionsWithoutName = Struct[{
  value_type => Optional[ValueType],
  default_value => Optional[DefaultValueType],
  override => Optional[Hash[String, Any]],
  default_values_hash => Optional[Hash[String, Any]],
  merge => Optional[MergeType],
}]

# @summary Looks up a value in Hiera.
#
# The lookup fails if no value is found and there is neither a default value nor a lambda.
# @names data_key
# @reads_variables
# @external
# @param name The key to look up. Of several keys, the first that is found is used.
# @param value_type The data type that the value must match.
# @param merge How to merge the values of several levels: `first` (the default), `unique`, `hash`,
#   `deep`, or a hash with the key `strategy` and its options.
# @param default_value The value to return if no value is found.
# @param options_hash The other parameters by name, `override` (values that take precedence over
#   Hiera), and `default_values_hash` (values for keys that are not found).
# @param block Called with the key if no value is found. The function returns its result.
# @return the value
# @example Look up a value with a type and a default value
#   lookup('ntp::servers', Array[String], 'unique', [])
# @example Pass the options as a hash
#   lookup('ntp::servers', { 'value_type' => Array[String], 'merge' => 'unique', 'default_value' => [] })
function lookup(
  NameType $name,
  ValueType $value_type = default,
  MergeType $merge = default,
) { }

# Returns a default value if no value is found.
function lookup(
  NameType $name,
  Optional[ValueType] $value_type,
  Optional[MergeType] $merge,
  DefaultValueType $default_value,
) { }

# Calls a lambda if no value is found.
function lookup(
  NameType $name,
  ValueType $value_type = default,
  MergeType $merge = default,
  BlockType $block,
) { }

# Accepts all parameters in a hash.
function lookup(OptionsWithName $options_hash, Optional[BlockType] $block) { }

# Accepts the key, and all other parameters in a hash.
function lookup(
  Variant[String, Array[String]] $name,
  OptionsWithoutName $options_hash,
  Optional[BlockType] $block,
) { }

# @summary Looks up a value in Hiera, and returns the one of the first level that contains the key.
# @deprecated Use `lookup`, which also supports the data of environments and modules.
# @names data_key
# @reads_variables
# @external
# @param args All arguments in one array.
# @param key The key to look up.
# @param default The value to return if no value is found.
# @param override A level of the hierarchy to search before all others.
# @param default_block Called with the key if no value is found. The function returns its result.
# @return the value
# @example Look up a value with a default value
#   hiera('ntp::servers', [])
function hiera(Tuple[String, Any, Any, 1, 3] $args) { }

# Fails if the key is not found.
function hiera(String $key) { }

# Returns a default value if the key is not found.
function hiera(String $key, Any $default, Any $override = undef) { }

# Calls a lambda if the key is not found.
function hiera(String $key, Callable[1, 1] $default_block) { }

# Searches another level first, and calls a lambda if the key is not found.
function hiera(String $key, Any $override, Callable[1, 1] $default_block) { }

# @summary Looks up a value in Hiera, and merges the values of all levels into an array of unique
#   elements.
# @deprecated Use `lookup` with the merge strategy `unique`.
# @names data_key
# @external
# @param args All arguments in one array.
# @param key The key to look up.
# @param default The value to return if no value is found.
# @param override A level of the hierarchy to search before all others.
# @param default_block Called with the key if no value is found. The function returns its result.
# @return the merged array
# @example Merge the users of all levels
#   hiera_array('users', [])
function hiera_array(Tuple[String, Any, Any, 1, 3] $args) { }

# Fails if the key is not found.
function hiera_array(String $key) { }

# Returns a default value if the key is not found.
function hiera_array(String $key, Any $default, Any $override = undef) { }

# Calls a lambda if the key is not found.
function hiera_array(String $key, Callable[1, 1] $default_block) { }

# Searches another level first, and calls a lambda if the key is not found.
function hiera_array(String $key, Any $override, Callable[1, 1] $default_block) { }

# @summary Looks up a value in Hiera, and merges the hashes of all levels.
# @deprecated Use `lookup` with the merge strategy `hash` or `deep`.
# @names data_key
# @external
# @param args All arguments in one array.
# @param key The key to look up.
# @param default The value to return if no value is found.
# @param override A level of the hierarchy to search before all others.
# @param default_block Called with the key if no value is found. The function returns its result.
# @return the merged hash
# @example Merge the accounts of all levels
#   hiera_hash('accounts', {})
function hiera_hash(Tuple[String, Any, Any, 1, 3] $args) { }

# Fails if the key is not found.
function hiera_hash(String $key) { }

# Returns a default value if the key is not found.
function hiera_hash(String $key, Any $default, Any $override = undef) { }

# Calls a lambda if the key is not found.
function hiera_hash(String $key, Callable[1, 1] $default_block) { }

# Searches another level first, and calls a lambda if the key is not found.
function hiera_hash(String $key, Any $override, Callable[1, 1] $default_block) { }

# @summary Looks up class names in all levels of Hiera, and declares the classes.
# @deprecated Use `lookup('classes', Array[String], 'unique').include`.
# @names data_key
# @param args All arguments in one array.
# @param key The key to look up.
# @param default The value to use if no value is found.
# @param override A level of the hierarchy to search before all others.
# @param default_block Called with the key if no value is found. The function uses its result.
# @return references to the classes
# @example Declare the classes of a node
#   hiera_include('classes')
function hiera_include(Tuple[String, Any, Any, 1, 3] $args) { }

# Fails if the key is not found.
function hiera_include(String $key) { }

# Uses a default value if the key is not found.
function hiera_include(String $key, Any $default, Any $override = undef) { }

# Calls a lambda if the key is not found.
function hiera_include(String $key, Callable[1, 1] $default_block) { }

# Searches another level first, and calls a lambda if the key is not found.
function hiera_include(String $key, Any $override, Callable[1, 1] $default_block) { }

# @summary Reads a YAML file. A `data_hash` backend that Hiera calls; not for use in manifests.
# @param options The options of the hierarchy level, with the path of the file.
# @param context The lookup context of Hiera.
# @return the data of the file
function yaml_data(
  Struct[{ 'path' => String[1] }] $options,
  Puppet::LookupContext $context,
) { }

# @summary Reads a JSON file. A `data_hash` backend that Hiera calls; not for use in manifests.
# @param options The options of the hierarchy level, with the path of the file.
# @param context The lookup context of Hiera.
# @return the data of the file
function json_data(
  Struct[{ 'path' => String[1] }] $options,
  Puppet::LookupContext $context,
) { }

# @summary Reads a HOCON file. A `data_hash` backend that Hiera calls; not for use in manifests.
# @param options The options of the hierarchy level, with the path of the file.
# @param context The lookup context of Hiera.
# @return the data of the file
function hocon_data(
  Struct[{ 'path' => String[1] }] $options,
  Puppet::LookupContext $context,
) { }

# @summary Looks up a key in a YAML file with encrypted values. A `lookup_key` backend that Hiera
#   calls. Requires the gem `hiera-eyaml`.
# @param key The key to look up.
# @param options The options of the hierarchy level, with the path of the file and the decryption
#   keys.
# @param context The lookup context of Hiera.
# @return the decrypted value
function eyaml_lookup_key(
  String[1] $key,
  Hash[String[1], Any] $options,
  Puppet::LookupContext $context,
) { }
