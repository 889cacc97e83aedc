package io.millrace.dispatch;

import io.millrace.instance.InboxMessage;
import io.millrace.store.InstanceStore;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The unconsumed messages of a leased instance. The oldest are in memory; if there are more,
 * signals are looked up in the store by their name.
 */
final class Inbox {

  private final List<InboxMessage> page;
  private final boolean complete;

  /** Names of signals that were found in the store. */
  private final Set<String> found = ConcurrentHashMap.newKeySet();

  private Inbox(List<InboxMessage> page, boolean complete) {
    this.page = List.copyOf(page);
    this.complete = complete;
  }

  /**
   * Creates an inbox.
   *
   * @param unconsumed how many messages there are
   */
  static Inbox of(List<InboxMessage> page, int unconsumed) {
    return new Inbox(page, page.size() >= unconsumed);
  }

  /** Returns the inbox without the consumed messages. */
  Inbox without(Collection<Long> consumed) {
    Set<Long> used = new HashSet<>(consumed);
    return new Inbox(
        page.stream().filter(message -> !used.contains(message.id())).toList(), complete);
  }

  /** Returns true if there are unconsumed messages that are not in memory. */
  boolean isBehind(int unconsumed) {
    return page.size() < unconsumed;
  }

  /** Returns the oldest request to pause. */
  Optional<InboxMessage> pause() {
    return page.stream().filter(message -> message.kind() == InboxMessage.Kind.PAUSE).findFirst();
  }

  /** Returns the ids of the requests, which any following transition consumes. */
  List<Long> requests() {
    return page.stream()
        .filter(message -> message.kind() != InboxMessage.Kind.SIGNAL)
        .map(InboxMessage::id)
        .toList();
  }

  /**
   * Returns the oldest signal of this name.
   *
   * @throws io.millrace.store.StoreException if the store must be read and does not answer
   */
  Optional<InboxMessage> oldest(String name, long instanceId, InstanceStore store) {
    Optional<InboxMessage> first = oldestLoaded(name);
    return first.isPresent() || complete ? first : remembered(store.oldestSignal(instanceId, name));
  }

  /** Returns the oldest signal of this name that is in memory. */
  Optional<InboxMessage> oldestLoaded(String name) {
    return page.stream().filter(message -> isSignal(message, name)).findFirst();
  }

  /** Remembers that the store has a signal of this name. */
  Optional<InboxMessage> remembered(Optional<InboxMessage> signal) {
    signal.ifPresent(message -> found.add(message.name()));
    return signal;
  }

  /**
   * Returns true if a signal of this name is known to exist.
   *
   * @param consumed ids of signals that do not count; null if all count
   */
  boolean has(String name, @Nullable Set<Long> consumed) {
    return (consumed == null && found.contains(name))
        || page.stream()
            .anyMatch(message ->
                isSignal(message, name) && (consumed == null || !consumed.contains(message.id())));
  }

  private static boolean isSignal(InboxMessage message, String name) {
    return message.kind() == InboxMessage.Kind.SIGNAL && message.name().equals(name);
  }
}
