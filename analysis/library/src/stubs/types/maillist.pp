# @summary A mailing list.
# @module maillist_core
# @provider mailman Mailman.
define maillist (
  # The name of the list.
  # @namevar
  String $name_,

  # What manages lists.
  String $provider,

  # Whether it is there; `purged` removes its archives too.
  # @property
  Enum['present', 'absent', 'purged'] $ensure,

  # What it is about.
  String $description,

  # The password of the one who runs it.
  String $password,

  # The name of the host for its web pages.
  String $webserver,

  # The name of the host for its mail.
  String $mailserver,

  # The address of the one who runs it.
  String $admin,
) { }
