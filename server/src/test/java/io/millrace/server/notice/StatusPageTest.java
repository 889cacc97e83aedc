package io.millrace.server.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.continuous.RecycleSettingsService;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** Tests the public pages, with texts that try to inject markup. */
class StatusPageTest {

  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
  private static final StatusPage PAGE =
      new StatusPage(URI.create("https://jobs.example.org/"), true);

  private static Maintenance maintenance(String title, String text) {
    return new Maintenance(
        17,
        MaintenanceStage.SCHEDULED,
        new MaintenancePlan(
            title,
            text,
            List.of("a\"b"),
            MaintenancePlan.Impact.OUTAGE,
            NOW,
            NOW.plus(Duration.ofHours(1)),
            true),
        2,
        NOW);
  }

  @Test
  void nothingThatPeopleWriteBecomesMarkup() {
    String html =
        PAGE.html(List.of(maintenance("<script>alert(1)</script>", "\" onload=\"x ' & <b>")));
    assertThat(html)
        .doesNotContain("<script")
        .doesNotContain("<b>")
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
        .contains("a&quot;b")
        .contains("action=\"/status-page/subscribe\"");
    assertThat(PAGE.ask("confirm", 1, "\"><script>")).doesNotContain("<script");
  }

  @Test
  void withoutAnAddressIdentifiersNameNoHost() {
    StatusPage page = new StatusPage(URI.create("/jobs/"), false);
    assertThat(page.atom(List.of(maintenance("Disks", "")), NOW))
        .contains("<id>urn:millrace:status-page</id>")
        .contains("<id>urn:millrace:status-page#maintenance-17</id>")
        .contains("href=\"/jobs/status-page#maintenance-17\"");
    assertThat(page.ical(List.of(maintenance("Disks", "")), NOW))
        .contains("UID:maintenance-17@millrace\r\n");
  }

  @Test
  void withoutMailThereIsNoForm() {
    StatusPage page = new StatusPage(URI.create("https://jobs.example.org/"), false);
    assertThat(page.html(List.of())).doesNotContain("<form").contains("None.");
  }

  @Test
  void theFeedIsWellFormedWhateverPeopleWrite() throws Exception {
    String feed = PAGE.atom(List.of(maintenance("a < b & c\u0001 ]]>", "x")), NOW);
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(feed)));
    assertThat(document.getDocumentElement().getNamespaceURI())
        .isEqualTo("http://www.w3.org/2005/Atom");
    assertThat(document.getElementsByTagName("title").item(1).getTextContent())
        .isEqualTo("Scheduled: a < b & c  ]]>");
    assertThat(document.getElementsByTagName("updated").item(0).getTextContent())
        .isEqualTo("2026-01-05T08:00:00Z");
  }

  @Test
  void theCalendarKeepsToItsFormat() {
    String text =
        PAGE.ical(List.of(maintenance("Disks; a, b \\ c\nEND:VEVENT", "ü".repeat(100))), NOW);
    assertThat(text).contains("SUMMARY:Disks\\; a\\, b \\\\ c\\nEND:VEVENT\r\n");
    assertThat(text.split("END:VEVENT\r\n", -1)).hasSize(3);
    for (String line : text.split("\r\n", -1)) {
      assertThat(line.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(75);
    }
    assertThat(text.replace("\r\n ", ""))
        .contains("DESCRIPTION:Scheduled\\n" + "ü".repeat(100) + "\r\n")
        .contains("DTSTART:20260105T080000Z\r\n")
        .contains("UID:maintenance-17@jobs.example.org\r\n");
  }

  @Test
  void aLaterStageOrPlanHasAHigherSequence() {
    Maintenance first = maintenance("x", "");
    Maintenance cancelled =
        new Maintenance(
            17, MaintenanceStage.CANCELLED, first.plan(), first.revision(), NOW.plusSeconds(1));
    long second = Duration.between(Instant.parse("2020-01-01T00:00:00Z"), NOW).toSeconds();
    assertThat(PAGE.ical(List.of(first), NOW)).contains("SEQUENCE:" + (second + 2) + "\r\n");
    assertThat(PAGE.ical(List.of(cancelled), NOW))
        .contains("SEQUENCE:" + (second + 3) + "\r\n")
        .contains("STATUS:CANCELLED\r\n");
  }

  @Test
  void onlyPlainMailAddressesAreTaken() {
    assertThat(MailAddress.parse("Ann@EXAMPLE.org")).contains("Ann@example.org");
    for (String bad :
        List.of(
            "",
            "ann",
            "ann@host",
            "Ann <ann@example.org>",
            "a@example.org, b@example.org",
            "a@example.org\r\nBcc: b@example.org",
            "@example.org")) {
      assertThat(MailAddress.parse(bad)).as(bad).isEmpty();
    }
  }

  @Test
  void recyclesAreOnThePageAndInTheCalendar() {
    ZonedDateTime first = ZonedDateTime.parse("2026-03-28T04:30:00+01:00[Europe/Berlin]");
    Duration hour = Duration.ofHours(1);
    StatusPage page =
        new StatusPage(
            URI.create("https://jobs.example.org/"),
            false,
            List.of(
                new RecycleSettingsService.Window(first, hour),
                new RecycleSettingsService.Window(first.plusDays(1), hour)));
    assertThat(page.html(List.of()))
        .contains("<strong>Daily</strong>", "2026-03-28T03:30:00Z", "04:30 Europe/Berlin")
        .containsPattern("(?s)<h2>Planned</h2>\\s*<article id=\"recycles\">");
    assertThat(page.ical(List.of(), NOW).replace("\r\n ", "").lines())
        .contains(
            "UID:recycle-2026-03-28@jobs.example.org",
            "DTSTART:20260328T033000Z",
            "UID:recycle-2026-03-29@jobs.example.org",
            "DTSTART:20260329T023000Z",
            "DTEND:20260329T033000Z");
  }
}
