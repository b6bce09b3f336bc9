# Facts of old, each with what to write instead. Puppet 8 does not send them unless it is told to
# (`include_legacy_facts`). Only the numbers and booleans among them have a type of their own.

type LegacyFacts = Struct[{
  # The architecture, as the operating system calls it.
  # @modern $facts['os']['architecture']
  'architecture' => String,
  # The release of Augeas.
  # @modern $facts['augeas']['version']
  'augeasversion' => String,
  # The day on which the BIOS was released.
  # @modern $facts['dmi']['bios']['release_date']
  'bios_release_date' => String,
  # Who made the BIOS.
  # @modern $facts['dmi']['bios']['vendor']
  'bios_vendor' => String,
  # The release of the BIOS.
  # @modern $facts['dmi']['bios']['version']
  'bios_version' => String,
  # The names of the disks, with commas between them.
  # @modern $facts['disks'].keys.join(',')
  'blockdevices' => String,
  # The model of a disk.
  # @modern $facts['disks']['<disk>']['model']
  'blockdevice_<disk>_model' => String,
  # The size of a disk in bytes.
  # @modern $facts['disks']['<disk>']['size_bytes']
  'blockdevice_<disk>_size' => Integer,
  # Who made a disk.
  # @modern $facts['disks']['<disk>']['vendor']
  'blockdevice_<disk>_vendor' => String,
  # The asset tag of the board.
  # @modern $facts['dmi']['board']['asset_tag']
  'boardassettag' => String,
  # Who made the board.
  # @modern $facts['dmi']['board']['manufacturer']
  'boardmanufacturer' => String,
  # The name of the board.
  # @modern $facts['dmi']['board']['product']
  'boardproductname' => String,
  # The serial number of the board.
  # @modern $facts['dmi']['board']['serial_number']
  'boardserialnumber' => String,
  # The asset tag of the chassis.
  # @modern $facts['dmi']['chassis']['asset_tag']
  'chassisassettag' => String,
  # The kind of chassis.
  # @modern $facts['dmi']['chassis']['type']
  'chassistype' => String,
  # The DHCP servers of the interfaces; that of the first one is called `system`.
  'dhcp_servers' => Hash[String, String],
  # The domain of the host.
  # @modern $facts['networking']['domain']
  'domain' => String,
  # The name of the host with its domain.
  # @modern $facts['networking']['fqdn']
  'fqdn' => String,
  # The name of the group that Facter runs as.
  # @modern $facts['identity']['group']
  'gid' => String,
  # The kind of processor.
  # @modern $facts['processors']['isa']
  'hardwareisa' => String,
  # The kind of hardware.
  # @modern $facts['os']['hardware']
  'hardwaremodel' => String,
  # The name of the host without its domain.
  # @modern $facts['networking']['hostname']
  'hostname' => String,
  # The name of the user that Facter runs as.
  # @modern $facts['identity']['user']
  'id' => String,
  # The names of the network interfaces, with commas between them.
  # @modern $facts['networking']['interfaces'].keys.sort.join(',')
  'interfaces' => String,
  # The address of the host.
  # @modern $facts['networking']['ip']
  'ipaddress' => String,
  # The address of the host, of version 6.
  # @modern $facts['networking']['ip6']
  'ipaddress6' => String,
  # The address of an interface, of version 6.
  # @modern $facts['networking']['interfaces']['<interface>']['ip6']
  'ipaddress6_<interface>' => String,
  # The address of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['ip']
  'ipaddress_<interface>' => String,
  # The serial number of the chassis, on Solaris.
  # @modern $facts['ldom']['domainchassis']
  'ldom_domainchassis' => String,
  # The name of the control domain, on Solaris.
  # @modern $facts['ldom']['domaincontrol']
  'ldom_domaincontrol' => String,
  # The name of the logical domain, on Solaris.
  # @modern $facts['ldom']['domainname']
  'ldom_domainname' => String,
  # The UUID of the logical domain, on Solaris.
  # @modern $facts['ldom']['domainuuid']
  'ldom_domainuuid' => String,
  # Whether the logical domain controls others, on Solaris.
  # @modern $facts['ldom']['domainrole']['control']
  'ldom_domainrole_control' => Variant[Boolean, String],
  # The kind of logical domain, on Solaris.
  # @modern $facts['ldom']['domainrole']['impl']
  'ldom_domainrole_impl' => String,
  # Whether the logical domain has devices of its own, on Solaris.
  # @modern $facts['ldom']['domainrole']['io']
  'ldom_domainrole_io' => Variant[Boolean, String],
  # Whether the logical domain is a root domain, on Solaris.
  # @modern $facts['ldom']['domainrole']['root']
  'ldom_domainrole_root' => Variant[Boolean, String],
  # Whether the logical domain serves others, on Solaris.
  # @modern $facts['ldom']['domainrole']['service']
  'ldom_domainrole_service' => Variant[Boolean, String],
  # The code name of the release of the distribution.
  # @modern $facts['os']['distro']['codename']
  'lsbdistcodename' => String,
  # The distribution in words.
  # @modern $facts['os']['distro']['description']
  'lsbdistdescription' => String,
  # The name of the distribution.
  # @modern $facts['os']['distro']['id']
  'lsbdistid' => String,
  # The release of the distribution.
  # @modern $facts['os']['distro']['release']['full']
  'lsbdistrelease' => String,
  # The first number of the release of the distribution.
  # @modern $facts['os']['distro']['release']['major']
  'lsbmajdistrelease' => String,
  # The second number of the release of the distribution.
  # @modern $facts['os']['distro']['release']['minor']
  'lsbminordistrelease' => String,
  # The release of the standard base that the distribution holds to.
  # @modern $facts['os']['distro']['specification']
  'lsbrelease' => String,
  # The hardware address of the host.
  # @modern $facts['networking']['mac']
  'macaddress' => String,
  # The hardware address of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['mac']
  'macaddress_<interface>' => String,
  # The build of macOS.
  # @modern $facts['os']['macosx']['build']
  'macosx_buildversion' => String,
  # The name of macOS.
  # @modern $facts['os']['macosx']['product']
  'macosx_productname' => String,
  # The release of macOS.
  # @modern $facts['os']['macosx']['version']['full']
  'macosx_productversion' => String,
  # The first numbers of the release of macOS.
  # @modern $facts['os']['macosx']['version']['major']
  'macosx_productversion_major' => String,
  # The second number of the release of macOS.
  # @modern $facts['os']['macosx']['version']['minor']
  'macosx_productversion_minor' => String,
  # The third number of the release of macOS.
  # @modern $facts['os']['macosx']['version']['patch']
  'macosx_productversion_patch' => String,
  # Who made the host.
  # @modern $facts['dmi']['manufacturer']
  'manufacturer' => String,
  # The free memory, with a unit.
  # @modern $facts['memory']['system']['available']
  'memoryfree' => String,
  # The free memory in MiB.
  # @modern $facts['memory']['system']['available_bytes'] / 1048576.0
  'memoryfree_mb' => Numeric,
  # The memory, with a unit.
  # @modern $facts['memory']['system']['total']
  'memorysize' => String,
  # The memory in MiB.
  # @modern $facts['memory']['system']['total_bytes'] / 1048576.0
  'memorysize_mb' => Numeric,
  # The largest packet of an interface, in bytes.
  # @modern $facts['networking']['interfaces']['<interface>']['mtu']
  'mtu_<interface>' => Integer,
  # The network mask of the host.
  # @modern $facts['networking']['netmask']
  'netmask' => String,
  # The network mask of the host, of version 6.
  # @modern $facts['networking']['netmask6']
  'netmask6' => String,
  # The network mask of an interface, of version 6.
  # @modern $facts['networking']['interfaces']['<interface>']['netmask6']
  'netmask6_<interface>' => String,
  # The network mask of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['netmask']
  'netmask_<interface>' => String,
  # The network of the host.
  # @modern $facts['networking']['network']
  'network' => String,
  # The network of the host, of version 6.
  # @modern $facts['networking']['network6']
  'network6' => String,
  # The network of an interface, of version 6.
  # @modern $facts['networking']['interfaces']['<interface>']['network6']
  'network6_<interface>' => String,
  # The network of an interface.
  # @modern $facts['networking']['interfaces']['<interface>']['network']
  'network_<interface>' => String,
  # The name of the operating system.
  # @modern $facts['os']['name']
  'operatingsystem' => String,
  # The first number of the release of the operating system.
  # @modern $facts['os']['release']['major']
  'operatingsystemmajrelease' => String,
  # The release of the operating system.
  # @modern $facts['os']['release']['full']
  'operatingsystemrelease' => String,
  # The family of the operating system.
  # @modern $facts['os']['family']
  'osfamily' => String,
  # How many processors there are, as chips.
  # @modern $facts['processors']['physicalcount']
  'physicalprocessorcount' => Integer,
  # How many processors there are, as the operating system counts.
  # @modern $facts['processors']['count']
  'processorcount' => Integer,
  # The model of a processor.
  # @modern $facts['processors']['models'][<number>]
  'processor<number>' => String,
  # The name of the product that the host is.
  # @modern $facts['dmi']['product']['name']
  'productname' => String,
  # The platform that Ruby was built for.
  # @modern $facts['ruby']['platform']
  'rubyplatform' => String,
  # The folder of Ruby for local files.
  # @modern $facts['ruby']['sitedir']
  'rubysitedir' => String,
  # The release of Ruby.
  # @modern $facts['ruby']['version']
  'rubyversion' => String,
  # The scope of the host's address of version 6.
  # @modern $facts['networking']['scope6']
  'scope6' => String,
  # The scope of an interface's address of version 6.
  # @modern $facts['networking']['interfaces']['<interface>']['scope6']
  'scope6_<interface>' => String,
  # Whether SELinux is enabled.
  # @modern $facts['os']['selinux']['enabled']
  'selinux' => Boolean,
  # The mode of SELinux that is configured.
  # @modern $facts['os']['selinux']['config_mode']
  'selinux_config_mode' => String,
  # The policy of SELinux that is configured.
  # @modern $facts['os']['selinux']['config_policy']
  'selinux_config_policy' => String,
  # The mode of SELinux now.
  # @modern $facts['os']['selinux']['current_mode']
  'selinux_current_mode' => String,
  # Whether SELinux is enforced.
  # @modern $facts['os']['selinux']['enforced']
  'selinux_enforced' => Boolean,
  # The release of the policy of SELinux.
  # @modern $facts['os']['selinux']['policy_version']
  'selinux_policyversion' => String,
  # The serial number of the host.
  # @modern $facts['dmi']['product']['serial_number']
  'serialnumber' => String,
  # How the host was booted, on macOS.
  # @modern $facts['system_profiler']['boot_mode']
  'sp_boot_mode' => String,
  # The release of the boot ROM, on macOS.
  # @modern $facts['system_profiler']['boot_rom_version']
  'sp_boot_rom_version' => String,
  # The volume that was booted from, on macOS.
  # @modern $facts['system_profiler']['boot_volume']
  'sp_boot_volume' => String,
  # The kind of processor, on macOS.
  # @modern $facts['system_profiler']['processor_name']
  'sp_cpu_type' => String,
  # The speed of the processor, on macOS.
  # @modern $facts['system_profiler']['processor_speed']
  'sp_current_processor_speed' => String,
  # The release of the kernel, on macOS.
  # @modern $facts['system_profiler']['kernel_version']
  'sp_kernel_version' => String,
  # The size of the second cache of a core, on macOS.
  # @modern $facts['system_profiler']['l2_cache_per_core']
  'sp_l2_cache_core' => String,
  # The size of the third cache, on macOS.
  # @modern $facts['system_profiler']['l3_cache']
  'sp_l3_cache' => String,
  # The name of the host, on macOS.
  # @modern $facts['system_profiler']['computer_name']
  'sp_local_host_name' => String,
  # The model of the host, on macOS.
  # @modern $facts['system_profiler']['model_identifier']
  'sp_machine_model' => String,
  # The name of the model, on macOS.
  # @modern $facts['system_profiler']['model_name']
  'sp_machine_name' => String,
  # How many cores there are, on macOS.
  # @modern $facts['system_profiler']['cores']
  'sp_number_processors' => String,
  # The release of the operating system, on macOS.
  # @modern $facts['system_profiler']['system_version']
  'sp_os_version' => String,
  # How many processors there are, on macOS.
  # @modern $facts['system_profiler']['processors']
  'sp_packages' => String,
  # The size of the memory, on macOS.
  # @modern $facts['system_profiler']['memory']
  'sp_physical_memory' => String,
  # The UUID of the host, on macOS.
  # @modern $facts['system_profiler']['hardware_uuid']
  'sp_platform_uuid' => String,
  # Whether virtual memory is encrypted, on macOS.
  # @modern $facts['system_profiler']['secure_virtual_memory']
  'sp_secure_vm' => String,
  # The serial number of the host, on macOS.
  # @modern $facts['system_profiler']['serial_number']
  'sp_serial_number' => String,
  # The release of the system management controller, on macOS.
  # @modern $facts['system_profiler']['smc_version']
  'sp_smc_version_system' => String,
  # How long the host has been running, on macOS.
  # @modern $facts['system_profiler']['uptime']
  'sp_uptime' => String,
  # Who Facter runs as, on macOS.
  # @modern $facts['system_profiler']['username']
  'sp_user_name' => String,
  # The SSH key of the host of kind `dsa`.
  # @modern $facts['ssh']['dsa']['key']
  'sshdsakey' => String,
  # The SSH key of the host of kind `ecdsa`.
  # @modern $facts['ssh']['ecdsa']['key']
  'sshecdsakey' => String,
  # The SSH key of the host of kind `ed25519`.
  # @modern $facts['ssh']['ed25519']['key']
  'sshed25519key' => String,
  # The SSH key of the host of kind `rsa`.
  # @modern $facts['ssh']['rsa']['key']
  'sshrsakey' => String,
  # The fingerprints of the SSH key of kind `dsa`, of SHA-1 and of SHA-256, a line each.
  # @modern "${facts['ssh']['dsa']['fingerprints']['sha1']}\n${facts['ssh']['dsa']['fingerprints']['sha256']}"
  'sshfp_dsa' => String,
  # The fingerprints of the SSH key of kind `ecdsa`, of SHA-1 and of SHA-256, a line each.
  # @modern "${facts['ssh']['ecdsa']['fingerprints']['sha1']}\n${facts['ssh']['ecdsa']['fingerprints']['sha256']}"
  'sshfp_ecdsa' => String,
  # The fingerprints of the SSH key of kind `ed25519`, of SHA-1 and of SHA-256, a line each.
  # @modern "${facts['ssh']['ed25519']['fingerprints']['sha1']}\n${facts['ssh']['ed25519']['fingerprints']['sha256']}"
  'sshfp_ed25519' => String,
  # The fingerprints of the SSH key of kind `rsa`, of SHA-1 and of SHA-256, a line each.
  # @modern "${facts['ssh']['rsa']['fingerprints']['sha1']}\n${facts['ssh']['rsa']['fingerprints']['sha256']}"
  'sshfp_rsa' => String,
  # Whether swap is encrypted.
  # @modern $facts['memory']['swap']['encrypted']
  'swapencrypted' => Boolean,
  # The free swap, with a unit.
  # @modern $facts['memory']['swap']['available']
  'swapfree' => String,
  # The free swap in MiB.
  # @modern $facts['memory']['swap']['available_bytes'] / 1048576.0
  'swapfree_mb' => Numeric,
  # The swap, with a unit.
  # @modern $facts['memory']['swap']['total']
  'swapsize' => String,
  # The swap in MiB.
  # @modern $facts['memory']['swap']['total_bytes'] / 1048576.0
  'swapsize_mb' => Numeric,
  # The folder `system32` of Windows.
  # @modern $facts['os']['windows']['system32']
  'system32' => String,
  # How long the host has been running, in words.
  # @modern $facts['system_uptime']['uptime']
  'uptime' => String,
  # How many days the host has been running.
  # @modern $facts['system_uptime']['days']
  'uptime_days' => Integer,
  # How many hours the host has been running.
  # @modern $facts['system_uptime']['hours']
  'uptime_hours' => Integer,
  # How many seconds the host has been running.
  # @modern $facts['system_uptime']['seconds']
  'uptime_seconds' => Integer,
  # The UUID of the host.
  # @modern $facts['dmi']['product']['uuid']
  'uuid' => String,
  # The release of Windows, as it is shown.
  # @modern $facts['os']['windows']['display_version']
  'windows_display_version' => String,
  # The edition of Windows.
  # @modern $facts['os']['windows']['edition_id']
  'windows_edition_id' => String,
  # How Windows is installed: as a client, a server, or the core of one.
  # @modern $facts['os']['windows']['installation_type']
  'windows_installation_type' => String,
  # The name of Windows.
  # @modern $facts['os']['windows']['product_name']
  'windows_product_name' => String,
  # The release of Windows.
  # @modern $facts['os']['windows']['release_id']
  'windows_release_id' => String,
  # The names of the domains of Xen, with commas between them.
  # @modern $facts['xen']['domains'].join(',')
  'xendomains' => String,
  # The zone of Solaris that this is.
  # @modern $facts['solaris_zones']['current']
  'zonename' => String,
  # The brand of a zone of Solaris.
  # @modern $facts['solaris_zones']['zones']['<zone>']['brand']
  'zone_<zone>_brand' => String,
  # The number of a zone of Solaris.
  # @modern $facts['solaris_zones']['zones']['<zone>']['id']
  'zone_<zone>_id' => String,
  # Whether a zone of Solaris shares its IP stack.
  # @modern $facts['solaris_zones']['zones']['<zone>']['ip_type']
  'zone_<zone>_iptype' => String,
  # The name of a zone of Solaris.
  # @modern '<zone>'
  'zone_<zone>_name' => String,
  # The folder of a zone of Solaris.
  # @modern $facts['solaris_zones']['zones']['<zone>']['path']
  'zone_<zone>_path' => String,
  # The state of a zone of Solaris.
  # @modern $facts['solaris_zones']['zones']['<zone>']['status']
  'zone_<zone>_status' => String,
  # The UUID of a zone of Solaris.
  'zone_<zone>_uuid' => String,
  # How many zones of Solaris there are.
  # @modern $facts['solaris_zones']['zones'].length
  'zones' => Integer,
}]
