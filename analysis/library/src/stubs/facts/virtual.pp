# Facts about virtual machines, containers and clouds.

type Facts = Struct[{
  # The Azure instance metadata of the node.
  Optional['az_metadata'] => Hash[String, Any],

  # The cloud that the node runs in.
  Optional['cloud'] => Struct[{
    # The cloud provider: `aws`, `azure`, `gce` and others.
    Optional['provider'] => String,
  }],

  # The Amazon EC2 instance metadata of the node.
  Optional['ec2_metadata'] => Hash[String, Any],

  # The Amazon EC2 user data of the node.
  Optional['ec2_userdata'] => String,

  # The Google Compute Engine instance metadata of the node.
  Optional['gce'] => Hash[String, Any],

  # The detected hypervisors, such as `kvm`, `vmware`, `docker`, `lxc` or `hyperv`, each with its
  # properties.
  Optional['hypervisors'] => Hash[String, Hash[String, Any]],

  # Whether the node is a virtual machine or a container.
  Optional['is_virtual'] => Boolean,

  # The logical domain (Solaris only).
  Optional['ldom'] => Hash[String, Any],

  # The Solaris zones.
  Optional['solaris_zones'] => Struct[{
    # The name of the current zone.
    Optional['current'] => String,
    # The zones, by name.
    Optional['zones'] => Hash[String, Struct[{
      # The brand of the zone.
      Optional['brand'] => String,
      # The ID of the zone.
      Optional['id'] => String,
      # The IP type of the zone: `shared` or `excl`.
      Optional['ip_type'] => String,
      # The path of the zone.
      Optional['path'] => String,
      # The status of the zone.
      Optional['status'] => String,
      # The unique identifier of the zone.
      Optional['uuid'] => String,
    }]],
  }],

  # The hypervisor that the node runs on, or `physical`.
  Optional['virtual'] => String,

  # Xen information.
  Optional['xen'] => Struct[{
    # The names of the Xen domains.
    Optional['domains'] => Array[String],
  }],
}]
