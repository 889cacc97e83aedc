package io.millrace.store.sql;

import io.millrace.store.AttachedWrite;
import java.sql.SQLException;
import java.util.List;

/**
 * A writer of attached writes of one type. Its session has locked the instances by its own writes.
 */
@FunctionalInterface
interface AttachedWriter<W extends AttachedWrite> {

  /** Writes the rows, at least one, in the order of their instances' transitions. */
  void write(SqlSession session, List<AttachedRow<W>> rows) throws SQLException;
}
