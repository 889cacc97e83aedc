package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** Tests that {@code script/demo} builds nothing that it does not run: a visitor waits for it. */
class DemoBuildTest {

  private static final Path TOP = JavaSources.top();
  private static final String PROFILE = "/project/profiles/profile[id='unchecked']";
  private static final String COMPILER =
      PROFILE + "/build//plugin[artifactId='maven-compiler-plugin']/configuration/";

  @Test
  void itIsBuiltByTheProfileOfMainCode() throws IOException {
    String library = Files.readString(TOP.resolve("script/lib.sh"));
    int start = library.indexOf("\nbuild_server() {\n");
    List<String> calls =
        library
            .substring(start, library.indexOf("\n}\n", start))
            .lines()
            .filter(line -> line.contains("maven -"))
            .toList();

    assertThat(calls).isNotEmpty().allMatch(call -> call.contains(" -Dunchecked "));
    assertThat(Files.readString(TOP.resolve("script/demo")))
        .contains("\nbuild_server\n")
        .doesNotContain("maven", "mvn");
  }

  @Test
  void thatProfileCompilesNoTestsAndRunsNoErrorProne() throws Exception {
    Document pom =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(TOP.resolve("pom.xml").toFile());
    XPath xpath = XPathFactory.newDefaultInstance().newXPath();

    assertThat(xpath.evaluate(PROFILE + "/activation/property/name", pom)).isEqualTo("unchecked");
    assertThat(xpath.evaluate(PROFILE + "/properties/maven.test.skip", pom)).isEqualTo("true");
    for (String list : List.of("compilerArgs", "annotationProcessorPaths")) {
      String empty = COMPILER + list + "[@combine.self='override'][not(*)]";
      assertThat(xpath.evaluate("count(" + empty + ")", pom)).as(list).isEqualTo("1");
    }
  }
}
