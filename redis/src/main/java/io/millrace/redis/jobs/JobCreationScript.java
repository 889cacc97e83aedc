package io.millrace.redis.jobs;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.RedisDialect;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates delayed, prioritized or unique jobs by script, since the npm package has no commands for
 * them.
 */
final class JobCreationScript {

  private JobCreationScript() {}

  static JobStore.CreateResult make(Redis redis, RedisDialect dialect, JobDraft draft, NewJob job) {
    String flow = draft.flow().name();
    String queue = draft.flow().first().name();
    List<String> keys = new ArrayList<>(5 + draft.lookups().size());
    keys.add(draft.key());
    keys.add(MillraceKeys.meta(flow, draft.id()));
    keys.add(draft.waiting());
    keys.add(dialect.delayed(queue, Math.max(1, job.priority())));
    keys.add(job.uniqueKey() == null ? draft.key() : MillraceKeys.unique(flow, job.uniqueKey()));
    keys.addAll(draft.lookups());
    List<String> arguments = new ArrayList<>(8 + 2 * draft.fields().size());
    arguments.add(draft.id());
    arguments.add(draft.entry());
    arguments.add(MillraceKeys.queue(queue));
    arguments.add(draft.key().substring(0, draft.key().length() - draft.entry().length()));
    arguments.add(draft.seconds());
    arguments.add(Long.toString(job.delay().toMillis()));
    arguments.add(dialect == RedisDialect.MAIN ? "0" : Integer.toString(job.priority()));
    arguments.add(draft.last());
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
