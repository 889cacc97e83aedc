package io.millrace.store;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyValues;
import io.millrace.data.KeyWrite;
import io.millrace.instance.Page;
import io.millrace.store.KeyValueStore.Put;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keys and values of a store on somebody's behalf. */
public final class KeyBook implements KeyValues {

  private final KeyValueStore store;
  private final Caller caller;

  public KeyBook(KeyValueStore store, Caller caller) {
    this.store = store;
    this.caller = caller;
  }

  @Override
  public Optional<KeyValue> get(String group, String key) {
    KeyId id = new KeyId(group, key);
    return caller.call(() -> store.get(id));
  }

  @Override
  public KeyWrite set(String group, String key, KeyContent content) {
    return put(Put.set(new KeyId(group, key), content));
  }

  @Override
  public KeyWrite setIfAbsent(String group, String key, KeyContent content) {
    return put(Put.ifAbsent(new KeyId(group, key), content));
  }

  @Override
  public KeyWrite compareAndSet(String group, String key, long version, KeyContent content) {
    return put(Put.ifVersion(new KeyId(group, key), version, content));
  }

  private KeyWrite put(Put put) {
    Put named = put.writer(caller.nextWriter());
    return accepted(put.id(), caller.call(() -> store.put(named, caller.fence())));
  }

  @Override
  public KeyWrite delete(String group, String key) {
    return delete(new KeyId(group, key), null);
  }

  @Override
  public KeyWrite delete(String group, String key, long version) {
    return delete(new KeyId(group, key), version);
  }

  private KeyWrite delete(KeyId id, @Nullable Long version) {
    return accepted(id, caller.call(() -> store.delete(id, version, caller.fence())));
  }

  private KeyWrite accepted(KeyId id, KeyWrite write) {
    if (write instanceof KeyWrite.Fenced) {
      throw caller.fenced("Key '" + id.key() + "' of group '" + id.group() + "'");
    }
    return write;
  }

  @Override
  public Page<KeyValue> list(KeyQuery query) {
    return caller.call(() -> store.list(query));
  }
}
