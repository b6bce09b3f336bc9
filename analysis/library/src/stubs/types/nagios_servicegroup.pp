# @summary A group of services that Nagios checks.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_servicegroup (
  # Its name.
  # @namevar
  String $servicegroup_name,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # The template that it takes what it does not say itself from.
  # @property
  $use,

  # A longer name.
  # @property
  $alias,

  # The members, with commas between them.
  # @property
  $members,

  # Other groups of services whose members are in it.
  # @property
  $servicegroup_members,

  # A remark.
  # @property
  $notes,

  # The URL of more remarks.
  # @property
  $notes_url,

  # The URL of what can be done.
  # @property
  $action_url,

  # Whether it is an object itself, or only a template: 1 or 0.
  # @property
  $register,

  # The file, which Nagios must be told to read.
  # @property
  String $target,

  # The user that owns the file.
  $owner,

  # The group that owns the file.
  $group,

  # Who may do what with the file.
  $mode,
) { }
