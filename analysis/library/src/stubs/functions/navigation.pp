# Functions that navigate nested data.

# @summary Returns the value at a path of keys and indexes, or `undef` if any part of the path is
# @pure
#   missing.
# @param data The outermost array or hash.
# @param arg The keys and indexes, from the outermost to the innermost collection.
# @return the value, or `undef`
# @example Get a nested value
#   { 'a' => [10, 20] }.dig('a', 1) # => 20
function dig(Optional[Collection] $data, Any *$arg) { }

# @summary Returns the value at a path in dotted notation, such as `a.0.'b.c'`.
# @pure
# @param value The outermost array or hash.
# @param dotted_string Keys and indexes separated by dots. Keys that contain a dot must be quoted.
# @param default_value The value to return if the path does not exist.
# @param block Called with the error if the path navigates into a value that is not a collection.
#   The function returns its result.
# @return the value, or the default value
# @example Get a nested value
#   get({ 'a' => [10, 20] }, 'a.1') # => 20
function get(
  Any $value,
  String $dotted_string,
  Any $default_value = undef,
  Optional[Callable[1, 1]] $block,
) { }

# @summary Returns the value of a variable, or a part of it, whose name is only known at run time.
# @names variable
# @reads_variables
# @external
# @tests_definedness
# @param get_string The name of the variable without dollar sign, optionally followed by a dotted
#   path into its value.
# @param default_value The value to return if the variable or the path does not exist.
# @param block Called with the error if the path navigates into a value that is not a collection.
#   The function returns its result.
# @return the value, or the default value
# @example Get a part of a fact
#   getvar('facts.os.family')
function getvar(
  Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $get_string,
  Any $default_value = undef,
  Optional[Callable[1, 1]] $block,
) { }
