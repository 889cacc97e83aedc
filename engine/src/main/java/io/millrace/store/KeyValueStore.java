package io.millrace.store;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyWriteResult;
import io.millrace.instance.Page;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values by group and key. An expired value is absent for every operation, by the database's clock,
 * even while its row exists.
 */
public interface KeyValueStore {

  Optional<KeyValue> get(KeyId id);

  /** Writes a value under its condition. */
  KeyWriteResult put(Put put, @Nullable Fence fence);

  /**
   * Deletes a value; refused if there is none, or it has another version.
   *
   * @param version null for any
   */
  KeyWriteResult delete(KeyId id, @Nullable Long version, @Nullable Fence fence);

  /**
   * Returns a page of a group's values, at most {@link KeyQuery#limit}, and fewer once they have
   * {@link QueryStore#PAGE_BYTES}.
   */
  Page<KeyValue> list(KeyQuery query);

  /**
   * Returns the names of groups that have values, in their order, after {@code after}; null for
   * all.
   */
  List<String> groups(@Nullable String after, int limit);

  /**
   * Removes the rows of values that expired or were deleted at least a day ago. Until then their
   * versions are remembered, so that no version of a key occurs twice within that time.
   *
   * @return number of removed rows
   */
  int deleteExpired(int limit);

  /** The condition of a write. */
  enum WriteCondition {
    ALWAYS,
    ABSENT,
    /** The value is written only if its version is unchanged. */
    UNCHANGED
  }

  /**
   * A value to be written.
   *
   * @param version the version that it must have; null unless {@link WriteCondition#UNCHANGED}
   * @param writer identifies a write that is repeated after a lost reply; null if it is not
   *     repeated
   */
  record Put(
      KeyId id,
      KeyContent content,
      WriteCondition when,
      @Nullable Long version,
      @Nullable String writer)
      implements AttachedWrite {

    public static Put set(KeyId id, KeyContent content) {
      return new Put(id, content, WriteCondition.ALWAYS, null, null);
    }

    public static Put ifAbsent(KeyId id, KeyContent content) {
      return new Put(id, content, WriteCondition.ABSENT, null, null);
    }

    public static Put ifVersion(KeyId id, long version, KeyContent content) {
      return new Put(id, content, WriteCondition.UNCHANGED, version, null);
    }

    public Put writer(@Nullable String name) {
      return new Put(id, content, when, version, name);
    }
  }
}
