package io.millrace.store.sql;

import java.util.List;

/** The tables of all features, which a store has unless others are named. */
final class FeatureTables {

  /** The tables in the order in which they are created. */
  static final List<SqlExtension> ALL =
      List.of(DataTables.TABLES, TaskSequenceTables.TABLES, ContinuousTables.TABLES);

  private FeatureTables() {}
}
