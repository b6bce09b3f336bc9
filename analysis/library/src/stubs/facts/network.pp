# Networking facts and SSH host keys.

type Facts = Struct[{
  # Networking information.
  Optional['networking'] => Struct[{
    # The DHCP server of the primary interface.
    Optional['dhcp'] => String,
    # The domain name of the node.
    Optional['domain'] => String,
    # The fully qualified domain name of the node.
    Optional['fqdn'] => String,
    # The host name of the node, without the domain.
    Optional['hostname'] => String,
    # The network interfaces, by name.
    Optional['interfaces'] => Hash[String, Struct[{
      # The IPv4 addresses of the interface.
      Optional['bindings'] => Array[Struct[{
        # The address.
        Optional['address'] => String,
        # The netmask.
        Optional['netmask'] => String,
        # The network.
        Optional['network'] => String,
      }]],
      # The IPv6 addresses of the interface.
      Optional['bindings6'] => Array[Struct[{
        # The address.
        Optional['address'] => String,
        # The flags of the address, such as `permanent`.
        Optional['flags'] => Array[String],
        # The netmask.
        Optional['netmask'] => String,
        # The network.
        Optional['network'] => String,
        # The scope of the address: `global`, `link`, `host` and others.
        Optional['scope6'] => String,
      }]],
      # The DHCP server of the interface.
      Optional['dhcp'] => String,
      # The duplex mode of the interface.
      Optional['duplex'] => String,
      # The IPv4 address of the interface.
      Optional['ip'] => String,
      # The IPv6 address of the interface.
      Optional['ip6'] => String,
      # The MAC address of the interface.
      Optional['mac'] => String,
      # The maximum transmission unit (MTU) of the interface, in bytes.
      Optional['mtu'] => Integer,
      # The IPv4 netmask of the interface.
      Optional['netmask'] => String,
      # The IPv6 netmask of the interface.
      Optional['netmask6'] => String,
      # The IPv4 network of the interface.
      Optional['network'] => String,
      # The IPv6 network of the interface.
      Optional['network6'] => String,
      # The operational state of the interface, such as `up`.
      Optional['operational_state'] => String,
      # Whether the interface is a physical device.
      Optional['physical'] => Boolean,
      # The scope of the IPv6 address: `global`, `link`, `host` and others.
      Optional['scope6'] => String,
      # The speed of the interface, in Mbit/s.
      Optional['speed'] => Integer,
    }]],
    # The IPv4 address of the primary interface.
    Optional['ip'] => String,
    # The IPv6 address of the primary interface.
    Optional['ip6'] => String,
    # The MAC address of the primary interface.
    Optional['mac'] => String,
    # The maximum transmission unit (MTU) of the primary interface, in bytes.
    Optional['mtu'] => Integer,
    # The IPv4 netmask of the primary interface.
    Optional['netmask'] => String,
    # The IPv6 netmask of the primary interface.
    Optional['netmask6'] => String,
    # The IPv4 network of the primary interface.
    Optional['network'] => String,
    # The IPv6 network of the primary interface.
    Optional['network6'] => String,
    # The name of the primary interface.
    Optional['primary'] => String,
    # The scope of the IPv6 address of the primary interface.
    Optional['scope6'] => String,
  }],

  # The SSH host keys, by algorithm: `rsa`, `ecdsa`, `ed25519` and others.
  Optional['ssh'] => Hash[String, Struct[{
    # The fingerprints of the key, in the format of SSHFP records.
    Optional['fingerprints'] => Struct[{
      # The SHA-1 fingerprint.
      Optional['sha1'] => String,
      # The SHA-256 fingerprint.
      Optional['sha256'] => String,
    }],
    # The public key.
    Optional['key'] => String,
    # The type of the key, as in `known_hosts` files.
    Optional['type'] => String,
  }]],
}]
