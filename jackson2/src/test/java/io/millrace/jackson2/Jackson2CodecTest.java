package io.millrace.jackson2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.codec.CodecException;
import io.millrace.codec.JsonLimits;
import io.millrace.codec.TypeRef;
import io.millrace.continuous.Tick;
import java.io.File;
import java.lang.reflect.Constructor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Jackson2CodecTest {

  enum Size {
    SMALL,
    LARGE
  }

  record Item(String name, int count, BigDecimal price, Size size, Optional<String> note) {}

  record Order(UUID id, Instant at, LocalDate day, Duration limit, List<Item> items) {}

  private final Jackson2Codec codec = new Jackson2Codec();

  static Stream<Object> values() {
    Item item = new Item("ä", 1, new BigDecimal("1.10"), Size.LARGE, Optional.of("n"));
    return Stream.of(
        "",
        "text with \"quotes\" and \\ and \n",
        "ünïcödé 日本 😀",
        "NUL \0 inside",
        0,
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        0.1,
        Double.MAX_VALUE,
        true,
        'c',
        new BigDecimal("12345678901234567890.000000000000000001"),
        BigInteger.TWO.pow(500),
        Size.SMALL,
        Instant.parse("2026-01-05T08:00:00.123456789Z"),
        LocalDate.of(2026, 2, 28),
        Duration.ofSeconds(5, 7),
        UUID.fromString("00000000-0000-0001-0000-000000000002"),
        item,
        new Order(
            new UUID(1, 2), Instant.EPOCH, LocalDate.EPOCH, Duration.ZERO, List.of(item, item)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void whatIsWrittenIsReadBack(Object value) {
    Object read = codec.decode(codec.encode(value), value.getClass());
    assertThat(read).isEqualTo(value);
  }

  @Test
  void anythingThatIsWrittenCanBeReadBackHoweverLong() {
    BigInteger number = BigInteger.TEN.pow(2_000);
    assertThat(codec.decode(codec.encode(number), BigInteger.class)).isEqualTo(number);
    Map<String, Integer> longName = Map.of("x".repeat(100_000), 1);
    assertThat(codec.decode(codec.encode(longName), Object.class)).isEqualTo(longName);
  }

  @Test
  void timesAreIsoText() {
    assertThat(codec.encode(Instant.parse("2026-01-05T08:00:00Z")))
        .isEqualTo("\"2026-01-05T08:00:00Z\"");
    assertThat(codec.encode(Duration.ofMinutes(90))).isEqualTo("\"PT1H30M\"");
  }

  @Test
  void mapsAreWrittenInTheOrderOfTheirKeys() {
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("b", 1);
    map.put("a", 2);
    assertThat(codec.encode(map)).isEqualTo("{\"a\":2,\"b\":1}");
  }

  @Test
  void unknownFieldsAreIgnoredSoThatTypesCanShrink() {
    assertThat(codec.decode("{\"maxBytes\":1,\"maxDepth\":2,\"new\":3}", JsonLimits.class))
        .isEqualTo(new JsonLimits(1, 2));
  }

  @Test
  void typesWithArgumentsAreRead() {
    List<Item> items = List.of(new Item("a", 1, BigDecimal.ONE, Size.SMALL, Optional.empty()));
    assertThat(codec.decode(codec.encode(items), new TypeRef<List<Item>>() {})).isEqualTo(items);
    assertThat(codec.decode("{\"k\":[1]}", new TypeRef<Map<String, List<Long>>>() {}))
        .isEqualTo(Map.of("k", List.of(1L)));
    assertThatThrownBy(() -> codec.decode("[{}, 1]", new TypeRef<List<Item>>() {}))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("java.util.List<" + Item.class.getName() + ">");
  }

  @Test
  void theEventsOfTimeTriggersHaveTheNamesThatPeopleKnow() {
    String at = "2026-03-02T05:00:00Z";
    Tick tick =
        new Tick(
            Instant.parse(at), LocalDateTime.parse("2026-03-02T05:00"), "mine", at, at, 1, false);
    assertThat(codec.encode(tick))
        .isEqualTo(
            """
            {"scheduledTimeUtc":"2026-03-02T05:00:00Z","scheduledTimeLocal":"2026-03-02T05:00:00",\
            "triggerKey":"mine","fireId":"2026-03-02T05:00:00Z","periodKey":"2026-03-02T05:00:00Z",\
            "attempt":1,"misfired":false}\
            """);
  }

  @Test
  void theMapperOfAnApplicationKeepsItsRules() {
    JsonMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
            .build();
    Jackson2Codec own = new Jackson2Codec(mapper);
    assertThat(own.encode(new JsonLimits(1, 2))).isEqualTo("{\"MaxBytes\":1,\"MaxDepth\":2}");
    assertThat(own.decode("{\"MaxBytes\":1,\"MaxDepth\":2}", JsonLimits.class))
        .isEqualTo(new JsonLimits(1, 2));
    assertThatThrownBy(() -> own.encode("x".repeat(1 << 20))).hasMessageContaining("at most");
  }

  @Test
  void itsProviderMakesIt() {
    assertThat(new Jackson2CodecProvider().create()).isInstanceOf(Jackson2Codec.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jsr310", "jdk8"})
  void aMissingModuleIsNamed(String module) throws Exception {
    try (URLClassLoader without =
        new URLClassLoader(classPathWithout(module), ClassLoader.getPlatformClassLoader())) {
      Constructor<?> constructor =
          without.loadClass(Jackson2Codec.class.getName()).getConstructor();
      assertThatThrownBy(constructor::newInstance)
          .rootCause()
          .isInstanceOf(ClassNotFoundException.class);
      assertThatThrownBy(constructor::newInstance)
          .cause()
          .hasMessageContainingAll(
              "com.fasterxml.jackson.datatype:jackson-datatype-" + module,
              "in the version of jackson-databind");
    }
  }

  private static URL[] classPathWithout(String module) throws Exception {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<URL> urls = new ArrayList<>();
    for (String entry : all.split(File.pathSeparator, -1)) {
      if (!entry.contains(module)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return urls.toArray(URL[]::new);
  }

  @Test
  void theSizeLimitIsInclusive() {
    Jackson2Codec small = new Jackson2Codec(new JsonLimits(10, 64));
    assertThat(small.encode("x".repeat(8))).hasSize(10);
    assertThatThrownBy(() -> small.encode("x".repeat(9)))
        .isInstanceOf(CodecException.class)
        .hasMessageContainingAll("java.lang.String", "11 bytes", "at most 10", "reference");
  }

  @Test
  void theSizeIsCountedInBytes() {
    Jackson2Codec small = new Jackson2Codec(new JsonLimits(10, 64));
    assertThat(small.encode("ä".repeat(4))).hasSize(6);
    assertThatThrownBy(() -> small.encode("ä".repeat(5))).hasMessageContaining("12 bytes");
    assertThatThrownBy(() -> small.encode("日".repeat(3))).hasMessageContaining("11 bytes");
  }

  @Test
  void theDefaultLimitIsOneMebibyte() {
    assertThat(codec.encode("x".repeat((1 << 20) - 2))).hasSize(1 << 20);
    assertThatThrownBy(() -> codec.encode("x".repeat((1 << 20) - 1)))
        .isInstanceOf(CodecException.class);
  }

  private static Object nested(int depth) {
    Object value = 1;
    for (int i = 0; i < depth; i++) {
      value = i % 2 == 0 ? List.of(value) : Map.of("k", value);
    }
    return value;
  }

  @Test
  void sixtyFourLevelsAreWrittenAndRead() {
    Object deep = nested(64);
    assertThat(codec.decode(codec.encode(deep), Object.class)).isEqualTo(deep);
  }

  @Test
  void sixtyFiveLevelsAreNotWritten() {
    assertThatThrownBy(() -> codec.encode(nested(65)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("64 levels");
  }

  @Test
  void sixtyFiveLevelsAreNotRead() {
    assertThatThrownBy(() -> codec.decode("[".repeat(65) + "]".repeat(65), Object.class))
        .isInstanceOf(CodecException.class);
  }

  static final class Cyclic {
    public Cyclic self = this;
  }

  @Test
  void aValueThatContainsItselfIsRefused() {
    assertThatThrownBy(() -> codec.encode(new Cyclic()))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("Cyclic");
  }

  static final class Broken {
    @SuppressWarnings("DoNotCallSuggester")
    public String getName() {
      throw new IllegalStateException("broken getter");
    }
  }

  @Test
  void aValueWhoseGetterThrowsIsRefused() {
    assertThatThrownBy(() -> codec.encode(new Broken()))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("Broken");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "nonsense", "\"open", "1 2", "{\"a\":}", "[1,]"})
  void whatIsNoJsonIsRefused(String text) {
    assertThatThrownBy(() -> codec.decode(text, Object.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("java.lang.Object");
  }

  @Test
  void whatDoesNotFitTheTypeIsRefused() {
    assertThatThrownBy(() -> codec.decode("\"text\"", Integer.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("java.lang.Integer");
    assertThatThrownBy(() -> codec.decode("[1]", JsonLimits.class))
        .isInstanceOf(CodecException.class);
  }

  @Test
  void noClassNameInTheTextIsEverObeyed() {
    String text = "{\"@class\":\"java.util.Date\",\"a\":[\"java.util.Date\",1]}";
    assertThat(codec.decode(text, Object.class))
        .isEqualTo(Map.of("@class", "java.util.Date", "a", List.of("java.util.Date", 1)));
  }

  static Stream<Object> halves() {
    return Stream.of(
        "A-\uD83D",
        "\uDE00",
        'c' + "\uDE00\uD83D",
        List.of(Map.of("k", List.of("ok", "x\uD83D"))),
        Map.of("n\uD83D", 1),
        new Item("\uDE00", 1, BigDecimal.ONE, Size.SMALL, Optional.empty()),
        com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.textNode("\uD83Dx"));
  }

  @ParameterizedTest
  @MethodSource("halves")
  void halfOfASurrogatePairIsRefusedWhereverItIs(Object value) {
    assertThatThrownBy(() -> codec.encode(value))
        .isInstanceOf(CodecException.class)
        .hasMessageContainingAll(value.getClass().getName(), "half of a surrogate pair");
  }
}
