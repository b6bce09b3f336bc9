# The operating system, the kernel and the hardware.

type Facts = Struct[{
  # The release of the packages of Puppet. It is not there if Puppet came otherwise.
  Optional['aio_agent_version'] => String,

  # Augeas, the library that edits configuration.
  Optional['augeas'] => Struct[{
    # Its release.
    'version' => String,
  }],

  # The disks, by their names without `/dev/`.
  Optional['disks'] => Hash[String, Struct[{
    # Its model.
    Optional['model'] => String,
    # Its name in the product line.
    Optional['product'] => String,
    # Its serial number.
    Optional['serial_number'] => String,
    # Its size, with a unit.
    Optional['size'] => String,
    # Its size in bytes.
    Optional['size_bytes'] => Integer[0],
    # Whether it rotates: `hdd` or `ssd`.
    Optional['type'] => String,
    # Who made it.
    Optional['vendor'] => String,
    # Its number in the world.
    Optional['wwn'] => String,
  }]],

  # What the host says of itself, in its BIOS.
  Optional['dmi'] => Struct[{
    # The BIOS.
    Optional['bios'] => Struct[{
      # The day on which it was released.
      Optional['release_date'] => String,
      # Who made it.
      Optional['vendor'] => String,
      # Its release.
      Optional['version'] => String,
    }],
    # The board.
    Optional['board'] => Struct[{
      # Its asset tag.
      Optional['asset_tag'] => String,
      # Who made it.
      Optional['manufacturer'] => String,
      # Its name.
      Optional['product'] => String,
      # Its serial number.
      Optional['serial_number'] => String,
    }],
    # The chassis.
    Optional['chassis'] => Struct[{
      # Its asset tag.
      Optional['asset_tag'] => String,
      # What kind it is.
      Optional['type'] => String,
    }],
    # Who made the host.
    Optional['manufacturer'] => String,
    # The product that the host is.
    Optional['product'] => Struct[{
      # Its name.
      Optional['name'] => String,
      # Its serial number.
      Optional['serial_number'] => String,
      # Its UUID.
      Optional['uuid'] => String,
      # Its version.
      Optional['version'] => String,
    }],
  }],

  # The release of Facter.
  'facterversion' => String,

  # The file systems that the kernel knows, with commas between them.
  Optional['filesystems'] => String,

  # Whether FIPS is in force.
  Optional['fips_enabled'] => Boolean,

  # Who Facter runs as.
  Optional['identity'] => Struct[{
    # The number of the group.
    Optional['gid'] => Integer,
    # The name of the group.
    Optional['group'] => String,
    # Whether it is root, or an administrator.
    Optional['privileged'] => Boolean,
    # The number of the user.
    Optional['uid'] => Variant[Integer, String],
    # The name of the user.
    Optional['user'] => String,
  }],

  # The name of the kernel: `Linux`, `windows`, `Darwin`, `SunOS`, `AIX`, `FreeBSD` …
  'kernel' => String,

  # The first numbers of the kernel's release.
  Optional['kernelmajversion'] => String,

  # The kernel's release, with all that belongs to it.
  Optional['kernelrelease'] => String,

  # The kernel's release in numbers.
  Optional['kernelversion'] => String,

  # How many processes have been waiting, on average.
  Optional['load_averages'] => Struct[{
    # In the last minute.
    Optional['1m'] => Numeric,
    # In the last five minutes.
    Optional['5m'] => Numeric,
    # In the last quarter of an hour.
    Optional['15m'] => Numeric,
  }],

  # The memory.
  Optional['memory'] => Struct[{
    # What is swapped to disk. It is not there if there is no swap.
    Optional['swap'] => Struct[{
      # What is free, with a unit.
      Optional['available'] => String,
      # What is free, in bytes.
      Optional['available_bytes'] => Integer[0],
      # What is used, in percent.
      Optional['capacity'] => String,
      # Whether it is encrypted.
      Optional['encrypted'] => Boolean,
      # How much there is, with a unit.
      Optional['total'] => String,
      # How much there is, in bytes.
      Optional['total_bytes'] => Integer[0],
      # What is used, with a unit.
      Optional['used'] => String,
      # What is used, in bytes.
      Optional['used_bytes'] => Integer[0],
    }],
    # The memory itself.
    Optional['system'] => Struct[{
      # What is free, with a unit.
      Optional['available'] => String,
      # What is free, in bytes.
      Optional['available_bytes'] => Integer[0],
      # What is used, in percent.
      Optional['capacity'] => String,
      # How much there is, with a unit.
      Optional['total'] => String,
      # How much there is, in bytes.
      Optional['total_bytes'] => Integer[0],
      # What is used, with a unit.
      Optional['used'] => String,
      # What is used, in bytes.
      Optional['used_bytes'] => Integer[0],
    }],
  }],

  # What is mounted, by its path.
  Optional['mountpoints'] => Hash[String, Struct[{
    # What is free, with a unit.
    Optional['available'] => String,
    # What is free, in bytes.
    Optional['available_bytes'] => Integer,
    # What is used, in percent.
    Optional['capacity'] => String,
    # What is mounted.
    Optional['device'] => String,
    # The kind of file system.
    Optional['filesystem'] => String,
    # How it is mounted.
    Optional['options'] => Array[String],
    # Its size, with a unit.
    Optional['size'] => String,
    # Its size in bytes.
    Optional['size_bytes'] => Integer,
    # What is used, with a unit.
    Optional['used'] => String,
    # What is used, in bytes.
    Optional['used_bytes'] => Integer,
  }]],

  # Whether the host is a master or a standalone in the network installation of AIX.
  Optional['nim_type'] => String,

  # The operating system.
  'os' => Struct[{
    # The architecture, as the operating system calls it: `amd64`, `x86_64`, `aarch64` …
    Optional['architecture'] => String,
    # The distribution, on Linux.
    Optional['distro'] => Struct[{
      # The code name of its release.
      Optional['codename'] => String,
      # The distribution in words.
      Optional['description'] => String,
      # Its name.
      Optional['id'] => String,
      # Its release.
      Optional['release'] => Struct[{
        # All of it.
        Optional['full'] => String,
        # The first number.
        Optional['major'] => String,
        # The second number.
        Optional['minor'] => String,
      }],
      # The release of the standard base that it holds to.
      Optional['specification'] => String,
    }],
    # What it is a kind of: `Debian`, `RedHat`, `Suse`, `windows`, `Darwin`, `Solaris` …
    'family' => String,
    # The kind of hardware.
    Optional['hardware'] => String,
    # The distribution, as old releases of Facter said it.
    Optional['lsb'] => Hash[String, String],
    # macOS.
    Optional['macosx'] => Struct[{
      # Its build.
      Optional['build'] => String,
      # Its name.
      Optional['product'] => String,
      # Its release.
      Optional['version'] => Struct[{
        # More of it.
        Optional['extra'] => String,
        # All of it.
        Optional['full'] => String,
        # The first numbers.
        Optional['major'] => String,
        # The second number.
        Optional['minor'] => String,
        # The third number.
        Optional['patch'] => String,
      }],
    }],
    # Its name: `Debian`, `Ubuntu`, `RedHat`, `CentOS`, `Fedora`, `SLES`, `windows`, `Darwin` …
    'name' => String,
    # Its release.
    Optional['release'] => Struct[{
      # All of it.
      Optional['full'] => String,
      # The first number; of Ubuntu the first two.
      Optional['major'] => String,
      # The number behind that.
      Optional['minor'] => String,
      # The third number.
      Optional['patch'] => String,
      # The branch, on FreeBSD.
      Optional['branch'] => String,
      # The level of patches, on FreeBSD.
      Optional['patchlevel'] => String,
    }],
    # SELinux, on Linux.
    Optional['selinux'] => Struct[{
      # The mode that is configured.
      Optional['config_mode'] => String,
      # The policy that is configured.
      Optional['config_policy'] => String,
      # The mode now.
      Optional['current_mode'] => String,
      # Whether it is enabled.
      'enabled' => Boolean,
      # Whether it is enforced.
      Optional['enforced'] => Boolean,
      # The release of the policy.
      Optional['policy_version'] => String,
    }],
    # Windows.
    Optional['windows'] => Struct[{
      # Its release, as it is shown.
      Optional['display_version'] => String,
      # Its edition.
      Optional['edition_id'] => String,
      # Whether it is a client, a server, or the core of one.
      Optional['installation_type'] => String,
      # Its name.
      Optional['product_name'] => String,
      # Its release.
      Optional['release_id'] => String,
      # The folder `system32`.
      Optional['system32'] => String,
    }],
  }],

  # The partitions of disks, by their paths.
  Optional['partitions'] => Hash[String, Struct[{
    # The file that a loop device shows.
    Optional['backing_file'] => String,
    # The kind of file system.
    Optional['filesystem'] => String,
    # The label of its file system.
    Optional['label'] => String,
    # Where it is mounted.
    Optional['mount'] => String,
    # The label of the partition.
    Optional['partlabel'] => String,
    # The UUID of the partition.
    Optional['partuuid'] => String,
    # The kind of partition.
    Optional['parttype'] => String,
    # Its size, with a unit.
    Optional['size'] => String,
    # Its size in bytes.
    Optional['size_bytes'] => Integer[0],
    # The UUID of its file system.
    Optional['uuid'] => String,
  }]],

  # The variable `PATH` of Facter.
  Optional['path'] => String,

  # The processors.
  Optional['processors'] => Struct[{
    # How many cores each chip has.
    Optional['cores'] => Integer,
    # How many there are, as the operating system counts.
    Optional['count'] => Integer,
    # What they can do, as the names of architectures.
    Optional['extensions'] => Array[String],
    # The kind of processor.
    Optional['isa'] => String,
    # Their models.
    Optional['models'] => Array[String],
    # How many there are, as chips.
    Optional['physicalcount'] => Integer,
    # Their speed, with a unit.
    Optional['speed'] => String,
    # How many threads each core has.
    Optional['threads'] => Integer,
  }],

  # The release of Puppet. It is not there where Facter runs by itself.
  Optional['puppetversion'] => String,

  # The Ruby that Facter runs on.
  Optional['ruby'] => Struct[{
    # The platform that it was built for.
    Optional['platform'] => String,
    # Its folder for local files.
    Optional['sitedir'] => String,
    # Its release.
    Optional['version'] => String,
  }],

  # What macOS says of the host.
  Optional['system_profiler'] => Struct[{
    # How it was booted.
    Optional['boot_mode'] => String,
    # The release of the boot ROM.
    Optional['boot_rom_version'] => String,
    # The volume that was booted from.
    Optional['boot_volume'] => String,
    # The name of the host.
    Optional['computer_name'] => String,
    # How many cores there are.
    Optional['cores'] => String,
    # The UUID of the host.
    Optional['hardware_uuid'] => String,
    # The release of the kernel.
    Optional['kernel_version'] => String,
    # The size of the second cache of a core.
    Optional['l2_cache_per_core'] => String,
    # The size of the third cache.
    Optional['l3_cache'] => String,
    # The size of the memory.
    Optional['memory'] => String,
    # The model of the host.
    Optional['model_identifier'] => String,
    # The name of the model.
    Optional['model_name'] => String,
    # The kind of processor.
    Optional['processor_name'] => String,
    # The speed of the processor.
    Optional['processor_speed'] => String,
    # How many processors there are.
    Optional['processors'] => String,
    # Whether virtual memory is encrypted.
    Optional['secure_virtual_memory'] => String,
    # The serial number of the host.
    Optional['serial_number'] => String,
    # The release of the system management controller.
    Optional['smc_version'] => String,
    # The release of the operating system.
    Optional['system_version'] => String,
    # How long the host has been running.
    Optional['uptime'] => String,
    # Who Facter runs as.
    Optional['username'] => String,
  }],

  # How long the host has been running.
  Optional['system_uptime'] => Struct[{
    # In days.
    Optional['days'] => Integer[0],
    # In hours.
    Optional['hours'] => Integer[0],
    # In seconds.
    Optional['seconds'] => Integer[0],
    # In words.
    Optional['uptime'] => String,
  }],

  # The time zone.
  Optional['timezone'] => String,

  # The numbers of what this ZFS can do.
  Optional['zfs_featurenumbers'] => String,

  # The version of ZFS.
  Optional['zfs_version'] => String,

  # The flags of what the pools of this ZFS can do.
  Optional['zpool_featureflags'] => String,

  # The numbers of what the pools of this ZFS can do.
  Optional['zpool_featurenumbers'] => String,

  # The version of the pools of ZFS.
  Optional['zpool_version'] => String,
}]
