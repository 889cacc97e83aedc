package io.millrace.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ScreenTest {

  private static final long SECOND = 1_000_000_000L;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTerminalSeesOneLineThatChanges() {
    Screen screen = new Screen(out, true);
    screen.show(new Moment("collect", 0, 4000), 0);
    screen.show(new Moment("collect", 2000, 4000), 2 * SECOND);
    screen.say("Done.");
    assertThat(written())
        .isEqualTo(
            "\r%-79s\r%-79s%nDone.%n"
                .formatted(
                    "collect [------------------------]    0 %  0 of 4,000 commits",
                    "collect [############------------]   50 %  2,000 of 4,000 commits, 1,000/s"));
  }

  @Test
  void othersSeeALineEveryTwoSecondsAndWhenTheStateChanges() {
    Screen screen = new Screen(out, false);
    screen.show(new Moment("plan", 0, 0), 0);
    screen.show(new Moment("collect", 0, 4000), SECOND);
    screen.show(new Moment("collect", 1000, 4000), 2 * SECOND);
    screen.show(new Moment("collect", 2000, 4000), 3 * SECOND);
    screen.show(new Moment("collect", 2000, 4000), 6 * SECOND);
    screen.show(new Moment("measure", 4000, 4000), 6 * SECOND);
    assertThat(written().lines())
        .containsExactly(
            "plan",
            "collect    0 %  0 of 4,000 commits",
            "collect   50 %  2,000 of 4,000 commits, 1,000/s",
            "measure");
  }
}
