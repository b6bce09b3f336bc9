# @summary A module of SELinux policy.
# @module selinux_core
# @provider semodule The command `semodule`.
# @autorequires file
define selmodule (
  # Its name.
  # @namevar
  String $name_,

  # What manages it.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # Whether it is installed again if the file has another version.
  # @property
  Variant[Boolean, Enum['true', 'false']] $syncversion,

  # The folder that has the file, which is called like the module with `.pp` behind it.
  String $selmoduledir = '/usr/share/selinux/targeted',

  # The path of the file, if it is elsewhere.
  String $selmodulepath,
) { }
