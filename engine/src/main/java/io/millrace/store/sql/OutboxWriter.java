package io.millrace.store.sql;

import io.millrace.store.ChannelMessage;
import java.sql.SQLException;
import java.util.List;

/** A writer of messages over channels, in the transaction of the announced transition or start. */
final class OutboxWriter {

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

  static void write(SqlSession session, List<AttachedRow<ChannelMessage>> messages)
      throws SQLException {
    session.update(
        INSERT,
        Params.none()
            .longs("ids", messages, AttachedRow::instanceId)
            .ints("seqs", messages, AttachedRow::seq)
            .texts("channels", messages, message -> message.write().channel())
            .texts("states", messages, AttachedRow::state)
            .booleans("retries", messages, message -> message.write().retry())
            .longs("dueAfters", messages, message -> ColumnTimes.micros(message.write().after())));
  }
}
