package io.millrace.server.api;

import io.millrace.instance.Deed;
import io.millrace.store.AuditStore;
import org.jspecify.annotations.Nullable;

/**
 * Writes into the audit what was done to tasks, to workflows made of them and to channels, and has
 * those who look at them read again.
 */
final class Trail {

  private final Sources sources;

  Trail(Sources sources) {
    this.sources = sources;
  }

  /** Something was done to {@code target}. */
  void done(Deed deed, String action, String target) {
    done(deed, action, target, null, null);
  }

  /**
   * Something was done to {@code target}.
   *
   * @param instanceId the instance that was begun with it; null for none
   * @param detail a JSON object; null for none
   */
  void done(
      Deed deed, String action, String target, @Nullable Long instanceId, @Nullable String detail) {
    sources
        .operations()
        .audit(
            new AuditStore.Entry(deed.actor(), action, instanceId, target, deed.reason(), detail));
    sources.feed().sequences();
  }
}
