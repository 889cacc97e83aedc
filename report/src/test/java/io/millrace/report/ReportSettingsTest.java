package io.millrace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportSettingsTest {

  @Test
  void theSampleOfTheSourceSystemIsReadAndExplained() {
    ReportSettings settings =
        ReportSettings.of(
            Map.of(
                "outputDatasource", "NEO4J",
                "maxWorkflowRetries", 2,
                "chartVendor", "Fusion",
                "fusionExportAPIUrl", "http://localhost:1337/api/v2.0/export"));
    assertThat(settings.outputDatasource()).isEqualTo("NEO4J");
    assertThat(settings.maxSequenceRetries()).isEqualTo(2);
    assertThat(settings.explanations())
        .hasSize(2)
        .anySatisfy(e -> assertThat(e).contains("chartVendor=Fusion has no effect"))
        .anySatisfy(e -> assertThat(e).contains("fusionExportAPIUrl has no effect"));
  }

  @Test
  void nothingSetIsTheDatabaseWithoutExplanations() {
    assertThat(ReportSettings.of(Map.of())).isEqualTo(ReportSettings.defaults());
    assertThat(ReportSettings.defaults().outputDatasource()).isEqualTo("DATABASE");
    assertThat(ReportSettings.defaults().maxSequenceRetries()).isEqualTo(3);
    assertThat(ReportSettings.of(Map.of("maxWorkflowRetries", "0")).maxSequenceRetries()).isZero();
  }

  @Test
  void anUnknownVendorIsNamed() {
    assertThat(ReportSettings.of(Map.of("chartVendor", "Highcharts")).explanations())
        .singleElement()
        .asString()
        .contains("unknown vendor 'Highcharts'")
        .contains("known: Fusion");
  }

  @Test
  void wrongValuesAreRefused() {
    for (Object wrong : new Object[] {"many", -1, 1.5, "99999999999"}) {
      assertThatThrownBy(() -> ReportSettings.of(Map.of("maxWorkflowRetries", wrong)))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("'" + wrong + "'");
    }
    assertThatThrownBy(() -> ReportSettings.of(Map.of("outputDatasurce", "ES")))
        .hasMessageContaining("[outputDatasurce]")
        .hasMessageContaining("outputDatasource");
  }
}
