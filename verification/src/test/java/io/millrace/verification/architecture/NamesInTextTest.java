package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The types, methods, settings, tables, routes and commands that pages, Javadoc and messages name
 * exist, also as members of the class that a text names, such as {@code QueuePolicy.stallLimit}.
 */
class NamesInTextTest {

  private static final Set<String> SOURCES =
      Set.of(
          "java",
          "yaml",
          "sql",
          "lua",
          "ts",
          "tsx",
          "mjs",
          "xml",
          "sh",
          "conf",
          "json",
          "properties",
          "tla",
          "cfg",
          "html",
          "css",
          "env",
          "bat",
          "start",
          "millrace");

  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?<![:\"])//[^\n]*");
  private static final Pattern INLINE_CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern JAVADOC_CODE = Pattern.compile("\\{@code ([^{}]+)}");
  private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*.*?\\*/");
  private static final Pattern CALL_IN_MESSAGE =
      Pattern.compile("\\b([a-z]\\w+)\\((?:\\.\\.\\.)?\\)");
  private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\\n]++|\\\\.)*+)\"");

  /** A word that only a name has the form of: inner capitals, underscores, or a call. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?<![\\w-])(?:[a-z]+[A-Z]\\w*|[A-Z]\\w*[a-z]\\w*|[A-Z]{2,}(?:_[A-Z0-9]+)+|[a-z]+_[a-z_0-9]+|\\w+(?=\\())(?![\\w-])");

  private static final Pattern ROUTE =
      Pattern.compile("(?:(?:GET|POST|PUT|PATCH|DELETE) )(/[\\w/{}.*-]+)");
  private static final Pattern OPENAPI_PATH = Pattern.compile("(?m)^  (/[^:\\s]*):");
  private static final Pattern COMMAND = Pattern.compile("^millrace ([a-z][a-z-]+)");

  /** The name of a command in an annotation, or in a description of it as data. */
  private static final Pattern COMMAND_NAME =
      Pattern.compile(
          "(?:(?:name|aliases) = \\{?|\\b(?:command|group|action|alias)\\(\\s*)\"([a-z-]+)\"");

  /** Names that belong to other products, by the page that explains them. */
  private static final Map<String, Set<String>> OF_OTHER_PRODUCTS =
      Map.of(
          "docs/configuration.md", Set.of("MILLRACE_RABBITMQ_SERVICE_HOST"),
          "docs/database.md", Set.of("prepareThreshold"),
          "docs/rabbitmq.md", Set.of("trustStore", "REPORT_KPI", "consumer_timeout"),
          "docs/recipes/migrate-from-quartz.md",
              Set.of(
                  "CronTrigger",
                  "inTimeZone",
                  "SimpleTrigger",
                  "CalendarIntervalTrigger",
                  "DisallowConcurrentExecution",
                  "requestsRecovery",
                  "triggerJob",
                  "FIRE_ONCE_NOW",
                  "DO_NOTHING",
                  "IGNORE_MISFIRE_POLICY"),
          "docs/recipes/start-in-your-transaction.md", Set.of("DataSourceUtils", "Transactional"),
          "docs/redis-migration.md",
              Set.of(
                  "lockTimeSec",
                  "blockTimeoutSec",
                  "createParentWorkers",
                  "createChildWorkers",
                  "getJobsByKey",
                  "FlowMonitor"),
          "docs/reports.md", Set.of("too_few", "no_data"),
          "docs/reverse-proxies.md", Set.of("client_max_body_size", "proxy_pass", "proxy_http"));

  private static final Names PROJECT = new Names(JavaSources.top());
  private static final Members MEMBERS = new Members(JavaSources.ofUsers());

  /** Pattern of a class member; excludes Node.js. */
  private static final Pattern MEMBER = Pattern.compile("\\b([A-Z]\\w*)\\.(?!js\\b)([a-z]\\w*)");

  @TempDir private Path folder;

  @Test
  void pagesNameWhatThereIs() {
    assertThat(PROJECT.unknownInPages()).isEmpty();
  }

  @Test
  void javadocNamesWhatThereIs() {
    assertThat(PROJECT.unknownInJavadoc()).isEmpty();
  }

  @Test
  void messagesCallWhatThereIs() {
    assertThat(PROJECT.unknownInMessages()).isEmpty();
  }

  @Test
  void namesThatAreNotThereAreSeen() throws IOException {
    Files.writeString(
        folder.resolve("A.java"),
        """
        /** See {@code oldName} and {@code size}; // here. */
        class A {
          static final String HINT = "declare it as computing() or size()";
          int size() { return 0; } // theOld
        }
        """);
    Files.writeString(folder.resolve("openapi.yaml"), "paths:\n  /jobs/{id}:\n    get: {}\n");
    Files.writeString(folder.resolve("Cli.java"), "@Command(name = \"jobs\") class Cli {}");
    Files.writeString(
        folder.resolve("Data.java"),
        "class Data { ClientCommand queues = command(\n\"queues\", \"Lists queues.\"); }");
    Files.writeString(
        folder.resolve("page.md"),
        """
        `A.size()`, `theOld`, `GET /jobs/7`, `POST /task/1`, `millrace jobs list`, `millrace work`,
        `millrace_job`, `millrace queues`
        """);
    Names names = new Names(folder);

    assertThat(names.unknownInPages())
        .containsExactly(
            "page.md: theOld",
            "page.md: POST /task/1",
            "page.md: millrace work",
            "page.md: millrace_job");
    assertThat(names.unknownInJavadoc()).containsExactly("A.java: oldName");
    assertThat(names.unknownInMessages()).containsExactly("A.java: computing()");
  }

  @Test
  void messagesNameMembersThatExist() {
    assertThat(MEMBERS.unknownInMessages()).isEmpty();
  }

  @Test
  void pagesNameMembersThatExist() throws IOException {
    List<String> faults = new ArrayList<>();
    try (Stream<Path> pages = Files.walk(JavaSources.top().resolve("docs"))) {
      for (Path page : pages.filter(p -> p.toString().endsWith(".md")).sorted().toList()) {
        Matcher code = INLINE_CODE.matcher(Files.readString(page));
        while (code.find()) {
          MEMBERS
              .unknown(code.group(1))
              .forEach(name -> faults.add(page.getFileName() + ": " + name));
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void aMemberThatIsNotThereIsSeen() throws IOException {
    Files.writeString(
        folder.resolve("Sample.java"),
        """
        record Sample(int size) {
          static final String URL = "https://Sample.js";
          static final String a = "use Sample.size, Sample.of or Other.thing";
          static final String b = "use Sample.sizes";
          static Sample of() { return null; }
          enum Kind { A; }
          static final String c = "Kind.valueOf and Kind.b";
        }
        """);
    assertThat(new Members(JavaSources.below(folder)).unknownInMessages())
        .containsExactly("Sample.java: Sample.sizes", "Sample.java: Kind.b");
  }

  private static final class Names {

    private final Map<String, String> pages;
    private final Map<String, String> java;
    private final Set<String> known = new HashSet<>();
    private final List<Pattern> routes = new ArrayList<>();
    private final Set<String> commands = new HashSet<>(Set.of("help"));

    Names(Path top) {
      pages =
          TextFiles.below(top, Set.of("md"))
              .texts(path -> !path.startsWith("docs/getting-started/"));
      TextFiles sources = TextFiles.below(top, SOURCES);
      // This class names what is not there.
      java =
          sources.texts(path -> path.endsWith(".java") && !path.endsWith("/NamesInTextTest.java"));
      sources.texts(path -> !path.endsWith("/NamesInTextTest.java")).forEach(this::add);
    }

    private void add(String path, String text) {
      String code = path.endsWith(".java") ? COMMENT.matcher(text).replaceAll("") : text;
      WORD.matcher(code).results().forEach(word -> known.add(word.group()));
      if (path.endsWith("openapi.yaml")) {
        OPENAPI_PATH
            .matcher(text)
            .results()
            .map(found -> Pattern.quote(found.group(1)).replaceAll("\\{[^}]*}", "\\\\E[^/]+\\\\Q"))
            .forEach(route -> routes.add(Pattern.compile("(/api/v1)?" + route)));
      }
      if (text.contains("@Command(") || text.contains("ClientCommand")) {
        COMMAND_NAME.matcher(text).results().forEach(found -> commands.add(found.group(1)));
      }
    }

    List<String> unknownInPages() {
      List<String> faults = new ArrayList<>();
      pages.forEach((path, text) -> {
        Set<String> foreign = OF_OTHER_PRODUCTS.getOrDefault(path, Set.of());
        Matcher code = INLINE_CODE.matcher(text);
        while (code.find()) {
          unknown(code.group(1)).stream()
              .filter(name -> !foreign.contains(name))
              .forEach(name -> faults.add(path + ": " + name));
        }
      });
      return faults;
    }

    private List<String> unknown(String code) {
      List<String> names = new ArrayList<>();
      Matcher route = ROUTE.matcher(code);
      if (route.lookingAt()) {
        if (routes.stream().noneMatch(one -> one.matcher(route.group(1)).matches())) {
          names.add(route.group());
        }
        return names;
      }
      Matcher command = COMMAND.matcher(code);
      if (command.find() && !commands.contains(command.group(1))) {
        names.add(command.group());
      }
      Matcher name = NAME.matcher(code);
      while (name.find()) {
        if (!known.contains(name.group())) {
          names.add(name.group());
        }
      }
      return names;
    }

    List<String> unknownInJavadoc() {
      List<String> faults = new ArrayList<>();
      java.forEach((path, text) -> {
        Matcher comment = JAVADOC.matcher(text);
        while (comment.find()) {
          Matcher code = JAVADOC_CODE.matcher(comment.group());
          while (code.find()) {
            unknown(code.group(1)).forEach(name -> faults.add(path + ": " + name));
          }
        }
      });
      return faults;
    }

    List<String> unknownInMessages() {
      List<String> faults = new ArrayList<>();
      Set<String> methods = new HashSet<>();
      Pattern declared = Pattern.compile("\\b([a-z]\\w+)\\(");
      java.values()
          .forEach(text ->
              declared
                  .matcher(STRING.matcher(COMMENT.matcher(text).replaceAll("")).replaceAll(""))
                  .results()
                  .forEach(found -> methods.add(found.group(1))));
      java.forEach((path, text) -> {
        if (path.contains("/src/test/") || path.startsWith("benchmarks/")) {
          return;
        }
        Matcher message = STRING.matcher(text);
        while (message.find()) {
          Matcher call = CALL_IN_MESSAGE.matcher(message.group(1));
          while (call.find()) {
            if (!methods.contains(call.group(1))) {
              faults.add(path + ": " + call.group());
            }
          }
        }
      });
      return faults;
    }
  }

  /** The members of all classes by their simple names, and the text literals of the sources. */
  private static final class Members {

    private record Text(String file, String text) {}

    private final Map<String, Set<String>> members = new HashMap<>();
    private final List<Text> texts = new ArrayList<>();

    Members(JavaSources sources) {
      sources.scan(task -> new Collector());
    }

    List<String> unknownInMessages() {
      return texts.stream()
          .flatMap(text -> unknown(text.text).stream().map(name -> text.file + ": " + name))
          .toList();
    }

    List<String> unknown(String text) {
      List<String> names = new ArrayList<>();
      Matcher named = MEMBER.matcher(text);
      while (named.find()) {
        Set<String> known = members.get(named.group(1));
        if (known != null && !known.contains(named.group(2))) {
          names.add(named.group());
        }
      }
      return names;
    }

    private final class Collector extends TreeScanner<Void, CompilationUnitTree> {
      @Override
      public Void visitClass(ClassTree type, CompilationUnitTree unit) {
        Set<String> names =
            members.computeIfAbsent(
                type.getSimpleName().toString(),
                name -> new HashSet<>(Set.of("class", "valueOf", "values", "name")));
        for (Tree member : type.getMembers()) {
          switch (member) {
            case MethodTree method -> names.add(method.getName().toString());
            case VariableTree field -> names.add(field.getName().toString());
            case ClassTree nested -> names.add(nested.getSimpleName().toString());
            default -> {}
          }
        }
        return super.visitClass(type, unit);
      }

      @Override
      public Void visitLiteral(LiteralTree literal, CompilationUnitTree unit) {
        if (literal.getValue() instanceof String text) {
          String file = Path.of(unit.getSourceFile().toUri()).getFileName().toString();
          texts.add(new Text(file, text));
        }
        return super.visitLiteral(literal, unit);
      }
    }
  }
}
