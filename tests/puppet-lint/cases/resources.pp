# Documentation
class demo {
  anchor { 'demo::begin': }
}
---
# Documentation
class demo {
  anchor { ['demo::begin', 'demo::end']: }
  Anchor['demo::begin'] -> Anchor['demo::end']
}
---
# Documentation
class demo {
  exec { 'true': path => '/bin' }
}
---
# Documentation
class demo {
  exec { 'true':
    path   => '/bin',
    unless => 'test -e /x',
  }
}
---
# Documentation
class demo {
  exec { 'true':
    path        => '/bin',
    refreshonly => true,
  }
}
---
# Documentation
class demo {
  exec { '/bin/a': creates => '/a' }
  exec { '/bin/b': }
}
---
# Documentation
class demo {
  exec {
    '/bin/a':
      onlyif => '/bin/test -e /a',
      ;
    '/bin/b':
      user => 'root',
  }
}
---
# Documentation
class demo {
  file { '/a': ensure => present }
}
---
# Documentation
class demo {
  file { '/a': ensure => file }
  file { '/b': ensure => 'present', content => 'x' }
}
---
# Documentation
class demo {
  file { '/a':
    ensure => present,
    target => '/b',
  }
}
---
# Documentation
class demo {
  file { ['/a', '/b']: ensure => directory }
  user { 'c': ensure => present }
  package { 'd': ensure => present }
}
---
# Documentation
class demo {
  package { 'a': ensure => latest }
}
---
# Documentation
class demo {
  package { 'a': ensure => 'latest' }
  package { 'b': ensure => "latest" }
}
---
# Documentation
class demo {
  package { 'a': ensure => installed }
  thing { 'b': ensure => latest }
}
---
# Documentation
class demo {
  package {
    'a':
      ensure => latest;
    'b':
      ensure => '1.0';
  }
}
---
# Documentation
class demo {
  file { '/a':
    ensure => file,
    owner  => 'root'
  }
}
---
# Documentation
class demo {
  file { '/a': ensure => file, owner => 'root' }
}
---
# Documentation
class demo {
  $list = [
    'a',
    'b'
  ]
  notice($list)
}
---
# Documentation
class demo {
  $list = ['a',
    'b']
  notice($list)
}
---
# Documentation
class demo {
  $map = {
    'a' => 1,
    'b' => {
      'c' => 2
    }
  }
  notice($map)
}
---
# Documentation
class demo {
  File {
    owner => 'root',
    group => 'root'
  }
}
---
# Documentation
class demo {
  file {
    '/a':
      ensure => file;
    '/b':
      ensure => file
  }
}
---
# Documentation
class demo {
  notify { 'x':
    require => [
      File['a'],
      File['b'] # the last one
    ],
  }
}
---
# Documentation
class demo {
  realize(
    File['a'],
    File['b']
  )
}
---
# Documentation
class demo {
  $mode = 0644
  $count = 10
  $zero = 0
  $half = 0.5
  notice($mode, $count, $zero, $half)
}
---
# Documentation
class demo {
  cron { 'x': hour => 08, minute => '09' }
}
---
# Documentation
class demo {
  file { '/a': mode => 0755 }
}
---
# Documentation
class demo {
  $list = [01, 2, '03']
  $hex = 0x1F
  notice($list, $hex)
}
