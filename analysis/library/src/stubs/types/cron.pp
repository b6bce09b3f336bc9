# @summary A job in the crontab of a user.
# @module cron_core
# @provider crontab The command `crontab`.
# @autorequires user
# @example Every night
#   cron { 'backup':
#     command => '/usr/local/bin/backup',
#     user    => 'root',
#     hour    => 2,
#     minute  => 30,
#   }
define cron (
  # A name for the job, which is written above it in the crontab.
  # @namevar
  String $name_,

  # What manages crontabs.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # The command. It may use only the few variables that cron sets.
  # @property
  String $command,

  # A word instead of a time: `reboot`, `hourly`, `daily`, `weekly`, `monthly`, `yearly`,
  # `annually` or `midnight`.
  # @property
  String $special,

  # The minutes, 0 to 59; any if none are given.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $minute,

  # The hours, 0 to 23; any if none are given.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $hour,

  # The days of the week, 0 to 7 (both are Sunday) or by name.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $weekday,

  # The months, 1 to 12 or by name.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $month,

  # The days of the month, 1 to 31.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $monthday,

  # Variables for the job, each as `NAME=value`. They hold for all jobs below it in the crontab.
  # @property
  Variant[String, Array[String]] $environment,

  # The user whose crontab it is in; that of Puppet by default.
  # @property
  String $user,

  # The user whose crontab it is in, or the path of a crontab. Best left alone.
  # @property
  String $target,
) { }
