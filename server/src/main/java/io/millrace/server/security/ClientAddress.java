package io.millrace.server.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whom a limit counts as one. */
final class ClientAddress {

  private static final int LONGEST = 60;

  /** Some proxies tell the port as well, which is another one with each connection. */
  private static final Pattern WITH_PORT =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([0-9.]+))(?::\\d+)?");

  /** How much of an IPv6 address its network has. */
  private static final int NETWORK_BYTES = 8;

  private ClientAddress() {}

  /**
   * The address of who made the request.
   *
   * @param behindProxy whether the other end is a proxy, which has put its own other end last
   */
  static String of(RequestFacts request, boolean behindProxy) {
    String forwarded = behindProxy ? request.header("X-Forwarded-For") : null;
    if (forwarded == null) {
      return request.remoteAddress();
    }
    String last = forwarded.substring(forwarded.lastIndexOf(',') + 1).strip();
    Matcher parts = WITH_PORT.matcher(last);
    String address = !parts.matches() ? last : parts.group(parts.group(1) == null ? 2 : 1);
    return address.length() > LONGEST ? address.substring(0, LONGEST) : address;
  }

  /** One customer has all of an IPv6 network, so that its addresses count as one. */
  static String network(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    try {
      // What holds a colon is never looked up.
      byte[] bytes = InetAddress.getByName(address).getAddress();
      return bytes.length == 2 * NETWORK_BYTES
          ? HexFormat.of().formatHex(bytes, 0, NETWORK_BYTES)
          : address;
    } catch (UnknownHostException e) {
      return address;
    }
  }
}
