package io.millrace.jackson3;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.CodecException;
import io.millrace.codec.PlainJson;
import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The engine writes and reads its own documents as Jackson does. */
class EngineDocumentsTest {

  private static final String CHARACTERS = "{}[]:,\"\\/ \n\tbnrtfu0123456789aeEx.+-é\u0001😀";

  private static final Pattern ESCAPED = Pattern.compile("\\\\(u00[01][0-9A-Fa-f])");

  private final JsonMapper jackson =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  enum Mode {
    FAST
  }

  record Input(String name, @Nullable Long count, Mode mode) {}

  @Test
  void aDefinitionIsTheSameText() {
    WorkflowDefinition definition =
        WorkflowDefinition.of("flow")
            .description("Flows \"on\" – ü.")
            .start("begin", ctx -> Next.done("x"))
            .await("wait", "sig", Duration.ofMinutes(2), (ctx, s) -> Next.done("x"))
            .manual("desk")
            .end("end")
            .permit("begin", "wait", "desk", "end")
            .onFailure("begin", "desk")
            .timeout("begin", Duration.ofSeconds(9))
            .input(Input.class)
            .secret("card")
            .build();
    DefinitionDocument document = DefinitionDocument.of(definition);
    assertThat(document.json()).isEqualTo(new Jackson3Codec().encode(document));
    assertThat(DefinitionDocument.parse(document.json())).isEqualTo(document);
  }

  /** Random texts, most of which are slightly wrong. The seed is fixed. */
  @Test
  void randomTextsAreReadOrRefusedAsByJackson() {
    Random random = new Random(7);
    int valid = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      value(random, 0, text);
      for (int changes = random.nextInt(3); changes > 0 && !text.isEmpty(); changes--) {
        int at = random.nextInt(text.length());
        text.setCharAt(at, CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
      }
      String own = own(text.toString());
      assertThat(own).as(text.toString()).isEqualTo(byJackson(text.toString(), own));
      valid += own == null ? 0 : 1;
    }
    assertThat(valid).isBetween(5_000, 19_000);
  }

  private static @Nullable String own(String text) {
    try {
      return lower(PlainJson.write(PlainJson.parse(text)));
    } catch (CodecException e) {
      return null;
    }
  }

  /** Returns the text by Jackson; null if it is invalid or only Jackson takes half a pair. */
  private @Nullable String byJackson(String text, @Nullable String own) {
    try {
      String written = jackson.readTree(text).toString();
      boolean half = written.chars().anyMatch(c -> Character.isSurrogate((char) c));
      return written.isEmpty() || (half && own == null) ? null : lower(written);
    } catch (JacksonException | NumberFormatException e) {
      return null;
    }
  }

  /** Returns the text with small digits in escapes. Jackson writes them in capitals. */
  private static String lower(String json) {
    return ESCAPED
        .matcher(json)
        .replaceAll(found -> "\\\\" + found.group(1).toLowerCase(Locale.ROOT));
  }

  private static void value(Random random, int depth, StringBuilder out) {
    switch (random.nextInt(depth > 3 ? 5 : 8)) {
      case 0 -> out.append(random.nextBoolean() ? "true" : "null");
      case 1 -> out.append(random.nextLong() >> random.nextInt(64));
      case 2 -> out.append(random.nextInt(100)).append(".").append(random.nextInt(1000));
      case 3 ->
          out.append("-").append(random.nextInt(9)).append("E").append(random.nextInt(40) - 20);
      case 4 -> text(random, out);
      case 5, 6 -> {
        out.append('[');
        for (int i = random.nextInt(4); i > 0; i--) {
          value(random, depth + 1, out);
          out.append(i > 1 ? ", " : "");
        }
        out.append(']');
      }
      default -> {
        out.append('{');
        for (int i = random.nextInt(4); i > 0; i--) {
          text(random, out);
          out.append(" : ");
          value(random, depth + 1, out);
          out.append(i > 1 ? "," : "");
        }
        out.append('}');
      }
    }
  }

  private static void text(Random random, StringBuilder out) {
    String[] parts = {
      "a", "é", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\uD83D\\uDE00", " ", "\\u001f"
    };
    out.append('"');
    for (int i = random.nextInt(4); i > 0; i--) {
      out.append(parts[random.nextInt(parts.length)]);
    }
    out.append('"');
  }
}
