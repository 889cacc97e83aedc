package io.millrace.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class DistributionTest {

  @Test
  void sortsItsSamples() {
    Distribution distribution = Distribution.of(List.of(3.0, 1.0, 2.0));

    assertThat(distribution.min()).isEqualTo(1);
    assertThat(distribution.median()).isEqualTo(2);
    assertThat(distribution.max()).isEqualTo(3);
    assertThat(distribution.size()).isEqualTo(3);
  }

  @Test
  void medianOfAnEvenNumberIsBetweenTheMiddleTwo() {
    assertThat(Distribution.of(List.of(1.0, 2.0, 4.0, 9.0)).median()).isEqualTo(3);
  }

  @Test
  void quantileIsTheSmallestSampleThatCoversTheShare() {
    Distribution hundred =
        Distribution.of(DoubleStream.iterate(1, x -> x + 1).limit(100).boxed().toList());

    assertThat(hundred.quantile(0.99)).isEqualTo(99);
    assertThat(hundred.quantile(0.991)).isEqualTo(100);
    assertThat(hundred.quantile(1)).isEqualTo(100);
    assertThat(hundred.quantile(0.001)).isEqualTo(1);
  }

  @Test
  void quantileOfASingleSampleIsThatSample() {
    assertThat(Distribution.of(List.of(7.0)).quantile(0.5)).isEqualTo(7);
  }

  @Test
  void refusesToBeEmpty() {
    assertThatThrownBy(() -> Distribution.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one sample");
  }
}
