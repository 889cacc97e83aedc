package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
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
 * Tests that keys, SQL and messages are the same in every locale. The default locale may have its
 * own digits, month names and case mappings, so code that depends on a locale must name one.
 */
class LocaleTest {

  /** Format specifiers of numbers, times and uppercase text. */
  private static final Pattern NUMBER =
      Pattern.compile("%(?:\\d+\\$|<)?[-+ 0,#(]*\\d*(?:\\.\\d+)?(?:[doxXeEfgGS]|[tT][A-Za-z])");

  /** Calls that use the default locale if they have at most this many arguments. */
  private static final Map<String, Integer> WITHOUT_LOCALE =
      Map.ofEntries(
          Map.entry("toLowerCase", 0),
          Map.entry("toUpperCase", 0),
          Map.entry("toFormatter", 0),
          Map.entry("ofPattern", 1),
          Map.entry("ofLocalizedDate", 1),
          Map.entry("ofLocalizedTime", 1),
          Map.entry("ofLocalizedDateTime", 2),
          Map.entry("Locale.getDefault", 1),
          Map.entry("DecimalFormatSymbols.getInstance", 0),
          Map.entry("Collator.getInstance", 0),
          Map.entry("NumberFormat.getInstance", 0),
          Map.entry("NumberFormat.getNumberInstance", 0),
          Map.entry("NumberFormat.getIntegerInstance", 0),
          Map.entry("NumberFormat.getPercentInstance", 0),
          Map.entry("NumberFormat.getCurrencyInstance", 0),
          Map.entry("NumberFormat.getCompactNumberInstance", 0),
          Map.entry("DateFormat.getInstance", 0),
          Map.entry("DateFormat.getDateInstance", 1),
          Map.entry("DateFormat.getTimeInstance", 1),
          Map.entry("DateFormat.getDateTimeInstance", 2),
          Map.entry("MessageFormat.format", Integer.MAX_VALUE),
          Map.entry("new DecimalFormat", 1),
          Map.entry("new DecimalFormatSymbols", 0),
          Map.entry("new SimpleDateFormat", 1),
          Map.entry("new MessageFormat", 1),
          Map.entry("new Formatter", 0));

  @TempDir private Path folder;

  @Test
  void nothingDependsOnTheDefaultLocale() {
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

  @Test
  void whatElseDependsOnTheDefaultLocaleIsSeen() throws IOException {
    Files.writeString(
        folder.resolve("Sample.java"),
        """
        class Sample {
          String a = "ID".toLowerCase();
          String b = "id".toUpperCase(java.util.Locale.ROOT);
          Object c = DateTimeFormatter.ofPattern("uuuu");
          Object d = DateTimeFormatter.ofPattern("uuuu", Locale.ROOT);
          Object e = new DecimalFormat("0.0");
          Object f = new DecimalFormat("0.0", DecimalFormatSymbols.getInstance(Locale.ROOT));
          Object g = java.text.NumberFormat.getInstance();
          Object h = NumberFormat.getPercentInstance(Locale.ROOT);
          Object i = new DateTimeFormatterBuilder().appendPattern("e").toFormatter();
          String j = "%tF of %S".formatted(1, "x");
          Object k = Codec.getInstance();
          Object l = Locale.getDefault();
          Object m = MessageFormat.format("{0}", 1);
        }
        """);
    assertThat(faults(JavaSources.below(folder)))
        .containsExactly(
            "Sample.java: \"ID\".toLowerCase()",
            "Sample.java: DateTimeFormatter.ofPattern(\"uuuu\")",
            "Sample.java: new DecimalFormat(\"0.0\")",
            "Sample.java: java.text.NumberFormat.getInstance()",
            "Sample.java: new DateTimeFormatterBuilder().appendPattern(\"e\").toFormatter()",
            "Sample.java: \"%tF of %S\".formatted(1, \"x\")",
            "Sample.java: Locale.getDefault()",
            "Sample.java: MessageFormat.format(\"{0}\", 1)");
  }

  private static List<String> faults(JavaSources sources) {
    List<String> faults = new ArrayList<>();
    sources.scan(task -> new FormatScanner(faults));
    return faults;
  }

  private static final class FormatScanner extends TreeScanner<Void, CompilationUnitTree> {
    private static final Set<Modifier> CONSTANT = Set.of(Modifier.STATIC, Modifier.FINAL);

    private final List<String> faults;

    /** Values of the file's string constants, by name. */
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

    /** Returns a text, including the values of the constants that it names. */
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
        boolean formats = text != null && NUMBER.matcher(resolved(text)).find();
        if (formats || isWithoutLocale(method, call.getArguments().size())) {
          add(call, unit);
        }
      }
      return super.visitMethodInvocation(call, unit);
    }

    private static boolean isWithoutLocale(MemberSelectTree method, int arguments) {
      String owner = method.getExpression().toString();
      String name = method.getIdentifier().toString();
      String qualified = owner.substring(owner.lastIndexOf('.') + 1) + "." + name;
      return arguments <= WITHOUT_LOCALE.getOrDefault(name, -1)
          || arguments <= WITHOUT_LOCALE.getOrDefault(qualified, -1);
    }

    @Override
    public Void visitNewClass(NewClassTree creation, CompilationUnitTree unit) {
      int most = WITHOUT_LOCALE.getOrDefault("new " + creation.getIdentifier(), -1);
      if (creation.getArguments().size() <= most) {
        add(creation, unit);
      }
      return super.visitNewClass(creation, unit);
    }

    private void add(Tree fault, CompilationUnitTree unit) {
      faults.add(Path.of(unit.getSourceFile().toUri()).getFileName() + ": " + fault);
    }
  }
}
