# @summary An SSH host key in the file of known hosts.
# @module sshkeys_core
# @provider parsed Parses and writes the `ssh_known_hosts` file.
# @titles
# @example A host key
#   sshkey { 'git.example.com':
#     type => 'ssh-ed25519',
#     key  => 'AAAAC3NzaC1lZDI1NTE5AAAAIE',
#   }
define sshkey (
  # The type of the key.
  # @namevar
  Enum[
    'dsa', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ecdsa-sk',
    'ed25519', 'ed25519-sk', 'rsa', 'sk-ecdsa-sha2-nistp256@openssh.com',
    'sk-ssh-ed25519@openssh.com', 'ssh-dss', 'ssh-ed25519', 'ssh-rsa'
  ] $type,

  # The name of the host. A title can end with the type of the key: `git.example.com@ssh-ed25519`.
  # @namevar
  # @accepts Pattern[/\A[^\s,]*\z/]
  # @expects a string without whitespace and commas
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the key should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The key, without its type.
  # @property
  String $key,

  # Other names and addresses of the host.
  # @property
  # @accepts Pattern[/\A[^\s,]*\z/]
  # @expects a string without whitespace and commas
  Variant[String, Array[String]] $host_aliases,

  # The path of the file, which is `/etc/ssh/ssh_known_hosts` on most platforms.
  # @property
  String $target,
) { }
