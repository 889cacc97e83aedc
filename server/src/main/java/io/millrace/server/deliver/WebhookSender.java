package io.millrace.server.deliver;

import io.millrace.codec.Codec;
import io.millrace.jackson3.Jackson3Codec;
import io.millrace.server.security.OutboundClient;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A sender of JSON messages to webhooks. Thread-safe. */
public final class WebhookSender {

  /** The header with the time and the signature; see {@link #signature}. */
  public static final String SIGNATURE = "Millrace-Signature";

  /** The header with the id of a message, the same for every attempt to deliver it. */
  public static final String DELIVERY = "Millrace-Delivery";

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final OutboundClient outside;
  private final Codec codec = new Jackson3Codec();

  /**
   * @param outside client that sends the requests
   */
  public WebhookSender(OutboundClient outside) {
    this.outside = outside;
  }

  /**
   * A message.
   *
   * @param of its subject in error messages, such as {@code alert 'failures'}
   * @param body written as JSON
   * @param at time of creation; its whole seconds are part of the signature
   * @param delivery id that is the same for every attempt to deliver it
   */
  public record Message(String of, Object body, Instant at, String delivery) {}

  /**
   * Posts a message once.
   *
   * @param secret signs the body; null for no signature
   * @throws IOException if the status is not 2xx, or there is no response in time
   */
  public void post(URI url, @Nullable String secret, Message message) throws IOException {
    String body = codec.encode(message.body);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/json; charset=utf-8");
    headers.put("User-Agent", "Millrace");
    headers.put(DELIVERY, message.delivery);
    if (secret != null) {
      headers.put(SIGNATURE, signature(secret, message.at.getEpochSecond(), body));
    }
    OutboundClient.Response answer =
        outside.send(new OutboundClient.Request("POST", url, headers, body, LIMIT));
    if (answer.status() < 200 || answer.status() > 299) {
      throw new IOException(
          "The webhook of "
              + message.of
              + " at "
              + url.getHost()
              + " answered "
              + answer.status()
              + ", expected 200 to 299"
              + hint(answer));
    }
  }

  private static String hint(OutboundClient.Response answer) {
    @Nullable String location = answer.headers().get("location");
    return location == null ? "." : "; redirects are not followed, configure their target.";
  }

  /** Returns {@code t=SECONDS,v1=HEX}: HMAC-SHA256 of the seconds, a dot, and the body. */
  public static String signature(String secret, long seconds, String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      byte[] signed = mac.doFinal((seconds + "." + body).getBytes(StandardCharsets.UTF_8));
      return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This JVM has no HmacSHA256", e);
    }
  }
}
