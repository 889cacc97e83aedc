package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the end of a command that runs a server. */
class ServerCommandTest {

  private final List<String> done = new ArrayList<>();

  @Test
  void whatComesAfterwardsIsDoneEvenIfTheServerDidNotStopInGoodOrder() {
    AutoCloseable broken =
        () -> {
          throw new IllegalStateException("no");
        };
    assertThat(ServerCommand.closeAndGetExitCode(broken, () -> 0, () -> done.add("after")))
        .isEqualTo(Main.FAILED);
    assertThat(done).containsExactly("after");
  }

  @Test
  void theExitCodeTellsWhetherSomethingIsLeft() {
    AutoCloseable server = () -> done.add("closed");
    assertThat(ServerCommand.closeAndGetExitCode(server, () -> 0, () -> done.add("after")))
        .isEqualTo(Main.OK);
    assertThat(done).containsExactly("closed", "after");
    assertThat(ServerCommand.closeAndGetExitCode(server, () -> 2, () -> {})).isEqualTo(Main.FAILED);
  }
}
