# Strings: other strings from them, parts of them, and what is read from them.

type StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]

# @summary Joins the words of a string, which have underscores between them, each with a capital
#   letter.
# @param arg A string, or an array or iterator of strings. Numbers are given back as they are.
# @return what was given, in camel case
# @example Camel case
#   camelcase('hello_friend') # => 'HelloFriend'
function camelcase(Numeric $arg) >> Numeric { }

# A string.
function camelcase(String $arg) >> String { }

# The elements of an array or iterator.
function camelcase(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Makes the first letter a capital one, and the others small.
# @param arg A string, or an array or iterator of strings. Numbers are given back as they are.
# @return what was given, capitalized
# @example Capitalize a word
#   capitalize('hello') # => 'Hello'
function capitalize(Numeric $arg) >> Numeric { }

# A string.
function capitalize(String $arg) >> String { }

# The elements of an array or iterator.
function capitalize(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Makes all letters small.
# @param arg A string, or strings in arrays and hashes, however deep. Numbers are given back as
#   they are.
# @return what was given, with small letters
# @example Small letters
#   downcase('Hello') # => 'hello'
function downcase(Numeric $arg) >> Numeric { }

# A string.
function downcase(String $arg) >> String { }

# All that is in an array.
function downcase(Array[StringData] $arg) >> Array { }

# All keys and values of a hash.
function downcase(Hash[StringData, StringData] $arg) >> Hash { }

# @summary Makes all letters capital.
# @param arg A string, or strings in arrays and hashes, however deep. Numbers are given back as
#   they are.
# @return what was given, with capital letters
# @example Capital letters
#   upcase(['a', 'b']) # => ['A', 'B']
function upcase(Numeric $arg) >> Numeric { }

# A string.
function upcase(String $arg) >> String { }

# All that is in an array.
function upcase(Array[StringData] $arg) >> Array { }

# All keys and values of a hash.
function upcase(Hash[StringData, StringData] $arg) >> Hash { }

# @summary Takes a line break off the end.
# @param arg A string, or an array or iterator of strings. Numbers are given back as they are.
# @return what was given, without the line break
# @example Take a line break off
#   chomp("hello\n") # => 'hello'
function chomp(Numeric $arg) >> Numeric { }

# A string.
function chomp(String $arg) >> String { }

# The elements of an array or iterator.
function chomp(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Takes the last letter off, or the last two if they are a line break of Windows.
#
# See `chomp` for line breaks.
# @param arg A string, or an array or iterator of strings. Numbers are given back as they are.
# @return what was given, without its last letter
# @example Take a letter off
#   chop('hello') # => 'hell'
function chop(Numeric $arg) >> Numeric { }

# A string.
function chop(String $arg) >> String { }

# The elements of an array or iterator.
function chop(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Takes blanks, tabs and line breaks off both ends.
# @param arg A string, or an array or iterator of strings. Numbers are given back as they are.
# @return what was given, without white space around it
# @example Strip both ends
#   strip("  hello \n") # => 'hello'
function strip(Numeric $arg) >> Numeric { }

# A string.
function strip(String $arg) >> String { }

# The elements of an array or iterator.
function strip(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Takes blanks, tabs and line breaks off the front.
# @param arg A string, or an array or iterator of strings. Numbers are given back as they are.
# @return what was given, without white space before it
# @example Strip the front
#   lstrip('  hello ') # => 'hello '
function lstrip(Numeric $arg) >> Numeric { }

# A string.
function lstrip(String $arg) >> String { }

# The elements of an array or iterator.
function lstrip(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Takes blanks, tabs and line breaks off the end.
# @param arg A string, or an array or iterator of strings. Numbers are given back as they are.
# @return what was given, without white space behind it
# @example Strip the end
#   rstrip('  hello ') # => '  hello'
function rstrip(Numeric $arg) >> Numeric { }

# A string.
function rstrip(String $arg) >> String { }

# The elements of an array or iterator.
function rstrip(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary One string of all elements of an array, with a separator between them.
#
# Arrays in the array are joined too. Elements that are hashes look as they do in Ruby: turn them
# into
# strings before.
# @param arg The array.
# @param delimiter The separator; nothing by default.
# @return the string
# @example Join with commas
#   join(['a', 'b', 'c'], ',') # => 'a,b,c'
function join(Array $arg, String $delimiter = '') >> String { }

# @summary The parts of a string between matches of a regular expression.
# @param str The string.
# @param sensitive A sensitive string. The result is sensitive too.
# @param pattern A regular expression, as such, as a string, or as a type.
# @return the parts
# @example Split at commas
#   split('a, b,c', /,\s*/) # => ['a', 'b', 'c']
function split(String $str, String $pattern) >> Array[String] { }

# A regular expression.
function split(String $str, Regexp $pattern) >> Array[String] { }

# A type with a regular expression.
function split(String $str, Type[Regexp] $pattern) >> Array[String] { }

# A sensitive string.
# @since 8
function split(Sensitive[String] $sensitive, String $pattern) >> Sensitive { }

# A sensitive string and a regular expression.
# @since 8
function split(Sensitive[String] $sensitive, Regexp $pattern) >> Sensitive { }

# A sensitive string and a type with a regular expression.
# @since 8
function split(Sensitive[String] $sensitive, Type[Regexp] $pattern) >> Sensitive { }

# @summary Replaces what a regular expression matches in a string, or in each of an array.
#
# Only the first match is replaced unless the flag `G` is given. `\1` in the replacement is what the
# first group matched, `\0` all of the match.
# @param target The string or strings.
# @param pattern The regular expression, as such, as a string, or as a type.
# @param replacement What to put there: text, or a hash of it by what was matched.
# @param flags `G` replaces all matches. With a pattern that is a string also `E` (extended syntax),
#   `I` (case is ignored) and `M` (a dot matches line breaks).
# @param encoding How letters are encoded. It is of no use any more.
# @return the new string or strings
# @example Replace every dot
#   regsubst('10.0.0.1', '[.]', '-', 'G') # => '10-0-0-1'
# @example Use a group
#   regsubst('node1.example.com', /^([^.]+)[.].*$/, '\1') # => 'node1'
# @until 7
function regsubst(
  Variant[Array[String], String] $target,
  String $pattern,
  Variant[String, Hash[String, String]] $replacement,
  Optional[Pattern[/^[GEIM]*$/]] $flags = undef,
  Enum['N', 'E', 'S', 'U'] $encoding = default,
) >> Variant[Array[String], String] { }

# @summary Replaces what a regular expression matches in a string, or in each of an array.
#
# Only the first match is replaced unless the flag `G` is given. `\1` in the replacement is what the
# first group matched, `\0` all of the match. What is made from something sensitive is sensitive.
# @param target The string or strings.
# @param pattern The regular expression, as such, as a string, or as a type.
# @param replacement What to put there: text, or a hash of it by what was matched.
# @param flags `G` replaces all matches. With a pattern that is a string also `E` (extended syntax),
#   `I` (case is ignored) and `M` (a dot matches line breaks).
# @param encoding How letters are encoded. It is of no use any more, and deprecated.
# @return the new string or strings
# @example Replace every dot
#   regsubst('10.0.0.1', '[.]', '-', 'G') # => '10-0-0-1'
# @example Use a group
#   regsubst('node1.example.com', /^([^.]+)[.].*$/, '\1') # => 'node1'
# @since 8
function regsubst(
  Variant[
    Array[Variant[String, Sensitive[String]]],
    Sensitive[Array[Variant[String, Sensitive[String]]]],
    Variant[String, Sensitive[String]]
  ] $target,
  String $pattern,
  Variant[String, Hash[String, String]] $replacement,
  Optional[Pattern[/^[GEIM]*$/]] $flags = undef,
  Enum['N', 'E', 'S', 'U'] $encoding = default,
) { }

# A regular expression, or a type with one.
# @until 7
function regsubst(
  Variant[Array[String], String] $target,
  Variant[Regexp, Type[Regexp]] $pattern,
  Variant[String, Hash[String, String]] $replacement,
  Pattern[/^G?$/] $flags = default,
) >> Variant[Array[String], String] { }

# A regular expression, or a type with one.
# @since 8
function regsubst(
  Variant[
    Array[Variant[String, Sensitive[String]]],
    Sensitive[Array[Variant[String, Sensitive[String]]]],
    Variant[String, Sensitive[String]]
  ] $target,
  Variant[Regexp, Type[Regexp]] $pattern,
  Variant[String, Hash[String, String]] $replacement,
  Pattern[/^G?$/] $flags = default,
) { }

# @summary What a regular expression matches in a string: the whole match, then each group.
#
# The variables `$0`, `$1` … are not set by it.
# @param string A string, or an array of strings, each of which is matched.
# @param pattern A regular expression, a string of one, a type `Regexp` or `Pattern`, or an array
#   of these,
#   of which the first that matches counts.
# @return an array, or `undef` if nothing is matched; for an array, an array of these
# @example Take a name apart
#   'web12'.match(/([a-z]+)([0-9]+)/) # => ['web12', 'web', '12']
function match(String $string, Variant[Any, Type] $pattern) >> Optional[Array] { }

# Each string of an array.
function match(Array[String] $string, Variant[Any, Type] $pattern) >> Array[Optional[Array]] { }

# @summary Text from a format and values for its places, as in C.
# @ruby3x
# @param format Text with places such as `%s`, `%05d`, `%.2f`, `%x` and, for a hash, `%<name>s`.
# @param values What to put there. For places with names, one hash.
# @return the text
# @example A number with leading zeros
#   sprintf('%03d', 7) # => '007'
# @example Places with names
#   sprintf('%<a>s is %<b>d', { 'a' => 'x', 'b' => 1 }) # => 'x is 1'
function sprintf(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $format,
  Any *$values,
) >> String { }

# @summary Reads values from a string by a format, as in C.
# @param data The string.
# @param format Text with places such as `%d`, `%s`, `%f` and `%x`.
# @param block Called with the array of values; what it returns is given then.
# @return the values that could be read
# @example Read two numbers
#   $numbers = scanf('3 of 7', '%d of %d')
function scanf(String $data, String $format, Optional[Callable] $block) { }

# @summary Quotes words for a Bourne shell, and joins them with blanks.
# @ruby3x
# @param words Strings, or arrays of them.
# @return a part of a command
# @example Quote what has a blank in it
#   shellquote('rm', 'my file') # => 'rm "my file"'
function shellquote(Any *$words) >> String { }

# @summary Text for a point in time or a length of time, by a format.
#
# In the format of a `Timestamp` `%Y`, `%m`, `%d`, `%H`, `%M`, `%S` are the year and so on; in that
# of a
# `Timespan` `%D`, `%H`, `%M`, `%S` are the days and so on that it lasts.
# @param time_object The time.
# @param format The format.
# @param timezone The zone of which the time is shown, UTC by default.
# @return the text
# @example A date
#   strftime(Timestamp('2024-02-29T12:30:00'), '%d.%m.%Y') # => '29.02.2024'
# @example Hours and minutes
#   strftime(Timespan({ 'hours' => 30, 'minutes' => 5 }), '%H:%M') # => '30:05'
function strftime(Timespan $time_object, String $format) >> String { }

# A point in time.
function strftime(
  Timestamp $time_object,
  String $format,
  String $timezone = default,
) >> String { }

# The time of the compilation.
# @deprecated Say which time: `strftime(Timestamp(), $format)`.
function strftime(String $format, String $timezone = default) >> String { }
