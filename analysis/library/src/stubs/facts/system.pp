# Facts about the operating system, the kernel and the hardware.

type Facts = Struct[{
  # The version of the Puppet agent package. Not set if Puppet was installed in another way.
  Optional['aio_agent_version'] => String,

  # The Augeas library.
  Optional['augeas'] => Struct[{
    # The version of Augeas.
    'version' => String,
  }],

  # The disks, by name without `/dev/`.
  Optional['disks'] => Hash[String, Struct[{
    # The model of the disk.
    Optional['model'] => String,
    # The product name of the disk.
    Optional['product'] => String,
    # The serial number of the disk on Linux.
    Optional['serial'] => String,
    # The serial number of the disk on FreeBSD.
    Optional['serial_number'] => String,
    # The size of the disk, with a unit.
    Optional['size'] => String,
    # The size of the disk in bytes.
    Optional['size_bytes'] => Integer[0],
    # The type of the disk: `hdd` or `ssd`.
    Optional['type'] => String,
    # The vendor of the disk.
    Optional['vendor'] => String,
    # The World Wide Name of the disk.
    Optional['wwn'] => String,
  }]],

  # Hardware information from the BIOS (DMI).
  Optional['dmi'] => Struct[{
    # The BIOS.
    Optional['bios'] => Struct[{
      # The release date of the BIOS.
      Optional['release_date'] => String,
      # The vendor of the BIOS.
      Optional['vendor'] => String,
      # The version of the BIOS.
      Optional['version'] => String,
    }],
    # The system board.
    Optional['board'] => Struct[{
      # The asset tag of the system board.
      Optional['asset_tag'] => String,
      # The manufacturer of the system board.
      Optional['manufacturer'] => String,
      # The product name of the system board.
      Optional['product'] => String,
      # The serial number of the system board.
      Optional['serial_number'] => String,
    }],
    # The chassis.
    Optional['chassis'] => Struct[{
      # The asset tag of the chassis.
      Optional['asset_tag'] => String,
      # The type of the chassis.
      Optional['type'] => String,
    }],
    # The manufacturer of the system.
    Optional['manufacturer'] => String,
    # The product.
    Optional['product'] => Struct[{
      # The name of the product.
      Optional['name'] => String,
      # The serial number of the product.
      Optional['serial_number'] => String,
      # The UUID of the product.
      Optional['uuid'] => String,
      # The version of the product.
      Optional['version'] => String,
    }],
  }],

  # The version of Facter.
  'facterversion' => String,

  # The file systems that the kernel supports, separated by commas.
  Optional['filesystems'] => String,

  # Whether FIPS mode is enabled.
  Optional['fips_enabled'] => Boolean,

  # The user that Facter runs as.
  Optional['identity'] => Struct[{
    # The group ID.
    Optional['gid'] => Integer,
    # The name of the group.
    Optional['group'] => String,
    # Whether the user has administrator privileges.
    Optional['privileged'] => Boolean,
    # The user ID.
    Optional['uid'] => Variant[Integer, String],
    # The name of the user.
    Optional['user'] => String,
  }],

  # The name of the kernel: `Linux`, `windows`, `Darwin`, `SunOS`, `AIX`, `FreeBSD` and others.
  'kernel' => String,

  # The major version of the kernel.
  Optional['kernelmajversion'] => String,

  # The full release of the kernel.
  Optional['kernelrelease'] => String,

  # The version of the kernel.
  Optional['kernelversion'] => String,

  # The load averages of the system.
  Optional['load_averages'] => Struct[{
    # The load average over the last minute.
    Optional['1m'] => Numeric,
    # The load average over the last 5 minutes.
    Optional['5m'] => Numeric,
    # The load average over the last 15 minutes.
    Optional['15m'] => Numeric,
  }],

  # The memory of the system.
  Optional['memory'] => Struct[{
    # The swap space. Not set if there is none.
    Optional['swap'] => Struct[{
      # The available swap space, with a unit.
      Optional['available'] => String,
      # The available swap space in bytes.
      Optional['available_bytes'] => Integer[0],
      # The used swap space, as a percentage.
      Optional['capacity'] => String,
      # Whether the swap space is encrypted.
      Optional['encrypted'] => Boolean,
      # The total swap space, with a unit.
      Optional['total'] => String,
      # The total swap space in bytes.
      Optional['total_bytes'] => Integer[0],
      # The used swap space, with a unit.
      Optional['used'] => String,
      # The used swap space in bytes.
      Optional['used_bytes'] => Integer[0],
    }],
    # The main memory.
    Optional['system'] => Struct[{
      # The available memory, with a unit.
      Optional['available'] => String,
      # The available memory in bytes.
      Optional['available_bytes'] => Integer[0],
      # The used memory, as a percentage.
      Optional['capacity'] => String,
      # The total memory, with a unit.
      Optional['total'] => String,
      # The total memory in bytes.
      Optional['total_bytes'] => Integer[0],
      # The used memory, with a unit.
      Optional['used'] => String,
      # The used memory in bytes.
      Optional['used_bytes'] => Integer[0],
    }],
  }],

  # The mounted file systems, by mount point.
  Optional['mountpoints'] => Hash[String, Struct[{
    # The available space, with a unit.
    Optional['available'] => String,
    # The available space in bytes.
    Optional['available_bytes'] => Integer,
    # The used space, as a percentage.
    Optional['capacity'] => String,
    # The mounted device.
    Optional['device'] => String,
    # The type of the file system.
    Optional['filesystem'] => String,
    # The mount options.
    Optional['options'] => Array[String],
    # The total space, with a unit.
    Optional['size'] => String,
    # The total space in bytes.
    Optional['size_bytes'] => Integer,
    # The used space, with a unit.
    Optional['used'] => String,
    # The used space in bytes.
    Optional['used_bytes'] => Integer,
  }]],

  # Whether the node is a NIM master or standalone (AIX only).
  Optional['nim_type'] => String,

  # The operating system.
  'os' => Struct[{
    # The architecture, as the operating system reports it: `amd64`, `x86_64`, `aarch64` and others.
    Optional['architecture'] => String,
    # The Linux distribution.
    Optional['distro'] => Struct[{
      # The code name of the distribution.
      Optional['codename'] => String,
      # The description of the distribution.
      Optional['description'] => String,
      # The ID of the distribution.
      Optional['id'] => String,
      # The release of the distribution.
      Optional['release'] => Struct[{
        # The full version.
        Optional['full'] => String,
        # The major version.
        Optional['major'] => String,
        # The minor version.
        Optional['minor'] => String,
      }],
      # The version of the Linux Standard Base specification.
      Optional['specification'] => String,
    }],
    # The family of the operating system: `Debian`, `RedHat`, `Suse`, `windows`, `Darwin`, `Solaris`
    # and others.
    'family' => String,
    # The hardware model.
    Optional['hardware'] => String,
    # The distribution, in the format of old releases of Facter.
    Optional['lsb'] => Hash[String, String],
    # macOS.
    Optional['macosx'] => Struct[{
      # The build of macOS.
      Optional['build'] => String,
      # The product name of macOS.
      Optional['product'] => String,
      # The version of macOS.
      Optional['version'] => Struct[{
        # The extra version.
        Optional['extra'] => String,
        # The full version.
        Optional['full'] => String,
        # The major version.
        Optional['major'] => String,
        # The minor version.
        Optional['minor'] => String,
        # The patch version.
        Optional['patch'] => String,
      }],
    }],
    # The name of the operating system: `Debian`, `Ubuntu`, `RedHat`, `CentOS`, `Fedora`, `SLES`,
    # `windows`, `Darwin` and others.
    'name' => String,
    # The release of the operating system.
    Optional['release'] => Struct[{
      # The full version.
      Optional['full'] => String,
      # The major version. On Ubuntu, the first two numbers, such as `22.04`.
      Optional['major'] => String,
      # The minor version.
      Optional['minor'] => String,
      # The patch version.
      Optional['patch'] => String,
      # The branch (FreeBSD only).
      Optional['branch'] => String,
      # The patch level (FreeBSD only).
      Optional['patchlevel'] => String,
    }],
    # SELinux.
    Optional['selinux'] => Struct[{
      # The configured mode.
      Optional['config_mode'] => String,
      # The configured policy.
      Optional['config_policy'] => String,
      # The current mode.
      Optional['current_mode'] => String,
      # Whether SELinux is enabled.
      'enabled' => Boolean,
      # Whether SELinux is enforced.
      Optional['enforced'] => Boolean,
      # The version of the policy.
      Optional['policy_version'] => String,
    }],
    # The support of the release, in OpenFact.
    Optional['support'] => Struct[{
      # The day on which it ends.
      Optional['end'] => String,
    }],
    # Windows.
    Optional['windows'] => Struct[{
      # The display version.
      Optional['display_version'] => String,
      # The edition.
      Optional['edition_id'] => String,
      # The installation type: `Client`, `Server` or `Server Core`.
      Optional['installation_type'] => String,
      # The product name.
      Optional['product_name'] => String,
      # The release ID.
      Optional['release_id'] => String,
      # The path of the `system32` directory.
      Optional['system32'] => String,
    }],
  }],

  # The disk partitions, by path.
  Optional['partitions'] => Hash[String, Struct[{
    # The backing file of a loop device.
    Optional['backing_file'] => String,
    # The type of the file system.
    Optional['filesystem'] => String,
    # The label of the file system.
    Optional['label'] => String,
    # The mount point.
    Optional['mount'] => String,
    # The label of the partition.
    Optional['partlabel'] => String,
    # The UUID of the partition.
    Optional['partuuid'] => String,
    # The type of the partition.
    Optional['parttype'] => String,
    # The size of the partition, with a unit.
    Optional['size'] => String,
    # The size of the partition in bytes.
    Optional['size_bytes'] => Integer[0],
    # The UUID of the file system.
    Optional['uuid'] => String,
  }]],

  # The `PATH` environment variable of Facter.
  Optional['path'] => String,

  # The processors.
  Optional['processors'] => Struct[{
    # The number of cores per processor.
    Optional['cores'] => Integer,
    # The number of logical processors.
    Optional['count'] => Integer,
    # The supported instruction set extensions.
    Optional['extensions'] => Array[String],
    # The instruction set architecture.
    Optional['isa'] => String,
    # The models of the processors.
    Optional['models'] => Array[String],
    # The number of physical processors.
    Optional['physicalcount'] => Integer,
    # The speed of the processors, with a unit.
    Optional['speed'] => String,
    # The number of threads per core.
    Optional['threads'] => Integer,
  }],

  # The version of Puppet. Not set if Facter runs on its own.
  Optional['puppetversion'] => String,

  # The Ruby that Facter runs on.
  Optional['ruby'] => Struct[{
    # The platform that Ruby was built for.
    Optional['platform'] => String,
    # The site library directory of Ruby.
    Optional['sitedir'] => String,
    # The version of Ruby.
    Optional['version'] => String,
  }],

  # Information from the system profiler of macOS.
  Optional['system_profiler'] => Struct[{
    # The boot mode.
    Optional['boot_mode'] => String,
    # The version of the boot ROM.
    Optional['boot_rom_version'] => String,
    # The boot volume.
    Optional['boot_volume'] => String,
    # The name of the computer.
    Optional['computer_name'] => String,
    # The total number of cores.
    Optional['cores'] => String,
    # The hardware UUID.
    Optional['hardware_uuid'] => String,
    # The version of the kernel.
    Optional['kernel_version'] => String,
    # The size of the L2 cache per core.
    Optional['l2_cache_per_core'] => String,
    # The size of the L3 cache.
    Optional['l3_cache'] => String,
    # The size of the memory.
    Optional['memory'] => String,
    # The model identifier.
    Optional['model_identifier'] => String,
    # The name of the model.
    Optional['model_name'] => String,
    # The name of the processor.
    Optional['processor_name'] => String,
    # The speed of the processor.
    Optional['processor_speed'] => String,
    # The number of processors.
    Optional['processors'] => String,
    # Whether secure virtual memory is enabled.
    Optional['secure_virtual_memory'] => String,
    # The serial number of the system.
    Optional['serial_number'] => String,
    # The version of the System Management Controller (SMC).
    Optional['smc_version'] => String,
    # The version of the operating system.
    Optional['system_version'] => String,
    # The uptime of the system.
    Optional['uptime'] => String,
    # The user that Facter runs as.
    Optional['username'] => String,
  }],

  # The uptime of the system.
  Optional['system_uptime'] => Struct[{
    # The uptime in complete days.
    Optional['days'] => Integer[0],
    # The uptime in complete hours.
    Optional['hours'] => Integer[0],
    # The uptime in seconds.
    Optional['seconds'] => Integer[0],
    # The uptime in a readable format.
    Optional['uptime'] => String,
  }],

  # The time zone.
  Optional['timezone'] => String,

  # The supported ZFS features, as numbers separated by commas.
  Optional['zfs_featurenumbers'] => String,

  # The version of ZFS.
  Optional['zfs_version'] => String,

  # The supported ZFS pool features, as flags separated by commas.
  Optional['zpool_featureflags'] => String,

  # The supported ZFS pool features, as numbers separated by commas.
  Optional['zpool_featurenumbers'] => String,

  # The version of ZFS pools.
  Optional['zpool_version'] => String,
}]
