package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A redactor that removes the secrets an attempt has seen from the texts it leaves behind: reasons,
 * errors, progress. It is a safety net below careful handlers: it knows the values in plain, JSON,
 * URL and base64 form. Thread-safe.
 */
final class Redactor {

  static final String MASK = "***";

  /** Minimum length of a secret: shorter texts are part of too many others. */
  private static final int MIN = 4;

  private final Codec codec;
  private final Set<String> forms =
      new TreeSet<>(
          Comparator.comparingInt(String::length)
              .reversed()
              .thenComparing(Comparator.naturalOrder()));

  Redactor(Codec codec) {
    this.codec = codec;
  }

  /** Remembers a secret value. */
  synchronized void addSecret(String json) {
    add(json);
    try {
      leaves(codec.decode(json, Object.class));
    } catch (CodecException e) {
      // not JSON: the text itself is remembered
    }
  }

  private void leaves(@Nullable Object value) {
    switch (value) {
      case null -> {}
      case Map<?, ?> map -> map.values().forEach(this::leaves);
      case Collection<?> list -> list.forEach(this::leaves);
      case Boolean truth -> {}
      default -> forms(value.toString());
    }
  }

  private void forms(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    String json = codec.encode(text);
    add(text);
    add(json.length() > 2 ? json.substring(1, json.length() - 1) : json);
    String url = URLEncoder.encode(text, StandardCharsets.UTF_8);
    add(url);
    add(url.replace("+", "%20"));
    add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
    add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  private void add(String form) {
    if (form.length() >= MIN) {
      forms.add(form);
    }
  }

  synchronized boolean knowsNothing() {
    return forms.isEmpty();
  }

  synchronized String clean(String text) {
    String cleaned = text;
    for (String form : forms) {
      cleaned = cleaned.replace(form, MASK);
    }
    return cleaned;
  }

  /** Returns the throwable of a handler, or a replacement without the secrets. */
  Throwable clean(Throwable failure) {
    if (knowsNothing()) {
      return failure;
    }
    List<Throwable> chain = new ArrayList<>();
    for (Throwable one = failure;
        one != null && !chain.contains(one) && chain.size() < 20;
        one = one.getCause()) {
      chain.add(one);
    }
    String all = ThrowableFormatter.fullText(failure);
    return all.equals(clean(all)) ? failure : standIn(chain);
  }

  private Throwable standIn(List<Throwable> chain) {
    RedactedFailure result = null;
    for (Throwable one : chain.reversed()) {
      result = new RedactedFailure(clean(ThrowableFormatter.fullSummary(one)), one, result);
    }
    return result == null ? new RedactedFailure(MASK, null, null) : result;
  }
}
