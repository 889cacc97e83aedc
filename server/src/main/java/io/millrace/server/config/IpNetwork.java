package io.millrace.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The IP addresses that share their first bits, as in {@code 10.0.0.0/8}. Immutable. */
public final class IpNetwork {

  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("(?=.*:)[0-9a-fA-F:.]{2,45}");

  /** The addresses of this machine. */
  public static final List<IpNetwork> LOOPBACK = List.of(parse("127.0.0.0/8"), parse("::1/128"));

  private final byte[] start;
  private final int bits;

  private IpNetwork(byte[] start, int bits) {
    this.start = start;
    this.bits = bits;
  }

  /**
   * Parses a network in CIDR notation, or an address, which is a network of one.
   *
   * @throws IllegalArgumentException if {@code text} is neither
   */
  public static IpNetwork parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    byte[] start =
        address(address)
            .orElseThrow(() ->
                new IllegalArgumentException("'" + text + "' is not a network of IP addresses"))
            .getAddress();
    int bits = slash < 0 ? start.length * 8 : Integer.parseInt(text.substring(slash + 1));
    if (bits < 0 || bits > start.length * 8) {
      throw new IllegalArgumentException(
          "'" + text + "' has " + bits + " bits; expected 0 to " + start.length * 8);
    }
    return new IpNetwork(start, bits);
  }

  /**
   * Returns the address that {@code literal} denotes; empty for anything else. Never resolves a
   * name.
   */
  public static Optional<InetAddress> address(String literal) {
    if (!IPV4.matcher(literal).matches() && !IPV6.matcher(literal).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(literal));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** True if {@code address} is in this network. */
  public boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length != start.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      if (((bytes[bit / 8] ^ start[bit / 8]) & (0x80 >> bit % 8)) != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IpNetwork network
        && bits == network.bits
        && Arrays.equals(start, network.start);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + bits;
  }

  @Override
  public String toString() {
    try {
      return InetAddress.getByAddress(start).getHostAddress() + "/" + bits;
    } catch (UnknownHostException e) {
      throw new IllegalStateException("An address has 4 or 16 bytes, not " + start.length, e);
    }
  }
}
