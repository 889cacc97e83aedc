package io.millrace.server.security;

import io.millrace.server.config.HttpConfig;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells requests that this server's own pages make from those of other sites. */
final class OriginCheck {

  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]]*)(:\\d*)?");

  /** The names that a browser may know this server by; null when any will do. */
  private final @Nullable Set<String> names;

  private OriginCheck(@Nullable Set<String> names) {
    this.names = names;
  }

  /**
   * For a server with these settings.
   *
   * @param outside this server as browsers see it; null where that is not configured
   */
  static OriginCheck of(HttpConfig httpConfig, @Nullable URI outside) {
    if (!isLocal(httpConfig)) {
      return new OriginCheck(null);
    }
    Set<String> names = new TreeSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    names.add(httpConfig.bind().contains(":") ? "[" + httpConfig.bind() + "]" : httpConfig.bind());
    if (outside != null && outside.getHost() != null) {
      names.add(outside.getHost().toLowerCase(Locale.ROOT));
    }
    return new OriginCheck(names);
  }

  /** True when only this machine reaches the server, and no proxy speaks for others. */
  static boolean isLocal(HttpConfig httpConfig) {
    try {
      return InetAddress.getByName(httpConfig.bind()).isLoopbackAddress()
          && httpConfig.tls().mode() != HttpConfig.TlsMode.PROXY;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * A page of another site can make a browser on this machine call a name of its own that leads
   * here, and would then read the answers as its own.
   */
  void refuseOtherNames(RequestInfo request) {
    String host = request.header("Host");
    if (names != null && (host == null || !names.contains(name(host)))) {
      throw RejectedRequestException.forbidden(
          "This server listens on this machine only and is called by one of " + names + ".");
    }
  }

  /** For requests that change something. Programs that are no browser send neither header. */
  void refuseOtherSites(RequestInfo request) {
    String site = request.header("Sec-Fetch-Site");
    String origin = request.header("Origin");
    boolean own;
    if (site != null) {
      own = site.equals("same-origin") || site.equals("none");
    } else {
      own = origin == null || isOfHost(origin, request.header("Host"));
    }
    if (!own) {
      throw RejectedRequestException.forbidden("A page of another site made this request.");
    }
  }

  static boolean isMutation(RequestInfo request) {
    return !READS.contains(request.method());
  }

  private static boolean isOfHost(String origin, @Nullable String host) {
    int scheme = origin.indexOf("://");
    if (host == null || scheme < 0) {
      return false;
    }
    String usual = origin.startsWith("https:") ? ":443" : ":80";
    return withPort(origin.substring(scheme + 3), usual).equals(withPort(host, usual));
  }

  private static String withPort(String authority, String usual) {
    Matcher parts = AUTHORITY.matcher(authority.toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      return authority;
    }
    String port = parts.group(2);
    return parts.group(1) + (port == null || port.length() < 2 ? usual : port);
  }

  private static String name(String host) {
    Matcher parts = AUTHORITY.matcher(host.toLowerCase(Locale.ROOT));
    return parts.matches() ? parts.group(1) : "";
  }
}
