# Blocks called for the elements of arrays, hashes, ranges, numbers and whatever else has elements.

# @summary Calls a block for each element.
#
# A block with two parameters gets key and value of a hash, or index and element of anything else;
# one with one parameter gets `[key, value]`, or the element.
# @param hash What has the elements.
# @param enumerable What has the elements: an array, an integer (from 0 up to it), a range type, a
#   string (its letters) or an iterator.
# @param block What is called.
# @return what was given
# @example Declare resources from a hash
#   { 'ann' => 1001, 'bob' => 1002 }.each |$name, $uid| {
#     user { $name: uid => $uid }
#   }
function each(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Hash { }

# A hash, entry by entry.
function each(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Hash { }

# Elements with their indexes.
function each(Iterable $enumerable, Callable[2, 2] $block) >> Iterable { }

# Elements.
function each(Iterable $enumerable, Callable[1, 1] $block) >> Iterable { }

# @summary An array of what a block returns for each element.
#
# A block with two parameters gets key and value of a hash, or index and element of anything else;
# one with one parameter gets `[key, value]`, or the element.
# @param hash What has the elements.
# @param enumerable What has the elements: an array, an integer (from 0 up to it), a range type, a
#   string (its letters) or an iterator.
# @param block What is called.
# @return what the block returned, in order
# @example Double numbers
#   [1, 2, 3].map |$x| { $x * 2 } # => [2, 4, 6]
# @example Lines from a hash
#   { 'a' => 1, 'b' => 2 }.map |$key, $value| { "${key}=${value}" } # => ['a=1', 'b=2']
function map(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Array { }

# A hash, entry by entry.
function map(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Array { }

# Elements with their indexes.
function map(Iterable $enumerable, Callable[2, 2] $block) >> Array { }

# Elements.
function map(Iterable $enumerable, Callable[1, 1] $block) >> Array { }

# @summary The elements for which a block returns something that is true.
#
# A block with two parameters gets key and value of a hash, or index and element of anything else;
# one with one parameter gets `[key, value]`, or the element.
# @param hash What has the elements.
# @param enumerable What has the elements: an array, an integer (from 0 up to it), a range type, a
#   string (its letters) or an iterator.
# @param block What is called.
# @return a hash of a hash, an array of anything else
# @example Keep what is large
#   [1, 20, 3].filter |$x| { $x > 2 } # => [20, 3]
# @example Filter a hash
#   { 'a' => 1, 'b' => 2 }.filter |$key, $value| { $value > 1 } # => { 'b' => 2 }
function filter(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Hash { }

# A hash, entry by entry.
function filter(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Hash { }

# Elements with their indexes. Entries that an iterator has made of a hash become a hash again.
function filter(Iterable $enumerable, Callable[2, 2] $block) >> Variant[Array, Hash] { }

# Elements.
function filter(Iterable $enumerable, Callable[1, 1] $block) >> Array { }

# @summary Whether a block returns something true for one element at least. It is not called after
#   that.
#
# A block with two parameters gets key and value of a hash, or index and element of anything else;
# one with one parameter gets `[key, value]`, or the element.
# @param hash What has the elements.
# @param enumerable What has the elements: an array, an integer (from 0 up to it), a range type, a
#   string (its letters) or an iterator.
# @param block What is called.
# @return whether there is such an element
# @example Is one of them negative?
#   [1, -2, 3].any |$x| { $x < 0 } # => true
function any_(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Boolean { }

# A hash, entry by entry.
function any_(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Boolean { }

# Elements with their indexes.
function any_(Iterable $enumerable, Callable[2, 2] $block) >> Boolean { }

# Elements.
function any_(Iterable $enumerable, Callable[1, 1] $block) >> Boolean { }

# @summary Whether a block returns something true for every element. It is not called after the
#   first other one.
#
# A block with two parameters gets key and value of a hash, or index and element of anything else;
# one with one parameter gets `[key, value]`, or the element.
# @param hash What has the elements.
# @param enumerable What has the elements: an array, an integer (from 0 up to it), a range type, a
#   string (its letters) or an iterator.
# @param block What is called.
# @return whether all elements are such
# @example Are all of them positive?
#   [1, 2, 3].all |$x| { $x > 0 } # => true
function all(Hash[Any, Any] $hash, Callable[2, 2] $block) >> Boolean { }

# A hash, entry by entry.
function all(Hash[Any, Any] $hash, Callable[1, 1] $block) >> Boolean { }

# Elements with their indexes.
function all(Iterable $enumerable, Callable[2, 2] $block) >> Boolean { }

# Elements.
function all(Iterable $enumerable, Callable[1, 1] $block) >> Boolean { }

# @summary The index or key of the first element that is wanted.
#
# What is wanted is said by a value, by a block that returns something true for it, or, in a string,
# by a string or regular expression.
# @param hash The hash whose keys are wanted. A block with one parameter gets the value.
# @param enumerable What has the elements.
# @param str The string.
# @param match What is wanted.
# @param block What is called for each element.
# @return the index or key, or `undef` if there is no such element
# @example Find the key of a value
#   { 'a' => 1, 'b' => 2 }.index |$value| { $value == 2 } # => 'b'
# @example Find a part of a string
#   'example'.index('amp') # => 2
function index(Hash[Any, Any] $hash, Callable[2, 2] $block) { }

# A hash, by its values.
function index(Hash[Any, Any] $hash, Callable[1, 1] $block) { }

# Elements with their indexes.
function index(Iterable $enumerable, Callable[2, 2] $block) { }

# Elements.
function index(Iterable $enumerable, Callable[1, 1] $block) { }

# A part of a string.
function index(String $str, Variant[String, Regexp] $match) >> Optional[Integer[0]] { }

# An element that is equal to a value.
function index(Iterable $enumerable, Any $match) { }

# @summary One value from many: a block combines the result so far with the next element.
# @param enumerable What has the elements; those of a hash are `[key, value]`.
# @param memo The result before the first element. Without it the first element is that, and the
#   block is first called for the second one.
# @param block What is called, with the result so far and an element. It returns the new result.
# @return the last result; `undef` if there is none
# @example Add numbers
#   [1, 2, 3].reduce |$sum, $x| { $sum + $x } # => 6
# @example Add to a starting value
#   [1, 2, 3].reduce(10) |$sum, $x| { $sum + $x } # => 16
function reduce(Iterable $enumerable, Callable[2, 2] $block) { }

# With a value to start from.
function reduce(Iterable $enumerable, Any $memo, Callable[2, 2] $block) { }

# @summary The elements in reverse order.
# @param iterable What has the elements.
# @param block What is called for each of them.
# @return an iterator; with a block nothing
# @example Turn an array around
#   [1, 2, 3].reverse_each.map |$x| { $x } # => [3, 2, 1]
function reverse_each(Iterable $iterable) >> Iterator { }

# Calls a block for each element, from the last to the first.
function reverse_each(Iterable $iterable, Callable[1, 1] $block) >> Undef { }

# @summary The first element, and from there every so many.
# @param iterable What has the elements.
# @param step How many elements to go forward each time.
# @param block What is called for each of them.
# @return an iterator; with a block nothing
# @example Every second number
#   Integer[0, 6].step(2).map |$x| { $x } # => [0, 2, 4, 6]
function step(Iterable $iterable, Integer[1] $step) >> Iterator { }

# Calls a block for each of them.
function step(Iterable $iterable, Integer[1] $step, Callable[1, 1] $block) >> Undef { }

# @summary The elements in groups of a given size. The last group may be smaller.
# @param hash What has the elements, which are `[key, value]`.
# @param enumerable What has the elements.
# @param slice_size The size of a group.
# @param block What is called for each group: with one parameter it gets the group, with as many as
#   the size the elements.
# @return an array of groups; with a block what was given
# @example Pairs
#   [1, 2, 3, 4, 5].slice(2) # => [[1, 2], [3, 4], [5]]
function slice(
  Hash[Any, Any] $hash,
  Integer[1, default] $slice_size,
  Optional[Callable] $block,
) >> Variant[Array, Hash] { }

# Anything else that has elements.
function slice(
  Iterable $enumerable,
  Integer[1, default] $slice_size,
  Optional[Callable] $block,
) >> Iterable { }

# @summary Elements in groups, by what a block returns for them.
# @param collection What has the elements. A block with one parameter gets `[key, value]` of a hash.
# @param array The array. A block with two parameters gets index and element.
# @param block What is called for each element.
# @return what the block returned, each with an array of the elements
# @example Words by their length
#   group_by(['a', 'b', 'cc']) |$word| { $word.length } # => { 1 => ['a', 'b'], 2 => ['cc'] }
function group_by(Collection $collection, Callable[1, 1] $block) >> Hash { }

# An array with indexes.
function group_by(Array $array, Callable[2, 2] $block) >> Hash { }

# A hash by keys and values.
function group_by(Collection $collection, Callable[2, 2] $block) >> Hash { }

# @summary Two arrays: the elements for which a block returns something true, and the others.
# @param collection What has the elements. A block with one parameter gets `[key, value]` of a hash.
# @param array The array. A block with two parameters gets index and element.
# @param block What is called for each element.
# @return the elements for which it is true, and those for which it is not
# @example Small and large numbers
#   partition([1, 20, 3]) |$x| { $x < 10 } # => [[1, 3], [20]]
function partition(Collection $collection, Callable[1, 1] $block) >> Tuple[Array, Array] { }

# An array with indexes.
function partition(Array $array, Callable[2, 2] $block) >> Tuple[Array, Array] { }

# A hash by keys and values.
function partition(Collection $collection, Callable[2, 2] $block) >> Tuple[Array, Array] { }

type OptionsType = Struct[{
  container_type => Optional[Type],
  include_root => Optional[Boolean],
  include_containers => Optional[Boolean],
  include_values => Optional[Boolean],
  order => Optional[Enum['depth_first', 'breadth_first']],
  include_refs => Optional[Boolean],
}]

# @summary All that is in nested arrays, hashes and objects, with the path to it.
# @param tree The outermost array, hash or object.
# @param options What is visited: `container_type` (which containers are opened; arrays and hashes
#   by
#   default), `include_root`, `include_containers`, `include_values` (all `true` by default),
#   `include_refs` (attributes that only refer to a value; not by default), and `order`
#   (`depth_first` by default).
# @param block What is called for each: with one parameter it gets the value, with two the path
#   (an array of keys and indexes) and the value.
# @return an iterator; with a block what was given
# @example The values in a tree
#   [1, [2, 3]].tree_each({ 'include_containers' => false }).map |$it| { $it[1] } # => [1, 2, 3]
function tree_each(
  Variant[Iterator, Array, Hash, Object] $tree,
  OptionsType $options = default,
  Callable[2, 2] $block,
) >> Variant[Iterator, Array, Hash, Object] { }

# Values without their paths.
function tree_each(
  Variant[Iterator, Array, Hash, Object] $tree,
  OptionsType $options = default,
  Callable[1, 1] $block,
) >> Variant[Iterator, Array, Hash, Object] { }

# An iterator over `[path, value]`.
function tree_each(
  Variant[Iterator, Array, Hash, Object] $tree,
  OptionsType $options = default,
) { }
