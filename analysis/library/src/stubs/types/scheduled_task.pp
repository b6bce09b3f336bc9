# @summary A Windows scheduled task.
# @module scheduled_task
# @provider taskscheduler_api2 Uses version 2 of the Task Scheduler API.
# @provider win32_taskscheduler Uses version 1 of the Task Scheduler API.
# @feature compatibility The provider can set the compatibility level of a task.
# @example A daily task
#   scheduled_task { 'backup':
#     command => 'C:\\tools\\backup.exe',
#     trigger => { 'schedule' => 'daily', 'start_time' => '02:30' },
#   }
define scheduled_task (
  # The name of the task.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the task should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # Whether the triggers of the task are enabled.
  # @property
  Variant[Boolean, Enum['true', 'false']] $enabled = true,

  # The path of the program to run. It must be absolute.
  # @property
  String $command,

  # The directory to run the program in. It must be an absolute path.
  # @property
  String $working_dir,

  # The arguments of the program, as one string.
  # @property
  String $arguments,

  # The description of the task.
  # @property
  String $description,

  # The user to run the task as.
  # @property
  String $user = 'system',

  # The compatibility level of the task: the version of the Task Scheduler that it targets.
  # @property
  # @needs compatibility
  Variant[Enum['1', '2', '3', '4', '5', '6'], Integer] $compatibility = 1,

  # The triggers of the task: hashes with the keys `schedule` (`daily`, `weekly`, `monthly`, `once`,
  # `boot`, `logon`), `start_time` and others that depend on the schedule.
  # @property
  Variant[Hash, Array[Hash]] $trigger,

  # The password of `user`.
  String $password,
) { }
