package io.millrace.jackson2;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.CodecDiscovery;
import io.millrace.codec.TypeRef;
import io.millrace.jackson3.Jackson3Codec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.GregorianCalendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An application can change from one Jackson to the other: both write the same texts. */
@SuppressWarnings("JavaUtilDate") // old classes are written as well
class SameJsonTest {

  enum Size {
    SMALL,
    LARGE
  }

  enum Shown {
    ONE;

    @Override
    public String toString() {
      return "one";
    }
  }

  record Item(
      String name,
      int count,
      @Nullable BigDecimal price,
      Size size,
      Optional<String> note,
      @Nullable Item part) {}

  record Box<T>(T content, Map<String, List<T>> byName) {}

  record Flags(boolean isNew, Boolean active, char letter, byte small, short middle, float real) {}

  record Times(
      Instant zulu,
      LocalDate date,
      LocalTime clock,
      LocalDateTime local,
      OffsetDateTime offset,
      Duration length) {}

  record Empty() {}

  /** A class with accessors whose order in the JSON is not that of their declaration. */
  public static class Bean {
    private String zebra = "z";
    private int apple = 1;
    private @Nullable String nothing;
    private boolean ready = true;
    public final List<String> fields = List.of("f");

    public String getZebra() {
      return zebra;
    }

    public void setZebra(String zebra) {
      this.zebra = zebra;
    }

    public int getApple() {
      return apple;
    }

    public void setApple(int apple) {
      this.apple = apple;
    }

    public @Nullable String getNothing() {
      return nothing;
    }

    public void setNothing(@Nullable String nothing) {
      this.nothing = nothing;
    }

    public boolean isReady() {
      return ready;
    }

    public void setReady(boolean ready) {
      this.ready = ready;
    }

    public String getURL() {
      return "u";
    }
  }

  private final Jackson2Codec second = new Jackson2Codec();
  private final Jackson3Codec third = new Jackson3Codec();

  private static final Item ITEM =
      new Item("ä\"\\/\u0001\u007f\u2028😀<>&'", 1, null, Size.LARGE, Optional.of("n"), null);

  static Stream<Object> values() {
    Map<String, Object> unsorted = new LinkedHashMap<>();
    unsorted.put("b", 1);
    unsorted.put("a", Arrays.asList(1, null, "x"));
    unsorted.put("null", null);
    unsorted.put("", Map.of());
    Map<Size, Integer> byEnum = new EnumMap<>(Size.class);
    byEnum.put(Size.LARGE, 2);
    byEnum.put(Size.SMALL, 1);
    Map<Object, Object> keys = new LinkedHashMap<>();
    keys.put(20, "int");
    keys.put(3, "int");
    Instant at = Instant.parse("2026-01-05T08:00:00.120Z");
    return Stream.of(
        "text",
        ITEM,
        new Item("x", -1, new BigDecimal("1.10"), Size.SMALL, Optional.empty(), ITEM),
        new Box<>(ITEM, Map.of("k", List.of(ITEM))),
        new Box<>(List.of(1L), Map.of()),
        new Flags(true, false, 'c', (byte) 1, (short) 2, 1.1f),
        new Times(
            at,
            LocalDate.EPOCH,
            LocalTime.NOON,
            LocalDateTime.of(2026, 1, 5, 8, 0),
            OffsetDateTime.parse("2026-01-05T08:00:00+02:00"),
            Duration.ofSeconds(90, 5)),
        new Empty(),
        new Bean(),
        unsorted,
        byEnum,
        keys,
        Map.of(Shown.ONE, 1),
        Map.of(LocalDate.EPOCH, 1),
        Map.of(at, 1),
        Map.of(new UUID(1, 2), 1),
        Map.of(true, 1),
        Shown.ONE,
        Size.SMALL,
        List.of(),
        Set.of(1),
        new int[] {1, 2},
        new String[][] {{"a"}, {}},
        "bytes".getBytes(StandardCharsets.UTF_8),
        new char[] {'a', 'b'},
        Optional.of(1),
        Optional.empty(),
        OptionalInt.of(1),
        OptionalLong.empty(),
        new AtomicInteger(1),
        new AtomicReference<>("x"),
        at,
        Instant.EPOCH,
        Instant.parse("2026-01-05T08:00:00.123456789Z"),
        Instant.parse("-0001-01-05T08:00:00Z"),
        Instant.parse("+12345-01-05T08:00:00Z"),
        LocalTime.of(3, 0),
        LocalTime.of(3, 0, 1, 5),
        LocalDateTime.of(2026, 1, 5, 8, 0),
        LocalDateTime.of(2026, 1, 5, 8, 0, 7, 1000),
        OffsetDateTime.parse("2026-01-05T08:00:00Z"),
        OffsetDateTime.parse("2026-01-05T08:00:00.5-03:30"),
        OffsetTime.parse("08:00:00+01:00"),
        ZonedDateTime.of(2026, 7, 5, 8, 0, 0, 0, ZoneId.of("Europe/Berlin")),
        ZonedDateTime.of(2026, 7, 5, 8, 0, 0, 0, ZoneOffset.UTC),
        Duration.ZERO,
        Duration.ofMillis(-1),
        Period.ofDays(3),
        Year.of(2026),
        YearMonth.of(2026, 2),
        MonthDay.of(2, 28),
        Month.MAY,
        DayOfWeek.MONDAY,
        ZoneId.of("Europe/Berlin"),
        ZoneOffset.ofHours(2),
        new Date(1_767_600_000_123L),
        TimeZone.getTimeZone("Europe/Berlin"),
        Locale.GERMANY,
        Locale.ROOT,
        Locale.forLanguageTag("zh-Hans-CN"),
        Map.of(Month.MAY, 1),
        Map.of(Year.of(2026), 1),
        Map.of(new Date(1_767_600_000_123L), 1),
        Year.of(-5),
        new Date(-62_198_755_200_000L),
        new GregorianCalendar(2026, 0, 5),
        Currency.getInstance("EUR"),
        URI.create("https://example.com/a?b=c"),
        Pattern.compile("a+"),
        UUID.fromString("00000000-0000-0001-0000-000000000002"),
        String.class,
        0,
        Long.MIN_VALUE,
        0.1,
        1e21,
        1e-7,
        -0.0,
        2.0E-3,
        Double.MAX_VALUE,
        Double.MIN_VALUE,
        Double.NaN,
        1.0f,
        3.4e38f,
        new BigDecimal("1.10"),
        new BigDecimal("1E+2"),
        new BigDecimal("1E-20"),
        new BigDecimal("12345678901234567890.000000000000000001"),
        BigInteger.TWO.pow(200),
        true,
        'c');
  }

