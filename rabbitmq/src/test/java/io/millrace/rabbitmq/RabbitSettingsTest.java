package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.rabbitmq.RabbitSettings.BrokerUri;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitSettingsTest {

  @Test
  void aUriSaysAllOrLittle() {
    assertThat(BrokerUri.of("amqps://me:p%40ss%2Bw+rd@mq.example.org:7000/a%2Fb"))
        .isEqualTo(new BrokerUri(true, "mq.example.org", 7000, "me", "p@ss+w+rd", "a/b"));
    assertThat(BrokerUri.of("amqp://localhost"))
        .isEqualTo(new BrokerUri(false, "localhost", 5672, "guest", "guest", "/"));
    assertThat(BrokerUri.of("amqps://me@localhost/"))
        .isEqualTo(new BrokerUri(true, "localhost", 5671, "me", "", "/"));
  }

  @Test
  void settingsAreChangedOneByOne() {
    // docs:settings
    RabbitSettings settings =
        RabbitSettings.of("amqps://millrace:secret@mq.example.org/production")
            .exchange("reports")
            .confirmLimit(Duration.ofSeconds(10))
            .deliveryLimit(50)
            .connectionName("node-7");
    // docs:end
    assertThat(settings.toString())
        .isEqualTo(
            "RabbitSettings[amqps://millrace@mq.example.org:5671/production, exchange=reports,"
                + " confirmLimit=PT10S, prefetch=0, deliveryLimit=50, connectionName=node-7]");
  }

  @Test
  void thePasswordIsNeverShown() {
    RabbitSettings settings = RabbitSettings.of("amqp://me:secret-word@localhost/v");
    assertThat(settings.toString()).contains("me@localhost:5672/v").doesNotContain("secret-word");
    assertThat(settings.place().toString()).doesNotContain("secret-word");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://me:secret-word@localhost",
        "amqp:secret-word",
        "amqp://me:secret-word@",
        "amqp://me:secret-word^@localhost",
        "amqp://me:secret-word@localhost/a/b",
        "amqp://me:secret-word@localhost?verify=none",
        ""
      })
  void aWrongUriIsExplainedWithoutShowingIt(String uri) {
    assertThatThrownBy(() -> RabbitSettings.of(uri))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("expected amqp://user:password@host:port/vhost")
        .hasMessageNotContaining("secret-word")
        .hasNoCause();
  }

  @ParameterizedTest
  @CsvSource({
    "exchange, '', '5', 0, 20",
    "exchange, 'amq.topic', '5', 0, 20",
    "confirmLimit, 'x', '0', 0, 20",
    "confirmLimit, 'x', '601', 0, 20",
    "prefetch, 'x', '5', -1, 20",
    "prefetch, 'x', '5', 10001, 20",
    "deliveryLimit, 'x', '5', 0, 0"
  })
  void aSettingOutOfBoundsIsNamed(
      String name, String exchange, long seconds, int prefetch, int deliveries) {
    assertThatThrownBy(() ->
            RabbitSettings.of("amqp://localhost")
                .exchange(exchange)
                .confirmLimit(Duration.ofSeconds(seconds))
                .prefetch(prefetch)
                .deliveryLimit(deliveries))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("expected");
  }

  @Test
  void whatIsLeftOutHasADefault() {
    assertThat(RabbitSettings.of("amqp://localhost").connectionName("node-7"))
        .isEqualTo(
            new RabbitSettings(
                "amqp://localhost", "iSight", Duration.ofSeconds(5), 0, 20, "node-7"));
  }
}
