package io.millrace.server.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** A resolver of host names to addresses. */
@FunctionalInterface
interface HostResolver {

  List<InetAddress> resolve(String host) throws UnknownHostException;

  static HostResolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
