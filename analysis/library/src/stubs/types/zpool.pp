# @summary A ZFS storage pool.
# @module zfs_core
# @provider zpool Uses the `zpool` command.
# @example A mirror of two disks
#   zpool { 'tank':
#     mirror => ['c0t1d0 c0t2d0'],
#   }
define zpool (
  # The name of the pool.
  # @namevar
  String $pool,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the pool should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The disks of the pool.
  # @property
  Variant[String, Array[String]] $disk,

  # The mirrors of the pool, each a string of disks separated by spaces.
  # @property
  Variant[String, Array[String]] $mirror,

  # The RAID-Z groups of the pool, each a string of disks separated by spaces.
  # @property
  Variant[String, Array[String]] $raidz,

  # The spare disks.
  # @property
  Variant[String, Array[String]] $spare,

  # The log devices.
  # @property
  Variant[String, Array[String]] $log,

  # The cache devices.
  # @property
  Variant[String, Array[String]] $cache,

  # The sector size, as a power of two.
  # @property
  $ashift,

  # Whether the pool grows when its devices do.
  # @property
  $autoexpand,

  # The behavior when the pool fails.
  # @property
  $failmode,

  # The parity of the RAID-Z groups: `raidz1`, `raidz2` and so on.
  $raid_parity,
) { }
