package io.millrace.report.pdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

  private static String fill(String template, Map<String, ?> values) {
    return Template.parse(template).fill(values);
  }

  @Test
  void valuesAreAlwaysEscaped() {
    assertThat(
            fill("<p title=\"{{v}}\">{{ v }}</p>", Map.of("v", "<b>\"A\" & 'B'</b>\u0000\uD800")))
        .isEqualTo(
            "<p title=\"&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;??\">"
                + "&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;??</p>");
    assertThat(fill("{{v}}", Map.of("v", "{{w}} {{#x}}"))).isEqualTo("{{w}} {{#x}}");
  }

  @Test
  void aSectionStandsForEachEntry() {
    Map<String, Object> values =
        Map.of(
            "title",
            "T",
            "rows",
            List.of(Map.of("n", 1), Map.of("n", 2, "title", "own")),
            "texts",
            List.of("a", "b"),
            "no",
            false,
            "empty",
            "");
    assertThat(fill("{{#rows}}{{n}}{{title}} {{/rows}}", values)).isEqualTo("1T 2own ");
    assertThat(fill("{{#texts}}{{this}}{{/texts}}", values)).isEqualTo("ab");
    assertThat(fill("{{#no}}x{{/no}}{{^no}}y{{/no}}{{#empty}}z{{/empty}}", values)).isEqualTo("y");
    assertThat(fill("{{#title}}[{{title}}]{{/title}}{{! a note }}", values)).isEqualTo("[T]");
  }

  @Test
  void faultsNameTheLine() {
    assertThatThrownBy(() -> fill("a\n{{b}}", Map.of("c", 1)))
        .isInstanceOf(TemplateException.class)
        .hasMessage("Line 2 has the unknown name 'b', expected one of [c]");
    assertThatThrownBy(() -> Template.parse("\n{{#a}}\n")).hasMessageContaining("{{#a}} of line 2");
    assertThatThrownBy(() -> Template.parse("{{/a}}")).hasMessageContaining("Line 1 closes");
    assertThatThrownBy(() -> Template.parse("{{a.b()}}")).hasMessageContaining("{{a.b()}}");
    assertThatThrownBy(() -> fill("{{a}}", Map.of("a", List.of()))).hasMessageContaining("a list");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secret.txt",
        "/etc/passwd",
        "a/../../secret.txt",
        "a//b",
        "..\\secret.txt",
        ".hidden",
        "C:\\x",
        "%2e%2e/secret.txt",
        "x\u0000y"
      })
  void noPathLeadsOutOfTheFolder(String path, @TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("secret.txt"), "secret");
    Path template = Files.createDirectories(folder.resolve("template/a"));
    assertThatThrownBy(() -> TemplateFolder.of(template.getParent()).read(path))
        .isInstanceOf(TemplateException.class);
    assertThatThrownBy(() -> PdfReportRenderer.resolve(path)).isInstanceOf(TemplateException.class);
  }

  @Test
  void aLinkThatLeadsOutIsNotFollowed(@TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret.txt"), "secret");
    Path template = Files.createDirectories(folder.resolve("template"));
    Files.createSymbolicLink(template.resolve("link.png"), secret);
    Files.createSymbolicLink(template.resolve("up"), folder);
    TemplateFolder files = TemplateFolder.of(template);
    assertThatThrownBy(() -> files.read("link.png")).hasMessageContaining("a link to elsewhere");
    assertThatThrownBy(() -> files.read("up/secret.txt"))
        .hasMessageContaining("a link to elsewhere");
  }

  @Test
  void templatesAreFoundByName(@TempDir Path folder) throws IOException {
    ReportTemplates reportTemplates = ReportTemplates.in(folder);
    assertThat(reportTemplates.find("default").read("report.html")).isNotEmpty();
    assertThatThrownBy(() -> reportTemplates.find("own"))
        .hasMessageContaining(folder.resolve("own").toString());
    assertThatThrownBy(() -> reportTemplates.find("../own"))
        .hasMessageContaining("no name of a template");
    Files.writeString(
        Files.createDirectories(folder.resolve("default")).resolve("report.html"), "mine");
    assertThat(
            new String(reportTemplates.find("default").read("report.html"), StandardCharsets.UTF_8))
        .isEqualTo("mine");
    assertThatThrownBy(() -> reportTemplates.find("default").read("style.css"))
        .hasMessageContaining("no file 'style.css'");
  }
}
