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

  static JobStore.CreateResult make(
      Redis redis, RedisDialect redisDialect, JobDraft jobDraft, NewJob job) {
    String flow = jobDraft.flow().name();
    String queue = jobDraft.flow().first().name();
    List<String> keys = new ArrayList<>(5 + jobDraft.lookups().size());
    keys.add(jobDraft.key());
    keys.add(MillraceKeys.meta(flow, jobDraft.id()));
    keys.add(jobDraft.waiting());
    keys.add(redisDialect.delayed(queue, Math.max(1, job.priority())));
    keys.add(job.uniqueKey() == null ? jobDraft.key() : MillraceKeys.unique(flow, job.uniqueKey()));
    keys.addAll(jobDraft.lookups());
    List<String> arguments = new ArrayList<>(8 + 2 * jobDraft.fields().size());
    arguments.add(jobDraft.id());
    arguments.add(jobDraft.entry());
    arguments.add(MillraceKeys.queue(queue));
    arguments.add(jobDraft.key().substring(0, jobDraft.key().length() - jobDraft.entry().length()));
    arguments.add(jobDraft.seconds());
    arguments.add(Long.toString(job.delay().toMillis()));
    arguments.add(redisDialect == RedisDialect.MAIN ? "0" : Integer.toString(job.priority()));
    arguments.add(jobDraft.last());
    jobDraft
        .fields()
        .forEach((name, text) -> {
          arguments.add(name);
          arguments.add(text);
        });
    List<?> reply = JobReader.list(redis.run(LuaScript.CREATE, keys, arguments));
    return new JobStore.CreateResult((String) reply.get(0), Long.valueOf(1).equals(reply.get(1)));
  }
}
