package io.millrace.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressDisplayTest {

  private static final long SECOND = 1_000_000_000L;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTerminalSeesOneLineThatChanges() {
    ProgressDisplay progressDisplay = new ProgressDisplay(out, true);
    progressDisplay.show(new RunProgress("collect", 0, 4000), 0);
    progressDisplay.show(new RunProgress("collect", 2000, 4000), 2 * SECOND);
    progressDisplay.say("Done.");
    assertThat(written())
        .isEqualTo(
            "\r%-79s\r%-79s%nDone.%n"
                .formatted(
                    "collect [------------------------]    0 %  0 of 4,000 commits",
                    "collect [############------------]   50 %  2,000 of 4,000 commits, 1,000/s"));
  }

  @Test
  void othersSeeALineEveryTwoSecondsAndWhenTheStateChanges() {
    ProgressDisplay progressDisplay = new ProgressDisplay(out, false);
    progressDisplay.show(new RunProgress("plan", 0, 0), 0);
    progressDisplay.show(new RunProgress("collect", 0, 4000), SECOND);
    progressDisplay.show(new RunProgress("collect", 1000, 4000), 2 * SECOND);
    progressDisplay.show(new RunProgress("collect", 2000, 4000), 3 * SECOND);
    progressDisplay.show(new RunProgress("collect", 2000, 4000), 6 * SECOND);
    progressDisplay.show(new RunProgress("measure", 4000, 4000), 6 * SECOND);
    assertThat(written().lines())
        .containsExactly(
            "plan",
            "collect    0 %  0 of 4,000 commits",
            "collect   50 %  2,000 of 4,000 commits, 1,000/s",
            "measure");
  }
}
