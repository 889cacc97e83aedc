package io.millrace.verification.architecture.planted.dispatch;

import io.millrace.verification.architecture.planted.store.sql.UnlistedPublicType;

/** A violation: a package uses another one of its layer. */
final class KnowsSql {

  UnlistedPublicType leaks() {
    return new UnlistedPublicType();
  }
}
