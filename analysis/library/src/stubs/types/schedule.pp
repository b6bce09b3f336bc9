# @summary A time window in which Puppet may manage resources, which refer to it in the
#   metaparameter `schedule`.
#
# Puppet predefines the schedules `hourly`, `daily`, `weekly`, `monthly` and `never`.
# @example A maintenance window at night
#   schedule { 'maintenance':
#     range  => '2 - 4',
#     period => daily,
#     repeat => 1,
#   }
define schedule (
  # The name of the schedule.
  # @namevar
  String $name_,

  # The hours of the day, such as `2 - 4` or `22:30 - 1:15`.
  # @accepts Pattern[/^\s*(0*([01]?[0-9]|2[0-3]))(:0*[0-5]?[0-9](:[0-9]+)*)?\s*-\s*(0*([01]?[0-9]|2[0-3]))(:0*[0-5]?[0-9](:[0-9]+)*)?\s*$/, /\A(?=(.|\n)*[^0-9:\s-])(?=(.|\n)*[0-9](:[0-9]+){0,2}\s*-\s*[0-9])/]
  # @expects a range such as `'2:00 - 4:30'`
  Variant[String, Array[String]] $range,

  # Whether a period starts at the last run (`distance`) or at the calendar period (`number`).
  Enum['distance', 'number'] $periodmatch = 'distance',

  # The period in which resources may be managed.
  Enum['daily', 'hourly', 'monthly', 'never', 'weekly'] $period,

  # The maximum number of times in each period.
  # @accepts Variant[Integer, Pattern[/^[0-9]+$/]]
  # @expects a number
  # @single
  Variant[Integer, String] $repeat = 1,

  # The weekdays, by name or number (0 is Sunday).
  # @accepts Variant[Integer[0, 6], Pattern[/^[0-6]$/, /^(?i:(Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(day)?)$/]]
  # @expects the name of a day or a number from 0 to 6
  Variant[String, Integer, Array[Variant[String, Integer]]] $weekday,
) { }
