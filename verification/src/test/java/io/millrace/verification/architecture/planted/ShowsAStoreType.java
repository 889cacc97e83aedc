package io.millrace.verification.architecture.planted;

import io.millrace.verification.architecture.planted.store.sql.UnlistedPublicType;
import java.util.List;

/** A violation: public methods of the root package show types of the store. */
public class ShowsAStoreType {

  public List<UnlistedPublicType.Inner> find() {
    return List.of();
  }

  public void save(UnlistedPublicType one) {}

  UnlistedPublicType inside() {
    return null;
  }
}
