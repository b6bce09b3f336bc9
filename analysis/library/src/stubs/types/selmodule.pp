# @summary An SELinux policy module.
# @module selinux_core
# @provider semodule Uses the `semodule` command.
# @autorequires file
define selmodule (
  # The name of the policy module.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the policy module should be loaded.
  # @property
  Enum['present', 'absent'] $ensure,

  # Whether to reload the policy module if its version differs from the file.
  # @property
  Variant[Boolean, Enum['true', 'false']] $syncversion,

  # The directory that contains the module file, whose name is the name of the module followed by
  # `.pp`.
  String $selmoduledir = '/usr/share/selinux/targeted',

  # The path of the module file, if it is not in `selmoduledir`.
  String $selmodulepath,
) { }
