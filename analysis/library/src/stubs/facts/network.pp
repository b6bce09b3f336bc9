# The network, and the keys that the host is known by.

type Facts = Struct[{
  # The network.
  Optional['networking'] => Struct[{
    # The DHCP server of the primary interface.
    Optional['dhcp'] => String,
    # The domain of the host.
    Optional['domain'] => String,
    # The name of the host with its domain.
    Optional['fqdn'] => String,
    # The name of the host without its domain.
    Optional['hostname'] => String,
    # The interfaces, by their names.
    Optional['interfaces'] => Hash[String, Struct[{
      # Its addresses.
      Optional['bindings'] => Array[Struct[{
        # The address.
        Optional['address'] => String,
        # The network mask.
        Optional['netmask'] => String,
        # The network.
        Optional['network'] => String,
      }]],
      # Its addresses of version 6.
      Optional['bindings6'] => Array[Struct[{
        # The address.
        Optional['address'] => String,
        # What kind of address it is, such as `permanent`.
        Optional['flags'] => Array[String],
        # The network mask.
        Optional['netmask'] => String,
        # The network.
        Optional['network'] => String,
        # How far it reaches: `global`, `link`, `host` …
        Optional['scope6'] => String,
      }]],
      # The DHCP server that it has its address from.
      Optional['dhcp'] => String,
      # How data is sent both ways.
      Optional['duplex'] => String,
      # Its address.
      Optional['ip'] => String,
      # Its address of version 6.
      Optional['ip6'] => String,
      # Its hardware address.
      Optional['mac'] => String,
      # Its largest packet, in bytes.
      Optional['mtu'] => Integer,
      # Its network mask.
      Optional['netmask'] => String,
      # Its network mask of version 6.
      Optional['netmask6'] => String,
      # Its network.
      Optional['network'] => String,
      # Its network of version 6.
      Optional['network6'] => String,
      # Whether it is up.
      Optional['operational_state'] => String,
      # Whether it is a device.
      Optional['physical'] => Boolean,
      # How far its address of version 6 reaches: `global`, `link`, `host` …
      Optional['scope6'] => String,
      # How fast it is, in Mbit/s.
      Optional['speed'] => Integer,
    }]],
    # The address of the primary interface.
    Optional['ip'] => String,
    # The address of the primary interface, of version 6.
    Optional['ip6'] => String,
    # The hardware address of the primary interface.
    Optional['mac'] => String,
    # The largest packet of the primary interface, in bytes.
    Optional['mtu'] => Integer,
    # The network mask of the primary interface.
    Optional['netmask'] => String,
    # The network mask of the primary interface, of version 6.
    Optional['netmask6'] => String,
    # The network of the primary interface.
    Optional['network'] => String,
    # The network of the primary interface, of version 6.
    Optional['network6'] => String,
    # The name of the primary interface.
    Optional['primary'] => String,
    # How far the address of the primary interface reaches, of version 6.
    Optional['scope6'] => String,
  }],

  # The SSH keys of the host, by their kinds: `rsa`, `ecdsa`, `ed25519` …
  Optional['ssh'] => Hash[String, Struct[{
    # The fingerprints of the key, as in SSHFP records.
    Optional['fingerprints'] => Struct[{
      # That of SHA-1.
      Optional['sha1'] => String,
      # That of SHA-256.
      Optional['sha256'] => String,
    }],
    # The key itself.
    Optional['key'] => String,
    # The kind of key, as it stands in files of keys.
    Optional['type'] => String,
  }]],
}]
