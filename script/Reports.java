import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Reads the reports of a test run.
 *
 * <p>{@code java script/Reports.java NAME FAILURES [MODULE...]} reads {@code
 * MODULE/target/NAME/TEST-*.xml} below the working folder. Standard output gets "TESTS FAILED", where a
 * skipped test counts as failed. The file FAILURES gets a line for each method that failed: module,
 * what -Dtest selects it by, number of failed cases, first message; with a tab between them. Standard
 * error gets the minutes of each module and the slowest classes.
 *
 * <p>Of the modules that are named, every test class must have a report, except for those with a tag
 * that pom.xml leaves out. Otherwise they are listed, and the exit code is 1.
 */
final class Reports {

  private static final Pattern METHOD = Pattern.compile("[A-Za-z_$][\\w$]*");

  /** Names that Surefire gives to failures before the first and after the last test of a class. */
  private static final Set<String> OF_A_CLASS = Set.of("initializationError", "executionError");

  private static final int SLOWEST = 10;

  private record Suite(String module, String name, double seconds, List<Case> cases) {}

  private record Case(String module, String className, String name, String problem) {

    boolean failed() {
      return problem != null;
    }

    /** The class where the name tells no method, as after a failure in the set-up of the class. */
    String selector() {
      Matcher method = METHOD.matcher(name);
      return method.lookingAt() && !className.endsWith(name) && !OF_A_CLASS.contains(name)
          ? className + "#" + method.group()
          : className.replaceFirst("\\$.*", "");
    }
  }

  public static void main(String[] arguments) throws Exception {
    List<Suite> suites = read(arguments[0]);
    List<Case> cases = suites.stream().flatMap(suite -> suite.cases().stream()).toList();
    List<Case> failed = cases.stream().filter(Case::failed).toList();
    write(failed, Path.of(arguments[1]));
    if (suites.size() > 1) {
      show(suites);
    }
    List<String> missing = new ArrayList<>();
    for (String module : List.of(arguments).subList(2, arguments.length)) {
      missing.addAll(missing(module, arguments[0]));
    }
    missing.forEach(name -> System.err.println("==> did not run: " + name));
    System.out.println(cases.size() + " " + failed.size());
    System.exit(missing.isEmpty() ? 0 : 1);
  }

  /** The test classes of a module that should have a report and have none. */
  private static List<String> missing(String module, String name) throws IOException {
    Matcher out = Pattern.compile("<tests\\.out>(.*)</").matcher(Files.readString(Path.of("pom.xml")));
    String tags = out.find() ? out.group(1).replace(" ", "") : "";
    Pattern leftOut = Pattern.compile("(?m)^@Tag\\(\"(?:" + tags + ")\"\\)|^(?:public )?abstract class");
    Path sources = Path.of(module, "src", "test", "java");
    List<String> missing = new ArrayList<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
        String test = sources.relativize(file).toString().replace(".java", "").replaceAll("[/\\\\]", ".");
        Path report = Path.of(module, "target", name, "TEST-" + test + ".xml");
        if (!leftOut.matcher(Files.readString(file)).find() && Files.notExists(report)) {
          missing.add(module + " " + test);
        }
      }
    }
    return missing;
  }

  private static List<Suite> read(String name) throws IOException {
    try (Stream<Path> modules = Files.list(Path.of("."))) {
      return modules
          .map(module -> module.resolve("target").resolve(name))
          .filter(Files::isDirectory)
          .sorted()
          .flatMap(Reports::files)
          .map(Reports::suite)
          .toList();
    }
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Suite suite(Path file) {
    String module = file.normalize().getName(0).toString();
    try {
      Element root =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement();
      List<Case> cases = new ArrayList<>();
      for (Element test : children(root, "testcase")) {
        cases.add(
            new Case(
                module, test.getAttribute("classname"), test.getAttribute("name"), problem(test)));
      }
      double seconds = Double.parseDouble(root.getAttribute("time").replace(",", ""));
      return new Suite(module, root.getAttribute("name"), seconds, cases);
    } catch (Exception e) {
      throw new IllegalStateException("Unreadable report of a test: " + file, e);
    }
  }

  /** Null for a test that passed. */
  private static String problem(Element test) {
    for (String kind : List.of("failure", "error", "skipped")) {
      for (Element problem : children(test, kind)) {
        String message = problem.getAttribute("message");
        String text = message.isBlank() ? problem.getTextContent() : message;
        return kind + ": " + text.strip().replaceAll("\\s+", " ");
      }
    }
    return null;
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static void write(List<Case> failed, Path file) throws IOException {
    Map<String, List<Case>> methods = new LinkedHashMap<>();
    for (Case test : failed) {
      methods
          .computeIfAbsent(test.module() + "\t" + test.selector(), key -> new ArrayList<>())
          .add(test);
    }
    List<String> lines = new ArrayList<>();
    methods.forEach(
        (method, cases) ->
            lines.add(method + "\t" + cases.size() + "\t" + shortened(cases.getFirst().problem())));
    Files.write(file, lines);
  }

  private static String shortened(String text) {
    return text.length() <= 300 ? text : text.substring(0, 300) + " ...";
  }

  private static void show(List<Suite> suites) {
    System.err.println("==> minutes in the tests of each module");
    Map<String, double[]> modules = new LinkedHashMap<>();
    for (Suite suite : suites) {
      double[] sums = modules.computeIfAbsent(suite.module(), key -> new double[2]);
      sums[0] += suite.seconds();
      sums[1] += suite.cases().size();
    }
    modules.forEach(
        (module, sums) -> print("    %-16s %6.2f min %6.0f tests", module, sums[0] / 60, sums[1]));
    System.err.println("==> the slowest classes");
    suites.stream()
        .sorted(Comparator.comparingDouble(Suite::seconds).reversed())
        .limit(SLOWEST)
        .forEach(suite -> print("    %6.1f s  %s", suite.seconds(), suite.name()));
  }

  private static void print(String format, Object... values) {
    System.err.println(String.format(Locale.ROOT, format, values));
  }
}
