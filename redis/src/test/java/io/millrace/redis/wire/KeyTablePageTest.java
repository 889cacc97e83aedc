package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that the documentation of operation lists the keys in the code, including those in scripts.
 */
class KeyTablePageTest {

  private static final Path PAGE = Path.of("../docs/redis-operations.md");
  private static final Path SCRIPTS = Path.of("src/main/resources/io/millrace/redis/wire");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /**
   * A Lua expression that appends a suffix to the prefix of a queue's keys; group 1 is the suffix.
   */
  private static final Pattern QUEUE_KEY =
      Pattern.compile("\\b(?:queue|next)Prefix \\.\\. '([a-z-]+:?)'");

  @Test
  void theTableHasTheKeysOfTheCode() throws Exception {
    Set<String> known = new TreeSet<>();
    addMillraceKeys(known);
    addProtocolKeys(known);
    addScriptKeys(known);
    assertThat(documented()).containsExactlyInAnyOrderElementsOf(known);
  }

  private static Set<String> documented() throws IOException {
    Set<String> keys = new TreeSet<>();
    String page = Files.readString(PAGE);
    page.substring(page.indexOf("\n## Keys\n"))
        .lines()
        .filter(line -> line.startsWith("| `"))
        .forEach(line -> {
          Matcher name = NAME.matcher(line.substring(0, line.indexOf(" | ")));
          while (name.find()) {
            keys.add(name.group(1));
          }
        });
    return keys;
  }

  /** Adds all keys but the prefix of a queue's keys, and the key with another kind of argument. */
  private static void addMillraceKeys(Set<String> known) throws ReflectiveOperationException {
    for (Method method : MillraceKeys.class.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers())
          && !Set.of("queue", "metadataOf").contains(method.getName())) {
        Object[] arguments =
            Stream.of(method.getParameters())
                .map(Parameter::getName)
                .map("<%s>"::formatted)
                .toArray();
        known.add((String) method.invoke(null, arguments));
      }
    }
  }

  private static void addProtocolKeys(Set<String> known) {
    known.add(ProtocolKeys.job("<flow>", "<id>"));
    known.add(ProtocolKeys.lookup("<flow>", "<field>", "<value>"));
    known.add(ProtocolKeys.lock("<queue>", "<id>"));
    known.add(ProtocolKeys.waiting("<queue>"));
    known.add(ProtocolKeys.processing("<queue>"));
  }

  private static void addScriptKeys(Set<String> known) throws IOException {
    try (Stream<Path> scripts = Files.list(SCRIPTS)) {
      for (Path script : scripts.toList()) {
        Matcher key = QUEUE_KEY.matcher(Files.readString(script));
        while (key.find()) {
          String rest = key.group(1);
          known.add(
              MillraceKeys.queue("<queue>")
                  + switch (rest) {
                    case "ends:" -> "ends:<worker>";
                    case "limit:" -> "limit:<value>";
                    default -> rest;
                  });
        }
      }
    }
  }
}
