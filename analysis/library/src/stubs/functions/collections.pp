# Functions on arrays and hashes.

# @summary Returns the keys of a hash, in its order.
# @pure
# @param hsh The hash.
# @return the keys
# @example Get the keys
#   { 'a' => 1, 'b' => 2 }.keys # => ['a', 'b']
function keys(Hash $hsh) >> Array { }

# @summary Returns the values of a hash, in its order.
# @pure
# @param hsh The hash.
# @return the values
# @example Get the values
#   { 'a' => 1, 'b' => 2 }.values # => [1, 2]
function values(Hash $hsh) >> Array { }

# @summary Returns a flat array of all arguments and of the elements of nested arrays.
# @pure
# @param args Arrays and other values.
# @return the flat array
# @example Flatten nested arrays
#   flatten([1, [2, [3]]], 4) # => [1, 2, 3, 4]
function flatten(Any *$args) >> Array { }

# @summary Checks whether a collection, string or binary is empty.
# @pure
# @param coll An array or hash.
# @param str A string.
# @param num A number. The result is false.
# @param bin A binary.
# @param x `undef`. The result is true.
# @return whether the value is empty
# @example Check an array
#   [].empty # => true
function empty(Collection $coll) >> Boolean { }

# Checks a sensitive string.
function empty(Sensitive[String] $str) >> Boolean { }

# Checks a string.
function empty(String $str) >> Boolean { }

# Returns false for a number.
# @deprecated A number is never empty; remove the check.
function empty(Numeric $num) >> Boolean { }

# Checks a binary.
function empty(Binary $bin) >> Boolean { }

# Returns true for `undef`.
function empty(Undef $x) >> Boolean { }

# @summary Returns the number of elements, entries, characters or bytes.
# @pure
# @param arg An array, hash, string or binary.
# @return the length
# @example Get the length of a string
#   'abc'.length # => 3
function length(Collection $arg) >> Integer[0] { }

# Returns the number of characters of a string.
function length(String $arg) >> Integer[0] { }

# Returns the number of bytes of a binary.
function length(Binary $arg) >> Integer[0] { }

# @summary Returns the number of elements, entries, characters or bytes. An alias of `length`.
# @pure
# @param arg An array, hash, string or binary.
# @return the size
# @example Get the size of an array
#   [1, 2, 3].size # => 3
function size(Variant[Collection, String, Binary] $arg) >> Integer[0] { }

# @summary Sorts the elements of an array, or the characters of a string.
#
# Without a lambda, all elements must be numbers or all must be strings. A lambda defines another
# order.
# @pure
# @param string_value The string to sort.
# @param array_value The array to sort.
# @param block Compares two elements and returns -1, 0 or 1. See `compare`.
# @return the sorted array or string
# @example Sort numbers
#   [3, 1, 2].sort # => [1, 2, 3]
# @example Sort in descending order
#   [3, 1, 2].sort |$a, $b| { compare($b, $a) } # => [3, 2, 1]
function sort(String $string_value, Optional[Callable[2, 2]] $block) >> String { }

# Sorts an array.
function sort(Array $array_value, Optional[Callable[2, 2]] $block) >> Array { }

# @summary Removes duplicates, and keeps the first of equal elements.
# @pure
# @param string The string whose characters to deduplicate.
# @param hash The hash whose values to deduplicate. The result maps arrays of keys to arrays of
#   values.
# @param array The array to deduplicate.
# @param iterable The iterable to deduplicate.
# @param block Returns the value to compare instead of the element.
# @return the unique elements
# @example Remove duplicates
#   [1, 3, 1, 2].unique # => [1, 3, 2]
function unique(String $string, Optional[Callable[String]] $block) >> String { }

# Deduplicates the values of a hash. The result maps arrays of keys to arrays of values.
function unique(Hash $hash, Optional[Callable[Any]] $block) >> Hash { }

# Deduplicates an array.
function unique(Array $array, Optional[Callable[Any]] $block) >> Array { }

# Deduplicates any other iterable.
function unique(Iterable $iterable, Optional[Callable[Any]] $block) >> Array { }
