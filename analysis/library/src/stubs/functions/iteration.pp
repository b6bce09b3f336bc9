# Functions that call lambdas for the elements of arrays, hashes and other iterables.

# @summary Calls a lambda for each element.
#
# A lambda with two parameters receives the key and the value of a hash entry, or the index and the
# element of any other iterable. A lambda with one parameter receives `[key, value]`, or the
# element.
# @untyped_block
# @param hash The hash to iterate over.
# @param enumerable The iterable: an array, an integer (from 0 up to the number), a range type, a
#   string (its characters) or an iterator.
# @param block The lambda to call.
# @return the first argument
# @example Declare resources from a hash
#   { 'ann' => 1001, 'bob' => 1002 }.each |$name, $uid| {
#     user { $name: uid => $uid }
#   }
function each(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Hash { }

# Iterates over the entries of a hash as `[key, value]`.
function each(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Hash { }

# Iterates over elements with their indexes.
function each(Iterable $enumerable, Callable[2, 2] $block) >> Iterable { }

# Iterates over elements.
function each(Iterable $enumerable, Callable[1, 1] $block) >> Iterable { }

# @summary Calls a lambda for each element, and returns an array of the results.
#
# A lambda with two parameters receives the key and the value of a hash entry, or the index and the
# element of any other iterable. A lambda with one parameter receives `[key, value]`, or the
# element.
# @untyped_block
# @param hash The hash to iterate over.
# @param enumerable The iterable: an array, an integer (from 0 up to the number), a range type, a
#   string (its characters) or an iterator.
# @param block The lambda to call.
# @return the results in order
# @example Double numbers
#   [1, 2, 3].map |$x| { $x * 2 } # => [2, 4, 6]
# @example Convert a hash to strings
#   { 'a' => 1, 'b' => 2 }.map |$key, $value| { "${key}=${value}" } # => ['a=1', 'b=2']
function map(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Array { }

# Iterates over the entries of a hash as `[key, value]`.
function map(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Array { }

# Iterates over elements with their indexes.
function map(Iterable $enumerable, Callable[2, 2] $block) >> Array { }

# Iterates over elements.
function map(Iterable $enumerable, Callable[1, 1] $block) >> Array { }

# @summary Returns the elements for which a lambda returns a truthy value.
#
# A lambda with two parameters receives the key and the value of a hash entry, or the index and the
# element of any other iterable. A lambda with one parameter receives `[key, value]`, or the
# element.
# @untyped_block
# @param hash The hash to filter.
# @param enumerable The iterable: an array, an integer (from 0 up to the number), a range type, a
#   string (its characters) or an iterator.
# @param block The lambda that selects elements.
# @return a hash for a hash, an array for any other iterable
# @example Filter an array
#   [1, 20, 3].filter |$x| { $x > 2 } # => [20, 3]
# @example Filter a hash
#   { 'a' => 1, 'b' => 2 }.filter |$key, $value| { $value > 1 } # => { 'b' => 2 }
function filter(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Hash { }

# Iterates over the entries of a hash as `[key, value]`.
function filter(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Hash { }

# Iterates over elements with their indexes. The entries of a hash in an iterator become a hash
# again.
function filter(Iterable $enumerable, Callable[2, 2] $block) >> Variant[Array, Hash] { }

# Iterates over elements.
function filter(Iterable $enumerable, Callable[1, 1] $block) >> Array { }

# @summary Checks whether a lambda returns a truthy value for at least one element. Stops at the
#   first such element.
#
# A lambda with two parameters receives the key and the value of a hash entry, or the index and the
# element of any other iterable. A lambda with one parameter receives `[key, value]`, or the
# element.
# @untyped_block
# @param hash The hash to check.
# @param enumerable The iterable: an array, an integer (from 0 up to the number), a range type, a
#   string (its characters) or an iterator.
# @param block The lambda that checks an element.
# @return whether at least one element passes the check
# @example Check for negative numbers
#   [1, -2, 3].any |$x| { $x < 0 } # => true
function any_(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Boolean { }

# Iterates over the entries of a hash as `[key, value]`.
function any_(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Boolean { }

# Iterates over elements with their indexes.
function any_(Iterable $enumerable, Callable[2, 2] $block) >> Boolean { }

# Iterates over elements.
function any_(Iterable $enumerable, Callable[1, 1] $block) >> Boolean { }

# @summary Checks whether a lambda returns a truthy value for every element. Stops at the first
#   other element.
#
# A lambda with two parameters receives the key and the value of a hash entry, or the index and the
# element of any other iterable. A lambda with one parameter receives `[key, value]`, or the
# element.
# @untyped_block
# @param hash The hash to check.
# @param enumerable The iterable: an array, an integer (from 0 up to the number), a range type, a
#   string (its characters) or an iterator.
# @param block The lambda that checks an element.
# @return whether all elements pass the check
# @example Check that all numbers are positive
#   [1, 2, 3].all |$x| { $x > 0 } # => true
function all(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Boolean { }

# Iterates over the entries of a hash as `[key, value]`.
function all(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Boolean { }

# Iterates over elements with their indexes.
function all(Iterable $enumerable, Callable[2, 2] $block) >> Boolean { }

# Iterates over elements.
function all(Iterable $enumerable, Callable[1, 1] $block) >> Boolean { }

# @summary Returns the index or key of the first matching element.
#
# An element matches if it is equal to a value, or if a lambda returns a truthy value for it. In a
# string, the function searches for a substring or a regular expression.
# @untyped_block
# @pure
# @param hash The hash to search. A lambda with one parameter receives the value.
# @param enumerable The iterable to search.
# @param str The string to search.
# @param match The value, substring or regular expression to search for.
# @param block The lambda that checks an element.
# @return the index or key, or `undef` if no element matches
# @example Find the key of a value
#   { 'a' => 1, 'b' => 2 }.index |$value| { $value == 2 } # => 'b'
# @example Find a substring
#   'example'.index('amp') # => 2
function index(Hash[Any, Any] $hash, Callable[2, 2] $block) { }

# Searches the values of a hash.
function index(Hash[Any, Any] $hash, Callable[1, 1] $block) { }

# Searches elements with their indexes.
function index(Iterable $enumerable, Callable[2, 2] $block) { }

# Searches elements.
function index(Iterable $enumerable, Callable[1, 1] $block) { }

# Searches for a substring or a regular expression.
function index(String $str, Variant[String, Regexp] $match) >> Optional[Integer[0]] { }

# Searches for an element that is equal to a value.
function index(Iterable $enumerable, Any $match) { }

# @summary Combines all elements into one value: calls a lambda with the result so far and the next
# @untyped_block
#   element.
# @param enumerable The iterable. The elements of a hash are `[key, value]`.
# @param memo The initial result. If it is not given, the first element is the initial result, and
#   the iteration starts with the second element.
# @param block The lambda that combines the result so far with an element, and returns the new
#   result.
# @return the final result, or `undef` if there are no elements
# @example Add numbers
#   [1, 2, 3].reduce |$sum, $x| { $sum + $x } # => 6
# @example Add numbers to an initial value
#   [1, 2, 3].reduce(10) |$sum, $x| { $sum + $x } # => 16
function reduce(Iterable $enumerable, Callable[2, 2] $block) { }

# Starts with an initial value.
function reduce(Iterable $enumerable, Any $memo, Callable[2, 2] $block) { }

# @summary Iterates over the elements in reverse order.
# @untyped_block
# @param iterable The iterable.
# @param block The lambda to call for each element.
# @return an iterator; with a lambda, `undef`
# @example Reverse an array
#   [1, 2, 3].reverse_each.map |$x| { $x } # => [3, 2, 1]
function reverse_each(Iterable $iterable) >> Iterator { }

# Calls a lambda for each element.
function reverse_each(Iterable $iterable, Callable[1, 1] $block) >> Undef { }

# @summary Iterates over every n-th element, starting with the first.
# @untyped_block
# @param iterable The iterable.
# @param step The step size.
# @param block The lambda to call for each of these elements.
# @return an iterator; with a lambda, `undef`
# @example Select every second number
#   Integer[0, 6].step(2).map |$x| { $x } # => [0, 2, 4, 6]
function step(Iterable $iterable, Integer[1] $step) >> Iterator { }

# Calls a lambda for each of these elements.
function step(Iterable $iterable, Integer[1] $step, Callable[1, 1] $block) >> Undef { }

# @summary Splits the elements into groups of a given size. The last group may be smaller.
# @param hash The hash, whose elements are `[key, value]`.
# @param enumerable The iterable.
# @param slice_size The size of a group.
# @param block The lambda to call for each group. With one parameter, it receives the group; with as
#   many parameters as the size, it receives the elements.
# @return an array of groups; with a lambda, the first argument
# @example Split into pairs
#   [1, 2, 3, 4, 5].slice(2) # => [[1, 2], [3, 4], [5]]
function slice(
  Hash[Any, Any] $hash,
  Integer[1, default] $slice_size,
  Optional[Callable] $block,
) >> Variant[Array, Hash] { }

# Splits the elements of any other iterable.
function slice(
  Iterable $enumerable,
  Integer[1, default] $slice_size,
  Optional[Callable] $block,
) >> Iterable { }

# @summary Groups elements by the result of a lambda.
# @untyped_block
# @param collection The array or hash. A lambda with one parameter receives `[key, value]` for a
#   hash entry.
# @param array The array. A lambda with two parameters receives the index and the element.
# @param block The lambda to call for each element.
# @return a hash from each result of the lambda to an array of elements
# @example Group words by length
#   group_by(['a', 'b', 'cc']) |$word| { $word.length } # => { 1 => ['a', 'b'], 2 => ['cc'] }
function group_by(Collection $collection, Callable[1, 1] $block) >> Hash { }

# Groups the elements of an array with their indexes.
function group_by(Array $array, Callable[2, 2] $block) >> Hash { }

# Groups the entries of a hash.
function group_by(Collection $collection, Callable[2, 2] $block) >> Hash { }

# @summary Splits elements into those for which a lambda returns a truthy value, and the others.
# @untyped_block
# @param collection The array or hash. A lambda with one parameter receives `[key, value]` for a
#   hash entry.
# @param array The array. A lambda with two parameters receives the index and the element.
# @param block The lambda to call for each element.
# @return two arrays: the elements for which the result is truthy, and the others
# @example Separate small and large numbers
#   partition([1, 20, 3]) |$x| { $x < 10 } # => [[1, 3], [20]]
function partition(Collection $collection, Callable[1, 1] $block) >> Tuple[Array, Array] { }

# Splits the elements of an array with their indexes.
function partition(Array $array, Callable[2, 2] $block) >> Tuple[Array, Array] { }

# Splits the entries of a hash.
function partition(Collection $collection, Callable[2, 2] $block) >> Tuple[Array, Array] { }

type OptionsType = Struct[{
  container_type => Optional[Type],
  include_root => Optional[Boolean],
  include_containers => Optional[Boolean],
  include_values => Optional[Boolean],
  order => Optional[Enum['depth_first', 'breadth_first']],
  include_refs => Optional[Boolean],
}]

# @summary Iterates over all values in nested arrays, hashes and objects, with their paths.
# @untyped_block
# @param tree The outermost array, hash or object.
# @param options The options: `container_type` (the types of containers to descend into; arrays and
#   hashes by default), `include_root`, `include_containers` and `include_values` (all `true` by
#   default), `include_refs` (whether to include attributes that are references; `false` by
#   default), and `order` (`depth_first` by default, or `breadth_first`).
# @param block The lambda to call for each value. With one parameter, it receives the value; with
#   two parameters, it receives the path (an array of keys and indexes) and the value.
# @return an iterator; with a lambda, the first argument
# @example Get all values of a tree
#   [1, [2, 3]].tree_each({ 'include_containers' => false }).map |$it| { $it[1] } # => [1, 2, 3]
function tree_each(
  Variant[Iterator, Array, Hash, Object] $tree,
  OptionsType $options = default,
  Callable[2, 2] $block,
) >> Variant[Iterator, Array, Hash, Object] { }

# Passes values without their paths.
function tree_each(
  Variant[Iterator, Array, Hash, Object] $tree,
  OptionsType $options = default,
  Callable[1, 1] $block,
) >> Variant[Iterator, Array, Hash, Object] { }

# Returns an iterator over `[path, value]`.
function tree_each(
  Variant[Iterator, Array, Hash, Object] $tree,
  OptionsType $options = default,
) { }
