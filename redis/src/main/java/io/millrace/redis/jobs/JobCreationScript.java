package io.millrace.redis.jobs;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates delayed, prioritized or unique jobs, and jobs under an id of the caller's own, by script,
 * since the npm package has no commands for them.
 */
final class JobCreationScript {

  private JobCreationScript() {}

  static JobStore.CreateResult create(Redis redis, JobDraft draft, NewJob job) {
    String flow = draft.flow().name();
    String queue = draft.flow().first().name();
    List<String> keys = new ArrayList<>(5 + draft.lookups().size());
    keys.add(draft.key());
    keys.add(MillraceKeys.metadata(flow, draft.id()));
    keys.add(draft.waiting());
    keys.add(MillraceKeys.delayed(queue));
    keys.add(job.uniqueKey() == null ? draft.key() : MillraceKeys.holderKey(flow, job.uniqueKey()));
    keys.addAll(draft.lookups());
    List<String> arguments = new ArrayList<>(8 + 2 * draft.fields().size());
    arguments.add(draft.id());
    arguments.add(MillraceKeys.queue(queue));
    arguments.add(ProtocolKeys.job(flow, ""));
    arguments.add(draft.seconds());
    arguments.add(Long.toString(job.delay().toMillis()));
    arguments.add(Integer.toString(job.priority()));
    arguments.add(draft.lastQueues());
    draft
        .fields()
        .forEach((name, text) -> {
          arguments.add(name);
          arguments.add(text);
        });
    List<?> reply = JobReader.list(redis.run(LuaScript.CREATE, keys, arguments));
    return new JobStore.CreateResult((String) reply.get(0), Long.valueOf(1).equals(reply.get(1)));
  }
}
