package io.millrace.dispatch;

import io.millrace.instance.Origin;
import io.millrace.store.NewInstance;
import java.util.List;

/**
 * The unique key of an instance with an external id. A transaction that inserts a key waits for any
 * other open transaction that has inserted it, which may be one of the application.
 */
record ExternalKey(String type, String executorGroup, String externalId) {

  /** Returns the keys of the instances that have an external id. */
  static List<ExternalKey> of(List<NewInstance> instances) {
    return instances.stream()
        .map(NewInstance::origin)
        .filter(origin -> origin.externalId() != null)
        .map(ExternalKey::of)
        .toList();
  }

  private static ExternalKey of(Origin origin) {
    return new ExternalKey(
        origin.type(), origin.executorGroup(), String.valueOf(origin.externalId()));
  }

  @Override
  public String toString() {
    return "'" + externalId + "' of type '" + type + "'";
  }
}
