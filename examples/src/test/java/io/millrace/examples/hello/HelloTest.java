package io.millrace.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HelloTest {

  @Test
  void greetsTheWorld() {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      Hello.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("asked for a name", "Hello, World!");
  }

  @Test
  void waitsForAsLongAsItTakes() {
    try (ManualEngine engine = ManualEngine.with(Hello.HELLO)) {
      long id = engine.client().start(StartRequest.of("hello")).id();
      engine.advance(Duration.ofDays(7));
      assertThat(engine.client().get(id).state()).isEqualTo("listen");
      engine.client().signal(id, "name", "stranger");
      engine.runUntilIdle();
      assertThat(engine.client().get(id).position().reason()).isEqualTo("Hello, stranger");
    }
  }
}
