# Numbers, and what can be put into an order.

# @summary A number without its sign.
# @param val The number.
# @return the number, at least zero
# @example The absolute value
#   abs(-3) # => 3
function abs(Numeric $val) >> Numeric { }

# A string that is a number is taken as one.
# @deprecated Convert the string before: `Numeric($x).abs`.
function abs(String $val) >> Numeric { }

# @summary The least integer that is not below a number.
# @param val The number.
# @return the integer
# @example Round up
#   ceiling(1.2) # => 2
function ceiling(Numeric $val) >> Integer { }

# A string that is a number is taken as one.
# @deprecated Convert the string before: `Float($x).ceiling`.
function ceiling(String $val) >> Integer { }

# @summary The greatest integer that is not above a number.
# @param val The number.
# @return the integer
# @example Round down
#   floor(-1.2) # => -2
function floor(Numeric $val) >> Integer { }

# A string that is a number is taken as one.
# @deprecated Convert the string before: `Float($x).floor`.
function floor(String $val) >> Integer { }

# @summary The integer closest to a number; halves go away from zero.
# @param val The number.
# @return the integer
# @example Round a half
#   round(2.5) # => 3
function round(Numeric $val) >> Integer { }

# @summary The greatest of some values.
#
# Numbers are compared as numbers, strings letter by letter, but strings that both look like numbers
# as numbers. Other mixtures are compared as strings, which is deprecated: give a block that
# compares two values as `compare` does.
# @param values The values, or one array of them.
# @param block Compares two values: -1, 0 or 1.
# @return the greatest
# @example The greatest number
#   max(1, 10, 2) # => 10
# @example The longest word
#   max(['a', 'abc', 'ab']) |$a, $b| { compare($a.length, $b.length) } # => 'abc'
function max(Numeric *$values) >> Numeric { }

# Strings.
function max(String *$values) >> String { }

# Versions.
# @since 8
function max(SemVer *$values) >> SemVer { }

# Timespans.
# @since 8
function max(Timespan *$values) >> Timespan { }

# Timestamps.
# @since 8
function max(Timestamp *$values) >> Timestamp { }

# An array of numbers.
function max(Array[Numeric] $values, Optional[Callable[2, 2]] $block) { }

# An array of strings.
function max(Array[String] $values, Optional[Callable[2, 2]] $block) { }

# An array of versions.
# @since 8
function max(Array[SemVer] $values, Optional[Callable[2, 2]] $block) { }

# An array of timespans.
# @since 8
function max(Array[Timespan] $values, Optional[Callable[2, 2]] $block) { }

# An array of timestamps.
# @since 8
function max(Array[Timestamp] $values, Optional[Callable[2, 2]] $block) { }

# An array of anything.
function max(Array $values, Optional[Callable[2, 2]] $block) { }

# Anything, compared by a block.
function max(Any *$values, Callable[2, 2] $block) { }

# Anything else.
# @deprecated Convert the values to one type before, or compare them in a block.
function max(Any *$values) { }

# @summary The least of some values.
#
# They are compared as `max` does.
# @param values The values, or one array of them.
# @param block Compares two values: -1, 0 or 1.
# @return the least
# @example The least number
#   min(3, 1, 2) # => 1
# @example The shortest word
#   min(['abc', 'a', 'ab']) |$a, $b| { compare($a.length, $b.length) } # => 'a'
function min(Numeric *$values) >> Numeric { }

# Strings.
function min(String *$values) >> String { }

# Versions.
# @since 8
function min(SemVer *$values) >> SemVer { }

# Timespans.
# @since 8
function min(Timespan *$values) >> Timespan { }

# Timestamps.
# @since 8
function min(Timestamp *$values) >> Timestamp { }

# An array of numbers.
function min(Array[Numeric] $values, Optional[Callable[2, 2]] $block) { }

# An array of versions.
# @since 8
function min(Array[SemVer] $values, Optional[Callable[2, 2]] $block) { }

# An array of timespans.
# @since 8
function min(Array[Timespan] $values, Optional[Callable[2, 2]] $block) { }

# An array of timestamps.
# @since 8
function min(Array[Timestamp] $values, Optional[Callable[2, 2]] $block) { }

# An array of strings.
function min(Array[String] $values, Optional[Callable[2, 2]] $block) { }

# An array of anything.
function min(Array $values, Optional[Callable[2, 2]] $block) { }

# Anything, compared by a block.
function min(Any *$values, Callable[2, 2] $block) { }

# Anything else.
# @deprecated Convert the values to one type before, or compare them in a block.
function min(Any *$values) { }

# @summary Which of two values comes first: -1 for the first one, 1 for the second, 0 if they are
#   equal.
# @param a A value.
# @param b A value of the same kind.
# @param ignore_case Whether upper and lower case of strings are the same, which is so by default.
# @return -1, 0 or 1
# @example Sort by length
#   ['aaa', 'b', 'cc'].sort |$a, $b| { compare($a.length, $b.length) } # => ['b', 'cc', 'aaa']
function compare(Numeric $a, Numeric $b) >> Integer[-1, 1] { }

# Strings.
function compare(String $a, String $b, Boolean $ignore_case = true) >> Integer[-1, 1] { }

# Versions.
function compare(SemVer $a, SemVer $b) >> Integer[-1, 1] { }

# A number of seconds and a time.
function compare(Numeric $a, Variant[Timespan, Timestamp] $b) >> Integer[-1, 1] { }

# Points in time.
function compare(Timestamp $a, Variant[Timestamp, Numeric] $b) >> Integer[-1, 1] { }

# Lengths of time.
function compare(Timespan $a, Variant[Timespan, Numeric] $b) >> Integer[-1, 1] { }

# @summary Which of two version numbers is lower: -1 for the first one, 1 for the second, 0 if they
#   are equal.
#
# Versions are compared as package managers do, part by part; see `SemVer` for those of semver.org.
# @param a A version.
# @param b Another version.
# @param ignore_trailing_zeroes Whether `1.0` is the same as `1`; by default it is not.
# @return -1, 0 or 1
# @example Compare two versions
#   versioncmp('2.9', '2.10') # => -1
function versioncmp(
  String $a,
  String $b,
  Boolean $ignore_trailing_zeroes = false,
) >> Integer[-1, 1] { }
