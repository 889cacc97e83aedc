package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.sql.SqlStore;
import io.millrace.verification.docs.DocPage.Block;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Tests of the project of {@code docs/getting-started.md}, as a reader has it, and of a line of
 * another page.
 */
class GettingStartedPageTest {

  private static final Path TOP = DocPage.checkout();
  private static final String PROJECT = "docs/getting-started/";

  @TempDir private Path folder;

  @Test
  void everyProgramOfThePageIsOfTheProject() {
    List<Block> blocks =
        DocPage.read(TOP, "docs/getting-started.md").blocks().stream()
            .filter(block -> !block.language().equals("sh"))
            .toList();

    assertThat(blocks).hasSizeGreaterThan(4);
    assertThat(blocks)
        .allSatisfy(block -> {
          assertThat(block.source().path()).startsWith(PROJECT);
          assertThat(block.text()).isEqualTo(block.source().text(TOP).stripTrailing());
        });
    assertThat(blocks).extracting(block -> block.source().path()).contains(PROJECT + "pom.xml");
  }

  @Test
  void theProjectCompilesWithWhatItsPomNamesAndItsProgramsRun() throws Exception {
    compile();

    assertThat(run("Greeter")).contains("hello Ada");
    assertThat(run("Orders")).contains("the second start made 0 more", "shipped");
  }

  private void compile() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files =
            compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
        Stream<Path> all = Files.walk(TOP.resolve(PROJECT + "src"))) {
      List<Path> programs = all.filter(f -> f.toString().endsWith(".java")).toList();
      assertThat(programs).isNotEmpty();
      List<String> options =
          List.of(
              "--release=" + text(pom(PROJECT + "pom.xml"), "maven.compiler.release"),
              "-proc:none",
              "-Xlint:all,-path,-classfile",
              "-Werror",
              "-d",
              folder.toString(),
              "-cp",
              compileClassPath());
      boolean compiled =
          compiler
              .getTask(
                  said, files, null, options, null, files.getJavaFileObjectsFromPaths(programs))
              .call();
      assertThat(compiled).as(said.toString()).isTrue();
    }
  }

  /**
   * Returns the class path of the compiler from the pom, and of the dependencies of Millrace's own
   * classes.
   */
  private static String compileClassPath() {
    List<String> artifacts =
        Stream.concat(
                dependencies(pom(PROJECT + "pom.xml")).stream()
                    .filter(dependency -> text(dependency, "scope").isEmpty())
                    .map(dependency -> text(dependency, "artifactId")),
                Stream.of("millrace-schedule", "jspecify", "slf4j-api"))
            .toList();
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(all.split(File.pathSeparator, -1))
        .filter(entry -> artifacts.stream().anyMatch(artifact -> isOf(artifact, entry)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** True for the jar of an artifact, and for the classes of the module that builds it. */
  private static boolean isOf(String artifact, String entry) {
    return Path.of(entry).getFileName().toString().startsWith(artifact + "-")
        || entry.endsWith(artifact.replaceFirst("^millrace-", "/") + "/target/classes");
  }

  /** Runs a program on a database in memory and returns the lines that it prints. */
  private List<String> run(String program) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, GettingStartedPageTest.class.getClassLoader())) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      String[] arguments = {"jdbc:h2:mem:" + program + ";DB_CLOSE_DELAY=-1"};
      loader
          .loadClass("com.example." + program)
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void thePomHasTheVersionsThatThisIsBuiltWith() {
    Element parent = pom("pom.xml");
    Element project = pom(PROJECT + "pom.xml");

    assertThat(versions(parent)).containsAllEntriesOf(versions(project));
    assertThat(versions(project))
        .containsKeys("millrace-engine", "HikariCP", "h2", "slf4j-simple", "maven-compiler-plugin");
    assertThat(text(project, "maven.compiler.release"))
        .isNotEmpty()
        .isEqualTo(text(parent, "maven.compiler.release"));
  }

  /** Returns the versions of dependencies and plugins, with the properties replaced. */
  private static Map<String, String> versions(Element pom) {
    Map<String, String> versions = new TreeMap<>();
    Stream.concat(dependencies(pom).stream(), elements(pom, "plugin").stream())
        .filter(part -> !text(part, "version").isEmpty())
        .forEach(part -> {
          String version = text(part, "version");
          String property = version.replaceFirst("^\\$\\{(.*)}$", "$1");
          versions.put(
              text(part, "artifactId"),
              property.equals(version)
                  ? version
                  : text(pom, property.replaceFirst("^project\\.", "")));
        });
    return versions;
  }

  private static List<Element> dependencies(Element pom) {
    return elements(pom, "dependency");
  }

  private static Element pom(String path) {
    try {
      return DocumentBuilderFactory.newDefaultInstance()
          .newDocumentBuilder()
          .parse(TOP.resolve(path).toFile())
          .getDocumentElement();
    } catch (Exception e) {
      throw new AssertionError(path + " is no XML", e);
    }
  }

  private static List<Element> elements(Element of, String name) {
    NodeList found = of.getElementsByTagName(name);
    return Stream.iterate(0, i -> i + 1)
        .limit(found.getLength())
        .map(found::item)
        .map(Element.class::cast)
        .toList();
  }

  /**
   * Returns the text of the element's child, or else of a property of the pom; empty if there is
   * neither.
   */
  private static String text(Element element, String name) {
    Element first = null;
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element own && own.getTagName().equals(name)) {
        first = own;
      }
    }
    List<Element> properties = elements(element, "properties");
    if (first == null && !properties.isEmpty()) {
      return text(properties.getFirst(), name);
    }
    return first == null ? "" : first.getTextContent().strip();
  }

  @Test
  void theSchemaCanBePrinted() {
    // docs:schema
    String sql = SqlStore.printSchema("postgresql");
    // docs:end
    assertThat(sql).contains("CREATE TABLE millrace_instance ");
  }
}
