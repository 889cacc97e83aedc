package io.millrace.store.sql;

import io.millrace.store.Handover;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Writes messages over channels, in the transaction of what they tell of. */
final class Outbox {

  /** A message that tells of an instance's coming to a state, by its {@code seq} there. */
  record Entry(long instanceId, int seq, String state, Handover handover) {}

  private static final String INSERT =
      """
      INSERT INTO millrace_outbox (workflow_id, seq, channel, state, retry, due)
      SELECT d.id, d.seq, d.channel, d.state, d.retry,
        d.now + d.due_after * INTERVAL '0.000001' SECOND
      FROM (SELECT d.*, (SELECT :now) AS now
            FROM UNNEST(CAST(:ids AS bigint ARRAY), CAST(:seqs AS integer ARRAY),
              CAST(:channels AS varchar ARRAY), CAST(:states AS varchar ARRAY),
              CAST(:retries AS boolean ARRAY), CAST(:dueAfters AS bigint ARRAY))
            AS d(id, seq, channel, state, retry, due_after)) d
      """;

  private Outbox() {}

  /** Messages of accepted transitions. */
  static void write(Session session, List<Saves.Write> accepted) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    for (Saves.Write write : accepted) {
      Handover handover = write.save().handover();
      if (handover != null) {
        int seq = write.save().fence().seq() + 1;
        entries.add(new Entry(write.id(), seq, write.save().target().state(), handover));
      }
    }
    insert(session, entries);
  }

  static void insert(Session session, List<Entry> entries) throws SQLException {
    if (!entries.isEmpty()) {
      session.update(
          INSERT,
          Params.none()
              .longs("ids", entries, Entry::instanceId)
              .ints("seqs", entries, Entry::seq)
              .texts("channels", entries, entry -> entry.handover.channel())
              .texts("states", entries, Entry::state)
              .booleans("retries", entries, entry -> entry.handover.retry())
              .longs("dueAfters", entries, entry -> Times.micros(entry.handover.after())));
    }
  }
}
