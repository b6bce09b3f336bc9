# @summary A file system of ZFS. Its properties are those of the command `zfs`.
# @module zfs_core
# @provider zfs The command `zfs`.
# @autorequires zpool, zfs
# @example A file system with a limit
#   zfs { 'tank/home':
#     ensure => present,
#     quota  => '10G',
#   }
define zfs (
  # Its full name, with that of its pool.
  # @namevar
  String $name_,

  # What manages it.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # How access control lists are inherited.
  # @property
  $aclinherit,

  # What becomes of an access control list when the mode is changed.
  # @property
  $aclmode,

  # Which kind of access control lists there are.
  # @property
  $acltype,

  # Whether the time of the last access is kept.
  # @property
  $atime,

  # Whether it can be mounted.
  # @property
  $canmount,

  # The algorithm that protects data.
  # @property
  $checksum,

  # The algorithm that compresses data.
  # @property
  $compression,

  # How many copies of data are kept.
  # @property
  $copies,

  # Whether equal data is kept once.
  # @property
  $dedup,

  # The most space of each user.
  # @property
  $defaultuserquota,

  # Whether device files have an effect.
  # @property
  $devices,

  # Whether programs can be run from it.
  # @property
  $exec,

  # Whether writes are to be fast or many.
  # @property
  $logbias,

  # Where it is mounted.
  # @property
  $mountpoint,

  # Whether it is mounted with mandatory locks.
  # @property
  $nbmand,

  # Whether it can be mounted over a folder that is not empty.
  # @property
  $overlay,

  # What is kept in memory.
  # @property
  $primarycache,

  # The most space of it and all in it.
  # @property
  $quota,

  # Whether it can only be read.
  # @property
  $readonly,

  # The size of a block of a file.
  # @property
  $recordsize,

  # The most space of itself.
  # @property
  $refquota,

  # The space that is kept for itself.
  # @property
  $refreservation,

  # Whether the time of the last access is kept only now and then.
  # @property
  $relatime,

  # The space that is kept for it and all in it.
  # @property
  $reservation,

  # What is kept in the second cache.
  # @property
  $secondarycache,

  # Whether programs can take on another user.
  # @property
  $setuid,

  # Whether it is shared over iSCSI.
  # @property
  $shareiscsi,

  # Whether it is shared over NFS, and how.
  # @property
  $sharenfs,

  # Whether it is shared over SMB, and how.
  # @property
  $sharesmb,

  # Whether the folder of snapshots is seen.
  # @property
  $snapdir,

  # When writes are safe.
  # @property
  $sync,

  # Its version.
  # @property
  $version,

  # The size of a volume. What has one is a volume, and no file system.
  # @property
  $volsize,

  # Whether files are searched for viruses.
  # @property
  $vscan,

  # Whether files have extended attributes.
  # @property
  $xattr,

  # Whether it is managed from a zone.
  # @property
  $zoned,
) { }
