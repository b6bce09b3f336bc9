# @summary A Nagios command.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_command (
  # The name of the command.
  # @namevar
  String $command_name,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the object should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The name of the template to inherit from.
  # @property
  $use,

  # The command line, which may contain macros.
  # @property
  $command_line,

  # The tag of the poller that runs the checks (Shinken only).
  # @property
  $poller_tag,

  # The configuration file to write. Nagios must be configured to read it.
  # @property
  String $target,

  # The owner of the configuration file.
  $owner,

  # The group of the configuration file.
  $group,

  # The mode of the configuration file.
  $mode,
) { }
