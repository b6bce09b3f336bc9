# @summary A cron job in the crontab of a user.
# @module cron_core
# @provider crontab Uses the `crontab` command.
# @autorequires user
# @example A nightly job
#   cron { 'backup':
#     command => '/usr/local/bin/backup',
#     user    => 'root',
#     hour    => 2,
#     minute  => 30,
#   }
define cron (
  # The name of the cron job. Puppet writes it as a comment above the job to identify it.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the cron job should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The command to run. Cron provides only a minimal environment, so set variables such as `PATH`
  # explicitly if the command needs them.
  # @property
  String $command,

  # A special time instead of a schedule: `reboot`, `hourly`, `daily`, `weekly`, `monthly`,
  # `yearly`, `annually` or `midnight`.
  # @property
  String $special,

  # The minutes at which to run the command, from 0 to 59. Defaults to every minute.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $minute,

  # The hours at which to run the command, from 0 to 23. Defaults to every hour.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $hour,

  # The weekdays on which to run the command, from 0 to 7 (0 and 7 are Sunday) or by name.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $weekday,

  # The months in which to run the command, from 1 to 12 or by name.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $month,

  # The days of the month on which to run the command, from 1 to 31.
  # @property
  Variant[Integer, String, Array[Variant[Integer, String]]] $monthday,

  # Environment variables for the job, each in the form `NAME=value`. They also apply to the jobs
  # that follow in the crontab.
  # @property
  Variant[String, Array[String]] $environment,

  # The user whose crontab contains the job. Defaults to the user that runs Puppet.
  # @property
  String $user,

  # The user whose crontab contains the job, or the path of a crontab. Setting it is not
  # recommended.
  # @property
  String $target,
) { }
