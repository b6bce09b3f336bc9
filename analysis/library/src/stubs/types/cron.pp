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
  # @accepts String
  String $command,

  # A special time instead of a schedule: `reboot`, `hourly`, `daily`, `weekly`, `monthly`,
  # `yearly`, `annually` or `midnight`.
  # @property
  # @accepts Enum['reboot', 'yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly', 'absent']
  String $special,

  # The minutes at which to run the command, from 0 to 59. Defaults to every minute.
  # @property
  # @accepts Variant[Integer[0, 59], Enum['*', 'absent'], Pattern[/^\*\/[0-9]+$/, /^[0-9]+-[0-9]+(\/[0-9]+)?$/, /^0*[1-5]?[0-9]$/]]
  # @expects `*`, `*/5`, `10-20` or a number from 0 to 59
  # @unusable Pattern[/\/0+$/, /^0*([6-9]\d|[1-9]\d{2,})-/, /-0*([6-9]\d|[1-9]\d{2,})(\/|$)/]
  Variant[Integer, String, Array[Variant[Integer, String]]] $minute,

  # The hours at which to run the command, from 0 to 23. Defaults to every hour.
  # @property
  # @accepts Variant[Integer[0, 23], Enum['*', 'absent'], Pattern[/^\*\/[0-9]+$/, /^[0-9]+-[0-9]+(\/[0-9]+)?$/, /^0*(1?[0-9]|2[0-3])$/]]
  # @expects `*`, `*/2`, `9-17` or a number from 0 to 23
  # @unusable Pattern[/\/0+$/, /^0*(2[4-9]|[3-9]\d|[1-9]\d{2,})-/, /-0*(2[4-9]|[3-9]\d|[1-9]\d{2,})(\/|$)/]
  Variant[Integer, String, Array[Variant[Integer, String]]] $hour,

  # The weekdays on which to run the command, from 0 to 7 (0 and 7 are Sunday) or by name.
  # @property
  # @accepts Variant[Integer[0, 7], Enum['*', 'absent'], Pattern[/^\*\/[0-9]+$/, /^[0-9]+-[0-9]+(\/[0-9]+)?$/, /^0*[0-7]$/, /^(?i:sun(day)?|mon(day)?|tue(sday)?|wed(nesday)?|thu(rsday)?|fri(day)?|sat(urday)?)$/]]
  # @expects `*`, `1-5`, the name of a day or a number from 0 to 7
  # @unusable Pattern[/\/0+$/, /^0*([89]|[1-9]\d+)-/, /-0*([89]|[1-9]\d+)(\/|$)/]
  Variant[Integer, String, Array[Variant[Integer, String]]] $weekday,

  # The months in which to run the command, from 1 to 12 or by name.
  # @property
  # @accepts Variant[Integer[1, 12], Enum['*', 'absent'], Pattern[/^\*\/[0-9]+$/, /^[0-9]+-[0-9]+(\/[0-9]+)?$/, /^0*([1-9]|1[0-2])$/, /^(?i:jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|jun(e)?|jul(y)?|aug(ust)?|sep(tember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/]]
  # @expects `*`, `1-6`, the name of a month or a number from 1 to 12
  # @unusable Pattern[/\/0+$/, /^0*(1[3-9]|[2-9]\d|[1-9]\d{2,})-/, /-0*(1[3-9]|[2-9]\d|[1-9]\d{2,})(\/|$)/, /^0+-/]
  Variant[Integer, String, Array[Variant[Integer, String]]] $month,

  # The days of the month on which to run the command, from 1 to 31.
  # @property
  # @accepts Variant[Integer[1, 31], Enum['*', 'absent'], Pattern[/^\*\/[0-9]+$/, /^[0-9]+-[0-9]+(\/[0-9]+)?$/, /^0*([1-9]|[12][0-9]|3[01])$/]]
  # @expects `*`, `1-15` or a number from 1 to 31
  # @unusable Pattern[/\/0+$/, /^0*(3[2-9]|[4-9]\d|[1-9]\d{2,})-/, /-0*(3[2-9]|[4-9]\d|[1-9]\d{2,})(\/|$)/, /^0+-/]
  Variant[Integer, String, Array[Variant[Integer, String]]] $monthday,

  # Environment variables for the job, each in the form `NAME=value`. They also apply to the jobs
  # that follow in the crontab.
  # @property
  # @accepts Variant[Enum['absent'], Pattern[/^\s*\w+\s*=/]]
  # @expects a string in the form `NAME=value`
  Variant[String, Array[String]] $environment,

  # The user whose crontab contains the job. Defaults to the user that runs Puppet.
  # @property
  String $user,

  # The user whose crontab contains the job, or the path of a crontab. Setting it is not
  # recommended.
  # @property
  String $target,
) { }
