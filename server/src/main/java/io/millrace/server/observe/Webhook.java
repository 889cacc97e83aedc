package io.millrace.server.observe;

import io.millrace.codec.Codec;
import io.millrace.codec.JsonCodec;
import io.millrace.server.config.Observe;
import io.millrace.server.security.OutboundUrls;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Posts messages as JSON. Thread-safe. */
final class Webhook {

  /** When it was signed and the signature; see {@link #signature}. */
  static final String SIGNATURE = "Millrace-Signature";

  /** The same for every attempt to deliver one message. */
  static final String DELIVERY = "Millrace-Delivery";

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final OutboundUrls outside;
  private final Codec codec = new JsonCodec();

  Webhook(OutboundUrls outside) {
    this.outside = outside;
  }

  /**
   * Posts once.
   *
   * @throws IOException when the answer is not of the 2xx kind, or there is none in time
   */
  void post(Observe.Target target, URI url, AlertMessage message, String delivery)
      throws IOException {
    String body = codec.encode(message);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/json; charset=utf-8");
    headers.put("User-Agent", "Millrace");
    headers.put(DELIVERY, delivery);
    String secret = target.secret();
    if (secret != null) {
      headers.put(SIGNATURE, signature(secret, message.at().getEpochSecond(), body));
    }
    OutboundUrls.Response answer =
        outside.send(new OutboundUrls.Request("POST", url, headers, body, LIMIT));
    if (answer.status() < 200 || answer.status() > 299) {
      throw new IOException(
          "The webhook of alert '"
              + message.alert().rule()
              + "' at "
              + url.getHost()
              + " answered "
              + answer.status()
              + ", expected 200 to 299"
              + hint(answer));
    }
  }

  private static String hint(OutboundUrls.Response answer) {
    @Nullable String location = answer.headers().get("location");
    return location == null ? "." : "; redirects are not followed, configure their target.";
  }

  /** {@code t=SECONDS,v1=HEX}: HMAC-SHA256 of the seconds, a dot, and the body. */
  static String signature(String secret, long seconds, String body) {
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
