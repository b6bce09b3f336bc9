# @summary Runs a command.
#
# The command runs each time the catalog is applied. Either guard it with `creates`, `unless`,
# `onlyif` or `refreshonly`, or make sure that it can run repeatedly without harm.
# @provider posix Runs the command directly, without a shell. The default on platforms other than
#   Windows.
# @provider shell Runs the command with `/bin/sh`, so that pipes and shell built-ins are available.
# @provider windows Runs the command on Windows.
# @autorequires user, file
# @example Reload a service only on refresh
#   exec { 'reload nginx':
#     command     => '/usr/sbin/nginx -s reload',
#     refreshonly => true,
#   }
define exec (
  # The command to run. Unless `path` is set, the program must have an absolute path. An array
  # contains the program and its arguments, and bypasses the shell.
  # @namevar
  # @accepts Variant[String, Array]
  Variant[String, Array[String]] $command,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # The exit codes that indicate success.
  # @property
  # @accepts Variant[Integer, String]
  # @expects an exit code
  # @unusable Pattern[/\A(?!-?\d+\z)/]
  Variant[Integer, String] $returns = 0,

  # The directories to search for programs, as an array or as a string with the path separator of
  # the platform.
  # @accepts String
  Variant[String, Array[String]] $path,

  # The user to run the command as. Not supported on Windows.
  Variant[String, Integer] $user,

  # The group to run the command as.
  Variant[String, Integer] $group,

  # The directory to run the command in. It must exist.
  # @accepts Pattern[/^\//, /^[A-Za-z]:[\/\\]/, /^[\/\\]{2}/]
  # @expects an absolute path
  # @single
  String $cwd,

  # Whether to log the output of the command: always, never, or if the command fails.
  Variant[Boolean, Enum['true', 'false', 'on_failure']] $logoutput,

  # The command to run instead of `command` when the resource is refreshed.
  # @accepts Variant[String, Array]
  Variant[String, Array[String]] $refresh,

  # Environment variables for the command, each in the form `NAME=value`.
  # @accepts Pattern[/\w+=/]
  # @expects a string in the form `NAME=value`
  Variant[String, Array[String]] $environment,

  # The umask for the command, in octal notation.
  # @accepts Pattern[/^0?[0-7]{1,4}$/]
  # @expects a string of octal digits, such as `'022'`
  # @single
  String $umask,

  # The maximum time the command may take, in seconds. With 0, there is no limit.
  # @accepts Variant[Numeric, Pattern[/\A\s*[-+]?(0[xX].*|[0-9.][0-9_.]*([eE][-+]?[0-9_]+)?)\s*\z/]]
  # @expects a number of seconds
  Variant[Numeric, String] $timeout = 300,

  # The maximum number of attempts until the command succeeds.
  # @accepts Variant[Integer[1], Float[1.0], Pattern[/^0*[1-9][0-9]*$/]]
  # @expects a number of at least 1
  # @single
  Variant[Integer, String] $tries = 1,

  # The time between attempts, in seconds.
  # @accepts Variant[Integer[0], Float[0.0], Pattern[/^[0-9.]+$/, /^-[0.]+$/]]
  # @expects a non-negative number of seconds
  # @single
  Variant[Numeric, String] $try_sleep = 0,

  # Whether to run the command only when the resource is refreshed.
  Variant[Boolean, Enum['true', 'false']] $refreshonly,

  # Files or directories that the command creates. If all of them exist, the command does not run.
  # @accepts Pattern[/^\//, /^[A-Za-z]:[\/\\]/, /^[\/\\]{2}/]
  # @expects an absolute path
  Variant[String, Array[String]] $creates,

  # One or more commands. If any of them succeeds, the main command does not run.
  # @accepts Variant[String, Array]
  Variant[String, Array[Variant[String, Array[String]]]] $unless,

  # One or more commands. The main command runs only if all of them succeed.
  # @accepts Variant[String, Array]
  Variant[String, Array[Variant[String, Array[String]]]] $onlyif,
) { }
