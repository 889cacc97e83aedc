package io.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.workload.Workload;
import io.millrace.benchmarks.workload.Workloads;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

  @Test
  void withoutOptionsTheUsualPeersAreMeasuredByAllWorkloads() {
    Options options = parse("");

    assertThat(options.quick()).isFalse();
    assertThat(options.rounds()).isEqualTo(3);
    assertThat(options.peers()).isEqualTo(PeerKind.USUAL);
    assertThat(options.workloads()).isEqualTo(Workloads.ALL);
    assertThat(options.report()).isNull();
  }

  @Test
  void aQuickRunHasOneRoundUnlessMoreAreAskedFor() {
    assertThat(parse("--quick").rounds()).isEqualTo(1);
    assertThat(parse("--quick --rounds 2").rounds()).isEqualTo(2);
    assertThat(parse("--quick --rounds 2").quick()).isTrue();
  }

  @Test
  void allPeersCanBeAskedFor() {
    assertThat(parse("--peers all").peers()).containsExactly(PeerKind.values());
  }

  @ParameterizedTest
  @EnumSource
  void everyPeerCanBeNamed(PeerKind peer) {
    assertThat(parse("--peers " + peer.option()).peers()).containsExactly(peer);
  }

  @Test
  void theOrderIsThatOfTheTablesWhateverTheCommandLineSays() {
    Options options = parse("--peers nflow,millrace --only w2,w1");

    assertThat(options.peers()).containsExactly(PeerKind.MILLRACE, PeerKind.NFLOW);
    assertThat(options.workloads()).extracting(Workload::id).containsExactly("W1", "W2");
  }

  @Test
  void aReportHasAFile() {
    assertThat(parse("--report some.md").report()).isEqualTo(Path.of("some.md"));
  }

  @ParameterizedTest
  @CsvSource({
    "--slow, unknown option '--slow'",
    "--rounds, --rounds needs a value",
    "--peers nobody, unknown peer 'nobody'",
    "--only W0, unknown workload 'W0'",
  })
  void sayWhatIsWrong(String line, String message) {
    assertThatThrownBy(() -> parse(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "many", "10000"})
  void roundsAreANumber(String rounds) {
    assertThatThrownBy(() -> parse("--rounds " + rounds))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from 1 to 9999")
        .hasMessageContaining("'" + rounds + "'");
  }

  private static Options parse(String line) {
    return Options.parse(line.isEmpty() ? new String[0] : line.split(" ", -1));
  }
}
