# Documentation
class demo{ }
---
# Documentation
class demo  { }
---
# Documentation
class  demo { }
---
# Documentation
class demo
{
  notice(1)
}
---
# Documentation
class demo(Integer $a) { }
---
# Documentation
class demo  (Integer $a) { }
---
# Documentation
class demo inherits  demo::params { }
---
# Documentation
class demo  inherits demo::params { }
---
# Documentation
define  demo::thing { }
---
# Documentation
define demo::thing{ }
---
# Documentation
class demo {notice(1)}
---
# Documentation
class demo {  notice(1)  }
---
# Documentation
class demo { notice(1) }
---
# Documentation
class demo {

  notice(1)

}
---
# Documentation
class demo {
  notice(1)


  notice(2)
}
---

# Documentation
class demo { }
---


# Documentation
class demo { }
---
# Documentation
class demo { }

---
# Documentation
class demo { }


---
# Documentation
class demo {
  if true{
    notice(1)
  }
}
---
# Documentation
class demo {
  if true  {
    notice(1)
  }
}
---
# Documentation
class demo {
  if true { notice(1) }else { notice(2) }
}
---
# Documentation
class demo {
  if true { notice(1) } else{ notice(2) }
}
---
# Documentation
class demo {
  $a = {'b' => 1}
  notice($a)
}
---
# Documentation
class demo {
  $a = {  'b' => 1  }
  notice($a)
}
---
# Documentation
class demo {
  $a = {}
  $b = { }
  $c = []
  $d = [ ]
  notice($a, $b, $c, $d)
}
---
# Documentation
class demo {
  $a = [ 'b', 'c' ]
  notice($a)
}
---
# Documentation
class demo {
  $a = ['b', 'c']
  notice($a)
}
---
# Documentation
class demo {
  $a = [
    'b',
    'c',
  ]
  notice($a)
}
---
# Documentation
class demo {
  $a = [

    'b',

  ]
  notice($a)
}
---
# Documentation
class demo {
  $a = ['b'] + ['c']
  notice($a [0])
}
---
# Documentation
class demo {
  notice($facts[ 'os' ]['family'])
}
---
# Documentation
class demo {
  notice($facts['os'] , 'x')
}
---
# Documentation
class demo {
  ['a'].each|$x|{ notice($x) }
}
---
# Documentation
class demo {
  ['a'].each |$x| { notice($x) }
}
---
# Documentation
class demo {
  file { '/a': ensure=>file }
}
---
# Documentation
class demo {
  file { '/a': ensure =>file }
}
---
# Documentation
class demo {
  file { '/a': ensure =>  file }
}
---
# Documentation
class demo {
  file { '/a':
    ensure  => file,
    content =>
      'x',
  }
}
---
# Documentation
class demo {
  file {'/a': ensure => file }
}
---
# Documentation
class demo {
  file{ '/a': ensure => file }
}
---
# Documentation
class demo {
  file {  '/a': ensure => file  }
}
---
# Documentation
class demo {
  file { ['/a','/b']: ensure => file }
}
---
# Documentation
class demo {
  notice("a ${facts['os']['family']} b")
}
---
# Documentation
#
# @param a
#   The a.
class demo (
  Array[String]$a,
) { }
---
# Documentation
#
# @param a
#   The a.
class demo (
  Array [String] $a,
) { }
---
# Documentation
#
# @param a
#   The a.
class demo (
  Hash[String, Array[Integer] ] $a,
) { }
---
# Documentation
class demo {
  class {'other':}
}
---
# Documentation
class demo {
  class  { 'other': }
}
---
# Documentation
class demo {
  case $facts['kernel'] {
    'Linux':{ notice(1) }
    default:  { notice(2) }
  }
}
