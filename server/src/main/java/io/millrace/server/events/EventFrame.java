package io.millrace.server.events;

import io.millrace.server.security.Role;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A part of an event stream, encoded once and sent to all clients. Immutable. */
final class EventFrame {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          // Nodes of other versions have fewer or more kinds of changes.
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private final long firstId;
  private final long lastId;
  private final Map<Role, byte[]> bytes = new EnumMap<>(Role.class);

  private EventFrame(long firstId, long lastId) {
    this.firstId = firstId;
    this.lastId = lastId;
  }

  /** Returns the id of the first change of the journal that it covers. */
  long firstId() {
    return firstId;
  }

  /** Returns the id of the last change that it covers, which is also the id of the event. */
  long lastId() {
    return lastId;
  }

  /** Writes the part that a reader of this role may read. */
  void writeTo(OutputStream out, Role role) throws IOException {
    out.write(Objects.requireNonNull(bytes.get(role), "a frame holds the bytes of every role"));
  }

  static EventFrame of(long firstId, long lastId, ChangeSummary changeSummary) {
    EventFrame eventFrame = new EventFrame(firstId, lastId);
    for (Role role : Role.values()) {
      String data = json(changeSummary.readable(role));
      eventFrame.bytes.put(role, text("id: " + lastId + "\nevent: change\ndata: " + data + "\n\n"));
    }
    return eventFrame;
  }

  /**
   * Returns an event that shows that the server is alive. A comment line would not reach the page.
   */
  static byte[] heartbeat() {
    return text("event: heartbeat\ndata: {}\n\n");
  }

  /** Returns an event that tells a reader that the changes it missed are no longer available. */
  static byte[] reset(long id) {
    return text("id: " + id + "\nevent: reset\ndata: {}\n\n");
  }

  /** Returns the start of a stream, which sets the reader's position without an event. */
  static byte[] hello(long id) {
    return text("retry: 2000\nid: " + id + "\n\n");
  }

  static String json(ChangeSummary changeSummary) {
    return MAPPER.writeValueAsString(changeSummary);
  }

  static ChangeSummary change(String json) {
    return MAPPER.readValue(json, ChangeSummary.class);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
