package io.millrace.examples.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OrderMainTest {

  @Test
  void threeOrdersEndInThreeWays() throws InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OrderMain.run(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "A-1 2 x teapot put aside",
            "A-1 4200 cents charged",
            "A-1 the carrier is busy",
            "A-1 handed to the carrier",
            "A-1 is SHIPPED: sent as parcel P-A-1",
            "A-2 6 x saucer put aside",
            "A-2 6 x saucer put back",
            "A-2 is CANCELLED: released",
            "A-3 1 x anvil put aside",
            "A-3 9900 cents charged",
            "A-3 the carrier refuses an anvil",
            "A-3 R-A-3 refunded",
            "A-3 1 x anvil put back",
            "A-3 is CANCELLED: refunded and released");
  }
}
