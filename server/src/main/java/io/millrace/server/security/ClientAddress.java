package io.millrace.server.security;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whom a limit counts as one. */
final class ClientAddress {

  private static final int LONGEST = 60;
  private static final Pattern IPV6_NETWORK =
      Pattern.compile("((?:[0-9a-fA-F]*:){4})[0-9a-fA-F:]+");

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
    return last.length() > LONGEST ? last.substring(0, LONGEST) : last;
  }

  /** One customer has all of an IPv6 network, so that its addresses count as one. */
  static String network(String address) {
    Matcher ipv6 = IPV6_NETWORK.matcher(address);
    return ipv6.matches() ? ipv6.group(1) : address;
  }
}
