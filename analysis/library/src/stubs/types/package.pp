# @summary A package of software: whether it is installed, and in which version.
#
# What is possible depends on the provider, and that on the platform.
# @provider aix `installp` of AIX.
# @provider appdmg Applications in disk images of macOS.
# @provider apple Packages of macOS.
# @provider apt `apt-get` of Debian and its kin.
# @provider aptitude `aptitude` of Debian.
# @provider aptrpm `apt-get` for RPM packages.
# @provider blastwave Blastwave for Solaris.
# @provider dnf `dnf` of Fedora and Red Hat.
# @provider dnfmodule Modules of `dnf`.
# @provider dpkg Files of Debian packages, without their dependencies.
# @provider fink Fink for macOS.
# @provider freebsd `pkg_add` of old releases of FreeBSD.
# @provider gem Gems of the Ruby that is found, or of that of `command`.
# @provider hpux `swinstall` of HP-UX.
# @provider macports MacPorts.
# @provider nim The network installation of AIX.
# @provider openbsd `pkg_add` of OpenBSD.
# @provider opkg `opkg` of OpenWrt.
# @provider pacman `pacman` of Arch Linux.
# @provider pip Packages of Python.
# @provider pip2 Packages of Python 2.
# @provider pip3 Packages of Python 3.
# @provider pkg The image packaging system of Solaris 11.
# @provider pkgdmg Packages in disk images of macOS.
# @provider pkgin `pkgin` of NetBSD.
# @provider pkgng `pkg` of FreeBSD.
# @provider pkgutil OpenCSW for Solaris.
# @provider portage `emerge` of Gentoo.
# @provider ports Ports of FreeBSD.
# @provider portupgrade `portupgrade` of FreeBSD.
# @provider puppet_gem Gems of the Ruby of the agent.
# @provider puppetserver_gem Gems of the server.
# @provider rpm Files of RPM packages, without their dependencies.
# @provider rug `rug` of old releases of SUSE.
# @provider sun `pkgadd` of Solaris 10.
# @provider sunfreeware Sunfreeware for Solaris.
# @provider tdnf `tdnf` of Photon.
# @provider up2date `up2date` of old releases of Red Hat.
# @provider urpmi `urpmi` of Mandriva.
# @provider windows Programs of Windows, from MSI files or installers.
# @provider xbps (since 8) `xbps` of Void Linux.
# @provider yum `yum` of Red Hat.
# @provider zypper `zypper` of SUSE.
# @feature disableable The provider can disable modules.
# @feature holdable The provider can keep packages from being changed.
# @feature install_only The provider can install without upgrading.
# @feature install_options The provider takes options for installing.
# @feature installable The provider can install.
# @feature package_settings The provider has settings of its own.
# @feature purgeable The provider can remove configuration too.
# @feature reinstallable The provider can install again what is installed.
# @feature supports_flavors The provider knows flavors.
# @feature targetable The provider can use a given command.
# @feature uninstall_options The provider takes options for removing.
# @feature uninstallable The provider can remove.
# @feature upgradeable The provider can upgrade to the latest version.
# @feature version_ranges The provider takes ranges of versions.
# @feature versionable The provider can install a given version.
# @feature virtual_packages The provider knows names that several packages provide.
# @autorequires file
# @titles
# @example The latest version
#   package { 'openssl':
#     ensure => latest,
#   }
define package (
  # Its name, as the provider knows it.
  # @namevar
  String $name_,

  # What installs it. The default depends on the platform.
  # @namevar
  String $provider,

  # The program that installs, where the host has several, such as the `gem` of one of its Rubies.
  # @namevar
  # @needs targetable
  String $command = 'default',

  # Whether it is installed (`installed`, which is also called `present`), is the newest
  # (`latest`), or is in a given version; `absent` removes it, `purged` its configuration too,
  # `disabled` disables a module.
  # @property
  Variant[
    Boolean,
    Numeric,
    Enum['present', 'installed', 'latest', 'absent', 'disabled', 'purged'],
    Pattern[/./]
  ] $ensure = 'installed',

  # Settings that only the provider knows.
  # @property
  # @needs package_settings
  $package_settings,

  # The flavor of the package, or the profile of a module.
  # @property
  # @needs supports_flavors
  String $flavor,

  # Whether the package is kept from being changed by others: `hold` or `none`.
  # @property
  # @needs holdable
  Enum['hold', 'none'] $mark,

  # Where to get it: a path or URL. Providers with repositories do not need it.
  String $source,

  # The name of the package on the host: for reading only.
  # @readonly
  $instance,

  # What the provider says of it: for reading only.
  # @readonly
  $status,

  # A file of defaults for installing, on Solaris.
  String $adminfile,

  # A file of answers for installing: on Solaris, or those for debconf.
  String $responsefile,

  # Whether changed configuration is kept or replaced.
  Enum['keep', 'replace'] $configfiles = 'keep',

  # What kind of package it is: for reading only.
  # @readonly
  $category,

  # What it was built for: for reading only.
  # @readonly
  $platform,

  # Where it is: for reading only.
  # @readonly
  $root,

  # Who made it: for reading only.
  # @readonly
  $vendor,

  # What it is: for reading only.
  # @readonly
  $description,

  # Whether packages may come from a CD; for `apt`.
  Variant[Boolean, Enum['true', 'false']] $allowcdrom,

  # Whether a module is enabled without its packages.
  Variant[Boolean, Enum['true', 'false', 'yes', 'no']] $enable_only = false,

  # Whether a package that is there is left in its version.
  # @needs install_only
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $install_only = false,

  # Options for the command that installs: strings, or hashes of names and values.
  # @needs install_options
  Variant[String, Hash, Array[Variant[String, Hash]]] $install_options,

  # Options for the command that removes: strings, or hashes of names and values.
  # @needs uninstall_options
  Variant[String, Hash, Array[Variant[String, Hash]]] $uninstall_options,

  # Whether the name may be one that other packages provide. The default depends on the provider.
  # @needs virtual_packages
  Variant[Boolean, Enum['true', 'yes', 'false', 'no']] $allow_virtual,

  # Whether the package is installed again when the resource is notified.
  Variant[Boolean, Enum['true', 'false']] $reinstall_on_refresh = false,

  # Variables for the command that installs, each as `NAME=value`.
  # @since 8.26
  $environment,
) { }
