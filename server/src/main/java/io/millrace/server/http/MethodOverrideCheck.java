package io.millrace.server.http;

import java.util.List;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/**
 * A check that refuses requests with a header that names another method, before anything routes
 * them. The library would route by that header, so a GET could do what only a POST may.
 */
final class MethodOverrideCheck implements HttpConfiguration.Customizer {

  private static final List<String> HEADERS =
      List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override");

  /** A request with such a header. */
  static final class OverrideException extends HttpException.RuntimeException {
    private static final long serialVersionUID = 1L;

    private OverrideException(String header) {
      super(
          400,
          "The header "
              + header
              + " is not supported; send the request with the method itself, without this header.");
    }
  }

  @Override
  public Request customize(Request request, HttpFields.Mutable responseHeaders) {
    for (String header : HEADERS) {
      if (request.getHeaders().contains(header)) {
        throw new OverrideException(header);
      }
    }
    return request;
  }
}
