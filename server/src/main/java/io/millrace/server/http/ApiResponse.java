package io.millrace.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** The response to a request. */
public sealed interface ApiResponse {

  /** Returns a JSON response with status 200. */
  static ApiResponse json(Object body) {
    return new Json(200, body);
  }

  /** Returns an empty response with status 204. */
  static ApiResponse empty() {
    return new Empty(204);
  }

  /**
   * A value that is written as JSON.
   *
   * @param body a record, a list or a map
   */
  record Json(int status, Object body) implements ApiResponse {}

  /** A status without a body. */
  record Empty(int status) implements ApiResponse {}

  /** A text. */
  record Text(int status, String contentType, String text) implements ApiResponse {}

  /**
   * A body that is written in parts, for files and streams of unknown length.
   *
   * @param done called at the end, whether the body was written or not
   */
  record Stream(String contentType, Map<String, String> headers, Writer writer, Runnable done)
      implements ApiResponse {
    public Stream {
      headers = Map.copyOf(headers);
    }
  }

  /** A response that the handler has written to {@link ApiRequest#context} itself. */
  record Written() implements ApiResponse {}

  /**
   * A writer of a body. An error ends the connection, so that no client takes a part for the whole.
   */
  @FunctionalInterface
  interface Writer {
    void write(OutputStream out) throws IOException, InterruptedException;
  }
}
