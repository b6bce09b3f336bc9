# The legacy facts with their replacements. Puppet 8 does not send them unless the setting
# `include_legacy_facts` is enabled. Only numbers and booleans have types of their own.

type LegacyFacts = Struct[{
  # The architecture, as the operating system reports it.
  # @modern $facts['os']['architecture']
  'architecture' => String,
  # The version of Augeas.
  # @modern $facts['augeas']['version']
  'augeasversion' => String,
  # The release date of the BIOS.
  # @modern $facts['dmi']['bios']['release_date']
  'bios_release_date' => String,
  # The vendor of the BIOS.
  # @modern $facts['dmi']['bios']['vendor']
  'bios_vendor' => String,
  # The version of the BIOS.
  # @modern $facts['dmi']['bios']['version']
  'bios_version' => String,
  # The names of the disks, separated by commas.
  # @modern $facts['disks'].keys.join(',')
  'blockdevices' => String,
  # The model of a disk.
  # @modern $facts['disks']['<disk>']['model']
  'blockdevice_<disk>_model' => String,
  # The size of a disk in bytes.
  # @modern $facts['disks']['<disk>']['size_bytes']
  'blockdevice_<disk>_size' => Integer,
  # The vendor of a disk.
  # @modern $facts['disks']['<disk>']['vendor']
  'blockdevice_<disk>_vendor' => String,
  # The asset tag of the system board.
  # @modern $facts['dmi']['board']['asset_tag']
  'boardassettag' => String,
  # The manufacturer of the system board.
  # @modern $facts['dmi']['board']['manufacturer']
  'boardmanufacturer' => String,
  # The product name of the system board.
  # @modern $facts['dmi']['board']['product']
  'boardproductname' => String,
  # The serial number of the system board.
  # @modern $facts['dmi']['board']['serial_number']
  'boardserialnumber' => String,
  # The asset tag of the chassis.
  # @modern $facts['dmi']['chassis']['asset_tag']
  'chassisassettag' => String,
  # The type of the chassis.
  # @modern $facts['dmi']['chassis']['type']
  'chassistype' => String,
  # The DHCP servers of the interfaces. The key `system` contains that of the primary interface.
  'dhcp_servers' => Hash[String, String],
  # The domain name of the node.
  # @modern $facts['networking']['domain']
  'domain' => String,
  # The fully qualified domain name of the node.
  # @modern $facts['networking']['fqdn']
  'fqdn' => String,
  # The name of the group that Facter runs as.
  # @modern $facts['identity']['group']
  'gid' => String,
  # The instruction set architecture.
  # @modern $facts['processors']['isa']
  'hardwareisa' => String,
  # The hardware model.
  # @modern $facts['os']['hardware']
  'hardwaremodel' => String,
  # The host name of the node, without the domain.
  # @modern $facts['networking']['hostname']
  'hostname' => String,
  # The name of the user that Facter runs as.
  # @modern $facts['identity']['user']
  'id' => String,
  # The names of the network interfaces, separated by commas.
  # @modern $facts['networking']['interfaces'].keys.sort.join(',')
  'interfaces' => String,
  # The IPv4 address of the primary interface.
  # @modern $facts['networking']['ip']
  'ipaddress' => String,
  # The IPv6 address of the primary interface.
  # @modern $facts['networking']['ip6']
  'ipaddress6' => String,
  # The IPv6 address of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['ip6']
  'ipaddress6_<interface>' => String,
  # The IPv4 address of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['ip']
  'ipaddress_<interface>' => String,
  # The serial number of the chassis (Solaris only).
  # @modern $facts['ldom']['domainchassis']
  'ldom_domainchassis' => String,
  # The name of the control domain (Solaris only).
  # @modern $facts['ldom']['domaincontrol']
  'ldom_domaincontrol' => String,
  # The name of the logical domain (Solaris only).
  # @modern $facts['ldom']['domainname']
  'ldom_domainname' => String,
  # The UUID of the logical domain (Solaris only).
  # @modern $facts['ldom']['domainuuid']
  'ldom_domainuuid' => String,
  # Whether the logical domain is a control domain (Solaris only).
  # @modern $facts['ldom']['domainrole']['control']
  'ldom_domainrole_control' => Variant[Boolean, String],
  # The implementation of the logical domain (Solaris only).
  # @modern $facts['ldom']['domainrole']['impl']
  'ldom_domainrole_impl' => String,
  # Whether the logical domain is an I/O domain (Solaris only).
  # @modern $facts['ldom']['domainrole']['io']
  'ldom_domainrole_io' => Variant[Boolean, String],
  # Whether the logical domain is a root domain (Solaris only).
  # @modern $facts['ldom']['domainrole']['root']
  'ldom_domainrole_root' => Variant[Boolean, String],
  # Whether the logical domain is a service domain (Solaris only).
  # @modern $facts['ldom']['domainrole']['service']
  'ldom_domainrole_service' => Variant[Boolean, String],
  # The code name of the distribution.
  # @modern $facts['os']['distro']['codename']
  'lsbdistcodename' => String,
  # The description of the distribution.
  # @modern $facts['os']['distro']['description']
  'lsbdistdescription' => String,
  # The ID of the distribution.
  # @modern $facts['os']['distro']['id']
  'lsbdistid' => String,
  # The full version of the distribution.
  # @modern $facts['os']['distro']['release']['full']
  'lsbdistrelease' => String,
  # The major version of the distribution.
  # @modern $facts['os']['distro']['release']['major']
  'lsbmajdistrelease' => String,
  # The minor version of the distribution.
  # @modern $facts['os']['distro']['release']['minor']
  'lsbminordistrelease' => String,
  # The version of the Linux Standard Base specification.
  # @modern $facts['os']['distro']['specification']
  'lsbrelease' => String,
  # The MAC address of the primary interface.
  # @modern $facts['networking']['mac']
  'macaddress' => String,
  # The MAC address of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['mac']
  'macaddress_<interface>' => String,
  # The build of macOS.
  # @modern $facts['os']['macosx']['build']
  'macosx_buildversion' => String,
  # The product name of macOS.
  # @modern $facts['os']['macosx']['product']
  'macosx_productname' => String,
  # The full version of macOS.
  # @modern $facts['os']['macosx']['version']['full']
  'macosx_productversion' => String,
  # The major version of macOS.
  # @modern $facts['os']['macosx']['version']['major']
  'macosx_productversion_major' => String,
  # The minor version of macOS.
  # @modern $facts['os']['macosx']['version']['minor']
  'macosx_productversion_minor' => String,
  # The patch version of macOS.
  # @modern $facts['os']['macosx']['version']['patch']
  'macosx_productversion_patch' => String,
  # The manufacturer of the system.
  # @modern $facts['dmi']['manufacturer']
  'manufacturer' => String,
  # The available memory, with a unit.
  # @modern $facts['memory']['system']['available']
  'memoryfree' => String,
  # The available memory in MiB.
  # @modern $facts['memory']['system']['available_bytes'] / 1048576.0
  'memoryfree_mb' => Numeric,
  # The total memory, with a unit.
  # @modern $facts['memory']['system']['total']
  'memorysize' => String,
  # The total memory in MiB.
  # @modern $facts['memory']['system']['total_bytes'] / 1048576.0
  'memorysize_mb' => Numeric,
  # The maximum transmission unit (MTU) of an interface, in bytes.
  # @modern $facts['networking']['interfaces']['<interface>']['mtu']
  'mtu_<interface>' => Integer,
  # The IPv4 netmask of the primary interface.
  # @modern $facts['networking']['netmask']
  'netmask' => String,
  # The IPv6 netmask of the primary interface.
  # @modern $facts['networking']['netmask6']
  'netmask6' => String,
  # The IPv6 netmask of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['netmask6']
  'netmask6_<interface>' => String,
  # The IPv4 netmask of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['netmask']
  'netmask_<interface>' => String,
  # The IPv4 network of the primary interface.
  # @modern $facts['networking']['network']
  'network' => String,
  # The IPv6 network of the primary interface.
  # @modern $facts['networking']['network6']
  'network6' => String,
  # The IPv6 network of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['network6']
  'network6_<interface>' => String,
  # The IPv4 network of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['network']
  'network_<interface>' => String,
  # The name of the operating system.
  # @modern $facts['os']['name']
  'operatingsystem' => String,
  # The major version of the operating system.
  # @modern $facts['os']['release']['major']
  'operatingsystemmajrelease' => String,
  # The full version of the operating system.
  # @modern $facts['os']['release']['full']
  'operatingsystemrelease' => String,
  # The family of the operating system.
  # @modern $facts['os']['family']
  'osfamily' => String,
  # The number of physical processors.
  # @modern $facts['processors']['physicalcount']
  'physicalprocessorcount' => Integer,
  # The number of logical processors.
  # @modern $facts['processors']['count']
  'processorcount' => Integer,
  # The model of a processor.
  # @modern $facts['processors']['models'][<number>]
  'processor<number>' => String,
  # The name of the product.
  # @modern $facts['dmi']['product']['name']
  'productname' => String,
  # The platform that Ruby was built for.
  # @modern $facts['ruby']['platform']
  'rubyplatform' => String,
  # The site library directory of Ruby.
  # @modern $facts['ruby']['sitedir']
  'rubysitedir' => String,
  # The version of Ruby.
  # @modern $facts['ruby']['version']
  'rubyversion' => String,
  # The scope of the IPv6 address of the primary interface.
  # @modern $facts['networking']['scope6']
  'scope6' => String,
  # The scope of the IPv6 address of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['scope6']
  'scope6_<interface>' => String,
  # Whether SELinux is enabled.
  # @modern $facts['os']['selinux']['enabled']
  'selinux' => Boolean,
  # The configured SELinux mode.
  # @modern $facts['os']['selinux']['config_mode']
  'selinux_config_mode' => String,
  # The configured SELinux policy.
  # @modern $facts['os']['selinux']['config_policy']
  'selinux_config_policy' => String,
  # The current SELinux mode.
  # @modern $facts['os']['selinux']['current_mode']
  'selinux_current_mode' => String,
  # Whether SELinux is enforced.
  # @modern $facts['os']['selinux']['enforced']
  'selinux_enforced' => Boolean,
  # The version of the SELinux policy.
  # @modern $facts['os']['selinux']['policy_version']
  'selinux_policyversion' => String,
  # The serial number of the product.
  # @modern $facts['dmi']['product']['serial_number']
  'serialnumber' => String,
  # The boot mode (macOS only).
  # @modern $facts['system_profiler']['boot_mode']
  'sp_boot_mode' => String,
  # The version of the boot ROM (macOS only).
  # @modern $facts['system_profiler']['boot_rom_version']
  'sp_boot_rom_version' => String,
  # The boot volume (macOS only).
  # @modern $facts['system_profiler']['boot_volume']
  'sp_boot_volume' => String,
  # The name of the processor (macOS only).
  # @modern $facts['system_profiler']['processor_name']
  'sp_cpu_type' => String,
  # The speed of the processor (macOS only).
  # @modern $facts['system_profiler']['processor_speed']
  'sp_current_processor_speed' => String,
  # The version of the kernel (macOS only).
  # @modern $facts['system_profiler']['kernel_version']
  'sp_kernel_version' => String,
  # The size of the L2 cache per core (macOS only).
  # @modern $facts['system_profiler']['l2_cache_per_core']
  'sp_l2_cache_core' => String,
  # The size of the L3 cache (macOS only).
  # @modern $facts['system_profiler']['l3_cache']
  'sp_l3_cache' => String,
  # The name of the computer (macOS only).
  # @modern $facts['system_profiler']['computer_name']
  'sp_local_host_name' => String,
  # The model identifier (macOS only).
  # @modern $facts['system_profiler']['model_identifier']
  'sp_machine_model' => String,
  # The name of the model (macOS only).
  # @modern $facts['system_profiler']['model_name']
  'sp_machine_name' => String,
  # The total number of cores (macOS only).
  # @modern $facts['system_profiler']['cores']
  'sp_number_processors' => String,
  # The version of the operating system (macOS only).
  # @modern $facts['system_profiler']['system_version']
  'sp_os_version' => String,
  # The number of processors (macOS only).
  # @modern $facts['system_profiler']['processors']
  'sp_packages' => String,
  # The size of the memory (macOS only).
  # @modern $facts['system_profiler']['memory']
  'sp_physical_memory' => String,
  # The hardware UUID (macOS only).
  # @modern $facts['system_profiler']['hardware_uuid']
  'sp_platform_uuid' => String,
  # Whether secure virtual memory is enabled (macOS only).
  # @modern $facts['system_profiler']['secure_virtual_memory']
  'sp_secure_vm' => String,
  # The serial number of the system (macOS only).
  # @modern $facts['system_profiler']['serial_number']
  'sp_serial_number' => String,
  # The version of the System Management Controller (SMC) (macOS only).
  # @modern $facts['system_profiler']['smc_version']
  'sp_smc_version_system' => String,
  # The uptime of the system (macOS only).
  # @modern $facts['system_profiler']['uptime']
  'sp_uptime' => String,
  # The user that Facter runs as (macOS only).
  # @modern $facts['system_profiler']['username']
  'sp_user_name' => String,
  # The DSA host key.
  # @modern $facts['ssh']['dsa']['key']
  'sshdsakey' => String,
  # The ECDSA host key.
  # @modern $facts['ssh']['ecdsa']['key']
  'sshecdsakey' => String,
  # The Ed25519 host key.
  # @modern $facts['ssh']['ed25519']['key']
  'sshed25519key' => String,
  # The RSA host key.
  # @modern $facts['ssh']['rsa']['key']
  'sshrsakey' => String,
  # The SHA-1 and SHA-256 fingerprints of the DSA host key, one per line.
  # @modern "${facts['ssh']['dsa']['fingerprints']['sha1']}\n${facts['ssh']['dsa']['fingerprints']['sha256']}"
  'sshfp_dsa' => String,
  # The SHA-1 and SHA-256 fingerprints of the ECDSA host key, one per line.
  # @modern "${facts['ssh']['ecdsa']['fingerprints']['sha1']}\n${facts['ssh']['ecdsa']['fingerprints']['sha256']}"
  'sshfp_ecdsa' => String,
  # The SHA-1 and SHA-256 fingerprints of the Ed25519 host key, one per line.
  # @modern "${facts['ssh']['ed25519']['fingerprints']['sha1']}\n${facts['ssh']['ed25519']['fingerprints']['sha256']}"
  'sshfp_ed25519' => String,
  # The SHA-1 and SHA-256 fingerprints of the RSA host key, one per line.
  # @modern "${facts['ssh']['rsa']['fingerprints']['sha1']}\n${facts['ssh']['rsa']['fingerprints']['sha256']}"
  'sshfp_rsa' => String,
  # Whether the swap space is encrypted.
  # @modern $facts['memory']['swap']['encrypted']
  'swapencrypted' => Boolean,
  # The available swap space, with a unit.
  # @modern $facts['memory']['swap']['available']
  'swapfree' => String,
  # The available swap space in MiB.
  # @modern $facts['memory']['swap']['available_bytes'] / 1048576.0
  'swapfree_mb' => Numeric,
  # The total swap space, with a unit.
  # @modern $facts['memory']['swap']['total']
  'swapsize' => String,
  # The total swap space in MiB.
  # @modern $facts['memory']['swap']['total_bytes'] / 1048576.0
  'swapsize_mb' => Numeric,
  # The path of the `system32` directory (Windows only).
  # @modern $facts['os']['windows']['system32']
  'system32' => String,
  # The uptime of the system, in a readable format.
  # @modern $facts['system_uptime']['uptime']
  'uptime' => String,
  # The uptime of the system in complete days.
  # @modern $facts['system_uptime']['days']
  'uptime_days' => Integer,
  # The uptime of the system in complete hours.
  # @modern $facts['system_uptime']['hours']
  'uptime_hours' => Integer,
  # The uptime of the system in seconds.
  # @modern $facts['system_uptime']['seconds']
  'uptime_seconds' => Integer,
  # The UUID of the product.
  # @modern $facts['dmi']['product']['uuid']
  'uuid' => String,
  # The display version of Windows.
  # @modern $facts['os']['windows']['display_version']
  'windows_display_version' => String,
  # The edition of Windows.
  # @modern $facts['os']['windows']['edition_id']
  'windows_edition_id' => String,
  # The installation type of Windows: `Client`, `Server` or `Server Core`.
  # @modern $facts['os']['windows']['installation_type']
  'windows_installation_type' => String,
  # The product name of Windows.
  # @modern $facts['os']['windows']['product_name']
  'windows_product_name' => String,
  # The release ID of Windows.
  # @modern $facts['os']['windows']['release_id']
  'windows_release_id' => String,
  # The names of the Xen domains, separated by commas.
  # @modern $facts['xen']['domains'].join(',')
  'xendomains' => String,
  # The name of the current Solaris zone.
  # @modern $facts['solaris_zones']['current']
  'zonename' => String,
  # The brand of a Solaris zone.
  # @modern $facts['solaris_zones']['zones']['<zone>']['brand']
  'zone_<zone>_brand' => String,
  # The ID of a Solaris zone.
  # @modern $facts['solaris_zones']['zones']['<zone>']['id']
  'zone_<zone>_id' => String,
  # The IP type of a Solaris zone.
  # @modern $facts['solaris_zones']['zones']['<zone>']['ip_type']
  'zone_<zone>_iptype' => String,
  # The name of a Solaris zone.
  # @modern '<zone>'
  'zone_<zone>_name' => String,
  # The path of a Solaris zone.
  # @modern $facts['solaris_zones']['zones']['<zone>']['path']
  'zone_<zone>_path' => String,
  # The status of a Solaris zone.
  # @modern $facts['solaris_zones']['zones']['<zone>']['status']
  'zone_<zone>_status' => String,
  # The UUID of a Solaris zone.
  'zone_<zone>_uuid' => String,
  # The number of Solaris zones.
  # @modern $facts['solaris_zones']['zones'].length
  'zones' => Integer,
}]
