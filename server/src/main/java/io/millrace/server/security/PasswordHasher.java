package io.millrace.server.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A hash function for passwords that makes guessing them from the hash slow. */
final class PasswordHasher {

  static final int MIN = 12;
  static final int MAX_LENGTH = 200;

  private static final int ITERATIONS = 600_000;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BITS = 256;

  /** Characters of generated passwords, without those that are easily confused. */
  private static final String ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

  private static final Pattern STORED =
      Pattern.compile("pbkdf2-sha256\\$(\\d{1,8})\\$([A-Za-z0-9+/=]+)\\$([A-Za-z0-9+/=]+)");

  private final int iterations;
  private final KeyDerivation derivation;

  /**
   * Hash for the comparison if there is no such user, so that it takes the same time. It is random,
   * because deriving one would delay the start.
   */
  private final String nobody;

  PasswordHasher() {
    this(PasswordHasher::pbkdf2);
  }

  PasswordHasher(KeyDerivation derivation) {
    this(ITERATIONS, derivation);
  }

  /** Creates a hasher with fewer iterations, for tests of something else. */
  PasswordHasher(int iterations) {
    this(iterations, PasswordHasher::pbkdf2);
  }

  PasswordHasher(int iterations, KeyDerivation derivation) {
    this.iterations = iterations;
    this.derivation = derivation;
    this.nobody =
        stored(SecureTokens.randomBytes(SALT_BYTES), SecureTokens.randomBytes(HASH_BITS / 8));
  }

  /**
   * Returns the hash with everything that is needed to check it, even after the settings have
   * changed.
   */
  String hash(String password) {
    byte[] salt = SecureTokens.randomBytes(SALT_BYTES);
    return stored(salt, derivation.derive(password, salt, iterations));
  }

  private String stored(byte[] salt, byte[] hash) {
    Base64.Encoder base64 = Base64.getEncoder();
    return "pbkdf2-sha256$"
        + iterations
        + "$"
        + base64.encodeToString(salt)
        + "$"
        + base64.encodeToString(hash);
  }

  boolean matches(String password, String stored) {
    Matcher parts = STORED.matcher(stored);
    if (!parts.matches()) {
      return false;
    }
    Base64.Decoder base64 = Base64.getDecoder();
    byte[] given =
        derivation.derive(
            password, base64.decode(parts.group(2)), Integer.parseInt(parts.group(1)));
    return MessageDigest.isEqual(given, base64.decode(parts.group(3)));
  }

  /** Takes the same time as {@link #matches}. */
  void matchNobody(String password) {
    if (matches(password, nobody)) {
      throw new IllegalStateException("A random password was guessed");
    }
  }

  /** Returns about 99 random bits as four groups of characters that are easy to type. */
  static String generate() {
    return IntStream.range(0, 4)
        .mapToObj(group ->
            IntStream.range(0, 5)
                .mapToObj(i -> ALPHABET.charAt(SecureTokens.randomBelow(ALPHABET.length())))
                .map(String::valueOf)
                .collect(Collectors.joining()))
        .collect(Collectors.joining("-"));
  }

  private static byte[] pbkdf2(String password, byte[] salt, int iterations) {
    PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This JDK has no PBKDF2WithHmacSHA256", e);
    } finally {
      spec.clearPassword();
    }
  }
}
