package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
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
          String a = "%04d".formatted(1);
          String b = ("%,d" + of()).formatted(2);
          String c = String.format("%.1f", 3.0);
          String d = "%s of 100%%".formatted(4);
          String e = String.format(java.util.Locale.ROOT, "%d", 5);
        }
        """);
    assertThat(faults(JavaSources.below(folder)))
        .containsExactly(
            "Sample.java: \"%04d\".formatted(1)",
            "Sample.java: (\"%,d\" + of()).formatted(2)",
            "Sample.java: String.format(\"%.1f\", 3.0)");
  }

  private static List<String> faults(JavaSources sources) {
    List<String> faults = new ArrayList<>();
    sources.scan(task -> new FormatScanner(faults));
    return faults;
  }

  private static final class FormatScanner extends TreeScanner<Void, CompilationUnitTree> {
    private final List<String> faults;

    FormatScanner(List<String> faults) {
      this.faults = faults;
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
        if (text != null && NUMBER.matcher(text.toString()).find()) {
          faults.add(Path.of(unit.getSourceFile().toUri()).getFileName() + ": " + call);
        }
      }
      return super.visitMethodInvocation(call, unit);
    }
  }
}
