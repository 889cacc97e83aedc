package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.SingleMethodFake;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The engine chooses a codec at its start. None is on the class path of these tests. */
class CodecDiscoveryTest {

  private record Offer(String artifact, int rank, Supplier<Codec> source) implements CodecProvider {
    @Override
    public Codec create() {
      return source.get();
    }
  }

  private static Codec codec() {
    return SingleMethodFake.of(Codec.class, "none", args -> args);
  }

  @Test
  void anEngineWithoutCodecDoesNotStartAndNamesTheArtifacts() {
    assertThatThrownBy(() -> Engine.builder().start())
        .isInstanceOf(CodecException.class)
        .hasMessageContainingAll("millrace-jackson3", "millrace-jackson2", "codec(...)");
  }

  @Test
  void theHighestRankIsUsed() {
    Codec three = codec();
    Offer second = new Offer("two", 2, CodecDiscoveryTest::codec);
    Offer third = new Offer("three", 3, () -> three);
    assertThat(CodecDiscovery.choose(List.of(third))).isSameAs(three);
    assertThat(CodecDiscovery.choose(List.of(second, third))).isSameAs(three);
    assertThat(CodecDiscovery.choose(List.of(third, second))).isSameAs(three);
  }

  @Test
  void aMissingLibraryIsNamed() {
    Offer broken =
        new Offer(
            "millrace-jackson3",
            3,
            () -> {
              throw new NoClassDefFoundError("tools/jackson/databind/json/JsonMapper");
            });
    assertThatThrownBy(() -> CodecDiscovery.choose(List.of(broken)))
        .isInstanceOf(CodecException.class)
        .hasMessageContainingAll(
            "millrace-jackson3", "tools/jackson/databind/json/JsonMapper", "POM");
  }
}
