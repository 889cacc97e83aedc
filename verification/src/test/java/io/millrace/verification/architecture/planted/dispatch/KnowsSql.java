package io.millrace.verification.architecture.planted.dispatch;

import io.millrace.verification.architecture.planted.store.sql.Leaks;

/** Knows its neighbour. */
final class KnowsSql {

  Leaks leaks() {
    return new Leaks();
  }
}
