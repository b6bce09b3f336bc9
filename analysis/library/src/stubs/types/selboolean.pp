# @summary A boolean of SELinux.
# @module selinux_core
# @provider getsetsebool The commands `getsebool` and `setsebool`.
# @example Let web servers connect
#   selboolean { 'httpd_can_network_connect':
#     value      => on,
#     persistent => true,
#   }
define selboolean (
  # Its name.
  # @namevar
  String $name_,

  # What manages it.
  String $provider,

  # What it is to be.
  # @property
  Variant[Boolean, Enum['true', 'on', 'false', 'off']] $value,

  # Whether it stays so after a boot.
  Variant[Boolean, Enum['true', 'false']] $persistent = false,
) { }
