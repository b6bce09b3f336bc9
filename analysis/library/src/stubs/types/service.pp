# @summary A service: whether it runs now, and whether it is started at boot.
# @provider base Any service whose commands are given.
# @provider bsd The `rc` scripts of BSD.
# @provider daemontools Daemontools.
# @provider debian The init scripts of Debian.
# @provider freebsd FreeBSD.
# @provider gentoo The init scripts of Gentoo.
# @provider init Init scripts.
# @provider launchd macOS.
# @provider openbsd OpenBSD.
# @provider openrc OpenRC.
# @provider openwrt OpenWrt.
# @provider rcng The `rc.d` of NetBSD.
# @provider redhat The init scripts of Red Hat.
# @provider runit Runit.
# @provider service The command `service`.
# @provider smf Solaris.
# @provider src AIX.
# @provider systemd systemd.
# @provider upstart Upstart of Ubuntu.
# @provider windows Windows.
# @feature configurable_timeout The provider can be given a timeout.
# @feature controllable The provider uses a variable to control the service.
# @feature delayed_startable The provider can start the service some time after boot.
# @feature enableable The provider can start the service at boot.
# @feature flaggable The provider can give flags to the service.
# @feature manages_logon_credentials The provider can manage who the service runs as.
# @feature manual_startable The provider can leave starting the service to others.
# @feature maskable The provider can keep the service from ever being started.
# @feature refreshable The provider can restart the service.
# @example A service that runs and is started at boot
#   service { 'nginx':
#     ensure => running,
#     enable => true,
#   }
define service (
  # Its name, as the provider knows it.
  # @namevar
  String $name_,

  # What manages it. The default depends on the platform.
  String $provider,

  # Whether it runs: `running`, or `true`; `stopped`, or `false`.
  # @property
  Variant[Boolean, Enum['running', 'true', 'false', 'stopped']] $ensure,

  # Whether it is started at boot; `manual`, `delayed` and `mask` for providers that know them.
  # @property
  # @needs enableable
  Variant[Boolean, Enum['true', 'delayed', 'false', 'manual', 'mask']] $enable,

  # Who the service runs as, on Windows.
  # @property
  # @needs manages_logon_credentials
  String $logonaccount,

  # Flags that the service is started with.
  # @property
  # @needs flaggable
  String $flags,

  # The password of `logonaccount`.
  # @needs manages_logon_credentials
  String $logonpassword,

  # The program, where there is no other way to start it.
  String $binary,

  # Whether the init script tells if it runs. If not, the table of processes is searched for
  # `pattern`.
  Variant[Boolean, Enum['true', 'false']] $hasstatus = true,

  # Where init scripts are searched for.
  Variant[String, Array[String]] $path,

  # What to look for in the table of processes; the name, by default.
  String $pattern,

  # The command that restarts it. Without one it is stopped and started, or the init script does
  # it.
  Variant[String, Array[String]] $restart,

  # The command that starts it.
  Variant[String, Array[String]] $start,

  # The command that tells whether it runs, by its exit code.
  Variant[String, Array[String]] $status,

  # The command that stops it.
  Variant[String, Array[String]] $stop,

  # The variable that controls it, for the providers that use one.
  String $control,

  # Whether the init script can restart it.
  Variant[Boolean, Enum['true', 'false']] $hasrestart,

  # How to configure it, or the path to a manifest that does, for SMF.
  String $manifest,

  # How many seconds starting and stopping may take.
  # @needs configurable_timeout
  Variant[Integer, String] $timeout,
) { }
