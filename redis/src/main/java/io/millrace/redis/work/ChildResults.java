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

/** What a parent is completed with. */
final class ChildResults {

  private ChildResults() {}

  /**
   * Nothing; in the dialect of the package's head the fields of all children.
   *
   * @param children the keys of their hashes
   */
  static JobResult.Completed of(
      WorkerContext workerContext, QueueKeys queueKeys, List<String> children) {
    if (queueKeys.dialect() != RedisDialect.MAIN) {
      return JobResult.completed();
    }
    List<Map<String, Object>> results = new ArrayList<>();
    for (Object reply : read(workerContext.redis(), children)) {
      results.add(fields(workerContext.json(), RedisReplies.texts(RedisReplies.need(reply))));
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

  /** One that is no hash has ended, as one that is gone has: nothing is known of it. */
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

  /** A text that is no JSON is told as it stands. */
  private static Object value(JavaScriptJson json, String text) {
    try {
      return json.read(text);
    } catch (CodecException e) {
      return text;
    }
  }
}
