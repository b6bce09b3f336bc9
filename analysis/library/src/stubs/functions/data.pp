# Data from Hiera, and what Hiera itself calls to get it.

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

# @summary Data from Hiera.
#
# It is an error if there is none, no default value and no block.
# @param name The key, or several of which the first that is found counts.
# @param value_type The type that the data must be of.
# @param merge How data of several levels becomes one: `first` (the default), `unique`, `hash`,
#   `deep`,
#   or a hash with the key `strategy` and its options.
# @param default_value The value if there is no data.
# @param options_hash The same by their names, and `override` (data that counts before all other)
#   and
#   `default_values_hash` (data that counts after all other).
# @param block Called with the key if there is no data; what it returns is given then.
# @return the data
# @example A value with its type and a default
#   lookup('ntp::servers', Array[String], 'unique', [])
# @example The same with names
#   lookup('ntp::servers', { 'value_type' => Array[String], 'merge' => 'unique', 'default_value' => [] })
function lookup(
  NameType $name,
  ValueType $value_type = default,
  MergeType $merge = default,
) { }

# With a default value.
function lookup(
  NameType $name,
  Optional[ValueType] $value_type,
  Optional[MergeType] $merge,
  DefaultValueType $default_value,
) { }

# With a block for a default value.
function lookup(
  NameType $name,
  ValueType $value_type = default,
  MergeType $merge = default,
  BlockType $block,
) { }

# All in one hash.
function lookup(OptionsWithName $options_hash, Optional[BlockType] $block) { }

# The key, and all else in a hash.
function lookup(
  Variant[String, Array[String]] $name,
  OptionsWithoutName $options_hash,
  Optional[BlockType] $block,
) { }

# @summary Data from Hiera: that of the first level that has any.
# @deprecated Use `lookup`, which also looks into the data of environments and modules.
# @param args All arguments in one array.
# @param key The key.
# @param default The value if there is no data.
# @param override A level of the hierarchy that is asked before all others.
# @param default_block Called with the key if there is no data; what it returns is given then.
# @return the data
# @example A value with a default
#   hiera('ntp::servers', [])
function hiera(Tuple[String, Any, Any, 1, 3] $args) { }

# A key that must be found.
function hiera(String $key) { }

# With a default value.
function hiera(String $key, Any $default, Any $override = undef) { }

# With a block for a default value.
function hiera(String $key, Callable[1, 1] $default_block) { }

# With a level, and a block for a default value.
function hiera(String $key, Any $override, Callable[1, 1] $default_block) { }

# @summary Data from Hiera: that of all levels in one array, each element once.
# @deprecated Use `lookup` with the merge `unique`.
# @param args All arguments in one array.
# @param key The key.
# @param default The value if there is no data.
# @param override A level of the hierarchy that is asked before all others.
# @param default_block Called with the key if there is no data; what it returns is given then.
# @return the data
# @example All users of all levels
#   hiera_array('users', [])
function hiera_array(Tuple[String, Any, Any, 1, 3] $args) { }

# A key that must be found.
function hiera_array(String $key) { }

# With a default value.
function hiera_array(String $key, Any $default, Any $override = undef) { }

# With a block for a default value.
function hiera_array(String $key, Callable[1, 1] $default_block) { }

# With a level, and a block for a default value.
function hiera_array(String $key, Any $override, Callable[1, 1] $default_block) { }

# @summary Data from Hiera: the hashes of all levels as one.
# @deprecated Use `lookup` with the merge `hash` or `deep`.
# @param args All arguments in one array.
# @param key The key.
# @param default The value if there is no data.
# @param override A level of the hierarchy that is asked before all others.
# @param default_block Called with the key if there is no data; what it returns is given then.
# @return the data
# @example All accounts of all levels
#   hiera_hash('accounts', {})
function hiera_hash(Tuple[String, Any, Any, 1, 3] $args) { }

# A key that must be found.
function hiera_hash(String $key) { }

# With a default value.
function hiera_hash(String $key, Any $default, Any $override = undef) { }

# With a block for a default value.
function hiera_hash(String $key, Callable[1, 1] $default_block) { }

# With a level, and a block for a default value.
function hiera_hash(String $key, Any $override, Callable[1, 1] $default_block) { }

# @summary Declares the classes whose names are found in Hiera, in all levels.
# @deprecated Use `lookup('classes', Array[String], 'unique').include`.
# @param args All arguments in one array.
# @param key The key.
# @param default The value if there is no data.
# @param override A level of the hierarchy that is asked before all others.
# @param default_block Called with the key if there is no data; what it returns is given then.
# @return references to the classes
# @example The classes of a host
#   hiera_include('classes')
function hiera_include(Tuple[String, Any, Any, 1, 3] $args) { }

# A key that must be found.
function hiera_include(String $key) { }

# With a default value.
function hiera_include(String $key, Any $default, Any $override = undef) { }

# With a block for a default value.
function hiera_include(String $key, Callable[1, 1] $default_block) { }

# With a level, and a block for a default value.
function hiera_include(String $key, Any $override, Callable[1, 1] $default_block) { }

# @summary Reads a YAML file for Hiera, which calls it as a `data_hash`; it is not meant for
#   manifests.
# @param options The options of the level, with the path of the file.
# @param context What Hiera gives to those who read data.
# @return the data of the file
function yaml_data(
  Struct[{ 'path' => String[1] }] $options,
  Puppet::LookupContext $context,
) { }

# @summary Reads a JSON file for Hiera, which calls it as a `data_hash`; it is not meant for
#   manifests.
# @param options The options of the level, with the path of the file.
# @param context What Hiera gives to those who read data.
# @return the data of the file
function json_data(
  Struct[{ 'path' => String[1] }] $options,
  Puppet::LookupContext $context,
) { }

# @summary Reads a HOCON file for Hiera, which calls it as a `data_hash`; it is not meant for
#   manifests.
# @param options The options of the level, with the path of the file.
# @param context What Hiera gives to those who read data.
# @return the data of the file
function hocon_data(
  Struct[{ 'path' => String[1] }] $options,
  Puppet::LookupContext $context,
) { }

# @summary Finds a value in a YAML file and decrypts it, for Hiera, which calls it as a
#   `lookup_key`. It needs the gem `hiera-eyaml`.
# @param key The key.
# @param options The options of the level, with the path of the file and the keys to decrypt with.
# @param context What Hiera gives to those who read data.
# @return the value
function eyaml_lookup_key(
  String[1] $key,
  Hash[String[1], Any] $options,
  Puppet::LookupContext $context,
) { }
