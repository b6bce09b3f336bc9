# @summary A ZFS file system. Its properties are those of the `zfs` command.
# @module zfs_core
# @provider zfs Uses the `zfs` command.
# @autorequires zpool, zfs
# @example A file system with a quota
#   zfs { 'tank/home':
#     ensure => present,
#     quota  => '10G',
#   }
define zfs (
  # The full name of the file system, including the name of its pool.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the file system should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # How access control list entries are inherited.
  # @property
  $aclinherit,

  # How the access control list changes when the mode changes.
  # @property
  $aclmode,

  # The type of access control lists.
  # @property
  $acltype,

  # Whether to update the access time of files.
  # @property
  $atime,

  # Whether the file system can be mounted.
  # @property
  $canmount,

  # The checksum algorithm.
  # @property
  $checksum,

  # The compression algorithm.
  # @property
  $compression,

  # The number of copies of data.
  # @property
  $copies,

  # Whether to deduplicate data.
  # @property
  $dedup,

  # The default quota of users.
  # @property
  $defaultuserquota,

  # Whether device files can be opened.
  # @property
  $devices,

  # Whether programs can be executed.
  # @property
  $exec,

  # Whether to optimize synchronous writes for latency or throughput.
  # @property
  $logbias,

  # The mount point.
  # @property
  $mountpoint,

  # Whether to mount the file system with mandatory locks.
  # @property
  $nbmand,

  # Whether the file system can be mounted on a directory that is not empty.
  # @property
  $overlay,

  # The data to cache in memory.
  # @property
  $primarycache,

  # The maximum space of the file system and its descendants.
  # @property
  $quota,

  # Whether the file system is read-only.
  # @property
  $readonly,

  # The suggested block size of files.
  # @property
  $recordsize,

  # The maximum space of the file system itself.
  # @property
  $refquota,

  # The minimum space reserved for the file system itself.
  # @property
  $refreservation,

  # Whether to update the access time only if it is older than the modification time.
  # @property
  $relatime,

  # The minimum space reserved for the file system and its descendants.
  # @property
  $reservation,

  # The data to cache in the second-level cache.
  # @property
  $secondarycache,

  # Whether set-UID programs take effect.
  # @property
  $setuid,

  # Whether to share the file system over iSCSI.
  # @property
  $shareiscsi,

  # Whether, and with which options, to share the file system over NFS.
  # @property
  $sharenfs,

  # Whether, and with which options, to share the file system over SMB.
  # @property
  $sharesmb,

  # Whether the `.zfs` directory is visible.
  # @property
  $snapdir,

  # How to handle synchronous writes.
  # @property
  $sync,

  # The version of the file system.
  # @property
  $version,

  # The size of the volume. If it is set, a volume is created instead of a file system.
  # @property
  $volsize,

  # Whether to scan files for viruses.
  # @property
  $vscan,

  # Whether extended attributes are enabled.
  # @property
  $xattr,

  # Whether the file system is managed from a zone.
  # @property
  $zoned,
) { }
