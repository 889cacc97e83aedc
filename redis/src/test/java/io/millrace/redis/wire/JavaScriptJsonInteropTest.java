package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that compare the texts with those of Node.js itself. Both sides get the same seeded values.
 * They are passed to Node.js in a neutral form: the bits of numbers and the units of strings in
 * hexadecimal.
 */
class JavaScriptJsonInteropTest {

  private static final int VALUES = 4_000;

  /**
   * Program that reads a value per line, and writes its stored text and its text in a lookup key.
   */
  private static final String NODE =
      """
      const build = (v) => {
        const view = new DataView(new ArrayBuffer(8));
        const text = (hex) => String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((h) => parseInt(h, 16)));
        switch (v[0]) {
          case "null": return null;
          case "bool": return v[1];
          case "num": view.setBigUint64(0, BigInt("0x" + v[1])); return view.getFloat64(0);
          case "str": return text(v[1]);
          case "date": return new Date(v[1]);
          case "arr": return v[1].map(build);
          case "obj": return Object.fromEntries(v[1].map(([k, e]) => [text(k), build(e)]));
        }
      };
      const ascii = (s) => Array.from({ length: s.length }, (_, i) => s.charCodeAt(i).toString(16).padStart(4, "0")).join("");
      require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const value = build(JSON.parse(line));
        const shown = Buffer.from(String(value), "utf8").toString("utf8");
        console.log(ascii(JSON.stringify(value)) + " " + ascii(shown));
      });
      """;

  private final JavaScriptJson texts = JavaScriptJson.standard();
  private final Random random = new Random(20261122);

  @Test
  void textsAreThoseOfNode() throws Exception {
    List<Object> values = new ArrayList<>(edges());
    while (values.size() < VALUES) {
      values.add(any(3));
    }
    List<String> fromNode =
        askNode(
            values.stream().map(JavaScriptJsonInteropTest::neutral).collect(Collectors.toList()));

    assertThat(fromNode).hasSameSizeAs(values);
    for (int i = 0; i < values.size(); i++) {
      String[] parts = fromNode.get(i).split(" ", -1);
      Object value = values.get(i);
      assertThat(texts.write(value)).as("value %s", i).isEqualTo(text(parts[0]));
      if (!hasDate(value)) {
        assertThat(texts.lookup(value)).as("value %s", i).isEqualTo(text(parts[1]));
      }
      if (!hasHalfName(value)) {
        assertThat(texts.write(texts.read(texts.write(value)))).isEqualTo(texts.write(value));
      }
    }
  }

  /**
   * True for dates. Their text in a lookup key depends on the time zone of the machine in Node.js.
   */
  private static boolean hasDate(@Nullable Object value) {
    return switch (value) {
      case Instant time -> true;
      case List<?> list -> list.stream().anyMatch(JavaScriptJsonInteropTest::hasDate);
      case null, default -> false;
    };
  }

  /** True for half a surrogate pair in the name of a property, which Jackson does not read. */
  private static boolean hasHalfName(@Nullable Object value) {
    return switch (value) {
      case List<?> list -> list.stream().anyMatch(JavaScriptJsonInteropTest::hasHalfName);
      case Map<?, ?> map ->
          map.entrySet().stream()
              .anyMatch(e ->
                  !StandardCharsets.UTF_16.newEncoder().canEncode((String) e.getKey())
                      || hasHalfName(e.getValue()));
      case null, default -> false;
    };
  }

  private static List<Object> edges() {
    List<Object> all = new ArrayList<>();
    for (double number :
        new double[] {
          0,
          -0.0,
          1,
          -1,
          1.0,
          12.5,
          0.1,
          1e20,
          1e21,
          1.5e21,
          123456789012345680000d,
          1e-6,
          1e-7,
          1.5e-7,
          Double.MIN_VALUE,
          1.7976931348623157e308,
          9007199254740991d,
          9007199254740992d,
          4.35,
          2e-323,
          1e23,
          9.5e-7,
          100,
          1e2,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Double.MIN_NORMAL,
          0.000001234,
          1 / 3d,
          2e22,
          1.0e22
        }) {
      all.add(number);
    }
    all.addAll(
        List.of(
            "",
            "Joe",
            "\"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028\uFEFF",
            "\uD83D\uDE00",
            "\uD83D",
            "\uDE00x"));
    all.addAll(List.of(true, false, 1, 62, -3, Integer.MIN_VALUE, 1L << 53, List.of(), Map.of()));
    all.add(Instant.parse("2026-11-22T21:00:00Z"));
    all.add(Instant.ofEpochMilli(-62_167_219_200_001L));
    all.add(Instant.ofEpochMilli(253_402_300_800_000L));
    return all;
  }

  private @Nullable Object any(int depth) {
    return switch (random.nextInt(depth == 0 ? 7 : 9)) {
      case 0 -> Double.longBitsToDouble(random.nextLong());
      case 1 -> random.nextInt(-2_000_000, 2_000_000) / Math.pow(10, random.nextInt(9));
      case 2 -> (long) Math.scalb(random.nextDouble() - 0.5, random.nextInt(54));
      case 3, 4 -> anyText();
      case 5 -> random.nextInt(3) == 0 ? null : (Object) random.nextBoolean();
      case 6 -> Instant.ofEpochMilli((long) Math.scalb(random.nextDouble() - 0.5, 53));
      case 7 -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(any(depth - 1));
        }
        yield list;
      }
      default -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          map.put(
              random.nextInt(3) == 0 ? Integer.toString(random.nextInt(30)) : anyText(),
              any(depth - 1));
        }
        yield map;
      }
    };
  }

  private String anyText() {
    int[] kinds = {0x20, 0x80, 0x800, 0x10000};
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.append((char) random.nextInt(kinds[random.nextInt(4)]));
      if (random.nextInt(6) == 0) {
        text.appendCodePoint(random.nextInt(0x10000, 0x110000));
      }
    }
    return text.toString();
  }

  private static String neutral(@Nullable Object value) {
    return switch (value) {
      case null -> "[\"null\"]";
      case Boolean truth -> "[\"bool\"," + truth + "]";
      case Number number ->
          "[\"num\",\"%016x\"]".formatted(Double.doubleToRawLongBits(number.doubleValue()));
      case String text -> "[\"str\",\"" + hex(text) + "\"]";
      case Instant time -> "[\"date\"," + time.toEpochMilli() + "]";
      case List<?> list ->
          list.stream()
              .map(JavaScriptJsonInteropTest::neutral)
              .collect(Collectors.joining(",", "[\"arr\",[", "]]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(e -> "[\"" + hex((String) e.getKey()) + "\"," + neutral(e.getValue()) + "]")
              .collect(Collectors.joining(",", "[\"obj\",[", "]]"));
      default -> throw new IllegalArgumentException(value.toString());
    };
  }

  private static String hex(String text) {
    return text.chars().mapToObj("%04x"::formatted).collect(Collectors.joining());
  }

  private static String text(String hex) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < hex.length(); i += 4) {
      text.append((char) Integer.parseInt(hex, i, i + 4, 16));
    }
    return text.toString();
  }

  private static List<String> askNode(List<String> lines) throws Exception {
    Process node =
        new ProcessBuilder("node", "-e", NODE)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              try (BufferedWriter out = node.outputWriter(StandardCharsets.US_ASCII)) {
                for (String line : lines) {
                  out.write(line + "\n");
                }
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    List<String> answers = node.inputReader(StandardCharsets.US_ASCII).lines().toList();
    writer.join();
    assertThat(node.waitFor()).isZero();
    return answers;
  }
}
