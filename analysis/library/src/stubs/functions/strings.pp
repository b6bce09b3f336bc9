# Functions on strings: conversion, parsing and formatting.

type StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]

# @summary Converts strings in snake case to camel case.
# @pure
# @param arg A string, or an array or iterator of strings. Numbers are returned unchanged.
# @return the converted value
# @example Convert a string
#   camelcase('hello_friend') # => 'HelloFriend'
function camelcase(Numeric $arg) >> Numeric { }

# Converts a string.
function camelcase(String $arg) >> String { }

# Converts the elements of an array or iterator.
function camelcase(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Converts the first character of each string to upper case, and the others to lower case.
# @pure
# @param arg A string, or an array or iterator of strings. Numbers are returned unchanged.
# @return the converted value
# @example Capitalize a word
#   capitalize('hello') # => 'Hello'
function capitalize(Numeric $arg) >> Numeric { }

# Converts a string.
function capitalize(String $arg) >> String { }

# Converts the elements of an array or iterator.
function capitalize(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Converts strings to lower case.
# @pure
# @param arg A string, or an array or hash of strings at any depth. Numbers are returned unchanged.
# @return the converted value
# @example Convert a string
#   downcase('Hello') # => 'hello'
function downcase(Numeric $arg) >> Numeric { }

# Converts a string.
function downcase(String $arg) >> String { }

# Converts the elements of an array.
function downcase(Array[StringData] $arg) >> Array { }

# Converts the keys and values of a hash.
function downcase(Hash[StringData, StringData] $arg) >> Hash { }

# @summary Converts strings to upper case.
# @pure
# @param arg A string, or an array or hash of strings at any depth. Numbers are returned unchanged.
# @return the converted value
# @example Convert an array
#   upcase(['a', 'b']) # => ['A', 'B']
function upcase(Numeric $arg) >> Numeric { }

# Converts a string.
function upcase(String $arg) >> String { }

# Converts the elements of an array.
function upcase(Array[StringData] $arg) >> Array { }

# Converts the keys and values of a hash.
function upcase(Hash[StringData, StringData] $arg) >> Hash { }

# @summary Removes a line break from the end of strings.
# @pure
# @param arg A string, or an array or iterator of strings. Numbers are returned unchanged.
# @return the converted value
# @example Remove a line break
#   chomp("hello\n") # => 'hello'
function chomp(Numeric $arg) >> Numeric { }

# Converts a string.
function chomp(String $arg) >> String { }

# Converts the elements of an array or iterator.
function chomp(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Removes the last character of strings, or the last two if they are a Windows line break.
#
# To remove only line breaks, use `chomp`.
# @pure
# @param arg A string, or an array or iterator of strings. Numbers are returned unchanged.
# @return the converted value
# @example Remove the last character
#   chop('hello') # => 'hell'
function chop(Numeric $arg) >> Numeric { }

# Converts a string.
function chop(String $arg) >> String { }

# Converts the elements of an array or iterator.
function chop(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Removes whitespace from both ends of strings.
# @pure
# @param arg A string, or an array or iterator of strings. Numbers are returned unchanged.
# @return the converted value
# @example Strip both ends
#   strip("  hello \n") # => 'hello'
function strip(Numeric $arg) >> Numeric { }

# Converts a string.
function strip(String $arg) >> String { }

# Converts the elements of an array or iterator.
function strip(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Removes leading whitespace from strings.
# @pure
# @param arg A string, or an array or iterator of strings. Numbers are returned unchanged.
# @return the converted value
# @example Strip the start
#   lstrip('  hello ') # => 'hello '
function lstrip(Numeric $arg) >> Numeric { }

# Converts a string.
function lstrip(String $arg) >> String { }

# Converts the elements of an array or iterator.
function lstrip(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Removes trailing whitespace from strings.
# @pure
# @param arg A string, or an array or iterator of strings. Numbers are returned unchanged.
# @return the converted value
# @example Strip the end
#   rstrip('  hello ') # => '  hello'
function rstrip(Numeric $arg) >> Numeric { }

# Converts a string.
function rstrip(String $arg) >> String { }

# Converts the elements of an array or iterator.
function rstrip(Iterable[Variant[String, Numeric]] $arg) >> Array { }

# @summary Joins the elements of an array into a string, with a separator between them.
#
# Nested arrays are flattened. Hashes are formatted as in Ruby; convert them to strings first.
# @pure
# @param arg The array.
# @param delimiter The separator. Defaults to the empty string.
# @return the string
# @example Join with commas
#   join(['a', 'b', 'c'], ',') # => 'a,b,c'
function join(Array $arg, String $delimiter = '') >> String { }

# @summary Splits a string at the matches of a regular expression.
# @takes_regex
# @pure
# @param str The string.
# @param sensitive A sensitive string. The result is sensitive, too.
# @param pattern The regular expression, as a literal, a string or a type.
# @return the parts of the string
# @example Split at commas
#   split('a, b,c', /,\s*/) # => ['a', 'b', 'c']
function split(String $str, String $pattern) >> Array[String] { }

# Splits at a regular expression.
function split(String $str, Regexp $pattern) >> Array[String] { }

# Splits at a type with a regular expression.
function split(String $str, Type[Regexp] $pattern) >> Array[String] { }

# Splits a sensitive string.
# @since 8
function split(Sensitive[String] $sensitive, String $pattern) >> Sensitive { }

# Splits a sensitive string at a regular expression.
# @since 8
function split(Sensitive[String] $sensitive, Regexp $pattern) >> Sensitive { }

# Splits a sensitive string at a type with a regular expression.
# @since 8
function split(Sensitive[String] $sensitive, Type[Regexp] $pattern) >> Sensitive { }

# @summary Replaces matches of a regular expression in a string, or in each string of an array.
#
# Only the first match is replaced unless the flag `G` is given. In the replacement, `\1` stands for
# the first capture group, and `\0` for the whole match.
# @takes_regex
# @pure
# @param target The string or array of strings.
# @param pattern The regular expression, as a literal, a string or a type.
# @param replacement The replacement: a string, or a hash from matches to strings.
# @param flags `G` replaces all matches. If the pattern is a string, `E` (extended syntax), `I`
#   (ignore case) and `M` (the dot matches line breaks) are also supported.
# @param encoding Ignored.
# @return the resulting string or array
# @example Replace all dots
#   regsubst('10.0.0.1', '[.]', '-', 'G') # => '10-0-0-1'
# @example Use a capture group
#   regsubst('node1.example.com', /^([^.]+)[.].*$/, '\1') # => 'node1'
# @until 7
function regsubst(
  Variant[Array[String], String] $target,
  String $pattern,
  Variant[String, Hash[String, String]] $replacement,
  Optional[Pattern[/^[GEIM]*$/]] $flags = undef,
  Enum['N', 'E', 'S', 'U'] $encoding = default,
) >> Variant[Array[String], String] { }

# @summary Replaces matches of a regular expression in a string, or in each string of an array.
#
# Only the first match is replaced unless the flag `G` is given. In the replacement, `\1` stands for
# the first capture group, and `\0` for the whole match. The result of a sensitive target is sensitive.
# @takes_regex
# @pure
# @param target The string or array of strings.
# @param pattern The regular expression, as a literal, a string or a type.
# @param replacement The replacement: a string, or a hash from matches to strings.
# @param flags `G` replaces all matches. If the pattern is a string, `E` (extended syntax), `I`
#   (ignore case) and `M` (the dot matches line breaks) are also supported.
# @param encoding Ignored, and deprecated.
# @return the resulting string or array
# @example Replace all dots
#   regsubst('10.0.0.1', '[.]', '-', 'G') # => '10-0-0-1'
# @example Use a capture group
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

# Accepts a regular expression, or a type with one.
# @until 7
function regsubst(
  Variant[Array[String], String] $target,
  Variant[Regexp, Type[Regexp]] $pattern,
  Variant[String, Hash[String, String]] $replacement,
  Pattern[/^G?$/] $flags = default,
) >> Variant[Array[String], String] { }

# Accepts a regular expression, or a type with one.
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

# @summary Matches a string against a regular expression, and returns the match and its capture
#   groups.
#
# The function does not set the variables `$0`, `$1` and so on.
# @takes_regex
# @pure
# @param string The string, or an array of strings that are matched separately.
# @param pattern A regular expression, a string, a `Regexp` or `Pattern` type, or an array of these,
#   of which the first match counts.
# @return an array, or `undef` if there is no match; for an array, an array of results
# @example Split a name
#   'web12'.match(/([a-z]+)([0-9]+)/) # => ['web12', 'web', '12']
function match(String $string, Variant[Any, Type] $pattern) >> Optional[Array] { }

# Matches each string of an array.
function match(Array[String] $string, Variant[Any, Type] $pattern) >> Array[Optional[Array]] { }

# @summary Formats values with a format string, as in C.
# @takes_format
# @pure
# @ruby3x
# @param format A string with directives such as `%s`, `%05d`, `%.2f` and `%x`, or `%<name>s` for
#   the values of a hash.
# @param values The values to format. For named directives, one hash.
# @return the formatted string
# @example Format a number with leading zeros
#   sprintf('%03d', 7) # => '007'
# @example Use named directives
#   sprintf('%<a>s is %<b>d', { 'a' => 'x', 'b' => 1 }) # => 'x is 1'
function sprintf(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $format,
  Any *$values,
) >> String { }

# @summary Parses values from a string with a format string, as in C.
# @param data The string.
# @param format A string with directives such as `%d`, `%s`, `%f` and `%x`.
# @param block Called with the array of values. The function returns its result.
# @return the parsed values
# @example Parse two numbers
#   $numbers = scanf('3 of 7', '%d of %d')
function scanf(String $data, String $format, Optional[Callable] $block) { }

# @summary Quotes words for a Bourne shell, and joins them with spaces.
# @pure
# @ruby3x
# @param words Strings, or arrays of strings.
# @return the quoted words
# @example Quote an argument with a space
#   shellquote('rm', 'my file') # => 'rm "my file"'
function shellquote(Any *$words) >> String { }

# @summary Formats a timestamp or a time span.
#
# In the format of a `Timestamp`, the directives `%Y`, `%m`, `%d`, `%H`, `%M` and `%S` stand for the
# year, month, day, hour, minute and second. In the format of a `Timespan`, `%D`, `%H`, `%M` and
# `%S` stand for days, hours, minutes and seconds.
# @takes_format
# @param time_object The timestamp or time span.
# @param format The format.
# @param timezone The time zone of the result. Defaults to UTC.
# @return the formatted string
# @example Format a date
#   strftime(Timestamp('2024-02-29T12:30:00'), '%d.%m.%Y') # => '29.02.2024'
# @example Format hours and minutes
#   strftime(Timespan({ 'hours' => 30, 'minutes' => 5 }), '%H:%M') # => '30:05'
function strftime(Timespan $time_object, String $format) >> String { }

# Formats a timestamp.
function strftime(
  Timestamp $time_object,
  String $format,
  String $timezone = default,
) >> String { }

# Formats the time of the compilation.
# @deprecated Pass the time explicitly: `strftime(Timestamp(), $format)`.
function strftime(String $format, String $timezone = default) >> String { }
