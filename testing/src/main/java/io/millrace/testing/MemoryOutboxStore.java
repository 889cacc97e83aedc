package io.millrace.testing;

import io.millrace.store.ChannelMessage;
import io.millrace.store.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Messages on their way to a broker, in memory. */
final class MemoryOutboxStore implements OutboxStore {

  private static final Comparator<Key> ORDER =
      Comparator.comparingLong(Key::instanceId).thenComparingInt(Key::seq);

  /** A message with the time at which it can be claimed. */
  private record Entry(
      String channel,
      String state,
      boolean retry,
      int tries,
      Instant due,
      @Nullable String error) {}

  private final MemoryTables tables;
  private final TreeMap<Key, Entry> entries = new TreeMap<>(ORDER);

  MemoryOutboxStore(MemoryTables tables) {
    this.tables = tables;
  }

  /** Adds the message of a transition or start; called inside of its transaction. */
  void add(MemoryInstance row, ChannelMessage channelMessage, Instant now) {
    entries.put(
        new Key(row.id, row.seq),
        new Entry(
            channelMessage.channel(),
            row.state,
            channelMessage.retry(),
            0,
            MemoryColumnTimes.truncated(now.plus(channelMessage.after())),
            null));
  }

  /** Returns why the message to an instance's present state was not sent; null for none. */
  @Nullable String error(MemoryInstance row) {
    Entry entry = entries.get(new Key(row.id, row.seq));
    return entry == null ? null : entry.error;
  }

  @Override
  public List<Message> claim(int limit, Duration reserve) {
    return tables.transaction(now -> {
      List<Key> due =
          entries.entrySet().stream()
              .filter(e -> !e.getValue().due.isAfter(now))
              .sorted(Comparator.comparing(e -> e.getValue().due))
              .limit(limit)
              .map(e -> e.getKey())
              .toList();
      List<Message> messages = new ArrayList<>();
      for (Key key : due) {
        MemoryInstance row = tables.rows.get(key.instanceId());
        Entry entry = entries.remove(key);
        if (entry != null && row != null && row.isClaimable() && row.seq == key.seq()) {
          messages.add(message(key, entry, row));
          entries.put(
              key,
              new Entry(
                  entry.channel,
                  entry.state,
                  entry.retry,
                  entry.tries + 1,
                  now.plus(reserve),
                  entry.error));
        }
      }
      return messages;
    });
  }

  private static Message message(Key key, Entry entry, MemoryInstance row) {
    return new Message(
        key,
        entry.channel,
        new Instance(row.origin.type(), row.origin.version(), row.origin.businessKey()),
        entry.state,
        entry.retry,
        entry.tries);
  }

  @Override
  public Optional<Unsent> unsent(Key key) {
    return tables.transaction(now ->
        Optional.ofNullable(entries.get(key)).map(entry -> new Unsent(entry.channel, entry.error)));
  }

  @Override
  public void markSent(List<Key> keys) {
    tables.transaction(now -> {
      keys.forEach(entries::remove);
      return keys;
    });
  }

  @Override
  public void markFailed(List<Key> keys, String why, Duration again) {
    tables.transaction(now -> {
      for (Key key : keys) {
        entries.computeIfPresent(
            key,
            (k, e) ->
                new Entry(
                    e.channel,
                    e.state,
                    e.retry,
                    e.tries,
                    now.plus(again),
                    MemoryColumnTexts.reason(why)));
      }
      return keys;
    });
  }
}
