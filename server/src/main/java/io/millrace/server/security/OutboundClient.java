package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A client for addresses that users choose. It calls only addresses of the public internet and
 * hosts that the configuration allows. It connects to the address that it has checked, so a name
 * that resolves differently the second time gains nothing. It does not follow redirects and does
 * not use a proxy. Thread-safe.
 */
public final class OutboundClient {

  /** Upper limit of the bytes of a response body; the rest is cut off. */
  private static final int MAX_BYTES = 1 << 20;

  private final Set<String> allowed;
  private final HostResolver hostResolver;
  private final EngineClock clock;
  private final OutboundHttp http = new OutboundHttp(MAX_BYTES);

  OutboundClient(Set<String> allowed, HostResolver hostResolver, EngineClock clock) {
    this.allowed =
        allowed.stream().map(OutboundClient::plain).collect(Collectors.toUnmodifiableSet());
    this.hostResolver = hostResolver;
    this.clock = clock;
  }

  /**
   * Creates a client with the system's resolver.
   *
   * @param allowed hosts that may be called although their addresses are private
   */
  public static OutboundClient allowing(Set<String> allowed, EngineClock clock) {
    return new OutboundClient(allowed, HostResolver.system(), clock);
  }

  /**
   * A request.
   *
   * @param headers headers other than {@code Host}, {@code Content-Length} and {@code Connection}
   * @param body sent as UTF-8; empty for none
   * @param within time limit from resolving the name to the last byte of the response
   */
  public record Request(
      String method, URI url, Map<String, String> headers, String body, Duration within) {}

  /**
   * A response.
   *
   * @param headers headers by name in lower case; the last one if there are several
   * @param body read as UTF-8, at most 1 MiB
   */
  public record Response(int status, Map<String, String> headers, String body) {}

  /**
   * Sends a request and waits for the response, whatever its status.
   *
   * @throws RejectedUrlException if the URL must not be called; this stays so unless its host gets
   *     another address
   * @throws IOException if there is no host of that name, or no response in time
   */
  public Response send(Request request) throws IOException {
    Deadline deadline = Deadline.in(request.within(), clock);
    Target target = check(request.url());
    return http.send(request, target.host(), target.addresses(), deadline);
  }

  /**
   * Checks that {@code url} may be called now, so that a wrong configuration is reported at once.
   *
   * @throws RejectedUrlException if it must not be called; the message says why and what to do
   * @throws IOException if its host cannot be resolved
   */
  public void examine(URI url) throws IOException {
    check(url);
  }

  private Target check(URI url) throws IOException {
    String host = hostOf(url);
    List<InetAddress> addresses = hostResolver.resolve(host);
    if (addresses.isEmpty()) {
      throw new UnknownHostException(host);
    }
    for (InetAddress address : addresses) {
      if (AddressRules.isNeverCalled(address)) {
        throw new RejectedUrlException(
            url, "leads to " + address.getHostAddress() + ", which is never called");
      }
      if (!allowed.contains(host) && !AddressRules.isPublic(address)) {
        throw new RejectedUrlException(
            url,
            "leads to the private address "
                + address.getHostAddress()
                + "; allow the host "
                + host
                + " in the configuration if that is meant");
      }
    }
    return new Target(host, addresses);
  }

  private static String hostOf(URI url) throws RejectedUrlException {
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new RejectedUrlException(url, "is neither http nor https");
    }
    if (url.getRawUserInfo() != null) {
      throw new RejectedUrlException(url, "holds a user name; send credentials as a header");
    }
    @Nullable String host = url.getHost();
    if (host == null) {
      throw new RejectedUrlException(url, "names no host that can be read");
    }
    return plain(host);
  }

  /** Returns the host without the brackets of IPv6 and the final dot, in lower case. */
  private static String plain(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    if (lower.startsWith("[") && lower.endsWith("]")) {
      return lower.substring(1, lower.length() - 1);
    }
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private record Target(String host, List<InetAddress> addresses) {}
}
