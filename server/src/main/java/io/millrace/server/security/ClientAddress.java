package io.millrace.server.security;

import io.millrace.server.config.IpNetwork;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a client, and the network that limits count as one client. */
final class ClientAddress {

  private static final int MAX_LENGTH = 60;

  /**
   * The format of an address with a port, which some proxies send and which changes with each
   * connection.
   */
  private static final Pattern WITH_PORT =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([0-9.]+))(?::\\d+)?");

  /** Length in bytes of the prefix of an IPv6 network, which counts as one client. */
  private static final int NETWORK_BYTES = 8;

  private static final int SITE_BYTES = 6;
  private static final int IPV6_BYTES = 16;

  private ClientAddress() {}

  /**
   * Returns the address of the client that made the request: the other end of the connection or, if
   * that is a trusted proxy, the last address in X-Forwarded-For that is not one. Each proxy
   * appends the address of its own client, so anything before that address may be forged.
   *
   * @param trustedProxies empty without a proxy
   */
  static String of(RequestInfo request, List<IpNetwork> trustedProxies) {
    String client = withoutPort(request.remoteAddress());
    String forwarded = request.header("X-Forwarded-For");
    if (forwarded == null) {
      return client;
    }
    String[] hops = forwarded.split(",", -1);
    for (int i = hops.length - 1; i >= 0 && isTrusted(client, trustedProxies); i--) {
      client = withoutPort(hops[i].strip());
    }
    return client;
  }

  private static boolean isTrusted(String address, List<IpNetwork> trustedProxies) {
    return !trustedProxies.isEmpty()
        && IpNetwork.address(address)
            .filter(one -> trustedProxies.stream().anyMatch(network -> network.contains(one)))
            .isPresent();
  }

  private static String withoutPort(String text) {
    Matcher parts = WITH_PORT.matcher(text);
    String address = !parts.matches() ? text : parts.group(parts.group(1) == null ? 2 : 1);
    return address.length() > MAX_LENGTH ? address.substring(0, MAX_LENGTH) : address;
  }

  /**
   * Returns the network of an address. One customer has a whole IPv6 network, so its addresses
   * count as one client.
   */
  static String network(String address) {
    return address.indexOf(':') < 0 ? address : prefix(address, NETWORK_BYTES);
  }

  /** Returns the /24 network of an IPv4 address, or the /48 network of an IPv6 address. */
  static String site(String address) {
    return address.indexOf(':') < 0
        ? address.substring(0, Math.max(0, address.lastIndexOf('.')))
        : prefix(address, SITE_BYTES);
  }

  private static String prefix(String address, int length) {
    try {
      // A text with a colon is never resolved by name.
      byte[] bytes = InetAddress.getByName(address).getAddress();
      return bytes.length == IPV6_BYTES ? HexFormat.of().formatHex(bytes, 0, length) : address;
    } catch (UnknownHostException e) {
      return address;
    }
  }
}
