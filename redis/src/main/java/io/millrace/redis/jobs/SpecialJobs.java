package io.millrace.redis.jobs;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.OwnKeys;
import io.millrace.redis.wire.Script;
import java.util.ArrayList;
import java.util.List;

/** Makes the jobs that are delayed, urgent or unique, by script, since the protocol knows none. */
final class SpecialJobs {

  private SpecialJobs() {}

  static Jobs.Made make(Redis redis, Dialect dialect, Draft draft, NewJob job) {
    String flow = draft.flow().name();
    String queue = draft.flow().first().name();
    List<String> keys = new ArrayList<>(5 + draft.lookups().size());
    keys.add(draft.key());
    keys.add(OwnKeys.meta(flow, draft.id()));
    keys.add(draft.waiting());
    keys.add(dialect.delayed(queue, Math.max(1, job.priority())));
    keys.add(job.uniqueKey() == null ? draft.key() : OwnKeys.unique(flow, job.uniqueKey()));
    keys.addAll(draft.lookups());
    List<String> arguments = new ArrayList<>(8 + 2 * draft.fields().size());
    arguments.add(draft.id());
    arguments.add(draft.entry());
    arguments.add(OwnKeys.queue(queue));
    arguments.add(draft.key().substring(0, draft.key().length() - draft.entry().length()));
    arguments.add(draft.seconds());
    arguments.add(Long.toString(job.delay().toMillis()));
    arguments.add(dialect == Dialect.MAIN ? "0" : Integer.toString(job.priority()));
    arguments.add(draft.last());
    draft
        .fields()
        .forEach((name, text) -> {
          arguments.add(name);
          arguments.add(text);
        });
    List<?> reply = JobReader.list(redis.run(Script.CREATE, keys, arguments));
    return new Jobs.Made((String) reply.get(0), Long.valueOf(1).equals(reply.get(1)));
  }
}
