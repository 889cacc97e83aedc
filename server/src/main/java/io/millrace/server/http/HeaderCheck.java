package io.millrace.server.http;

import java.util.List;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MimeTypes;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/**
 * A check that rejects requests with headers that the libraries would act on, before they are
 * routed. The libraries route by a header that names another method, so a GET could do what only a
 * POST may. Each access to a content type with an unknown charset would throw.
 */
final class HeaderCheck implements HttpConfiguration.Customizer {

  private static final List<String> METHOD_OVERRIDES =
      List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override");

  /** A request with such a header. */
  static final class RejectedHeaderException extends HttpException.RuntimeException {
    private static final long serialVersionUID = 1L;

    private RejectedHeaderException(int status, String detail) {
      super(status, detail);
    }
  }

  @Override
  public Request customize(Request request, HttpFields.Mutable responseHeaders) {
    HttpFields headers = request.getHeaders();
    for (String header : METHOD_OVERRIDES) {
      if (headers.contains(header)) {
        throw new RejectedHeaderException(
            400,
            "The header "
                + header
                + " is not supported; send the request with the method itself, without this"
                + " header.");
      }
    }
    for (HttpField header : headers) {
      if (header.getHeader() == HttpHeader.CONTENT_TYPE) {
        checkCharset(header);
      }
    }
    return request;
  }

  private static void checkCharset(HttpField contentType) {
    try {
      // Parsed as the libraries do it later, so that nothing passes that makes them fail.
      MimeTypes.getCharsetFromContentType(contentType);
    } catch (IllegalArgumentException e) {
      throw new RejectedHeaderException(
          415, "The header Content-Type names a charset that is not known; send UTF-8.");
    }
  }
}
