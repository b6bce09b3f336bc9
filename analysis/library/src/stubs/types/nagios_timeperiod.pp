# @summary Hours of the week, for Nagios.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_timeperiod (
  # Its name.
  # @namevar
  String $timeperiod_name,

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

  # The hours of Sunday that it has.
  # @property
  $sunday,

  # The hours of Monday that it has.
  # @property
  $monday,

  # The hours of Tuesday that it has.
  # @property
  $tuesday,

  # The hours of Wednesday that it has.
  # @property
  $wednesday,

  # The hours of Thursday that it has.
  # @property
  $thursday,

  # The hours of Friday that it has.
  # @property
  $friday,

  # The hours of Saturday that it has.
  # @property
  $saturday,

  # Other periods that are no part of it, with commas between them.
  # @property
  $exclude,

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
