package io.millrace.server.notice;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who wants to be told of maintenance.
 *
 * @param mail an address; null for a webhook
 * @param webhook null for mail
 * @param affected what it shall be about; empty for everything
 * @param by who has made it; null for a stranger who subscribes their own address
 */
public record Subscription(
    @Nullable String mail, @Nullable URI webhook, List<String> affected, @Nullable String by) {

  public Subscription {
    affected = List.copyOf(affected);
    if ((mail == null) == (webhook == null)) {
      throw new IllegalArgumentException("A subscription has a mail address or a webhook");
    }
  }

  /** The address, by which a subscription is found again. */
  String address() {
    return mail == null ? String.valueOf(webhook) : mail;
  }
}
