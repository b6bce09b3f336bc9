# Arrays and hashes: looking into them, and new ones from them.

# @summary The value at a path of keys and indexes. `undef` as soon as something on the way is
#   missing.
# @param data The outermost array or hash.
# @param arg The keys and indexes, from the outside in.
# @return the value, or `undef`
# @example Look two levels deep
#   { 'a' => [10, 20] }.dig('a', 1) # => 20
function dig(Optional[Collection] $data, Any *$arg) { }

# @summary The value at a dotted path such as `a.0.'b.c'`.
# @param value The outermost array or hash.
# @param dotted_string Keys and indexes with dots between them; a key with a dot in it is quoted.
# @param default_value What to give if the path leads nowhere.
# @param block Called with the error if the path leads into what is neither array nor hash; what it
#   returns is given then.
# @return the value, or the default value
# @example Look two levels deep
#   get({ 'a' => [10, 20] }, 'a.1') # => 20
function get(
  Any $value,
  String $dotted_string,
  Any $default_value = undef,
  Optional[Callable[1, 1]] $block,
) { }

# @summary The value of a variable whose name is known only when the code runs, or a part of it.
# @param get_string The name without a dollar sign, and then a dotted path into its value.
# @param default_value What to give if there is no such variable, or the path leads nowhere.
# @param block Called with the error if the path leads into what is neither array nor hash; what it
#   returns is given then.
# @return the value, or the default value
# @example A part of a fact
#   getvar('facts.os.family')
function getvar(
  Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $get_string,
  Any $default_value = undef,
  Optional[Callable[1, 1]] $block,
) { }

# @summary The keys of a hash, in its order.
# @param hsh The hash.
# @return its keys
# @example The keys
#   { 'a' => 1, 'b' => 2 }.keys # => ['a', 'b']
function keys(Hash $hsh) >> Array { }

# @summary The values of a hash, in its order.
# @param hsh The hash.
# @return its values
# @example The values
#   { 'a' => 1, 'b' => 2 }.values # => [1, 2]
function values(Hash $hsh) >> Array { }

# @summary One array of all arguments, with what is in arrays, and without arrays in it.
# @param args Arrays and other values.
# @return all that is in them
# @example Flatten
#   flatten([1, [2, [3]]], 4) # => [1, 2, 3, 4]
function flatten(Any *$args) >> Array { }

# @summary Whether there is nothing in a collection, string or binary.
# @param coll An array or hash.
# @param str A string.
# @param num A number; the answer is false.
# @param bin A binary.
# @param x `undef`; the answer is true.
# @return whether it is empty
# @example An empty array
#   [].empty # => true
function empty(Collection $coll) >> Boolean { }

# A sensitive string.
function empty(Sensitive[String] $str) >> Boolean { }

# A string.
function empty(String $str) >> Boolean { }

# A number, which is never empty.
# @deprecated Numbers are not empty; do not ask.
function empty(Numeric $num) >> Boolean { }

# A binary.
function empty(Binary $bin) >> Boolean { }

# `undef`, which is empty.
function empty(Undef $x) >> Boolean { }

# @summary How many elements, entries, letters or bytes there are.
# @param arg An array, hash, string or binary.
# @return how many
# @example The length of a string
#   'abc'.length # => 3
function length(Collection $arg) >> Integer[0] { }

# The letters of a string.
function length(String $arg) >> Integer[0] { }

# The bytes of a binary.
function length(Binary $arg) >> Integer[0] { }

# @summary How many elements, entries, letters or bytes there are; the same as `length`.
# @param arg An array, hash, string or binary.
# @return how many
# @example The size of an array
#   [1, 2, 3].size # => 3
function size(Variant[Collection, String, Binary] $arg) >> Integer[0] { }

# @summary The elements of an array, or the letters of a string, in order.
#
# All of them must be comparable: numbers, or strings. A block decides in other cases.
# @param string_value The string.
# @param array_value The array.
# @param block Compares two elements: -1, 0 or 1. See `compare`.
# @return the same elements in order
# @example Sort numbers
#   [3, 1, 2].sort # => [1, 2, 3]
# @example Sort downwards
#   [3, 1, 2].sort |$a, $b| { compare($b, $a) } # => [3, 2, 1]
function sort(String $string_value, Optional[Callable[2, 2]] $block) >> String { }

# The elements of an array.
function sort(Array $array_value, Optional[Callable[2, 2]] $block) >> Array { }

# @summary The elements without those that are equal to an earlier one.
# @param string The string whose letters are taken.
# @param hash The hash whose values are compared. Its result has arrays of keys and values.
# @param array The array.
# @param iterable What has the elements.
# @param block What is compared instead of an element.
# @return the different ones
# @example Remove duplicates
#   [1, 3, 1, 2].unique # => [1, 3, 2]
function unique(String $string, Optional[Callable[String]] $block) >> String { }

# The values of a hash: arrays of the keys that have them, and of the values.
function unique(Hash $hash, Optional[Callable[Any]] $block) >> Hash { }

# The elements of an array.
function unique(Array $array, Optional[Callable[Any]] $block) >> Array { }

# The elements of anything else.
function unique(Iterable $iterable, Optional[Callable[Any]] $block) >> Array { }
