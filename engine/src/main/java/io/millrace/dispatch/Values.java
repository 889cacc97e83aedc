package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.codec.Vault;
import io.millrace.definition.Secrecy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Values as they are stored: JSON texts, sealed where a definition says so. The messages about
 * secret ones name them and never show them. Thread-safe.
 */
public final class Values {

  private static final String INPUT = "The secret input";
  private static final String INPUT_NAME = "$input";

  private final Codec codec;
  private final Vault vault;

  public Values(Codec codec, Vault vault) {
    this.codec = codec;
    this.vault = vault;
  }

  public Codec codec() {
    return codec;
  }

  boolean hasKey() {
    return vault.hasKey();
  }

  /** A variable as it is to be stored. */
  public String encode(Secrecy secrecy, String name, Object value) {
    return seal(secrecy, name, clear(secrecy, name, value));
  }

  /** A variable as JSON text, not sealed. */
  String clear(Secrecy secrecy, String name, Object value) {
    return secrecy.covers(name)
        ? written(secret(name), value)
        : CodecException.naming("Variable '" + name + "'", () -> codec.encode(value));
  }

  String seal(Secrecy secrecy, String name, String json) {
    return secrecy.covers(name) ? vault.seal(secret(name), name, json) : json;
  }

  /**
   * What was stored of a variable as JSON text; what was stored before it was secret is as it is.
   */
  String open(Secrecy secrecy, String name, String stored) {
    return secrecy.covers(name) && Vault.isSealed(stored)
        ? vault.open(secret(name), name, stored)
        : stored;
  }

  /** The value of a stored variable. */
  public <T> T decode(Secrecy secrecy, String name, String stored, Class<T> type) {
    return read(secrecy.covers(name), "variable '" + name + "'", open(secrecy, name, stored), type);
  }

  /** The input as it is to be stored. */
  @Nullable String sealInput(Secrecy secrecy, @Nullable String json) {
    return json == null || !secrecy.input() ? json : vault.seal(INPUT, INPUT_NAME, json);
  }

  /** The input as JSON text, not sealed; null for none. */
  @Nullable String clearInput(Secrecy secrecy, String workflow, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    return secrecy.input()
        ? written(INPUT, value)
        : CodecException.naming("The input of '" + workflow + "'", () -> codec.encode(value));
  }

  String openInput(Secrecy secrecy, String stored) {
    return secrecy.input() && Vault.isSealed(stored)
        ? vault.open(INPUT, INPUT_NAME, stored)
        : stored;
  }

  /** The value of a stored input. */
  public <T> T decodeInput(Secrecy secrecy, String stored, Class<T> type) {
    return read(secrecy.input(), "input", openInput(secrecy, stored), type);
  }

  <T> T read(boolean secret, String what, String json, Class<T> type) {
    if (!secret) {
      String plain = what.equals("input") ? "The input" : "V" + what.substring(1);
      return CodecException.naming(plain, () -> codec.decode(json, type));
    }
    try {
      return codec.decode(json, type);
    } catch (CodecException e) {
      throw withheld(
          "The secret " + what + " cannot be read as " + type.getName() + "; what it holds");
    }
  }

  private String written(String what, Object value) {
    try {
      return codec.encode(value);
    } catch (CodecException e) {
      throw withheld(
          what + " cannot be written as JSON within the limits of size and depth; the reason");
    }
  }

  /** Without cause: that could tell the value. */
  private static CodecException withheld(String message) {
    return new CodecException(message + " is withheld.", null);
  }

  /**
   * What a repeated start with secrets is known by: keyed, so that nobody can guess them by it;
   * empty when nothing is secret.
   */
  List<String> fingerprints(
      Secrecy secrecy, @Nullable String clearInput, Map<String, String> clearVariables) {
    if (!secrecy.any()) {
      return List.of();
    }
    StringBuilder text = new StringBuilder().append(clearInput).append('\n');
    new TreeMap<>(clearVariables)
        .forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return vault.fingerprints("The payload of a start", text.toString());
  }

  private static String secret(String name) {
    return "The secret variable '" + name + "'";
  }
}
