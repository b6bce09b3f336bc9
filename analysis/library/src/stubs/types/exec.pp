# @summary A command that is run.
#
# It runs each time the catalog is applied: guard it with `creates`, `unless`, `onlyif` or
# `refreshonly`,
# or write a command that may run again without harm.
# @provider posix Runs the program directly, without a shell. The default where there is no
#   Windows.
# @provider shell Has `/bin/sh` run the command, so that pipes and builtins work.
# @provider windows Runs the program on Windows.
# @autorequires user, file
# @example Reload, but only when told
#   exec { 'reload nginx':
#     command     => '/usr/sbin/nginx -s reload',
#     refreshonly => true,
#   }
define exec (
  # The command. Without `path` the program needs an absolute path. As an array, it is the program
  # and its arguments, and no shell sees them.
  # @namevar
  Variant[String, Array[String]] $command,

  # How the command is run.
  String $provider,

  # The exit codes that mean success.
  # @property
  Variant[Integer, String] $returns = 0,

  # Where programs are searched for: a list of folders, or one string with the separator of the
  # platform.
  Variant[String, Array[String]] $path,

  # The user that the command runs as. It cannot be chosen on Windows.
  Variant[String, Integer] $user,

  # The group that the command runs as.
  Variant[String, Integer] $group,

  # The folder that the command runs in. It must exist.
  String $cwd,

  # Whether the output of the command is logged: always, never, or if it fails.
  Variant[Boolean, Enum['true', 'false', 'on_failure']] $logoutput,

  # The command to run instead when the resource is notified.
  Variant[String, Array[String]] $refresh,

  # Variables for the command, each as `NAME=value`.
  Variant[String, Array[String]] $environment,

  # The umask of the command, in octal digits.
  String $umask,

  # How many seconds the command may take; 0 is any time.
  Variant[Numeric, String] $timeout = 300,

  # How often the command is tried until it succeeds.
  Variant[Integer, String] $tries = 1,

  # How many seconds to wait between tries.
  Variant[Numeric, String] $try_sleep = 0,

  # Runs the command only when the resource is notified.
  Variant[Boolean, Enum['true', 'false']] $refreshonly,

  # Files or folders that the command creates: if all of them exist it is not run.
  Variant[String, Array[String]] $creates,

  # A command, or several: if one of them succeeds the main one is not run.
  Variant[String, Array[Variant[String, Array[String]]]] $unless,

  # A command, or several: the main one is run only if all of them succeed.
  Variant[String, Array[Variant[String, Array[String]]]] $onlyif,
) { }
