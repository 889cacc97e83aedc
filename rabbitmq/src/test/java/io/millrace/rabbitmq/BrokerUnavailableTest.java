package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.sequence.ChannelException;
import io.millrace.sequence.ChannelTransport.Outgoing;
import io.millrace.sequence.ChannelTransport.Subscription;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests of a broker that refuses connections: the failure explains why, and the wait keeps to the
 * limit.
 */
class BrokerUnavailableTest {

  private static final Outgoing MESSAGE = new Outgoing("SOME.CHANNEL", "{}", "1", null);
  private static final URI BROKER = URI.create(TestBroker.uri());

  private static RabbitSettings at(String user, String path) {
    return patient("amqp://" + user + "@" + BROKER.getHost() + ":" + BROKER.getPort() + path);
  }

  private static RabbitSettings patient(String uri) {
    return RabbitSettings.of(uri).confirmLimit(Patience.LIMIT);
  }

  private static String reason(RabbitSettings settings) {
    try (RabbitTransport transport = RabbitTransport.open(settings)) {
      Subscription subscription = transport.subscribe("SOME.CHANNEL", 1, RecordingReceiver.ofAll());
      List<String> reasons = transport.publish(List.of(MESSAGE, MESSAGE));
      assertThat(reasons).hasSize(2).doesNotContainNull();
      assertThatThrownBy(() -> transport.queueStatus("SOME.CHANNEL"))
          .isInstanceOf(ChannelException.class)
          .hasMessageContaining("SOME.CHANNEL");
      assertThat(subscription.isConnected()).isFalse();
      subscription.close();
      return reasons.getFirst();
    }
  }

  @Test
  void aWrongPasswordIsNamedButNotShown() {
    assertThat(reason(at("guest:secret-word", "/")))
        .contains("refuses the user 'guest'")
        .contains("password is wrong")
        .doesNotContain("secret-word");
  }

  @Test
  void anUnknownVhostIsNamed() {
    assertThat(reason(at("guest:guest", "/nowhere"))).contains("the vhost 'nowhere'");
  }

  @Test
  void nobodyThere() throws Exception {
    // The port is bound, and nothing accepts connections there.
    try (Socket mute = new Socket()) {
      mute.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String place = "127.0.0.1:" + mute.getLocalPort();
      assertThat(reason(patient("amqp://" + place))).contains(place).contains("nothing answers");
    }
  }

  @Test
  void aServerThatSaysNothingIsWaitedForUntilTheLimit() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      RabbitSettings settings =
          RabbitSettings.of("amqp://127.0.0.1:" + silent.getLocalPort())
              .confirmLimit(Duration.ofMillis(300));
      assertThat(reason(settings)).containsAnyOf("no connection", "does not answer in time");
    }
  }

  @Test
  void aBrokerWithoutTlsIsNotSpokenToOverTls() {
    String plain = "amqps://guest:guest@" + BROKER.getHost() + ":" + BROKER.getPort();
    assertThat(reason(patient(plain))).contains("over TLS");
  }
}
