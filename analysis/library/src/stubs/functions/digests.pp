# Digests, and what is random and yet the same each time.
#
# Functions of the old kind get what Puppet 3 did not know, `undef` too, as strings.

# @summary The MD5 digest of a string. It is not safe, and missing where FIPS is in force.
# @ruby3x
# @param text The string.
# @return 32 hexadecimal digits
# @example A digest
#   md5('abc') # => '900150983cd24fb0d6963f7d28e17f72'
function md5(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $text,
) >> String { }

# @summary The SHA-1 digest of a string. It is not safe.
# @ruby3x
# @param text The string.
# @return 40 hexadecimal digits
# @example A digest
#   sha1('abc') # => 'a9993e364706816aba3e25717850c26c9cd0d89d'
function sha1(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $text,
) >> String { }

# @summary The SHA-256 digest of a string.
# @ruby3x
# @param text The string.
# @return 64 hexadecimal digits
# @example A digest
#   sha256('abc') # => 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
function sha256(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $text,
) >> String { }

# @summary The digest of a string, by the algorithm of the setting `digest_algorithm`.
# @ruby3x
# @param text The string.
# @return hexadecimal digits
# @example A digest
#   digest('abc')
function digest(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $text,
) >> String { }

# @summary A number that is random from host to host, and the same each time on one host.
#
# It is made for spreading work over time.
# @ruby3x
# @param max The number of numbers: the result is at least 0 and below it.
# @param seed Something that makes the number another one, where a host needs several.
# @param downcase Whether the name of the host is taken in small letters.
# @param ignored More arguments have no meaning.
# @return the number
# @example A minute for a cron job
#   fqdn_rand(60, 'backup')
function fqdn_rand(
  Variant[
    Numeric, String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary
  ] $max,
  Any $seed = undef,
  Any $downcase = undef,
  Any *$ignored,
) >> Integer[0] { }
