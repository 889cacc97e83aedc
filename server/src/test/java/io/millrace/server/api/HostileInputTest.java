package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that no request makes the server fail. {@code script/hostile-input} makes the longer runs.
 */
@Tag("server")
final class HostileInputTest {

  private static final int REQUESTS = 4_000;
  private static final long SEED = 20_260_102;

  @Test
  void noRequestMakesTheServerFail() throws IOException {
    try (TestServer server = TestServer.impatientAndSlowToHear(TestServer.ownDatabase())) {
      HostileInput input = HostileInput.against(server, SEED);
      ServerHealthProbe serverHealthProbe = new ServerHealthProbe(server);
      input.run(REQUESTS);
      input.trickle();
      serverHealthProbe.check(input.faults());
      assertThat(input.faults()).as("seed " + SEED).isEmpty();
      assertThat(input.statuses()).containsKeys(200, 204, 400, 404, 405, 408, 409, 415);
    }
  }
}
