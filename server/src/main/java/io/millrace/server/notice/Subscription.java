package io.millrace.server.notice;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to maintenance messages.
 *
 * @param mail a mail address; null for a webhook
 * @param webhook null for mail
 * @param affected the parts to be notified about; empty for everything
 * @param by the operator who created it; null if the owner of the address subscribed
 */
public record Subscription(
    @Nullable String mail, @Nullable URI webhook, List<String> affected, @Nullable String by) {

  public Subscription {
    affected = List.copyOf(affected);
    if ((mail == null) == (webhook == null)) {
      throw new IllegalArgumentException("A subscription has a mail address or a webhook");
    }
  }

  /** Returns the address, which identifies a subscription. */
  String address() {
    return mail == null ? String.valueOf(webhook) : mail;
  }
}
