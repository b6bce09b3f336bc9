# Assignments and attributes show the inferred type, and the value if it is known.
class demo (
  Enum['web', 'db']  $role,
  Integer[1, 4]      $nodes  = 2,
  Optional[String]   $domain = undef,
) {
  $port   = $role ? { 'web' => 8000 + 80, 'db' => 5432 }
  $last   = $nodes * 10 - 1
  $hosts  = ['a', 'b'].map |$it| { "${role}-${it}" }
  $suffix = $domain ? { undef => '', default => ".${domain}" }
  $limits = { 'soft' => 1024, 'hard' => 2 * 1024 }
  $soft   = $limits['soft']

  # Mistakes are underlined.
  if $role =~ Undef {
    fail('no role')
  }
  demo::site { 'x':
    port  => "${port}",
    state => 'onn',
  }
  $next = $limits['sfot']
}

define demo::site (
  Integer[1, 65535]  $port,
  Enum['on', 'off']  $state = 'on',
  Integer            $state = 80,
) {
  notice("${title} ${port} ${state}")
}
