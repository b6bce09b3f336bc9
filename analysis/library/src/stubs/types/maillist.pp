# @summary A mailing list.
# @module maillist_core
# @provider mailman Manages mailing lists with Mailman.
define maillist (
  # The name of the mailing list.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the mailing list should exist. `purged` also removes its archives.
  # @property
  Enum['present', 'absent', 'purged'] $ensure,

  # The description of the mailing list.
  String $description,

  # The password of the administrator.
  String $password,

  # The host name for the web interface.
  String $webserver,

  # The host name for email.
  String $mailserver,

  # The email address of the administrator.
  String $admin,
) { }
