# @summary A mounted file system, and its entry in the file system table.
#
# A mount automatically requires the mounts of its parent directories.
# @module mount_core
# @provider parsed Uses `fstab` or its equivalent, and the commands `mount` and `umount`.
# @feature refreshable The provider can remount file systems.
# @autorequires mount
# @example A network file system
#   mount { '/srv/data':
#     ensure  => mounted,
#     device  => 'files.example.com:/data',
#     fstype  => 'nfs',
#     options => 'ro',
#   }
define mount (
  # The mount point. It must be an absolute path.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # The state of the mount. `mounted`: in the table and mounted. `present` or `defined`: in the
  # table, mounted or not. `unmounted`: in the table but not mounted. `absent`: neither.
  # @property
  Enum['present', 'mounted', 'absent', 'defined', 'unmounted'] $ensure,

  # The device to mount: a device file, `LABEL=…`, `UUID=…`, or a server and path.
  # @property
  String $device,

  # The device to check with `fsck` (Solaris only).
  # @property
  # @accepts Variant[Numeric, Boolean, Hash, Pattern[/\A\S*\z/]]
  # @expects a string without whitespace
  String $blockdevice,

  # The file system type.
  # @property
  # @accepts Pattern[/^\S+$/]
  # @expects a string without whitespace
  String $fstype,

  # The mount options, separated by commas.
  # @property
  # @accepts Pattern[/^\S+$/]
  # @expects a string without whitespace
  Variant[String, Array[String]] $options,

  # The pass in which the file system is checked at boot.
  # @property
  Variant[Integer, String] $pass,

  # Whether to mount the file system at boot, on platforms that support it.
  # @property
  # @accepts Variant[Boolean, Pattern[/\A(?i:true|yes|false|no)\z/]]
  # @expects a Boolean
  Variant[Boolean, String] $atboot,

  # Whether to dump the file system: 0 or 1; FreeBSD also supports 2.
  # @property
  # @accepts Variant[Integer[0, 2], Integer[10], Float, Pattern[/[0-2]/]]
  # @expects `0` or `1`
  # @unusable Variant[Integer[2, 9], Pattern[/\A[^01]*\z/]]
  Variant[Numeric, Pattern[/(0|1)/]] $dump,

  # The path of the file system table.
  # @property
  String $target,

  # Whether the file system can be remounted with `mount -o remount`. The default depends on the
  # platform.
  Variant[Boolean, Enum['true', 'false']] $remounts,
) { }
