# Types and values of constant expressions stand beside them.
$port     = 8000 + 80
$ratio    = 7 / 2 * 1.5
$names    = ['web', 'db'] + ['cache']
$limits   = { 'soft' => 1024, 'hard' => 2 * 1024 }
$matches  = 'node-42' =~ /^node-\d+$/
$greeting = "Hello, \u{1F44B}"
$level    = $port ? { Integer[1, 1023] => 'low', default => 'high' }

# What Puppet would refuse is underlined, all of it at once.
class demo::web (
  String[1]          $server = 'localhost',
  Enum['on', 'off']  $state  = 'on',
  Integer[1, 65535]  $server = 80,
) {
  file { '/etc/motd':
    ensure  => file,
    content => "${server} is ${state}",
  }
  $demo::other = { 'a' => 1, 'a' => 2 }
  1 + 2
  notice($state)
}
