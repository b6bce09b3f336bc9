# @summary A scheduled task of Windows.
# @module scheduled_task
# @provider taskscheduler_api2 The second version of the task scheduler.
# @provider win32_taskscheduler The first version of the task scheduler.
# @feature compatibility The provider can be told which version of the task scheduler to use.
# @example Every day
#   scheduled_task { 'backup':
#     command => 'C:\\tools\\backup.exe',
#     trigger => { 'schedule' => 'daily', 'start_time' => '02:30' },
#   }
define scheduled_task (
  # Its name.
  # @namevar
  String $name_,

  # What manages it.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # Whether its triggers have an effect.
  # @property
  Variant[Boolean, Enum['true', 'false']] $enabled = true,

  # The absolute path of the program.
  # @property
  String $command,

  # The absolute path of the folder that it runs in.
  # @property
  String $working_dir,

  # Its arguments, as one string.
  # @property
  String $arguments,

  # What it is for.
  # @property
  String $description,

  # Who it runs as.
  # @property
  String $user = 'system',

  # The version of the task scheduler that it is made for.
  # @property
  # @needs compatibility
  Variant[Enum['1', '2', '3', '4', '5', '6'], Integer] $compatibility = 1,

  # When it runs: hashes with `schedule` (`daily`, `weekly`, `monthly`, `once`, `boot`, `logon`),
  # `start_time` and what else belongs to the schedule.
  # @property
  Variant[Hash, Array[Hash]] $trigger,

  # The password of `user`.
  String $password,
) { }
