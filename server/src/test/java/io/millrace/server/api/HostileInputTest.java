package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.StartRequest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * No request makes the server fail. The run of 100,000 is the main program of {@link HostileInput}.
 */
final class HostileInputTest {

  private static final int REQUESTS = 4_000;
  private static final long SEED = 20_260_101;

  @Test
  void noRequestMakesTheServerFail() throws IOException {
    try (TestServer server = TestServer.inMemory()) {
      for (int i = 0; i < 30; i++) {
        server.client().start(StartRequest.of(i % 2 == 0 ? "order" : "fails"));
      }
      HostileInput input = new HostileInput(server.port(), server.routes(), SEED);
      input.run(REQUESTS);
      assertThat(input.faults()).as("seed " + SEED).isEmpty();
      assertThat(input.statuses()).containsKeys(200, 204, 400, 404, 405, 409, 415);
      Client client = new Client(server.port());
      assertThat(client.get("/api/v1/health/ready").status()).isEqualTo(200);
    }
  }
}
