package io.millrace.tests.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jackson3.Jackson3Codec;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** A secret that is recognized in every form in which it may appear. */
record Canary(String value) {

  private static final Jackson3Codec CODEC = new Jackson3Codec();

  List<String> forms() {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    String json = CODEC.encode(value);
    return List.of(
        value,
        json.substring(1, json.length() - 1),
        URLEncoder.encode(value, StandardCharsets.UTF_8),
        Base64.getEncoder().withoutPadding().encodeToString(bytes),
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Returns all forms, joined as careless code would print them. */
  String everywhere() {
    return String.join(" | ", forms());
  }

  void assertAbsent(String where, String text) {
    for (String form : forms()) {
      assertThat(text.contains(form)).as("%s shows '%s'", where, form).isFalse();
    }
  }
}
