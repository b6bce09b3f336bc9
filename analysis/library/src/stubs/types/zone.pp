# @summary A zone of Solaris.
# @module zone_core
# @provider solaris Solaris.
# @autorequires zfs, file
define zone (
  # Its name.
  # @namevar
  String $name_,

  # What manages it.
  String $provider,

  # How far it is to be brought: configured, installed, or running.
  # @property
  Enum['installed', 'running', 'configured', 'absent'] $ensure = 'running',

  # Its addresses: for a shared stack interface, address and router with colons between them, else
  # the interface.
  # @property
  Variant[String, Array[String]] $ip,

  # Whether it has an IP stack of its own.
  # @property
  Enum['exclusive', 'shared'] $iptype = 'shared',

  # Whether it is started at boot.
  # @property
  Variant[Boolean, Enum['true', 'false']] $autoboot = true,

  # The absolute path of its root.
  # @property
  String $path,

  # The pool of resources that it uses.
  # @property
  String $pool,

  # Its share of the processors.
  # @property
  Variant[Integer, String] $shares,

  # File systems of ZFS that it may manage.
  # @property
  Variant[String, Array[String]] $dataset,

  # Folders that it takes from the global zone.
  # @property
  Variant[String, Array[String]] $inherit,

  # Its number. Best left to the system.
  $id,

  # The zone that it is a copy of.
  String $clone,

  # The text of its file `sysidcfg`, on Solaris 10.
  String $sysidcfg,

  # Arguments for `zonecfg create`.
  String $create_args,

  # Arguments for `zoneadm install`.
  String $install_args,

  # The name of the host that it is.
  String $realhostname,
) { }
