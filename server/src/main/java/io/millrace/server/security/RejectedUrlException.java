package io.millrace.server.security;

import java.io.IOException;
import java.net.URI;

/** A URL that the server does not call. The message says why, without the URL's query. */
public final class RejectedUrlException extends IOException {

  RejectedUrlException(URI url, String problem) {
    super(shown(url) + " " + problem + ".");
  }

  /** A query or a user's name may hold a secret. */
  private static String shown(URI url) {
    return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
  }
}
