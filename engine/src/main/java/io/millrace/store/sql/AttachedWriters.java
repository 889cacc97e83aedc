package io.millrace.store.sql;

import io.millrace.store.AttachedWrite;
import io.millrace.store.ChannelMessage;
import io.millrace.store.KeyValueStore;
import io.millrace.store.ReduceStore;
import java.sql.SQLException;
import java.util.List;

/** The writers of attached writes by type. */
final class AttachedWriters {

  private record TypedWriter<W extends AttachedWrite>(Class<W> type, AttachedWriter<W> writer) {
    /** Writes the rows of the type, and returns their number. */
    int write(SqlSession session, List<AttachedRow<?>> rows) throws SQLException {
      List<AttachedRow<W>> own = rows.stream().flatMap(row -> row.as(type)).toList();
      if (!own.isEmpty()) {
        writer.write(session, own);
      }
      return own.size();
    }
  }

  private static final List<TypedWriter<?>> WRITERS =
      List.of(
          new TypedWriter<>(ChannelMessage.class, OutboxWriter::write),
          new TypedWriter<>(KeyValueStore.Put.class, SqlKeyValueStore::writeAttached),
          new TypedWriter<>(ReduceStore.Commit.class, SqlReduceStore::writeAttached));

  private AttachedWriters() {}

  static void write(SqlSession session, List<AttachedRow<?>> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    int written = 0;
    for (TypedWriter<?> writer : WRITERS) {
      written += writer.write(session, rows);
    }
    if (written < rows.size()) {
      throw new IllegalStateException("An attached write has no writer: " + rows);
    }
  }
}
