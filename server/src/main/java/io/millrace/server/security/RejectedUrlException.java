package io.millrace.server.security;

import java.io.IOException;
import java.net.URI;

/**
 * The rejection of a URL that the server must not call. The message gives the reason, without the
 * URL's query.
 */
public final class RejectedUrlException extends IOException {

  RejectedUrlException(URI url, String problem) {
    super(shown(url) + " " + problem + ".");
  }

  /** Returns the URL without query and user name, which may hold a secret. */
  private static String shown(URI url) {
    return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
  }
}
