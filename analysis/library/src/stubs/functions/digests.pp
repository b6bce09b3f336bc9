# Digests.
#
# Functions with the Puppet 3 API receive values that Puppet 3 did not support, and `undef`, as strings.

# @summary Returns the MD5 digest of a string. MD5 is insecure, and not available in FIPS mode.
# @ruby3x
# @param text The string.
# @return 32 hexadecimal digits
# @example Compute a digest
#   md5('abc') # => '900150983cd24fb0d6963f7d28e17f72'
function md5(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $text,
) >> String { }

# @summary Returns the SHA-1 digest of a string. SHA-1 is insecure.
# @ruby3x
# @param text The string.
# @return 40 hexadecimal digits
# @example Compute a digest
#   sha1('abc') # => 'a9993e364706816aba3e25717850c26c9cd0d89d'
function sha1(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $text,
) >> String { }

# @summary Returns the SHA-256 digest of a string.
# @ruby3x
# @param text The string.
# @return 64 hexadecimal digits
# @example Compute a digest
#   sha256('abc') # => 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
function sha256(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $text,
) >> String { }

# @summary Returns the digest of a string, computed with the algorithm in the setting
#   `digest_algorithm`.
# @ruby3x
# @param text The string.
# @return hexadecimal digits
# @example Compute a digest
#   digest('abc')
function digest(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $text,
) >> String { }
