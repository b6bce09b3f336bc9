# Documentation
class demo { include ::other }
---
# Documentation
class demo { include other, ::other::more }
---
# Documentation
class demo { contain ::other }
---
# Documentation
class demo { require '::other' }
---
# Documentation
class demo { include 'other' }
---
# Documentation
class demo {
  class { '::other': }
  class { 'another': }
}
---
# Documentation
class demo {
  class { ["::other", 'another']: }
}
---
# Documentation
class demo inherits ::demo::params { }
---
# Documentation
class demo inherits demo::params { }
---
# Documentation
class demo {
  Class['::other'] -> Class['another']
}
---
# Documentation
class demo {
  notify { 'x': require => Class['::other'] }
}
---
# Documentation
class demo {
  ::other::thing { 'x': }
}
---
# Documentation
class demo {
  notify { "::other": }
  $name_of = '::other'
  notice($name_of)
}
---
# Documentation
class demo {
  notice($::demo::params::port)
}
---
# Documentation
class demo {
  notice($demo::params::port, "${::demo::params::port}")
}
---
# Documentation
class demo {
  notice("port ${::other::port} of ${other::port}")
}
---
# Documentation
#
# @param port
#   The port.
class demo (
  Integer $port = $::demo::params::port,
) inherits demo::params { }
---
# Documentation
class demo {
  $userName = 'root'
  notice($userName)
}
---
# Documentation
#
# @param userName
#   The user.
class demo (String $userName) {
  notice($userName)
}
---
# Documentation
class demo {
  $user_name = { 'keyName' => 'root' }
  notice($user_name['keyName'])
}
---
# Documentation
class demo {
  ['a'].each |$itemName| { notice("${itemName}") }
}
---
# Documentation
class demo {
  $user_name = 'Root'
  notice("User ${user_name} Name")
}
---
# Documentation
class demo {
  notify { 'x': require => File[one] }
}
---
# Documentation
class demo {
  notify { 'x': require => [File['one'], Package[two]] }
}
---
# Documentation
class demo {
  File[one, 'two'] -> Service['three']
}
---
# Documentation
class demo {
  notify { 'x': require => File['one', 'two'] }
}
---
# Documentation
#
# @param name_of
#   The name.
class demo (Array[String] $name_of) {
  notify { 'x': require => File[$name_of] }
}
