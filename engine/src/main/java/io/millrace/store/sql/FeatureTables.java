package io.millrace.store.sql;

import java.util.List;

/** The tables of all features, which a store has unless others are named. */
final class FeatureTables {

  static final List<SqlExtension> ALL =
      List.of(DataTables.TABLES, TaskSequenceTables.TABLES, ContinuousTables.TABLES);

  private FeatureTables() {}
}
