package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys, SQL and messages are the same in every locale. The default one may have digits of its own,
 * so a number is formatted for a locale that is named, or as a text.
 */
class LocaleTest {

  private static final Pattern NUMBER =
      Pattern.compile("%(?:\\d+\\$)?[-+ 0,#(]*\\d*(?:\\.\\d+)?[doxXeEfgG]");

  @TempDir private Path folder;

  @Test
  void noNumberIsFormattedForTheDefaultLocale() {
    assertThat(faults(JavaSources.ofUsers())).isEmpty();
  }

  @Test
  void aNumberForTheDefaultLocaleIsSeen() throws IOException {
    Files.writeString(
        folder.resolve("Sample.java"),
        """
        class Sample {
          static final String KEY = "%08x";
          static final String LONG_KEY = "key " + KEY;
          String a = "%04d".formatted(1);
          String b = ("%,d" + of()).formatted(2);
          String c = String.format("%.1f", 3.0);
          String d = "%s of 100%%".formatted(4);
          String e = String.format(java.util.Locale.ROOT, "%d", 5);
          String f = KEY.formatted(6);
          String g = String.format(Sample.LONG_KEY, 7);
          String h = String.format(java.util.Locale.ROOT, KEY, 8);
        }
        """);
    assertThat(faults(JavaSources.below(folder)))
        .containsExactly(
            "Sample.java: \"%04d\".formatted(1)",
            "Sample.java: (\"%,d\" + of()).formatted(2)",
            "Sample.java: String.format(\"%.1f\", 3.0)",
            "Sample.java: KEY.formatted(6)",
            "Sample.java: String.format(Sample.LONG_KEY, 7)");
  }

  private static List<String> faults(JavaSources sources) {
    List<String> faults = new ArrayList<>();
    sources.scan(task -> new FormatScanner(faults));
    return faults;
  }

  private static final class FormatScanner extends TreeScanner<Void, CompilationUnitTree> {
    private static final Set<Modifier> CONSTANT = Set.of(Modifier.STATIC, Modifier.FINAL);

    private final List<String> faults;

    /** What the constants of the file say, by their names. */
    private final Map<String, String> constants = new HashMap<>();

    FormatScanner(List<String> faults) {
      this.faults = faults;
    }

    @Override
    public Void visitCompilationUnit(CompilationUnitTree file, CompilationUnitTree unit) {
      constants.clear();
      new TreeScanner<Void, CompilationUnitTree>() {
        @Override
        public Void visitVariable(VariableTree field, CompilationUnitTree same) {
          if (field.getModifiers().getFlags().containsAll(CONSTANT)
              && field.getType().toString().equals("String")
              && field.getInitializer() != null) {
            constants.merge(
                field.getName().toString(), resolved(field.getInitializer()), String::concat);
          }
          return super.visitVariable(field, same);
        }
      }.scan(file, unit);
      return super.visitCompilationUnit(file, unit);
    }

    /** A text together with what the constants say that it names. */
    private String resolved(Tree text) {
      StringBuilder all = new StringBuilder(text.toString());
      new TreeScanner<Void, StringBuilder>() {
        @Override
        public Void visitIdentifier(IdentifierTree name, StringBuilder into) {
          into.append(constants.getOrDefault(name.getName().toString(), ""));
          return super.visitIdentifier(name, into);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree name, StringBuilder into) {
          into.append(constants.getOrDefault(name.getIdentifier().toString(), ""));
          return super.visitMemberSelect(name, into);
        }
      }.scan(text, all);
      return all.toString();
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, CompilationUnitTree unit) {
      if (call.getMethodSelect() instanceof MemberSelectTree method) {
        Tree text =
            switch (method.getIdentifier().toString()) {
              case "formatted" -> method.getExpression();
              case "format", "printf" ->
                  call.getArguments().isEmpty() ? null : call.getArguments().getFirst();
              default -> null;
            };
        if (text != null && NUMBER.matcher(resolved(text)).find()) {
          faults.add(Path.of(unit.getSourceFile().toUri()).getFileName() + ": " + call);
        }
      }
      return super.visitMethodInvocation(call, unit);
    }
  }
}
