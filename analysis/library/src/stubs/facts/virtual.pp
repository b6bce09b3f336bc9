# Virtual machines, containers and clouds.

type Facts = Struct[{
  # What Azure says of the host.
  Optional['az_metadata'] => Hash[String, Any],

  # The cloud that the host is in.
  Optional['cloud'] => Struct[{
    # Whose it is: `aws`, `azure`, `gce` …
    Optional['provider'] => String,
  }],

  # What Amazon EC2 says of the host.
  Optional['ec2_metadata'] => Hash[String, Any],

  # What the host was given when it was made, in Amazon EC2.
  Optional['ec2_userdata'] => String,

  # What Google Compute Engine says of the host.
  Optional['gce'] => Hash[String, Any],

  # What the host runs on, as far as it can tell: `kvm`, `vmware`, `docker`, `lxc`, `hyperv` … each
  # with what is
  # known of it.
  Optional['hypervisors'] => Hash[String, Hash[String, Any]],

  # Whether the host is virtual.
  Optional['is_virtual'] => Boolean,

  # The logical domain, on Solaris.
  Optional['ldom'] => Hash[String, Any],

  # Zones of Solaris.
  Optional['solaris_zones'] => Struct[{
    # The zone that this is.
    Optional['current'] => String,
    # All zones, by their names.
    Optional['zones'] => Hash[String, Struct[{
      # Its brand.
      Optional['brand'] => String,
      # Its number.
      Optional['id'] => String,
      # Whether it shares its IP stack.
      Optional['ip_type'] => String,
      # Its folder.
      Optional['path'] => String,
      # Its state.
      Optional['status'] => String,
    }]],
  }],

  # What the host runs on: `physical` or the name of what makes it virtual.
  Optional['virtual'] => String,

  # Xen.
  Optional['xen'] => Struct[{
    # The names of its domains.
    Optional['domains'] => Array[String],
  }],
}]
