# @summary An SELinux boolean.
# @module selinux_core
# @provider getsetsebool Uses the commands `getsebool` and `setsebool`.
# @example Allow web servers to make connections
#   selboolean { 'httpd_can_network_connect':
#     value      => on,
#     persistent => true,
#   }
define selboolean (
  # The name of the SELinux boolean.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # The value of the SELinux boolean.
  # @property
  Variant[Boolean, Enum['true', 'on', 'false', 'off']] $value,

  # Whether the value persists across reboots.
  Variant[Boolean, Enum['true', 'false']] $persistent = false,
) { }
