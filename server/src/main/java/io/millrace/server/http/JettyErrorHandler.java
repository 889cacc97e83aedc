package io.millrace.server.http;

import io.millrace.server.http.HeaderCheck.RejectedHeaderException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * The responses that Jetty generates itself, such as those to malformed requests, as problem+json.
 */
final class JettyErrorHandler extends ErrorHandler {

  private final Map<String, String> headers;

  JettyErrorHandler(Map<String, String> headers) {
    this.headers = headers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = status(response.getStatus());
    response.setStatus(status);
    headers.forEach(response.getHeaders()::put);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.CONTENT_TYPE);
    // Jetty closes the connection in any case; the header tells the client not to reuse it.
    response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
    response.write(true, ByteBuffer.wrap(body(status, request)), callback);
    return true;
  }

  /** Returns the status. A feature that Jetty does not support counts as an error of the caller. */
  private static int status(int given) {
    return switch (given) {
      case HttpStatus.NOT_IMPLEMENTED_501, HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505 -> 400;
      default -> given < 400 ? 500 : given;
    };
  }

  private static byte[] body(int status, Request request) {
    return StrictJson.bytes(
        Problem.of(
            status,
            request.getAttribute(ERROR_EXCEPTION) instanceof RejectedHeaderException e
                ? e.getReason()
                : ProblemType.of(status).title() + "; the request was not read further."));
  }
}
