package io.millrace.server.http;

import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** The answers that Jetty gives by itself, such as those to garbage, as problem+json too. */
final class JettyErrors extends ErrorHandler {

  private final Map<String, String> headers;

  JettyErrors(Map<String, String> headers) {
    this.headers = headers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus() < 400 ? 500 : response.getStatus();
    headers.forEach(response.getHeaders()::put);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.CONTENT_TYPE);
    response.write(true, ByteBuffer.wrap(body(status)), callback);
    return true;
  }

  private static byte[] body(int status) {
    ProblemType type = ProblemType.of(status);
    return Json.bytes(Problem.of(status, type.title() + "; the request was not read further."));
  }
}
