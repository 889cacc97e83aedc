package io.millrace.examples.report.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.examples.report.git.CommitFacts;
import io.millrace.examples.report.git.LineCounts;
import io.millrace.examples.report.measure.Measures.Author;
import io.millrace.examples.report.measure.Measures.Week;
import io.millrace.jackson3.Jackson3Codec;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurerTest {

  private static final Instant NOW = Instant.parse("2025-01-01T00:00:00Z");

  private final Measurer measurer = new Measurer(NOW);

  private void commit(String time, int offset, String author, Map<String, LineCounts> churn) {
    measurer.add(
        new CommitFacts(
            "id",
            Instant.parse(time).getEpochSecond(),
            offset,
            new CommitFacts.Author(author, author + "@example.org"),
            CommitFacts.Kind.NORMAL,
            churn,
            0));
  }

  @Test
  void nothingIsMeasurable() {
    Measures measures = measurer.measures();
    assertThat(measures.totals().commits()).isZero();
    assertThat(measures.weeks()).isEmpty();
    assertThat(measures.rhythm().medianGap()).isZero();
  }

  @Test
  void countsCommitsAndAuthorsByWeek() {
    commit("2024-05-06T10:00:00Z", 0, "ada", Map.of("src", new LineCounts(5, 1)));
    commit("2024-05-12T10:00:00Z", 0, "bob", Map.of("src", new LineCounts(2, 2)));
    commit("2024-05-12T11:00:00Z", 0, "ada", Map.of());
    commit("2024-05-13T10:00:00Z", 0, "ada", Map.of("docs", new LineCounts(1, 0)));
    Measures measures = measurer.measures();
    assertThat(measures.weeks())
        .containsExactly(
            new Week(LocalDate.of(2024, 5, 6), 3, 2, new LineCounts(7, 3)),
            new Week(LocalDate.of(2024, 5, 13), 1, 1, new LineCounts(1, 0)));
    assertThat(measures.totals().authors()).isEqualTo(2);
    assertThat(measures.totals().lines()).isEqualTo(new LineCounts(8, 3));
    assertThat(measures.authors().getFirst())
        .isEqualTo(new Author("ada", 3, LocalDate.of(2024, 5, 6), LocalDate.of(2024, 5, 13)));
    assertThat(measures.folders()).extracting(Measures.Folder::name).containsExactly("src", "docs");
  }

  @Test
  void weeksAndHoursGoByTheAuthorsClock() {
    commit("2024-05-12T22:30:00Z", 120, "ada", Map.of()); // Monday 0:30 in Berlin
    Measures measures = measurer.measures();
    assertThat(measures.weeks().getFirst().monday()).isEqualTo(LocalDate.of(2024, 5, 13));
    assertThat(measures.rhythm().hours().getFirst()).isEqualTo(1);
  }

  @Test
  void theMedianIsTheMiddleOfAllGapsInAnyOrder() {
    commit("2024-05-06T10:01:00Z", 0, "ada", Map.of());
    commit("2024-05-06T10:00:00Z", 0, "ada", Map.of());
    commit("2024-05-06T12:00:00Z", 0, "ada", Map.of());
    commit("2024-05-06T11:00:00Z", 0, "ada", Map.of());
    assertThat(measurer.measures().rhythm().medianGap()).isEqualTo(59 * 60);
    assertThat(measurer.measures().rhythm().gaps())
        .isEqualTo(Map.of(CommitGap.TEN_MINUTES, 1, CommitGap.HOUR, 1, CommitGap.SIX_HOURS, 1));
  }

  @Test
  void datesThatCannotBeTrueStayOutOfTheCharts() {
    commit("1970-01-01T00:00:00Z", 0, "ada", Map.of());
    commit("2099-01-01T00:00:00Z", 0, "ada", Map.of());
    commit("2024-05-06T10:00:00Z", 0, "ada", Map.of());
    Measures measures = measurer.measures();
    assertThat(measures.totals().commits()).isEqualTo(3);
    assertThat(measures.totals().undated()).isEqualTo(2);
    assertThat(measures.weeks()).hasSize(1);
  }

  @Test
  void manyFoldersAreSummedUp() {
    for (int i = 0; i < 20; i++) {
      commit("2024-05-06T10:00:00Z", 0, "ada", Map.of("folder" + i, new LineCounts(100 - i, 0)));
    }
    List<Measures.Folder> folders = measurer.measures().folders();
    assertThat(folders).hasSize(12);
    assertThat(folders.getFirst().name()).isEqualTo("folder0");
    assertThat(folders.getLast().name()).isEqualTo("9 other folders");
    assertThat(folders.stream().mapToLong(f -> f.lines().added()).sum()).isEqualTo(1810);
  }

  @Test
  void survivesBeingStored() {
    commit("2024-05-06T10:00:00Z", 0, "ada", Map.of("src", new LineCounts(5, 1)));
    commit("2024-05-06T10:01:00Z", 0, "ada", Map.of("src", new LineCounts(5, 1)));
    Measures measures = measurer.measures();
    Jackson3Codec codec = new Jackson3Codec();
    assertThat(codec.decode(codec.encode(measures), Measures.class)).isEqualTo(measures);
  }
}
