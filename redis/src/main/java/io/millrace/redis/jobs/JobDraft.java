package io.millrace.redis.jobs;

import io.millrace.codec.CodecException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.ProtocolKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * A job that is about to be created.
 *
 * @param key the key of its hash
 * @param fields the texts of its fields
 * @param lookups the lists of its lookup values; a list may occur twice
 * @param waiting the waiting list of its first queue
 */
record JobDraft(
    Flow flow,
    String id,
    String key,
    SequencedMap<String, String> fields,
    List<String> lookups,
    String waiting) {

  private static final String CORRELATION = "correlationId";

  static JobDraft of(Flow flow, NewJob job, String id, JavaScriptJson texts) {
    SequencedMap<String, @Nullable Object> values = new LinkedHashMap<>(job.fields());
    if (job.correlationId() != null || values.isEmpty()) {
      values.put(CORRELATION, job.correlationId()); // a hash without fields does not exist
    }
    return new JobDraft(
        flow,
        id,
        ProtocolKeys.job(flow.name(), id),
        texts.writeAll(values),
        lookups(flow, job.fields(), texts),
        ProtocolKeys.waiting(flow.first().name()));
  }

  /** Returns the queues without a next one, as {@code finished.lua} reads them. */
  String lastQueues() {
    return FlowJson.lastQueues(flow);
  }

  /** Returns the keys of the lookup lists, in the order of the flow's fields. */
  static List<String> lookups(Flow flow, Map<String, ?> fields, JavaScriptJson texts) {
    List<String> keys = new ArrayList<>();
    for (String field : flow.lookup()) {
      if (fields.get(field) != null) {
        CodecException.naming("Field '" + field + "'", () -> texts.lookups(fields.get(field)))
            .forEach(text -> keys.add(ProtocolKeys.lookup(flow.name(), field, text)));
      }
    }
    return keys;
  }

  /**
   * Returns the commands of the npm package. They create the hash before the job is visible in a
   * list.
   */
  List<List<String>> commands() {
    List<List<String>> commands = new ArrayList<>(3 + 2 * lookups.size());
    store(commands);
    commands.add(List.of("RPUSH", waiting, id));
    return commands;
  }

  /** Returns the commands for many jobs of one flow, which enter the waiting list together. */
  static List<List<String>> commands(List<JobDraft> drafts) {
    List<List<String>> commands = new ArrayList<>();
    List<String> push = new ArrayList<>(List.of("RPUSH", drafts.getFirst().waiting));
    for (JobDraft draft : drafts) {
      draft.store(commands);
      push.add(draft.id);
    }
    commands.add(push);
    return commands;
  }

  private void store(List<List<String>> commands) {
    List<String> hash = new ArrayList<>(2 + 2 * fields.size());
    hash.add("HSET");
    hash.add(key);
    fields.forEach((name, text) -> {
      hash.add(name);
      hash.add(text);
    });
    commands.add(hash);
    commands.add(List.of("EXPIRE", key, seconds()));
    for (String lookup : lookups) {
      commands.add(List.of("RPUSH", lookup, id));
      commands.add(List.of("EXPIRE", lookup, seconds()));
    }
  }

  /** Returns the time to live in seconds. */
  String seconds() {
    return Long.toString(flow.timeToLive().toSeconds());
  }
}
