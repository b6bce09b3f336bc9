# Documentation
#
# @param port
#   The port.
class demo (Integer $port = lookup('port')) { }
---
# Documentation
#
# @param port
#   The port.
class demo (Integer $port = 80) {
  $other = lookup('port')
  notice($other)
}
---
# Documentation
#
# @param port
#   The port.
# @param user
#   The user.
define demo::thing (
  Integer $port = lookup('port', Integer, 'first', 80),
  String $user = hiera('user'),
) { }
---
# Documentation
#
# @param a
#   The a.
class demo (Optional[String] $a = 'x') { }
---
# Documentation
#
# @param a
#   The a.
class demo (Optional[String] $a = undef) { }
---
# Documentation
#
# @param a
#   The a.
class demo (Optional[String] $a) { }
---
# Documentation
#
# @param a
#   The a.
define demo::thing (Optional[String] $a) { }
---
# Documentation
#
# @param a
#   The a.
# @param b
#   The b.
define demo::thing (
  Optional[Array[String]] $a = [],
  Optional[Hash] $b = {},
) { }
---
# Documentation
#
# @param a
#   The a.
# @param b
#   The b.
class demo (
  Optional[Integer] $a = 5,
  Optional[Boolean] $b = $demo::params::b,
) inherits demo::params { }
---
# Documentation
#
# @param a
#   The a.
class demo (String $a = '') { }
---
# Documentation
#
# @param a
#   The a.
class demo (String[1] $a = 'x', Variant[String, Integer] $b = '') { }
---
# Documentation
#
# @param a
#   The a.
class demo (Optional[String] $a = '') { }
---
# Documentation
#
# @param a
#   The a.
define demo::thing (String $a = '', $b = '') { }
---
# Documentation
#
# @param a
#   The a.
class demo (String $a = undef) { }
---
# Documentation
#
# @param a
#   The a.
class demo (Variant[Undef, String] $a = undef, Any $b = undef) { }
---
# Documentation
#
# @param a
#   The a.
define demo::thing (Array[String] $a = undef, Hash $b = {}) { }
---
# Documentation
#
# @param a
#   The a.
class demo ($a) { }
---
# Documentation
#
# @param a
#   The a.
# @param b
#   The b.
class demo ($a = 1, String $b = 'x') { }
---
# Documentation
#
# @param a
#   The a.
# @param b
#   The b.
define demo::thing (
  Integer $a,
  $b = { 'c' => $a },
) { }
---
# Documentation
#
# @param a
#   The a.
class demo (
  Struct[{
    name => String,
    Optional['port'] => Integer,
  }] $a = { name => 'x' },
) { }
---
# Documentation
class demo (Integer $a) { }
---
# Documentation
#
# @param a
class demo (Integer $a, Integer $b = 1) { }
---
# Documentation
#
# [*a*]
#   The a.
class demo (Integer $a) { }
---
# Documentation
#
# @param a
#   The a.
# @param gone
#   Not there.
class demo (Integer $a) { }
---
# Documentation
#
# @param a
#   The a.
# @param a
#   The a again.
class demo (Integer $a) { }
---
# Documentation
#
# @api private
class demo (Integer $a) { }
---
# Documentation
#
# @param [Integer] a The a.
# @param title
#   The title.
define demo::thing (Integer $a) { }
---
class demo (Integer $a) { }
---
# Documentation
#
# @param a
#   The a.

class demo (Integer $a) { }
---
# Documentation
class demo { }
---
# Documentation
#
# $a:: The a.
class demo (Integer $a, Integer $b) { }
---
# Documentation
#
# @option a [String] :name The name.
# @param a
#   The a.
class demo (Hash $a) { }
