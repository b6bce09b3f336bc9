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
class demo {
  if true {
  notice(1)
  }
}
---
# Documentation
class demo {
  file { '/a':
      ensure => file,
      owner  => 'root',
  }
}
---
# Documentation
class demo {
  file {
    '/a':
      ensure => file;
    '/b':
      ensure => file;
  }
}
---
# Documentation
class demo {
  file { ['/a',
    '/b']:
    ensure => file,
  }
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
  $a = {
      'b' => 1,
  }
  notice($a)
}
---
# Documentation
class demo {
  notice(
    'a',
    'b',
  )
}
---
# Documentation
class demo {
  notice('a',
         'b')
}
---
# Documentation
class demo {
  ['a'].each |$x| {
      notice($x)
  }
}
---
# Documentation
class demo {
  case $facts['kernel'] {
    'Linux': {
      notice(1)
    }
      default: {
      notice(2)
      }
  }
}
---
# Documentation
class demo {
  $a = $facts['kernel'] ? {
    'Linux' => 1,
      default => 2,
  }
  notice($a)
}
---
# Documentation
class demo {
  Package['a']
  -> File['b']
  -> Service['c']
}
---
# Documentation
class demo {
  # a comment
    # another one
  notice(1)
}
---
# Documentation
#
# @param a
#   The a.
class demo (
    Integer $a,
) {
  notice($a)
}
---
# Documentation
#
# @param a
#   The a.
class demo (Integer $a,
            Integer $b = 1) {
  notice($a, $b)
}
---
# Documentation
class demo {
  $text = @("END")
    text
      more
    | END
  notice($text)
}
---
# Documentation
class demo {
  create_resources('file', {
    '/a' => {
      ensure => file,
    },
  })
}
---
# Documentation
class demo {
  $sum = 1
    + 2
  notice($sum)
}
