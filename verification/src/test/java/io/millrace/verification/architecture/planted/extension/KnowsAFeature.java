package io.millrace.verification.architecture.planted.extension;

import io.millrace.verification.architecture.planted.sequence.KnowsTheWorker;
import io.millrace.verification.architecture.planted.store.sql.UnlistedPublicType;

/** Two violations: the services use a feature above them, and the database. */
final class KnowsAFeature {

  KnowsTheWorker work(UnlistedPublicType unlistedPublicType) {
    return new KnowsTheWorker();
  }
}
