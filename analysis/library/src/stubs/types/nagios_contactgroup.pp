# @summary A group of those whom Nagios notifies.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_contactgroup (
  # Its name.
  # @namevar
  String $contactgroup_name,

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

  # Other groups of contacts whose members are in it.
  # @property
  $contactgroup_members,

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
