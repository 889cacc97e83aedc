package io.millrace.store.sql;

import io.millrace.store.ChannelMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A writer of messages over channels, in the transaction of the announced transition or start. */
final class OutboxWriter {

  /** A message that announces an instance in a state, by its {@code seq} there. */
  record NewMessage(long instanceId, int seq, String state, ChannelMessage handover) {}

  private static final String INSERT =
      """
      INSERT INTO millrace_outbox (instance_id, seq, channel, state, retry, due_at)
      SELECT d.id, d.seq, d.channel, d.state, d.retry,
        d.now + d.due_after * INTERVAL '0.000001' SECOND
      FROM (SELECT d.*, (SELECT :now) AS now
            FROM UNNEST(CAST(:ids AS bigint ARRAY), CAST(:seqs AS integer ARRAY),
              CAST(:channels AS varchar ARRAY), CAST(:states AS varchar ARRAY),
              CAST(:retries AS boolean ARRAY), CAST(:dueAfters AS bigint ARRAY))
            AS d(id, seq, channel, state, retry, due_after)) d
      """;

  private OutboxWriter() {}

  /** Writes the messages of accepted transitions. */
  static void write(SqlSession session, List<TransitionWriter.IndexedSave> accepted)
      throws SQLException {
    List<NewMessage> entries = new ArrayList<>();
    for (TransitionWriter.IndexedSave indexedSave : accepted) {
      ChannelMessage channelMessage = indexedSave.save().handover();
      if (channelMessage != null) {
        int seq = indexedSave.save().fence().seq() + 1;
        entries.add(
            new NewMessage(
                indexedSave.id(), seq, indexedSave.save().target().state(), channelMessage));
      }
    }
    insert(session, entries);
  }

  static void insert(SqlSession session, List<NewMessage> entries) throws SQLException {
    if (!entries.isEmpty()) {
      session.update(
          INSERT,
          Params.none()
              .longs("ids", entries, NewMessage::instanceId)
              .ints("seqs", entries, NewMessage::seq)
              .texts("channels", entries, newMessage -> newMessage.handover.channel())
              .texts("states", entries, NewMessage::state)
              .booleans("retries", entries, newMessage -> newMessage.handover.retry())
              .longs(
                  "dueAfters",
                  entries,
                  newMessage -> ColumnTimes.micros(newMessage.handover.after())));
    }
  }
}
