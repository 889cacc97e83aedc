package io.millrace.server.security;

import io.millrace.server.config.IpNetwork;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** The rules that distinguish addresses of the public internet from all others. */
final class AddressRules {

  /** The IPv4 blocks that are not public, by the registries of special-purpose addresses. */
  private static final List<IpNetwork> IPV4 =
      blocks(
          "0.0.0.0/8",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "169.254.0.0/16",
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4");

  /** The only block of IPv6 from which public addresses are allocated; it contains exceptions. */
  private static final IpNetwork IPV6_GLOBAL = IpNetwork.parse("2000::/3");

  private static final List<IpNetwork> IPV6 =
      blocks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

  /**
   * The blocks that are not called even for allowed hosts, since no host with a name has such an
   * address.
   */
  private static final List<IpNetwork> NEVER =
      blocks(
          "0.0.0.0/8",
          "169.254.0.0/16",
          "224.0.0.0/4",
          "255.255.255.255/32",
          "::/128",
          "fe80::/10",
          "ff00::/8",
          "fd00:ec2::254/128");

  private static final IpNetwork NAT64 = IpNetwork.parse("64:ff9b::/96");
  private static final IpNetwork COMPATIBLE = IpNetwork.parse("::/96");

  private AddressRules() {}

  /** True for a public address of the internet. */
  static boolean isPublic(InetAddress address) {
    InetAddress real = embedded(address);
    return real instanceof Inet4Address
        ? IPV4.stream().noneMatch(block -> block.contains(real))
        : IPV6_GLOBAL.contains(real) && IPV6.stream().noneMatch(block -> block.contains(real));
  }

  /**
   * True for link-local addresses, where clouds offer credentials, and for addresses of no host.
   */
  static boolean isNeverCalled(InetAddress address) {
    InetAddress real = embedded(address);
    return NEVER.stream().anyMatch(block -> block.contains(real));
  }

  /**
   * Returns the IPv4 address that some IPv6 addresses contain; Java itself converts the mapped
   * ones.
   */
  private static InetAddress embedded(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean wrapped =
        address instanceof Inet6Address
            && (NAT64.contains(address)
                || (COMPATIBLE.contains(address) && (bytes[12] != 0 || bytes[13] != 0)));
    return wrapped ? address(Arrays.copyOfRange(bytes, 12, 16)) : address;
  }

  private static List<IpNetwork> blocks(String... texts) {
    return Arrays.stream(texts).map(IpNetwork::parse).toList();
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("An address has 4 or 16 bytes, not " + bytes.length, e);
    }
  }
}
