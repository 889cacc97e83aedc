package io.millrace.store.sql;

/** The treatment of the tables when a store is opened. */
public enum SchemaMode {
  /**
   * Creates missing tables and applies due migrations. If the tables are current, nothing is
   * written, so that rights on data are enough.
   */
  CREATE,

  /** Fails unless the tables are those of this version. */
  VALIDATE,

  /** Does not look at the tables. */
  NONE
}
