package io.millrace.examples.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FanOutTest {

  @Test
  void addsUpWhatItsChildrenFound() {
    try (ManualEngine engine = ManualEngine.with(FanOut.parent(), FanOut.child())) {
      long id = engine.client().start(StartRequest.of(FanOut.PARENT, 10)).id();
      engine.runUntilIdle();
      assertThat(engine.client().variable(id, FanOut.SUM, Long.class)).contains(385L);
    }
  }

  @Test
  void aThousandChildrenOnADatabase() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    FanOutMain.run(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("The squares of 1 to 1000 add up to 333833500.");
  }
}
