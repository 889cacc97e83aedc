package io.millrace.data;

import io.millrace.instance.Page;
import java.util.Optional;

/**
 * Values by group and key, common to all instances and engines of a database. Every write is atomic
 * and durable when its method returns. Thread-safe.
 *
 * <p>In a handler, a write happens only while the handler's attempt is the instance's current one;
 * otherwise its methods throw {@code CancelledException}. Values are not secret: they are stored in
 * clear text.
 */
public interface KeyValues {

  /** Returns the value; empty if there is none or it has expired. */
  Optional<KeyValue> get(String group, String key);

  /** Creates or replaces the value. */
  KeyWriteResult set(String group, String key, KeyContent content);

  /** Creates the value unless there is one. Of several concurrent callers, one succeeds. */
  KeyWriteResult setIfAbsent(String group, String key, KeyContent content);

  /** Replaces the value if it still has this version. */
  KeyWriteResult compareAndSet(String group, String key, long version, KeyContent content);

  /** Deletes the value; refused if there is none. */
  KeyWriteResult delete(String group, String key);

  /** Deletes the value if it still has this version. */
  KeyWriteResult delete(String group, String key, long version);

  /** Returns a page of a group's values. */
  Page<KeyValue> list(KeyQuery query);

  /** Creates or replaces the value, without expiry. */
  default KeyWriteResult set(String group, String key, String value) {
    return set(group, key, KeyContent.of(value));
  }
}
