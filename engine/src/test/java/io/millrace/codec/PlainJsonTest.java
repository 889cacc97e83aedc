package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainJsonTest {

  static Stream<Arguments> validTexts() {
    return Stream.of(
        Arguments.of("null", null),
        Arguments.of("true", true),
        Arguments.of(" \t\r\n false \n", false),
        Arguments.of("0", 0),
        Arguments.of("-0", 0),
        Arguments.of("2147483647", Integer.MAX_VALUE),
        Arguments.of("-2147483649", -2147483649L),
        Arguments.of("9223372036854775807", Long.MAX_VALUE),
        Arguments.of("-9223372036854775808", Long.MIN_VALUE),
        Arguments.of("9223372036854775808", new BigInteger("9223372036854775808")),
        Arguments.of("1.50", new BigDecimal("1.50")),
        Arguments.of("-0.0", new BigDecimal("0.0")),
        Arguments.of("1e2", new BigDecimal("1E+2")),
        Arguments.of("1E-2", new BigDecimal("0.01")),
        Arguments.of("0e+1", new BigDecimal("0E+1")),
        Arguments.of(
            "123456789012345678901234567890.000000000000000000001",
            new BigDecimal("123456789012345678901234567890.000000000000000000001")),
        Arguments.of("\"\"", ""),
        Arguments.of("\"a b\"", "a b"),
        Arguments.of("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"),
        Arguments.of("\"\\u0000\\u001f\\u00E9\\uabCd\"", "\0\u001fé\uabcd"),
        Arguments.of("\"x\\uD83D\\uDE00y\"", "x😀y"),
        Arguments.of("\"x😀\\n😀\"", "x😀\n😀"),
        Arguments.of("\"\u007f\u2028\uffff\"", "\u007f\u2028\uffff"),
        Arguments.of("[]", List.of()),
        Arguments.of("[ ]", List.of()),
        Arguments.of("[1, [2], []]", List.of(1, List.of(2), List.of())),
        Arguments.of("[null]", Arrays.asList((Object) null)),
        Arguments.of("{}", Map.of()),
        Arguments.of("{ }", Map.of()),
        Arguments.of("{\"\":0}", Map.of("", 0)),
        Arguments.of("{\"a\":1,\"a\":2}", Map.of("a", 2)),
        Arguments.of("{\"a\" : {\"b\":[true]} }", Map.of("a", Map.of("b", List.of(true)))));
  }

  @ParameterizedTest
  @MethodSource("validTexts")
  void whatIsJsonIsRead(String text, @Nullable Object value) {
    assertThat(PlainJson.parse(text)).isEqualTo(value);
    assertThat(PlainJson.parse(PlainJson.write(value))).isEqualTo(value);
  }

  static Stream<Arguments> invalidTexts() {
    return Stream.of(
        Arguments.of("", "line 1, column 1: the end of the text, expected a value"),
        Arguments.of("  ", "column 3: the end of the text, expected a value"),
        Arguments.of("\uFEFF1", "column 1: the character U+FEFF, expected a value"),
        Arguments.of("nul", "column 1: 'n', expected a value"),
        Arguments.of("True", "'T', expected a value"),
        Arguments.of("nulls", "column 5: 's', expected the end of the text"),
        Arguments.of("1 2", "column 3: '2', expected the end"),
        Arguments.of("NaN", "'N', expected a value"),
        Arguments.of("-Infinity", "column 2: 'I', expected a digit"),
        Arguments.of("+1", "'+', expected a value"),
        Arguments.of("-", "the end of the text, expected a digit"),
        Arguments.of("01", "column 2: '1', expected the end"),
        Arguments.of("-01", "column 3: '1', expected the end"),
        Arguments.of(".5", "'.', expected a value"),
        Arguments.of("1.", "the end of the text, expected a digit"),
        Arguments.of("1.e1", "'e', expected a digit"),
        Arguments.of("1e", "expected a digit"),
        Arguments.of("1e+", "expected a digit"),
        Arguments.of("0x1", "'x', expected the end"),
        Arguments.of("1e99999999999", "column 1: a number whose exponent is too large"),
        Arguments.of("1".repeat(1001), "a number of more than 1000 characters"),
        Arguments.of("１", "the character U+FF11, expected a value"),
        Arguments.of("'a'", "''', expected a value"),
        Arguments.of("\"", "the end of the text, expected the end of the string"),
        Arguments.of("\"a\\", "column 3: an unknown escape"),
        Arguments.of("\"a\nb\"", "column 3: the character U+000A, expected the end of the string"),
        Arguments.of(
            "\"\\\"\t\"", "column 4: the character U+0009, expected the end of the string"),
        Arguments.of("\"\\a\"", "column 2: an unknown escape"),
        Arguments.of("\"\\u12\"", "column 2: an escape without four hexadecimal digits"),
        Arguments.of("\"\\u00١0\"", "an escape without four hexadecimal digits"),
        Arguments.of("\"\\uD83D\"", "column 8: half of a surrogate pair"),
        Arguments.of("\"\\uDE00\"", "column 2: half of a surrogate pair"),
        Arguments.of("\"\\uD83D\\uD83D\\uDE00\"", "column 8: half of a surrogate pair"),
        Arguments.of("\"\uD83D\"", "half of a surrogate pair"),
        Arguments.of("\"\uDE00x\"", "half of a surrogate pair"),
        Arguments.of("{\"\\uD83D\":1}", "half of a surrogate pair"),
        Arguments.of("[", "the end of the text, expected a value"),
        Arguments.of("]", "']', expected a value"),
        Arguments.of("[1", "the end of the text, expected ',' or ']'"),
        Arguments.of("[1 2]", "'2', expected ',' or ']'"),
        Arguments.of("[1,]", "column 4: ']', expected a value"),
        Arguments.of("[,1]", "',', expected a value"),
        Arguments.of("[1}", "'}', expected ',' or ']'"),
        Arguments.of("[1]]", "']', expected the end of the text"),
        Arguments.of("[1,\n 2,\n x]", "line 3, column 2: 'x', expected a value"),
        Arguments.of("// c\n1", "'/', expected a value"),
        Arguments.of("[1/**/]", "'/', expected ',' or ']'"),
        Arguments.of("[1\u00a0]", "the character U+00A0, expected ',' or ']'"),
        Arguments.of("{", "the end of the text, expected a name in quotes"),
        Arguments.of("{a:1}", "'a', expected a name in quotes"),
        Arguments.of("{1:1}", "'1', expected a name in quotes"),
        Arguments.of("{\"a\"}", "'}', expected ':' after the name"),
        Arguments.of("{\"a\" 1}", "'1', expected ':' after the name"),
        Arguments.of("{\"a\":}", "'}', expected a value"),
        Arguments.of("{\"a\":1,}", "'}', expected a name in quotes"),
        Arguments.of("{\"a\":1 \"b\":2}", "expected ',' or '}'"),
        Arguments.of("{\"a\":1", "the end of the text, expected ',' or '}'"),
        Arguments.of("{\"a\":1]", "']', expected ',' or '}'"));
  }

  @ParameterizedTest
  @MethodSource("invalidTexts")
  void whatIsNoJsonIsRefusedWithItsPosition(String text, String message) {
    assertThatThrownBy(() -> PlainJson.parse(text))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith("Invalid JSON at line ")
        .hasMessageContaining(message);
  }

  @Test
  void membersStayInTheirOrder() {
    String text = "{\"b\":1,\"a\":{\"d\":[1.50,1E+2,-7],\"c\":null},\"\":\"\"}";
    assertThat(PlainJson.write(PlainJson.parse(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"k\":"})
  void theDepthIsLimited(String opening) {
    String closing = opening.equals("[") ? "]" : "}";
    String deepest = opening.repeat(64) + "1" + closing.repeat(64);
    Object value = PlainJson.parse(deepest);
    assertThat(PlainJson.write(value)).isEqualTo(deepest);

    String tooDeep = opening + deepest + closing;
    assertThatThrownBy(() -> PlainJson.parse(tooDeep))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("more than 64 levels");
    assertThatThrownBy(() -> PlainJson.write(List.of(value)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("at most 64 levels");
    assertThat(PlainJson.parse("[" + "[[]],".repeat(100) + "1]")).isNotNull();
  }

  @Test
  void theSizeIsLimitedInBytes() {
    JsonLimits small = new JsonLimits(10, 2);
    assertThat(PlainJson.parse(PlainJson.write("ä".repeat(4), small), small)).isEqualTo("ääää");
    assertThatThrownBy(() -> PlainJson.parse("\"" + "ä".repeat(5) + "\"", small))
        .hasMessageContaining("12 bytes, expected at most 10");
    assertThatThrownBy(() -> PlainJson.write("ä".repeat(5), small))
        .hasMessageContainingAll("12 bytes", "at most 10");
  }

  @Test
  void aLongNumberWithAnExponentCostsNothing() {
    assertThat(PlainJson.write(PlainJson.parse("[1e999999999,1e-999999999]")))
        .isEqualTo("[1E+999999999,1E-999999999]");
  }

  @Test
  void onlyWhatJsonForbidsIsEscaped() {
    assertThat(PlainJson.quote("\"\\/\b\f\n\r\t\0\u001f\u007f'<é😀"))
        .isEqualTo("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f'<é😀\"");
  }

  @Test
  void halvesOfPairsAreNotWritten() {
    assertThatThrownBy(() -> PlainJson.write(Map.of("k", List.of("x\uD83D"))))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("half of a surrogate pair");
  }

  @ParameterizedTest
  @MethodSource
  void otherObjectsAreNotWritten(Object value) {
    assertThatThrownBy(() -> PlainJson.write(List.of(value)))
        .isInstanceOf(CodecException.class)
        .hasMessageContainingAll(value.getClass().getName(), "no plain JSON value");
  }

  static Stream<Object> otherObjectsAreNotWritten() {
    return Stream.of(new Object(), Optional.empty(), Double.NaN, Double.NEGATIVE_INFINITY);
  }

  @Test
  void allNumbersAreWrittenInFull() {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("int", -1);
    numbers.put("long", Long.MIN_VALUE);
    numbers.put("double", 0.1);
    numbers.put("big", BigInteger.TEN.pow(20));
    numbers.put("decimal", new BigDecimal("1.10"));
    assertThat(PlainJson.write(numbers))
        .isEqualTo(
            "{\"int\":-1,\"long\":-9223372036854775808,\"double\":0.1,"
                + "\"big\":100000000000000000000,\"decimal\":1.10}");
  }
}
