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
  Variant[String, Array[String]] $range,

  # Whether a period starts at the last run (`distance`) or at the calendar period (`number`).
  Enum['distance', 'number'] $periodmatch = 'distance',

  # The period in which resources may be managed.
  Enum['daily', 'hourly', 'monthly', 'never', 'weekly'] $period,

  # The maximum number of times in each period.
  Variant[Integer, String] $repeat = 1,

  # The weekdays, by name or number (0 is Sunday).
  Variant[String, Integer, Array[Variant[String, Integer]]] $weekday,
) { }
