# @summary An SSH key that is authorized to log in as a user.
# @module sshkeys_core
# @provider parsed Parses and writes the `authorized_keys` file.
# @autorequires user
# @example A key for a user
#   ssh_authorized_key { 'ann@example.com':
#     user => 'ann',
#     type => 'ssh-ed25519',
#     key  => 'AAAAC3NzaC1lZDI1NTE5AAAAIE',
#   }
define ssh_authorized_key (
  # The name of the key, which is written as its comment.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the key should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The type of the key.
  # @property
  Enum[
    'dsa', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp256-cert-v01@openssh.com',
    'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp384-cert-v01@openssh.com', 'ecdsa-sha2-nistp521',
    'ecdsa-sha2-nistp521-cert-v01@openssh.com', 'ecdsa-sk', 'ed25519', 'ed25519-sk', 'rsa',
    'sk-ecdsa-sha2-nistp256@openssh.com', 'sk-ssh-ed25519@openssh.com', 'ssh-dss',
    'ssh-dss-cert-v01@openssh.com', 'ssh-ed25519', 'ssh-ed25519-cert-v01@openssh.com',
    'ssh-rsa', 'ssh-rsa-cert-v01@openssh.com'
  ] $type,

  # The key, without its type and comment.
  # @property
  # @accepts Variant[Numeric, Boolean, Hash, Pattern[/\A\S*\z/]]
  # @expects a string without whitespace
  String $key,

  # The user that the key can log in as.
  # @property
  String $user,

  # The absolute path of the file. Defaults to `authorized_keys` in the `.ssh` directory of the
  # user.
  # @property
  String $target = 'absent',

  # Options for the key, such as `no-pty`.
  # @property
  # @accepts Pattern[/^[-a-z0-9A-Z_]+(=\".*?\")?$/]
  # @expects a single option such as `'no-pty'` or `'from="192.0.2.1"'`
  Variant[String, Array[String]] $options = 'absent',

  # Whether to write the file with the privileges of the user. Disable it for files that the user
  # cannot write.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $drop_privileges = true,
) { }
