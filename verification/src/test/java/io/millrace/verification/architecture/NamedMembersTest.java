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
 * Tests that methods named in messages and pages exist, such as {@code QueuePolicy.priorityLevels}.
 */
class NamedMembersTest {

  /** Pattern of a class member; excludes Node.js. */
  private static final Pattern MEMBER = Pattern.compile("\\b([A-Z]\\w*)\\.(?!js\\b)([a-z]\\w*)");

  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  @TempDir private Path folder;

  @Test
  void messagesNameWhatThereIs() {
    assertThat(new Members(JavaSources.ofUsers()).unknownInMessages()).isEmpty();
  }

  @Test
  void pagesNameWhatThereIs() throws IOException {
    Members members = new Members(JavaSources.ofUsers());
    List<String> faults = new ArrayList<>();
    try (Stream<Path> pages = Files.walk(JavaSources.top().resolve("docs"))) {
      for (Path page : pages.filter(p -> p.toString().endsWith(".md")).sorted().toList()) {
        Matcher code = CODE.matcher(Files.readString(page));
        while (code.find()) {
          members
              .unknown(code.group(1))
              .forEach(name -> faults.add(page.getFileName() + ": " + name));
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void aMessageThatNamesWhatIsNotThereIsSeen() throws IOException {
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
