# @summary An SSH key that lets somebody log in as a user.
# @module sshkeys_core
# @provider parsed The file `authorized_keys`.
# @autorequires user
# @example A key for a user
#   ssh_authorized_key { 'ann@example.com':
#     user => 'ann',
#     type => 'ssh-ed25519',
#     key  => 'AAAAC3NzaC1lZDI1NTE5AAAAIE',
#   }
define ssh_authorized_key (
  # A name for the key, which is its comment in the file.
  # @namevar
  String $name_,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # The kind of key.
  # @property
  Enum[
    'dsa', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp256-cert-v01@openssh.com',
    'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp384-cert-v01@openssh.com', 'ecdsa-sha2-nistp521',
    'ecdsa-sha2-nistp521-cert-v01@openssh.com', 'ecdsa-sk', 'ed25519', 'ed25519-sk', 'rsa',
    'sk-ecdsa-sha2-nistp256@openssh.com', 'sk-ssh-ed25519@openssh.com', 'ssh-dss',
    'ssh-dss-cert-v01@openssh.com', 'ssh-ed25519', 'ssh-ed25519-cert-v01@openssh.com',
    'ssh-rsa', 'ssh-rsa-cert-v01@openssh.com'
  ] $type,

  # The key itself, without the kind before it and the comment behind it.
  # @property
  String $key,

  # The user that may be logged in as.
  # @property
  String $user,

  # The absolute path of the file; that in the home folder of the user by default.
  # @property
  String $target = 'absent',

  # Options of the key, such as `no-pty`.
  # @property
  Variant[String, Array[String]] $options = 'absent',

  # Whether the file is written as the user. Without that it may be outside of the user's reach.
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $drop_privileges = true,
) { }
