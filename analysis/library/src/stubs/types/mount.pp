# @summary A file system that is mounted, and its line in the table of file systems.
#
# A mount waits for the mounts above it.
# @module mount_core
# @provider parsed The file `fstab` or its like, and the commands `mount` and `umount`.
# @feature refreshable The provider can mount again.
# @autorequires mount
# @example A network file system
#   mount { '/srv/data':
#     ensure  => mounted,
#     device  => 'files.example.com:/data',
#     fstype  => 'nfs',
#     options => 'ro',
#   }
define mount (
  # The absolute path to mount it at.
  # @namevar
  String $name_,

  # What manages mounts.
  String $provider,

  # `mounted`: in the table and mounted. `present`, or `defined`: in the table, mounted or not.
  # `unmounted`: in the table only. `absent`: neither.
  # @property
  Enum['present', 'mounted', 'absent', 'defined', 'unmounted'] $ensure,

  # What is mounted: a device, `LABEL=…`, `UUID=…`, or a server and path.
  # @property
  String $device,

  # The device to check, on Solaris.
  # @property
  String $blockdevice,

  # The type of file system.
  # @property
  String $fstype,

  # The options, as in the table, with commas between them.
  # @property
  Variant[String, Array[String]] $options,

  # In which pass it is checked at boot.
  # @property
  Variant[Integer, String] $pass,

  # Whether it is mounted at boot, on platforms whose table says so.
  # @property
  Variant[Boolean, String] $atboot,

  # Whether it is dumped: 0 or 1; on FreeBSD 2 is possible too.
  # @property
  Variant[Numeric, Pattern[/(0|1)/]] $dump,

  # The table.
  # @property
  String $target,

  # Whether it can be mounted again in one step. The default depends on the platform.
  Variant[Boolean, Enum['true', 'false']] $remounts,
) { }
