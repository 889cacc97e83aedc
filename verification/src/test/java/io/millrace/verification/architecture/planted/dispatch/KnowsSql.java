package io.millrace.verification.architecture.planted.dispatch;

import io.millrace.verification.architecture.planted.store.sql.UnlistedPublicType;

/** Knows its neighbour. */
final class KnowsSql {

  UnlistedPublicType leaks() {
    return new UnlistedPublicType();
  }
}
