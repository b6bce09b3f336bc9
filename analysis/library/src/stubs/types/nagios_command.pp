# @summary A command of Nagios.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_command (
  # Its name.
  # @namevar
  String $command_name,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # The template that it takes what it does not say itself from.
  # @property
  $use,

  # The command, with its macros.
  # @property
  $command_line,

  # Which poller sees to it, with Shinken.
  # @property
  $poller_tag,

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
