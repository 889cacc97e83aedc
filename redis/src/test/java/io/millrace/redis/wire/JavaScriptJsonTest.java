package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.CodecException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JavaScriptJsonTest {

  private final JavaScriptJson texts = JavaScriptJson.standard();

  record Person(String name, int age, boolean active, Instant since, TimeUnit unit) {}

  @Test
  void fieldsOfARecordKeepTheOrderOfTheirDeclaration() {
    var person =
        new Person("Jo", 7, true, Instant.parse("2026-11-22T21:00:00.1234567Z"), TimeUnit.DAYS);

    String text = texts.write(person);

    assertThat(text)
        .isEqualTo(
            "{\"name\":\"Jo\",\"age\":7,\"active\":true,\"since\":\"2026-11-22T21:00:00.123Z\",\"unit\":\"DAYS\"}");
    assertThat(texts.read(text, Person.class))
        .isEqualTo(
            new Person("Jo", 7, true, Instant.parse("2026-11-22T21:00:00.123Z"), TimeUnit.DAYS));
  }

  @Test
  void timesAreInUtcWithMilliseconds() {
    String expected = "\"2026-11-22T21:00:00.000Z\"";
    assertThat(texts.write(Instant.parse("2026-11-22T21:00:00Z"))).isEqualTo(expected);
    assertThat(texts.write(OffsetDateTime.parse("2026-11-22T22:00:00+01:00"))).isEqualTo(expected);
    assertThat(texts.write(ZonedDateTime.parse("2026-11-22T22:00:00+01:00[Europe/Paris]")))
        .isEqualTo(expected);
    assertThat(texts.write(Date.from(Instant.parse("2026-11-22T21:00:00Z")))).isEqualTo(expected);
    assertThat(texts.write(List.of(Instant.EPOCH))).isEqualTo("[\"1970-01-01T00:00:00.000Z\"]");
    assertThat(texts.write(Instant.MAX)).isEqualTo("null");
  }

  @Test
  void numbersOfAllTypes() {
    assertThat(texts.write(0.1f)).isEqualTo("0.1");
    assertThat(texts.write((short) 3)).isEqualTo("3");
    assertThat(texts.write(new BigDecimal("1.10"))).isEqualTo("1.1");
    assertThat(texts.write(new BigDecimal("1E+30"))).isEqualTo("1e+30");
    assertThat(texts.write(new BigDecimal("0.00"))).isEqualTo("0");
    assertThat(texts.write(Float.NaN)).isEqualTo("null");
    assertThat(texts.write(Optional.of(1.0))).isEqualTo("1");
    assertThat(texts.write(Optional.empty())).isEqualTo("null");
    assertThat(texts.write('x')).isEqualTo("\"x\"");
  }

  @Test
  void javaKeepsTheDigitsThatJavaScriptDoesNot() {
    assertThat(texts.write(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
    assertThat(texts.read(texts.write(Long.MAX_VALUE), Long.class)).isEqualTo(Long.MAX_VALUE);
    BigInteger big = new BigInteger("12345678901234567890");
    assertThat(texts.read(texts.write(big), BigInteger.class)).isEqualTo(big);
    assertThat(JsNumber.isTooLong((1L << 53) + 1)).isTrue();
    assertThat(JsNumber.isTooLong((1L << 53) + 2)).isFalse();
    assertThat(JsNumber.isTooLong(Long.MAX_VALUE)).isTrue();
    assertThat(JsNumber.isTooLong(texts.read("12345678901234567890"))).isTrue();
    assertThat(JsNumber.isTooLong(texts.read("10000000000000000000"))).isFalse();
  }

  @Test
  void whatCannotBeWrittenIsNamed() {
    List<Object> itself = new ArrayList<>();
    itself.add(itself);
    assertThatThrownBy(() -> texts.writeAll(Map.of("loop", itself)))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith("Field 'loop': A value of java.util.ArrayList cannot be written");
    assertThatThrownBy(() -> texts.write(new Broken(List.of())))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("Broken cannot be written as JSON");
  }

  record Broken(List<String> names) {
    public String getFirst() {
      return names.getFirst();
    }
  }

  @Test
  void allFieldsInTheirOrderWithNull() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("z", null);
    fields.put("a", 1.0);
    assertThat(texts.writeAll(fields).sequencedEntrySet())
        .containsExactly(Map.entry("z", "null"), Map.entry("a", "1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "Joe", "'a'", "1 2", "undefined", "NaN", "{\"a\":}", "01"})
  void whatIsNoJsonIsAnError(String text) {
    assertThatThrownBy(() -> texts.read(text))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith("This is not JSON");
  }

  @Test
  void readsAsAType() {
    assertThat(texts.read("null", String.class)).isNull();
    assertThat(texts.read("62", Integer.class)).isEqualTo(62);
    assertThat(texts.convert(texts.read("[1,2]"), int[].class)).containsExactly(1, 2);
    assertThatThrownBy(() -> texts.read("\"x\"", Integer.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("java.lang.Integer");
  }

  @Test
  void jobsAreFoundByTextsAndNumbersAndTheElementsOfArrays() {
    assertThat(texts.lookups("Joe")).containsExactly("Joe");
    assertThat(texts.lookups(12.0)).containsExactly("12");
    assertThat(texts.lookups(Double.NaN)).containsExactly("NaN");
    assertThat(texts.lookups(Arrays.asList("a", 1.5, true, null, Map.of(), List.of(1, 2), "a")))
        .containsExactly("a", "1.5", "true", "null", "[object Object]", "1,2", "a");
    assertThat(texts.lookups(true)).isEmpty();
    assertThat(texts.lookups(null)).isEmpty();
    assertThat(texts.lookups(Map.of("a", 1))).isEmpty();
  }
}
