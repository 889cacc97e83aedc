package io.millrace.server.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import io.millrace.codec.SecretKeys;
import io.millrace.instance.TimeLimits;
import io.millrace.schedule.CronExpression;
import java.net.URI;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The type of a value.
 *
 * @param allowed completes "expected ..."
 * @param reading parses a value
 */
record ConfigType<T>(String allowed, Parser<T> reading) {

  /** A parser of one value; any runtime exception means that the value is not allowed. */
  interface Parser<T> {
    T read(ConfigValue value);
  }

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:%\\[\\]-]+");
  private static final Pattern CONTEXT = Pattern.compile("/|(/[A-Za-z0-9._~-]+)+");
  private static final Pattern MAIL = Pattern.compile("[^@\\s,<>]+@[^@\\s,<>]+");

  static ConfigType<String> anyText() {
    return texts("text", text -> true);
  }

  static ConfigType<String> text() {
    return texts("text that is not blank", text -> !text.isBlank());
  }

  /**
   * Returns the type of a password, with the same lengths as the passwords that users choose later.
   */
  static ConfigType<String> password() {
    return texts("12 to 200 characters", text -> text.length() >= 12 && text.length() <= 200);
  }

  static ConfigType<String> host() {
    return texts("a host name or an IP address", text -> HOST.matcher(text).matches());
  }

  static ConfigType<IpNetwork> network() {
    return new ConfigType<>(
        "an IP address or a network such as 10.0.0.0/8", value -> IpNetwork.parse(scalar(value)));
  }

  static ConfigType<String> contextPath() {
    return texts(
        "'/' or a path such as '/millrace', without a slash at its end",
        text -> CONTEXT.matcher(text).matches());
  }

  static ConfigType<String> jdbcUrl() {
    return texts(
        "a JDBC address beginning with jdbc:postgresql: or jdbc:h2:",
        text -> text.startsWith("jdbc:postgresql:") || text.startsWith("jdbc:h2:"));
  }

  static ConfigType<String> mailAddress() {
    return texts("a mail address", text -> MAIL.matcher(text).matches());
  }

  static ConfigType<QuietTime> quietTime() {
    return new ConfigType<>(
        "a time of the week such as 22:00-06:00, sun 01:00-05:30 or sat-sun 00:00-24:00",
        value -> QuietTime.parse(scalar(value)));
  }

  static ConfigType<ZoneId> zone() {
    return new ConfigType<>(
        "a time zone such as UTC or Europe/Berlin", value -> ZoneId.of(scalar(value)));
  }

  static ConfigType<LocalTime> timeOfDay() {
    return new ConfigType<>(
        "a time of the day such as 04:30", value -> LocalTime.parse(scalar(value)));
  }

  static ConfigType<CronExpression> cron() {
    return new ConfigType<>(
        "a cron of six or seven fields, seconds first, such as 0 */5 * * * ?",
        value -> CronExpression.parse(scalar(value)));
  }

  /** Returns the type of a key for secret variables. */
  static ConfigType<String> key() {
    return texts(
        "32 random bytes in base64, as 'openssl rand -base64 32' makes them",
        text -> Base64.getDecoder().decode(text).length == SecretKeys.LENGTH);
  }

  private static ConfigType<String> texts(String allowed, Predicate<String> valid) {
    return new ConfigType<>(
        allowed,
        value -> {
          String text = scalar(value);
          require(valid.test(text));
          return text;
        });
  }

  static ConfigType<URI> http() {
    return new ConfigType<>(
        "an address beginning with http:// or https://",
        value -> {
          URI uri = URI.create(scalar(value));
          require(uri.getHost() != null && List.of("http", "https").contains(uri.getScheme()));
          return uri;
        });
  }

  static ConfigType<URI> origin() {
    return new ConfigType<>(
        "an origin such as https://millrace.example.com, without a path",
        value -> {
          URI uri = http().reading.read(value);
          require(
              uri.getRawPath().isEmpty()
                  && uri.getRawQuery() == null
                  && uri.getRawFragment() == null
                  && uri.getRawUserInfo() == null);
          return uri;
        });
  }

  static ConfigType<Boolean> bool() {
    return new ConfigType<>(
        "true or false",
        value -> {
          String text = scalar(value);
          require(text.equals("true") || text.equals("false"));
          return text.equals("true");
        });
  }

  static ConfigType<Integer> number(int least, int most) {
    String allowed =
        most == Integer.MAX_VALUE
            ? "a whole number, " + least + " or more"
            : "a whole number from " + least + " to " + most;
    return new ConfigType<>(
        allowed,
        value -> {
          int number = Integer.parseInt(scalar(value));
          require(number >= least && number <= most);
          return number;
        });
  }

  static <E extends Enum<E>> ConfigType<E> choice(List<E> values) {
    List<String> names = values.stream().map(ConfigType::nameOf).toList();
    return new ConfigType<>(
        "one of " + String.join(", ", names),
        value -> {
          int index = names.indexOf(scalar(value));
          require(index >= 0);
          return values.get(index);
        });
  }

  /** Returns the type of a value that is one of these words. */
  static <T> ConfigType<T> word(Map<String, T> words) {
    return new ConfigType<>(
        "one of " + String.join(", ", new TreeSet<>(words.keySet())),
        value -> {
          T found = words.get(scalar(value));
          if (found == null) {
            throw new IllegalArgumentException();
          }
          return found;
        });
  }

  /** Returns the name of a constant in the file: {@code NO_EXECUTOR} is {@code noExecutor}. */
  static String nameOf(Enum<?> constant) {
    StringBuilder name = new StringBuilder();
    for (String word : constant.name().toLowerCase(Locale.ROOT).split("_", -1)) {
      name.append(
          name.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return name.toString();
  }

  /** Returns the type of a duration, which must have a unit. */
  static ConfigType<Duration> duration() {
    return new ConfigType<>(
        "a time with its unit, such as 500 ms, 10 s, 5 minutes, 2 h or 30 days, more than zero",
        value -> {
          String text = scalar(value);
          require(!text.matches("[0-9.]+"));
          Duration duration = text.startsWith("P") ? iso(text) : hocon(value);
          require(duration.isPositive());
          return TimeLimits.clamp(duration);
        });
  }

  private static Duration iso(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Duration hocon(ConfigValue value) {
    return value.atKey("value").getDuration("value");
  }

  static ConfigType<Integer> bytes(int least) {
    return new ConfigType<>(
        "a size in bytes such as 64 kB or 1 MB, "
            + least
            + " or more and at most 1 GiB (1 kB = 1000, 1 KiB = 1024)",
        value -> {
          require(value.valueType() != ConfigValueType.LIST);
          long bytes = value.atKey("value").getBytes("value");
          require(bytes >= least && bytes <= 1 << 30);
          return Math.toIntExact(bytes);
        });
  }

  /**
   * Returns the type of a list. Where the source only has text, as in a variable, commas separate
   * its parts.
   */
  static <T> ConfigType<List<T>> list(ConfigType<T> part) {
    return new ConfigType<>(
        "a list of " + part.allowed + " each",
        value -> {
          List<T> parts = new ArrayList<>();
          for (ConfigValue one : parts(value)) {
            parts.add(part.reading.read(one));
          }
          return List.copyOf(parts);
        });
  }

  private static List<ConfigValue> parts(ConfigValue value) {
    if (value instanceof ConfigList list) {
      return list;
    }
    return Arrays.stream(scalar(value).split(",", -1))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .map(ConfigValueFactory::fromAnyRef)
        .toList();
  }

  /** Parses {@code value}. */
  T read(ConfigValue value) {
    try {
      return reading.read(value);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static String scalar(ConfigValue value) {
    require(
        value.valueType() != ConfigValueType.LIST && value.valueType() != ConfigValueType.OBJECT);
    return String.valueOf(value.unwrapped()).strip();
  }

  private static void require(boolean valid) {
    if (!valid) {
      throw new IllegalArgumentException();
    }
  }
}
