# @summary The SSH key of a host, in the file of those that are known.
# @module sshkeys_core
# @provider parsed The file `ssh_known_hosts`.
# @titles
# @example The key of a host
#   sshkey { 'git.example.com':
#     type => 'ssh-ed25519',
#     key  => 'AAAAC3NzaC1lZDI1NTE5AAAAIE',
#   }
define sshkey (
  # The kind of key.
  # @namevar
  Enum[
    'dsa', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ecdsa-sk',
    'ed25519', 'ed25519-sk', 'rsa', 'sk-ecdsa-sha2-nistp256@openssh.com',
    'sk-ssh-ed25519@openssh.com', 'ssh-dss', 'ssh-ed25519', 'ssh-rsa'
  ] $type,

  # The name of the host. In a title it may have the kind behind it: `git.example.com@ssh-ed25519`.
  # @namevar
  String $name_,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # The key itself, without the kind before it.
  # @property
  String $key,

  # Other names and addresses of the host.
  # @property
  Variant[String, Array[String]] $host_aliases,

  # The file, `/etc/ssh/ssh_known_hosts` on most platforms.
  # @property
  String $target,
) { }
