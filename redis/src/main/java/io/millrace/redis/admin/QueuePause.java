package io.millrace.redis.admin;

import io.millrace.redis.wire.MillraceKeys;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pause of a queue, during which the workers of Millrace lease no job from it; see {@link
 * MillraceKeys#paused}.
 *
 * @param why null when no reason was given
 * @param by who requested the pause; null when that is not known
 * @param since null when that is not known
 */
public record QueuePause(@Nullable String why, @Nullable String by, @Nullable Instant since) {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Returns the stored text. */
  String text() {
    ObjectNode node = JSON.createObjectNode();
    node.put("why", why);
    node.put("by", by);
    node.put("since", since == null ? null : since.toString());
    return JSON.writeValueAsString(node);
  }

  /**
   * Reads a stored text. A text that is not JSON, which a user may have set manually, counts as the
   * reason.
   *
   * @param text null while the queue is not paused; the result is then null
   */
  static @Nullable QueuePause of(@Nullable String text) {
    if (text == null) {
      return null;
    }
    JsonNode node = AdminReplies.json(text).orElse(null);
    if (node == null || !node.isObject()) {
      return new QueuePause(text.isBlank() ? null : text, null, null);
    }
    return new QueuePause(
        field(node, "why"),
        field(node, "by"),
        AdminReplies.time(field(node, "since")).orElse(null));
  }

  private static @Nullable String field(JsonNode node, String name) {
    String text = node.path(name).asString("");
    return text.isBlank() ? null : text;
  }
}
