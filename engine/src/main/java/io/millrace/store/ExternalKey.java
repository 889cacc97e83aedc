package io.millrace.store;

import io.millrace.instance.Origin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unique key of an instance with an external id, by which a repeated start is recognized. A
 * transaction that inserts a key waits for any other open transaction that has inserted it, which
 * may be one of the application.
 */
public record ExternalKey(String type, String executorGroup, String externalId)
    implements Comparable<ExternalKey> {
  private static final Comparator<ExternalKey> ORDER =
      Comparator.comparing(ExternalKey::type)
          .thenComparing(ExternalKey::executorGroup)
          .thenComparing(ExternalKey::externalId);

  /** Returns the key of an instance; null if it has no external id. */
  public static @Nullable ExternalKey of(Origin origin) {
    return origin.externalId() == null
        ? null
        : new ExternalKey(origin.type(), origin.executorGroup(), origin.externalId());
  }

  /** Returns the keys of the instances that have an external id. */
  public static List<ExternalKey> allOf(List<NewInstance> instances) {
    List<ExternalKey> keys = new ArrayList<>();
    for (NewInstance instance : instances) {
      ExternalKey key = of(instance.origin());
      if (key != null) {
        keys.add(key);
      }
    }
    return keys;
  }

  @Override
  public int compareTo(ExternalKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "'" + externalId + "' of type '" + type + "'";
  }
}
