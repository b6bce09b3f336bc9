# @summary A pool of ZFS.
# @module zfs_core
# @provider zpool The command `zpool`.
# @example Two disks, mirrored
#   zpool { 'tank':
#     mirror => ['c0t1d0 c0t2d0'],
#   }
define zpool (
  # Its name.
  # @namevar
  String $pool,

  # What manages it.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # Disks that are used as they are.
  # @property
  Variant[String, Array[String]] $disk,

  # Groups of disks that hold the same, each group in one string with blanks.
  # @property
  Variant[String, Array[String]] $mirror,

  # Groups of disks with parity, each group in one string with blanks.
  # @property
  Variant[String, Array[String]] $raidz,

  # Disks that take the place of broken ones.
  # @property
  Variant[String, Array[String]] $spare,

  # Disks for the log.
  # @property
  Variant[String, Array[String]] $log,

  # Disks for the cache.
  # @property
  Variant[String, Array[String]] $cache,

  # The size of a sector, as a power of two.
  # @property
  $ashift,

  # Whether it grows when its disks do.
  # @property
  $autoexpand,

  # What happens when it fails.
  # @property
  $failmode,

  # How many disks of a group may fail: `raidz1`, `raidz2` and so on.
  $raid_parity,
) { }
