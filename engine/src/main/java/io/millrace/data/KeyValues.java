package io.millrace.data;

import io.millrace.instance.Page;
import java.util.Optional;

/**
 * Values by group and key, common to all instances and engines of a database. Every write is atomic
 * and durable when its method returns. Thread-safe.
 *
 * <p>Used by a handler, a write happens only while the handler's attempt is the instance's current
 * one; otherwise its methods throw {@code CancelledException}. Values are no secrets: they are
 * stored as they are given.
 */
public interface KeyValues {

  /** The value; empty when there is none or it has expired. */
  Optional<KeyValue> get(String group, String key);

  /** Creates the value, or puts another one in its place. */
  KeyWriteResult set(String group, String key, KeyContent content);

  /** Creates the value unless there is one. Of many who try, one is not refused. */
  KeyWriteResult setIfAbsent(String group, String key, KeyContent content);

  /** Puts another one in place of the value if that still has this version. */
  KeyWriteResult compareAndSet(String group, String key, long version, KeyContent content);

  /** Deletes the value; refused when there is none. */
  KeyWriteResult delete(String group, String key);

  /** Deletes the value if it still has this version. */
  KeyWriteResult delete(String group, String key, long version);

  /** A page of a group's values. */
  Page<KeyValue> list(KeyQuery query);

  /** Creates the value, or puts another one in its place; it stays. */
  default KeyWriteResult set(String group, String key, String value) {
    return set(group, key, KeyContent.of(value));
  }
}
