package io.millrace.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals JSON texts with AES-256-GCM and opens them again. A sealed text is itself JSON: <code>
 * {"$secret":"keyId:base64"}</code>, with nonce, cipher text and tag in the base64 part. It can be
 * opened only under the name it was sealed for. Messages never show a value. Thread-safe.
 */
public final class SecretCipher {

  /** A cipher without a key, which can neither encrypt nor decrypt. */
  public static final SecretCipher NONE = new SecretCipher(null);

  private static final Pattern SEALED =
      Pattern.compile("\\{\"\\$secret\":\"([A-Za-z0-9._-]{1,40}):([A-Za-z0-9+/]+={0,2})\"}");

  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final String MAC = "HmacSHA256";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  /** Not the engine's random source, which a test may seed: a repeated nonce reveals the values. */
  private final SecureRandom random = new SecureRandom();

  private final @Nullable SecretKeys keys;

  public SecretCipher(@Nullable SecretKeys keys) {
    this.keys = keys;
  }

  /** Returns true if there is a key. */
  public boolean hasKey() {
    return keys != null;
  }

  /** Returns true if the text has the form of a sealed one. */
  public static boolean isSealed(String json) {
    return json.startsWith("{\"$secret\":") && SEALED.matcher(json).matches();
  }

  /**
   * Returns the sealed form of {@code json}, which differs each time.
   *
   * @param what for messages, for example "Secret variable 'card'"
   * @param name the only name under which the text can be opened
   */
  public String seal(String what, String name, String json) {
    SecretKeys present = required(what);
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] text =
          cipher(Cipher.ENCRYPT_MODE, key(present, present.active()), nonce, name)
              .doFinal(json.getBytes(StandardCharsets.UTF_8));
      byte[] all = ByteBuffer.allocate(nonce.length + text.length).put(nonce).put(text).array();
      return "{\"$secret\":\""
          + present.active()
          + ":"
          + Base64.getEncoder().encodeToString(all)
          + "\"}";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(what + " could not be sealed", e);
    }
  }

  /**
   * Decrypts a value.
   *
   * @throws CodecException if its key is missing, or the value was not sealed under this name
   */
  public String open(String what, String name, String sealed) {
    Matcher parts = SEALED.matcher(sealed);
    if (!parts.matches()) {
      throw new CodecException(
          what + " is not stored in sealed form, expected {\"$secret\":\"keyId:base64\"}.", null);
    }
    SecretKeys present = required(what);
    String id = parts.group(1);
    if (!present.ids().contains(id)) {
      throw new CodecException(
          what
              + " was sealed with key '"
              + id
              + "', which this engine does not have; it has "
              + present.ids()
              + ". Add that key for reading.",
          null);
    }
    try {
      byte[] all = Base64.getDecoder().decode(parts.group(2));
      byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
      byte[] text =
          cipher(Cipher.DECRYPT_MODE, key(present, id), nonce, name)
              .doFinal(
                  all, Math.min(NONCE_BYTES, all.length), Math.max(0, all.length - NONCE_BYTES));
      return new String(text, StandardCharsets.UTF_8);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new CodecException(
          what
              + " cannot be opened with key '"
              + id
              + "': it was sealed with another key of that name or for another variable, or the stored text was changed.",
          null);
    }
  }

  /**
   * Returns a keyed hash of {@code text} for each key, the active key's first. Without the key the
   * text cannot be guessed from it.
   */
  public List<String> keyedHashes(String what, String text) {
    SecretKeys present = required(what);
    List<String> all = new ArrayList<>();
    all.add(keyedHash(key(present, present.active()), text));
    present.ids().stream()
        .filter(id -> !id.equals(present.active()))
        .forEach(id -> all.add(keyedHash(key(present, id), text)));
    return all;
  }

  /** Returns the hash under a separate key that is derived from {@code key}. */
  private static String keyedHash(SecretKey key, String text) {
    byte[] own = mac(key, "millrace payload fingerprint");
    return HexFormat.of().formatHex(mac(new SecretKeySpec(own, MAC), text));
  }

  private static byte[] mac(SecretKey key, String text) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java runtime has " + MAC, e);
    }
  }

  private static Cipher cipher(int mode, SecretKey key, byte[] nonce, String name)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private static SecretKey key(SecretKeys keys, String id) {
    SecretKey key = keys.keys().get(id);
    if (key == null) {
      throw new IllegalStateException("no key '" + id + "'");
    }
    return key;
  }

  private SecretKeys required(String what) {
    if (keys == null) {
      throw new CodecException(
          what
              + " is secret, but this engine has no key for secrets: call secretKey(SecretKeys.of(id, key)) on its"
              + " builder.",
          null);
    }
    return keys;
  }
}
