package io.millrace.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** What a request is answered with. */
public sealed interface ApiResponse {

  /** JSON with status 200. */
  static ApiResponse json(Object body) {
    return new Json(200, body);
  }

  /** Status 204. */
  static ApiResponse empty() {
    return new Empty(204);
  }

  /**
   * A value, written as JSON.
   *
   * @param body a record, a list or a map
   */
  record Json(int status, Object body) implements ApiResponse {}

  /** Only a status. */
  record Empty(int status) implements ApiResponse {}

  /** A text. */
  record Text(int status, String contentType, String text) implements ApiResponse {}

  /**
   * What is written bit by bit, for files and streams of unknown length.
   *
   * @param done called in the end, whether it was written or not
   */
  record Stream(String contentType, Map<String, String> headers, Writer writer, Runnable done)
      implements ApiResponse {
    public Stream {
      headers = Map.copyOf(headers);
    }
  }

  /** The handler has written the answer to {@link ApiRequest#context} itself. */
  record Written() implements ApiResponse {}

  /** Writes a body; an error ends the connection, so that nobody takes the part for the whole. */
  @FunctionalInterface
  interface Writer {
    void write(OutputStream out) throws IOException, InterruptedException;
  }
}
