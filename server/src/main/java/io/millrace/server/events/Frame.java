package io.millrace.server.events;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A piece of an event stream, written once and sent to all. Immutable. */
final class Frame {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          // Nodes of other versions know fewer or more kinds of changes.
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private final long firstId;
  private final long lastId;
  private final byte[] bytes;

  private Frame(long firstId, long lastId, byte[] bytes) {
    this.firstId = firstId;
    this.lastId = lastId;
    this.bytes = bytes;
  }

  /** The first change of the journal that it tells of. */
  long firstId() {
    return firstId;
  }

  /** The last change that it tells of, which is its id. */
  long lastId() {
    return lastId;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes);
  }

  static Frame of(long firstId, long lastId, Change change) {
    return new Frame(
        firstId, lastId, text("id: " + lastId + "\nevent: change\ndata: " + json(change) + "\n\n"));
  }

  /** Says nothing, so that nobody takes the stream for dead. */
  static byte[] heartbeat() {
    return text(":\n\n");
  }

  /** Tells a reader that what it missed is no longer known. */
  static byte[] reset(long id) {
    return text("id: " + id + "\nevent: reset\ndata: {}\n\n");
  }

  /** Tells a reader where it stands, without an event. */
  static byte[] hello(long id) {
    return text("retry: 2000\nid: " + id + "\n\n");
  }

  static String json(Change change) {
    return MAPPER.writeValueAsString(change);
  }

  static Change change(String json) {
    return MAPPER.readValue(json, Change.class);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
