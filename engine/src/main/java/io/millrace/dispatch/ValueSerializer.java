package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.codec.SecretCipher;
import io.millrace.codec.TypeRef;
import io.millrace.definition.SecretFields;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A serializer of values into their stored form: JSON texts, sealed where a definition requires it.
 * Messages about secret values name them and never show them. Thread-safe.
 */
public final class ValueSerializer {

  private static final String INPUT = "The secret input";
  private static final String INPUT_NAME = "$input";

  private final Codec codec;
  private final SecretCipher secretCipher;

  public ValueSerializer(Codec codec, SecretCipher secretCipher) {
    this.codec = codec;
    this.secretCipher = secretCipher;
  }

  public Codec codec() {
    return codec;
  }

  boolean hasKey() {
    return secretCipher.hasKey();
  }

  /** Returns the stored form of a variable. */
  public String encode(SecretFields secrets, String name, Object value) {
    return seal(secrets, name, encodePlain(secrets, name, value));
  }

  /** Returns a variable as JSON text, not sealed. */
  String encodePlain(SecretFields secrets, String name, Object value) {
    return secrets.covers(name)
        ? written(secret(name), value)
        : CodecException.naming("Variable '" + name + "'", () -> codec.encode(value));
  }

  String seal(SecretFields secrets, String name, String json) {
    return secrets.covers(name) ? secretCipher.seal(secret(name), name, json) : json;
  }

  /** Returns the JSON text of a variable, decrypted if it was stored as secret. */
  String open(SecretFields secrets, String name, String stored) {
    return secrets.covers(name) && SecretCipher.isSealed(stored)
        ? secretCipher.open(secret(name), name, stored)
        : stored;
  }

  /** Returns the value of a stored variable. */
  public <T> T decode(SecretFields secrets, String name, String stored, TypeRef<T> type) {
    return read(secrets.covers(name), "variable '" + name + "'", open(secrets, name, stored), type);
  }

  /** Returns the stored form of the input. */
  @Nullable String sealInput(SecretFields secrets, @Nullable String json) {
    return json == null || !secrets.input() ? json : secretCipher.seal(INPUT, INPUT_NAME, json);
  }

  /** Returns the input as JSON text, not sealed; null for none. */
  @Nullable String clearInput(SecretFields secrets, String workflow, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    return secrets.input()
        ? written(INPUT, value)
        : CodecException.naming("The input of '" + workflow + "'", () -> codec.encode(value));
  }

  String openInput(SecretFields secrets, String stored) {
    return secrets.input() && SecretCipher.isSealed(stored)
        ? secretCipher.open(INPUT, INPUT_NAME, stored)
        : stored;
  }

  /** Returns the value of a stored input. */
  public <T> T decodeInput(SecretFields secrets, String stored, TypeRef<T> type) {
    return read(secrets.input(), "input", openInput(secrets, stored), type);
  }

  <T> T read(boolean secret, String what, String json, TypeRef<T> type) {
    if (!secret) {
      String plain = what.equals("input") ? "The input" : "V" + what.substring(1);
      return CodecException.naming(plain, () -> codec.decode(json, type));
    }
    try {
      return codec.decode(json, type);
    } catch (CodecException e) {
      throw withheld("The secret " + what + " cannot be read as " + type + "; what it holds");
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

  /** Returns an exception without a cause, whose message could show the value. */
  private static CodecException withheld(String message) {
    return new CodecException(message + " is withheld.", null);
  }

  /** Returns keyed hashes that identify a repeated start with secrets; empty without secrets. */
  List<String> payloadHashes(
      SecretFields secrets, @Nullable String clearInput, Map<String, String> clearVariables) {
    if (!secrets.any()) {
      return List.of();
    }
    StringBuilder text = new StringBuilder().append(clearInput).append('\n');
    new TreeMap<>(clearVariables)
        .forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return secretCipher.keyedHashes("The payload of a start", text.toString());
  }

  private static String secret(String name) {
    return "The secret variable '" + name + "'";
  }
}
