package io.millrace.server.security;

/**
 * The network that limits count as one client, and the larger network around it.
 *
 * @param network an IPv4 address, or the /64 network of an IPv6 address
 * @param site the /24 network of an IPv4 address, or the /48 network of an IPv6 address, which is
 *     the largest that one customer usually has
 */
public record ClientNetwork(String network, String site) {

  /** Returns the networks of an address. */
  static ClientNetwork of(String address) {
    return new ClientNetwork(ClientAddress.network(address), ClientAddress.site(address));
  }

  /** True if one client can send from many networks of its site. */
  public boolean isShared() {
    return !network.equals(site) && network.indexOf('.') < 0;
  }
}
