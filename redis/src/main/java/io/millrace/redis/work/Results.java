package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.JsText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a parent is completed with. */
final class Results {

  private Results() {}

  /**
   * Nothing; in the dialect of the package's head the fields of all children.
   *
   * @param children the keys of their hashes
   */
  static JobResult.Completed of(Setting setting, Lane lane, List<String> children) {
    if (lane.dialect() != Dialect.MAIN) {
      return JobResult.completed();
    }
    List<Map<String, Object>> results = new ArrayList<>();
    for (Object reply : read(setting.redis(), children)) {
      results.add(fields(setting.json(), Replies.texts(Replies.need(reply))));
    }
    return JobResult.of("children:" + lane.name() + ":results", results);
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
      return Replies.need(redis.call("HGETALL", key));
    } catch (RedisReplyException e) {
      if (e.code().equals("WRONGTYPE")) {
        return List.of();
      }
      throw e;
    }
  }

  private static Map<String, Object> fields(JsText json, List<@Nullable String> texts) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < texts.size(); i += 2) {
      String text = Replies.text(texts.get(i + 1));
      fields.put(Replies.text(texts.get(i)), value(json, text));
    }
    return fields;
  }

  /** A text that is no JSON is told as it stands. */
  private static Object value(JsText json, String text) {
    try {
      return json.read(text);
    } catch (CodecException e) {
      return text;
    }
  }
}
