package io.millrace.server.notice;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tokens and keyed hashes of subscriptions. They are computed from a key that no instance
 * holds, so that the data of a stored subscription is not enough to confirm or end it. Thread-safe.
 */
public final class SubscriptionTokens {

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /** Creates the tokens for a key, which must be the same on all nodes. */
  public SubscriptionTokens(String key) {
    this.key = new SecretKeySpec(bytes(key), ALGORITHM);
  }

  /** Returns the token that confirms and ends a subscription. */
  String token(long subscriptionId, Subscription subscription) {
    return mac("token|" + subscriptionId + "|" + subscription.address());
  }

  /** Returns a hash that is the same for all spellings of an address that differ only in case. */
  String addressKey(Subscription subscription) {
    return mac("address|" + subscription.address().toLowerCase(Locale.ROOT));
  }

  /**
   * Returns a hash that is the same for all addresses of one mailbox: without the tag, ignoring
   * case.
   */
  String mailboxKey(String mail) {
    String address = mail.toLowerCase(Locale.ROOT);
    int at = address.lastIndexOf('@');
    int tag = address.indexOf('+');
    String mailbox =
        tag > 0 && tag < at ? address.substring(0, tag) + address.substring(at) : address;
    return mac("mailbox|" + mailbox);
  }

  private String mac(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(bytes(text)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This JVM has no " + ALGORITHM, e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
