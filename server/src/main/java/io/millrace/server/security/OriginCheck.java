package io.millrace.server.security;

import io.millrace.server.config.HttpConfig;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A check that distinguishes requests of this server's own pages from those of other sites. */
final class OriginCheck {

  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
  private static final int MAX_LENGTH = 100;
  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]]*)(:\\d*)?");

  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  /** The names by which a browser may address this server; null for any name. */
  private final @Nullable Set<String> names;

  /** The addresses of this server as browsers see it through proxies. */
  private final Set<String> origins;

  private final boolean secureCookies;

  private OriginCheck(@Nullable Set<String> names, Set<String> origins, boolean secureCookies) {
    this.names = names;
    this.origins = origins;
    this.secureCookies = secureCookies;
  }

  /**
   * Creates the check for a server with these settings.
   *
   * @param outside address of this server as browsers see it; null if it is not configured
   */
  static OriginCheck of(HttpConfig http, @Nullable URI outside) {
    List<URI> known = new ArrayList<>(http.origins());
    if (outside != null && outside.getHost() != null) {
      known.add(outside);
    }
    Set<String> origins = new TreeSet<>();
    known.forEach(one -> origins.add(one.getScheme() + "://" + one.getRawAuthority()));
    Set<String> names = null;
    if (isLoopback(http)) {
      names = new TreeSet<>(LOCAL_NAMES);
      String bind = http.bind();
      names.add(bind.contains(":") ? "[" + bind + "]" : bind);
      for (URI one : known) {
        names.add(one.getHost().toLowerCase(Locale.ROOT));
      }
    }
    return new OriginCheck(names, origins, http.tls().https());
  }

  /**
   * True if only this machine can reach the server, and no proxy forwards the requests of others.
   */
  static boolean isLocal(HttpConfig http) {
    return isLoopback(http) && http.tls().mode() != HttpConfig.TlsMode.PROXY;
  }

  private static boolean isLoopback(HttpConfig http) {
    try {
      return InetAddress.getByName(http.bind()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * Rejects a request to an unknown name. A page of another site can make a browser on this machine
   * call a name that resolves to this server, and would then read the responses as its own.
   */
  void refuseOtherNames(RequestInfo request) {
    String host = request.header("Host");
    if (names != null && (host == null || !names.contains(name(host)))) {
      throw RejectedRequestException.forbidden(
          "This server listens on this machine only and is called by one of "
              + names
              + ", but the header Host is "
              + shown(host)
              + ". If a proxy in front of this server passes that name on, set http.origins to the"
              + " address that browsers use, such as https://millrace.example.com.");
    }
  }

  /**
   * Rejects a changing request from a page of another site. A program that is not a browser sends
   * neither header.
   */
  void refuseOtherSites(RequestInfo request) {
    String site = request.header("Sec-Fetch-Site");
    String origin = request.header("Origin");
    String host = request.header("Host");
    if (site != null) {
      if (!site.equals("same-origin") && !site.equals("none")) {
        throw RejectedRequestException.forbidden(
            "A page of another site made this request: the header Sec-Fetch-Site is "
                + shown(site)
                + ".");
      }
    } else if (origin != null && !isOwn(origin, host)) {
      throw RejectedRequestException.forbidden(
          "A page of another site made this request: the header Origin is "
              + shown(origin)
              + ", while the header Host is "
              + shown(host)
              + ". If that is the address of this server behind a proxy, add it to http.origins, or"
              + " have the proxy pass the Host on.");
    }
  }

  /**
   * Rejects a login whose cookie the browser would not send back. A browser accepts such cookies by
   * plain http only from its own machine.
   */
  void refuseUselessCookie(RequestInfo request) {
    String origin = request.header("Origin");
    if (secureCookies
        && origin != null
        && origin.toLowerCase(Locale.ROOT).startsWith("http://")
        && !LOCAL_NAMES.contains(name(origin.substring("http://".length())))) {
      throw RejectedRequestException.forbidden(
          "The page was opened by plain http: the header Origin is "
              + shown(origin)
              + ". With http.tls.mode = proxy the cookie of a session is Secure, so the browser"
              + " would not send it back. Open the page by https, or set http.tls.mode = none.");
    }
  }

  private boolean isOwn(String origin, @Nullable String host) {
    return isOfHost(origin, host)
        || origins.stream()
            .anyMatch(one ->
                scheme(one).equals(scheme(origin))
                    && isOfHost(origin, one.substring(one.indexOf("://") + 3)));
  }

  private static String scheme(String origin) {
    return origin.substring(0, Math.max(0, origin.indexOf("://"))).toLowerCase(Locale.ROOT);
  }

  /** Returns a header for a message. */
  private static String shown(@Nullable String header) {
    if (header == null) {
      return "missing";
    }
    return "'"
        + (header.length() > MAX_LENGTH ? header.substring(0, MAX_LENGTH) + "..." : header)
        + "'";
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
