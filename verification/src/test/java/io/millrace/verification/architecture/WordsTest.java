package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Code, pages and messages use one name for each thing, and each doc comment begins with what the
 * thing is or does.
 */
class WordsTest {

  /** Names that things had once. */
  private static final String NAMES =
      "[Dd]eeds?|deed[A-Z]\\w*|[Ss]hall|[Aa]new|[Tt]enures?|[Ee]rrands?|[Bb]rood|[Dd]oorbell"
          + "|[Ff]irings?|lanes?|[Ww]ish(?:es)?|[Aa]lways-on|alwaysOn\\w*|always_on|(?:MOST|LONGEST|SHORTEST|FEW)(?:_[A-Z_]+)?";

  /** Pronouns where a person or a machine should be named, also within a word. */
  private static final String PRONOUNS = "[Ss]omebody|[Ww]hoever";

  private static final Pattern PRONOUN = Pattern.compile(PRONOUNS);

  /** The names alone, since most texts have no pronoun and each word takes long to search. */
  private static final Pattern RETIRED_NAME =
      Pattern.compile("\\b(?=[AaBbDdEeFfLlMSsTtWw])(?:" + NAMES + ")\\b");

  private static final Pattern RETIRED =
      Pattern.compile("\\b(?:" + NAMES + "|\\w*(?:" + PRONOUNS + ")\\w*)\\b");

  private static final Set<String> KINDS =
      Set.of(
          "java", "md", "ts", "tsx", "mjs", "yaml", "lua", "html", "tla", "conf", "sql", "css",
          "sh");

  private static final Pattern DOC_COMMENT = Pattern.compile("(?s)/\\*\\*[\\s*]+(?!/)(.*?)\\*/");

  /** A relative clause or a half sentence, which leaves open what the thing is. */
  private static final Pattern RIDDLE =
      Pattern.compile(
          "(What|How|Who|Whoever|Whose|Whom|Which|Whichever|Whatever|Those|That|Whether|One that|One who"
              + "|One whose|One of which|Nobody|Somebody|Someone|Anybody|Nothing|Something|Some that|It|They"
              + "|Such|As|Of|On|By|In which|To whom|From which|For whom|Where|When|Why|Since when"
              + "|Until when|At which)\\b");

  @TempDir private Path folder;

  @Test
  void retiredNamesDoNotOccur() {
    assertThat(retired(JavaSources.top())).isEmpty();
  }

  @Test
  void docCommentsBeginWithWhatTheThingIsOrDoes() {
    assertThat(riddles(JavaSources.top())).isEmpty();
  }

  @Test
  void aRetiredNameIsSeenInEveryKindOfFile() throws IOException {
    Files.writeString(folder.resolve("A.java"), "class A {\n  int MOST_NAMED, deedOf;\n}\n");
    Files.writeString(folder.resolve("b.md"), "Indeed, millrace_always_on.\nThe /always-on route.");
    Files.writeString(
        folder.resolve("c.ts"), "// Somebody, or somebody's.\ntest(whoever, forSomebodyElse);");
    Files.writeString(folder.resolve("d.sql"), "WITH lane AS (SELECT 1) SELECT wish FROM lane2");
    Files.createDirectory(folder.resolve("target"));
    Files.writeString(folder.resolve("target/c.md"), "A deed.");

    assertThat(retired(folder))
        .containsExactly(
            "A.java:2: MOST_NAMED",
            "A.java:2: deedOf",
            "b.md:2: always-on",
            "c.ts:1: Somebody",
            "c.ts:1: somebody",
            "c.ts:2: whoever",
            "c.ts:2: forSomebodyElse",
            "d.sql:1: lane",
            "d.sql:1: wish");
  }

  @Test
  void aRiddleIsSeen() throws IOException {
    Files.writeString(
        folder.resolve("A.java"),
        """
        /** Whoever owns it. */
        class A {
          /**
           * What was seen.
           *
           * @return it
           */
          int seen;

          /** Whole numbers; what follows is free. */
          int number;
        }
        """);

    assertThat(riddles(folder))
        .containsExactly("A.java:1: Whoever owns it.", "A.java:3: What was seen.");
  }

  private static List<String> retired(Path top) {
    List<String> faults = new ArrayList<>();
    TextFiles.below(top, KINDS)
        .texts(path -> !path.endsWith("/WordsTest.java"))
        .forEach((path, text) -> {
          boolean pronouns = PRONOUN.matcher(text).find();
          Matcher word = (pronouns ? RETIRED : RETIRED_NAME).matcher(text);
          while (word.find()) {
            faults.add(path + ":" + TextFiles.line(text, word.start()) + ": " + word.group());
          }
        });
    return faults;
  }

  private static List<String> riddles(Path top) {
    List<String> faults = new ArrayList<>();
    TextFiles.below(top, Set.of("java", "ts", "tsx"))
        // The types of the HTTP interface are generated.
        .texts(path -> !path.endsWith("/WordsTest.java") && !path.endsWith("/schema.ts"))
        .forEach((path, text) -> {
          Matcher comment = DOC_COMMENT.matcher(text);
          while (comment.find()) {
            String sentence = comment.group(1).lines().findFirst().orElse("").strip();
            if (RIDDLE.matcher(sentence).lookingAt()) {
              faults.add(path + ":" + TextFiles.line(text, comment.start()) + ": " + sentence);
            }
          }
        });
    return faults;
  }
}
