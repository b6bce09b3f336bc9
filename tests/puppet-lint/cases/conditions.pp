# Documentation
class demo {
  case $facts['os']['family'] {
    debian: { notice(1) }
    default: { notice(2) }
  }
}
---
# Documentation
class demo {
  case $facts['os']['family'] {
    Debian: { notice(1) }
    'RedHat': { notice(2) }
    default: { notice(3) }
  }
}
---
# Documentation
class demo {
  case $facts['os']['family'] {
    'Debian', Ubuntu: { notice(1) }
    /Red/: { notice(2) }
    default: { notice(3) }
  }
}
---
# Documentation
class demo {
  case $facts['processors']['count'] {
    1: { notice(1) }
    2, 3: { notice(2) }
    default: { notice(3) }
  }
}
---
# Documentation
class demo {
  case $facts['os']['family'] {
    'Debian': { $x = { key => value } }
    default: { $x = {} }
  }
  notice($x)
}
---
# Documentation
class demo {
  $x = $facts['os']['family'] ? {
    debian  => 1,
    default => 2,
  }
  notice($x)
}
---
# Documentation
class demo {
  $x = $facts['os']['family'] ? {
    Debian   => 1,
    'RedHat' => 2,
    default  => 3,
  }
  notice($x)
}
---
# Documentation
class demo {
  $x = $facts['os']['family'] ? {
    'Debian' => debian,
    /Red/    => redhat,
    default  => other,
  }
  notice($x)
}
---
# Documentation
class demo {
  $x = $facts['os']['family'] ? { debian => 1, default => 2 }
  notice($x)
}
---
# Documentation
class demo {
  $x = $facts['os']['release']['major'] ? {
    7       => 1,
    default => 2,
  }
  notice($x)
}
---
# Documentation
class demo {
  case true {
    $facts['is_virtual']: { notice(1) }
    default: { notice(2) }
  }
}
---
# Documentation
#
# @param version
#   The version.
class demo (String $version) {
  if $version > '1.0' { notice(1) }
}
---
# Documentation
#
# @param version
#   The version.
class demo (String $version) {
  if versioncmp($version, '1.0') > 0 { notice(1) }
}
---
# Documentation
#
# @param some_version
#   The version.
class demo (String $some_version) {
  if '1.0' <= $some_version { notice(1) }
}
---
# Documentation
#
# @param release
#   The release.
class demo (Optional[String] $release = undef) {
  if $release and $release >= '7' { notice(1) }
}
---
# Documentation
#
# @param version
#   The version.
class demo (String $version) {
  if $version == '1.0' { notice(1) }
}
---
# Documentation
#
# @param revision
#   The revision.
class demo (Integer $revision) {
  if $revision > 3 { notice(1) }
}
---
# Documentation
class demo {
  if $facts['os']['release']['full'] < '20.04' { notice(1) }
}
---
# Documentation
class demo {
  $::puppetversion ? {
    '1'     => notice(1),
    default => notice(2),
  }
}
---
# Documentation
#
# @param count
#   The count.
class demo (Integer $count) {
  unless $count >= 3 { notice(1) }
}
---
# Documentation
#
# @param app_version
#   The version.
class demo (String $app_version) {
  $new = $app_version >= '2.0'
  notice($new)
}
