package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;

/**
 * Tests that the texts that are sent through every field and view in a real browser cover all
 * cases.
 */
class XssPayloadsTest {

  @Test
  void thereAreManyOfEveryKind() throws Exception {
    List<String> payloads;
    try (InputStream in =
        XssPayloadsTest.class.getResourceAsStream("/io/millrace/server/xss-payloads.json")) {
      payloads = SecurityFixture.JSON.readValue(in, new TypeReference<>() {});
    }

    assertThat(payloads).hasSizeGreaterThanOrEqualTo(60).doesNotHaveDuplicates();
    for (String kind :
        List.of(
            "<script",
            "onerror=",
            "<svg",
            "<template",
            "javascript:",
            "{{",
            "${",
            "](javascript:",
            "\u2028",
            "\u202e",
            "\"}",
            "=HYPERLINK",
            "@SUM",
            "data:text/html",
            "<style",
            "<base",
            "__proto__")) {
      assertThat(payloads).as(kind).anyMatch(p -> p.contains(kind));
    }
  }
}
