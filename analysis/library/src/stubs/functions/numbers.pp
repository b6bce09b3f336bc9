# Functions on numbers, comparisons, and reproducible random numbers.

# @summary Returns the absolute value of a number.
# @pure
# @param val The number.
# @return the absolute value
# @example Get the absolute value
#   abs(-3) # => 3
function abs(Numeric $val) >> Numeric { }

# Converts a string to a number first.
# @deprecated Convert the string explicitly: `Numeric($x).abs`.
function abs(String $val) >> Numeric { }

# @summary Rounds a number up to an integer.
# @pure
# @param val The number.
# @return the smallest integer that is not less than the number
# @example Round up
#   ceiling(1.2) # => 2
function ceiling(Numeric $val) >> Integer { }

# Converts a string to a number first.
# @deprecated Convert the string explicitly: `Float($x).ceiling`.
function ceiling(String $val) >> Integer { }

# @summary Rounds a number down to an integer.
# @pure
# @param val The number.
# @return the largest integer that is not greater than the number
# @example Round down
#   floor(-1.2) # => -2
function floor(Numeric $val) >> Integer { }

# Converts a string to a number first.
# @deprecated Convert the string explicitly: `Float($x).floor`.
function floor(String $val) >> Integer { }

# @summary Returns a random number that differs between nodes, but is always the same on one node.
#
# Use it to distribute work over time.
# @ruby3x
# @param max The exclusive upper bound: the result is at least 0 and less than this number.
# @param seed A seed, to get several different numbers on one node.
# @param downcase Whether to use the node's name in lower case.
# @param ignored Additional arguments have no effect.
# @return the random number
# @example Choose a minute for a cron job
#   fqdn_rand(60, 'backup')
function fqdn_rand(
  Variant[
    Numeric, String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary
  ] $max,
  Any $seed = undef,
  Any $downcase = undef,
  Any *$ignored,
) >> Integer[0] { }

# @summary Rounds a number to the nearest integer. Halves are rounded away from zero.
# @pure
# @param val The number.
# @return the nearest integer
# @example Round a half
#   round(2.5) # => 3
function round(Numeric $val) >> Integer { }

# @summary Returns the greatest of the given values.
#
# Numbers are compared as numbers and strings as strings, except that strings that contain numbers
# are compared as numbers. Comparing other mixtures as strings is deprecated; pass a lambda that
# compares two values instead.
# @pure
# @param values The values, or one array of values.
# @param block Compares two values and returns -1, 0 or 1.
# @return the greatest value
# @example Get the greatest number
#   max(1, 10, 2) # => 10
# @example Get the longest word
#   max(['a', 'abc', 'ab']) |$a, $b| { compare($a.length, $b.length) } # => 'abc'
function max(Numeric *$values) >> Numeric { }

# Compares strings.
function max(String *$values) >> String { }

# Compares versions.
# @since 8
function max(SemVer *$values) >> SemVer { }

# Compares time spans.
# @since 8
function max(Timespan *$values) >> Timespan { }

# Compares timestamps.
# @since 8
function max(Timestamp *$values) >> Timestamp { }

# Compares the numbers in an array.
function max(Array[Numeric] $values, Optional[Callable[2, 2]] $block) { }

# Compares the strings in an array.
function max(Array[String] $values, Optional[Callable[2, 2]] $block) { }

# Compares the versions in an array.
# @since 8
function max(Array[SemVer] $values, Optional[Callable[2, 2]] $block) { }

# Compares the time spans in an array.
# @since 8
function max(Array[Timespan] $values, Optional[Callable[2, 2]] $block) { }

# Compares the timestamps in an array.
# @since 8
function max(Array[Timestamp] $values, Optional[Callable[2, 2]] $block) { }

# Compares the values in an array.
function max(Array $values, Optional[Callable[2, 2]] $block) { }

# Compares values with a lambda.
function max(Any *$values, Callable[2, 2] $block) { }

# Compares mixed values.
# @deprecated Convert the values to one type, or compare them with a lambda.
function max(Any *$values) { }

# @summary Returns the least of the given values.
#
# See `max` for how values are compared.
# @pure
# @param values The values, or one array of values.
# @param block Compares two values and returns -1, 0 or 1.
# @return the least value
# @example Get the least number
#   min(3, 1, 2) # => 1
# @example Get the shortest word
#   min(['abc', 'a', 'ab']) |$a, $b| { compare($a.length, $b.length) } # => 'a'
function min(Numeric *$values) >> Numeric { }

# Compares strings.
function min(String *$values) >> String { }

# Compares versions.
# @since 8
function min(SemVer *$values) >> SemVer { }

# Compares time spans.
# @since 8
function min(Timespan *$values) >> Timespan { }

# Compares timestamps.
# @since 8
function min(Timestamp *$values) >> Timestamp { }

# Compares the numbers in an array.
function min(Array[Numeric] $values, Optional[Callable[2, 2]] $block) { }

# Compares the versions in an array.
# @since 8
function min(Array[SemVer] $values, Optional[Callable[2, 2]] $block) { }

# Compares the time spans in an array.
# @since 8
function min(Array[Timespan] $values, Optional[Callable[2, 2]] $block) { }

# Compares the timestamps in an array.
# @since 8
function min(Array[Timestamp] $values, Optional[Callable[2, 2]] $block) { }

# Compares the strings in an array.
function min(Array[String] $values, Optional[Callable[2, 2]] $block) { }

# Compares the values in an array.
function min(Array $values, Optional[Callable[2, 2]] $block) { }

# Compares values with a lambda.
function min(Any *$values, Callable[2, 2] $block) { }

# Compares mixed values.
# @deprecated Convert the values to one type, or compare them with a lambda.
function min(Any *$values) { }

# @summary Compares two values of the same kind: returns -1 if the first is less, 1 if it is
# @pure
#   greater, and 0 if both are equal.
# @param a The first value.
# @param b The second value.
# @param ignore_case Whether to ignore the case of strings.
# @return -1, 0 or 1
# @example Sort by length
#   ['aaa', 'b', 'cc'].sort |$a, $b| { compare($a.length, $b.length) } # => ['b', 'cc', 'aaa']
function compare(Numeric $a, Numeric $b) >> Integer[-1, 1] { }

# Compares strings.
function compare(String $a, String $b, Boolean $ignore_case = true) >> Integer[-1, 1] { }

# Compares versions.
function compare(SemVer $a, SemVer $b) >> Integer[-1, 1] { }

# Compares a number of seconds with a time.
function compare(Numeric $a, Variant[Timespan, Timestamp] $b) >> Integer[-1, 1] { }

# Compares a timestamp with a time.
function compare(Timestamp $a, Variant[Timestamp, Numeric] $b) >> Integer[-1, 1] { }

# Compares a time span with a time.
function compare(Timespan $a, Variant[Timespan, Numeric] $b) >> Integer[-1, 1] { }

# @summary Compares two version numbers: returns -1 if the first is lower, 1 if it is higher, and 0
#   if both are equal.
#
# The versions are compared part by part, as package managers do. For semantic versions, use
# `SemVer`.
# @pure
# @param a The first version.
# @param b The second version.
# @param ignore_trailing_zeroes Whether to treat `1.0` and `1` as equal.
# @return -1, 0 or 1
# @example Compare two versions
#   versioncmp('2.9', '2.10') # => -1
function versioncmp(
  String $a,
  String $b,
  Boolean $ignore_trailing_zeroes = false,
) >> Integer[-1, 1] { }