  @ParameterizedTest
  @MethodSource("values")
  void bothWriteTheSame(Object value) {
    assertThat(second.encode(value)).isEqualTo(third.encode(value));
  }

  static final List<Object> READ =
      List.of(
          ITEM,
          new Item("x", -1, new BigDecimal("1.10"), Size.SMALL, Optional.empty(), ITEM),
          Shown.ONE,
          new Flags(true, false, 'c', (byte) 1, (short) 2, 1.1f),
          Instant.parse("2026-01-05T08:00:00.123456789Z"),
          LocalTime.of(3, 0),
          OffsetDateTime.parse("2026-01-05T08:00:00Z"),
          Duration.ofMillis(-1),
          new BigDecimal("1E+2"),
          new Date(1_767_600_000_123L),
          Month.DECEMBER,
          Year.of(2026),
          Locale.GERMANY,
          new Empty());

  @ParameterizedTest
  @FieldSource("READ")
  void eachReadsWhatTheOtherWrites(Object value) {
    assertThat((Object) second.decode(third.encode(value), value.getClass())).isEqualTo(value);
    assertThat((Object) third.decode(second.encode(value), value.getClass())).isEqualTo(value);
  }

  @Test
  void bothReadTypesWithArguments() {
    TypeRef<Box<Item>> type = new TypeRef<>() {};
    Box<Item> box = new Box<>(ITEM, Map.of("k", List.of(ITEM)));
    assertThat(second.decode(third.encode(box), type)).isEqualTo(box);
    assertThat(third.decode(second.encode(box), type)).isEqualTo(box);
  }

  static Stream<String> untypedTexts() {
    return Stream.of(
        "{\"a\":[1,2.5,1e3,12345678901,123456789012345678901234567890,null,true]}",
        "\"text\"",
        "1.10",
        "[[],{}]");
  }

  @ParameterizedTest
  @MethodSource("untypedTexts")
  void bothReadTheSameWithoutAType(String json) {
    Object read = third.decode(json, Object.class);
    assertThat(second.decode(json, Object.class)).isEqualTo(read);
    List<Object> classes = new ArrayList<>();
    List<Object> others = new ArrayList<>();
    if (read instanceof Map<?, ?> map && map.get("a") instanceof List<?> list) {
      list.forEach(one -> classes.add(one == null ? "null" : one.getClass()));
      ((List<?>) ((Map<?, ?>) second.decode(json, Object.class)).get("a"))
          .forEach(one -> others.add(one == null ? "null" : one.getClass()));
    }
    assertThat(others).isEqualTo(classes);
  }

  @Test
  void ofTwoOnTheClassPathTheNewerIsUsed() {
    assertThat(CodecDiscovery.find()).isInstanceOf(Jackson3Codec.class);
  }
}
