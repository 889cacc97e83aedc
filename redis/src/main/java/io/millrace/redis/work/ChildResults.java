package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.RedisDialect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Result of a parent, made from its children. */
final class ChildResults {

  private ChildResults() {}

  /**
   * Returns an empty result; in the main dialect the fields of all children.
   *
   * @param children the keys of their hashes
   */
  static JobResult.Completed of(WorkerContext context, QueueKeys queueKeys, List<String> children) {
    if (queueKeys.dialect() != RedisDialect.MAIN) {
      return JobResult.completed();
    }
    List<Map<String, Object>> results = new ArrayList<>();
    for (Object reply : read(context.redis(), children)) {
      results.add(fields(context.json(), RedisReplies.texts(RedisReplies.need(reply))));
    }
    return JobResult.of("children:" + queueKeys.name() + ":results", results);
  }

  private static List<?> read(Redis redis, List<String> children) {
    try {
      return redis.pipelined(children.stream().map(key -> List.of("HGETALL", key)).toList());
    } catch (RedisReplyException e) {
      return children.stream().map(key -> readAlone(redis, key)).toList();
    }
  }

  /**
   * Reads one child. A key that is not a hash counts as finished without fields, like a child that
   * does not exist.
   */
  private static Object readAlone(Redis redis, String key) {
    try {
      return RedisReplies.need(redis.call("HGETALL", key));
    } catch (RedisReplyException e) {
      if (e.code().equals("WRONGTYPE")) {
        return List.of();
      }
      throw e;
    }
  }

  private static Map<String, Object> fields(JavaScriptJson json, List<@Nullable String> texts) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < texts.size(); i += 2) {
      String text = RedisReplies.text(texts.get(i + 1));
      fields.put(RedisReplies.text(texts.get(i)), value(json, text));
    }
    return fields;
  }

  /** Returns the value of a field; a text that is not JSON is returned unchanged. */
  private static Object value(JavaScriptJson json, String text) {
    try {
      return json.read(text);
    } catch (CodecException e) {
      return text;
    }
  }
}
