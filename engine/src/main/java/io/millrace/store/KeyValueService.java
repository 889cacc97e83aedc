package io.millrace.store;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyValues;
import io.millrace.data.KeyWriteResult;
import io.millrace.instance.Page;
import io.millrace.store.KeyValueStore.Put;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The key-values of a store, accessed on behalf of a caller. */
public final class KeyValueService implements KeyValues {

  private final KeyValueStore store;
  private final StoreCaller storeCaller;

  public KeyValueService(KeyValueStore store, StoreCaller storeCaller) {
    this.store = store;
    this.storeCaller = storeCaller;
  }

  @Override
  public Optional<KeyValue> get(String group, String key) {
    KeyId id = new KeyId(group, key);
    return storeCaller.call(() -> store.get(id));
  }

  @Override
  public KeyWriteResult set(String group, String key, KeyContent content) {
    return put(Put.set(new KeyId(group, key), content));
  }

  @Override
  public KeyWriteResult setIfAbsent(String group, String key, KeyContent content) {
    return put(Put.ifAbsent(new KeyId(group, key), content));
  }

  @Override
  public KeyWriteResult compareAndSet(String group, String key, long version, KeyContent content) {
    return put(Put.ifVersion(new KeyId(group, key), version, content));
  }

  private KeyWriteResult put(Put put) {
    Put named = put.writer(storeCaller.nextWriteId());
    return accepted(put.id(), storeCaller.call(() -> store.put(named, storeCaller.fence())));
  }

  @Override
  public KeyWriteResult delete(String group, String key) {
    return delete(new KeyId(group, key), null);
  }

  @Override
  public KeyWriteResult delete(String group, String key, long version) {
    return delete(new KeyId(group, key), version);
  }

  private KeyWriteResult delete(KeyId id, @Nullable Long version) {
    return accepted(id, storeCaller.call(() -> store.delete(id, version, storeCaller.fence())));
  }

  private KeyWriteResult accepted(KeyId id, KeyWriteResult write) {
    if (write instanceof KeyWriteResult.Fenced) {
      throw storeCaller.fencedException("Key '" + id.key() + "' of group '" + id.group() + "'");
    }
    return write;
  }

  @Override
  public Page<KeyValue> list(KeyQuery query) {
    return storeCaller.call(() -> store.list(query));
  }
}
