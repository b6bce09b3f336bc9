# @summary A Nagios time period.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_timeperiod (
  # The name of the time period.
  # @namevar
  String $timeperiod_name,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the object should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The name of the template to inherit from.
  # @property
  $use,

  # A longer name or description.
  # @property
  $alias,

  # The time ranges on Sundays.
  # @property
  $sunday,

  # The time ranges on Mondays.
  # @property
  $monday,

  # The time ranges on Tuesdays.
  # @property
  $tuesday,

  # The time ranges on Wednesdays.
  # @property
  $wednesday,

  # The time ranges on Thursdays.
  # @property
  $thursday,

  # The time ranges on Fridays.
  # @property
  $friday,

  # The time ranges on Saturdays.
  # @property
  $saturday,

  # Other time periods to exclude, separated by commas.
  # @property
  $exclude,

  # Whether the definition is an object (1) or only a template (0).
  # @property
  $register,

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
