package io.millrace.examples.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.examples.report.git.CommitFacts;
import io.millrace.examples.report.git.LineCounts;
import io.millrace.examples.report.measure.Measurer;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportPageTest {

  private static final Instant BEGIN = Instant.parse("2020-01-06T09:00:00Z");
  private static final Instant MADE = Instant.parse("2026-01-05T08:00:00Z");
  private static final String EVIL = "<script>alert('\"&\u0000\u202E')</script>";

  private static String page(int commits, Duration every, String author, List<String> notes) {
    Measurer measurer = new Measurer(MADE);
    for (int i = 0; i < commits; i++) {
      measurer.add(
          new CommitFacts(
              "id",
              BEGIN.plus(every.multipliedBy(i)).getEpochSecond(),
              0,
              new CommitFacts.Author(author, "a@example.org"),
              CommitFacts.Kind.NORMAL,
              Map.of(author, new LineCounts(i, 1)),
              0));
    }
    ReportSubject reportSubject =
        new ReportSubject(
            author,
            "key",
            new ReportSubject.Head(author, "0123456789abcdef"),
            1,
            commits,
            MADE,
            notes);
    return ReportPage.write(reportSubject, measurer.measures());
  }

  private static Document parse(String page) throws Exception {
    DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    return builder.parse(new InputSource(new StringReader(page)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 150, 400, 1500})
  void isWellFormedForShortAndLongHistories(int weeks) throws Exception {
    Document page = parse(page(weeks, Duration.ofDays(1), "Ada", List.of()));
    assertThat(page.getDocumentElement().getTagName()).isEqualTo("html");
    assertThat(page.getElementsByTagName("svg").getLength()).isEqualTo(weeks == 0 ? 0 : 3);
  }

  @Test
  void loadsNothing() {
    String page = page(300, Duration.ofDays(2), "Ada", List.of());
    assertThat(page)
        .doesNotContainPattern("(?i)\\b(src|href|srcset|action)\\s*=")
        .doesNotContainPattern("(?i)url\\(|@import|<(script|link|img|iframe|object|embed)\\b")
        .doesNotContain("http://", "https://")
        .contains("default-src 'none'");
  }

  @Test
  void namesAreTextAndNothingElse() throws Exception {
    String page = page(5, Duration.ofDays(7), EVIL, List.of(EVIL));
    assertThat(page).doesNotContain("<script").doesNotContain("\u202E").contains("&lt;script&gt;");
    Document parsed = parse(page);
    assertThat(parsed.getElementsByTagName("h1").item(0).getTextContent())
        .isEqualTo("<script>alert('\"&')</script>");
  }

  @Test
  void keepsNamesInAnyScript() {
    assertThat(page(5, Duration.ofDays(7), "李小龍 Ñandú 🦊", List.of())).contains("李小龍 Ñandú 🦊");
  }

  @Test
  void showsNotesAndNumbers() {
    String page = page(1500, Duration.ofHours(5), "Ada", List.of("This is a shallow clone."));
    assertThat(page)
        .contains("<li>This is a shallow clone.</li>")
        .contains("<dd class=\"number\">1,500</dd>")
        .contains("<dd class=\"number\">5 h</dd>");
  }

  @Test
  void saysHowManyDatesCannotBeTrue() {
    assertThat(page(10, Duration.ofDays(400), "Ada", List.of()))
        .contains("<li>Dates that cannot be true: 4 commits. ");
  }

  @Test
  void drawingsAreDescribed() {
    assertThat(page(10, Duration.ofDays(7), "Ada", List.of()))
        .contains("role=\"img\" aria-label=\"commits per week from 6 Jan 2020 to 9 Mar 2020; ")
        .contains("<title>Week of 6 Jan 2020: 1 commit</title>");
  }
}
