package io.millrace.redis.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSettingsTest {

  @Test
  void aUriTellsAll() {
    RedisUri redisUri = RedisSettings.of("rediss://jo:p%40ss%2B+1@db.example:7000/3").place();

    assertThat(redisUri)
        .extracting(
            RedisUri::tls,
            RedisUri::host,
            RedisUri::port,
            RedisUri::user,
            RedisUri::password,
            RedisUri::database)
        .containsExactly(true, "db.example", 7000, "jo", "p@ss++1", 3);
  }

  @Test
  void theSettingsOfThePage() {
    // docs:settings
    RedisSettings settings =
        RedisSettings.of("rediss://millrace:secret@redis.example.org:6380/2")
            .timeout(Duration.ofSeconds(3))
            .clientName("shop-7");
    RedisSettings behindSentinels =
        settings.sentinel("main", "s1.example.org:26379", "redis://:secret@s2.example.org");
    // docs:end

    assertThat(behindSentinels.toString())
        .isEqualTo(
            "RedisSettings[rediss://millrace@redis.example.org:6380/2, sentinels of main"
                + " [redis://s1.example.org:26379, redis://s2.example.org:26379],"
                + " connectTimeout=PT2S, timeout=PT3S, clientName=shop-7]");
  }

  @Test
  void whatIsLeftOutHasItsUsualValue() {
    assertThat(RedisSettings.of("redis://localhost").place())
        .isEqualTo(new RedisUri(false, "localhost", 6379, null, null, 0));
    assertThat(RedisSettings.of("redis://:secret@[::1]:1/").place())
        .isEqualTo(new RedisUri(false, "::1", 1, null, "secret", 0));
    assertThat(RedisSettings.of("redis://jo:a@b:c@my_redis:7000/1").place())
        .as("a host as Docker names it, an @ as people write it")
        .isEqualTo(new RedisUri(false, "my_redis", 7000, "jo", "a@b:c", 1));
    assertThat(RedisSettings.of("redis://my_redis").place().address()).isEqualTo("my_redis:6379");
    assertThat(RedisSettings.of("redis://[::1]").place().address()).isEqualTo("[::1]:6379");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "http://h",
        "redis:///1",
        "redis://h/x",
        "redis://h/-1",
        "redis://h/1/2",
        "redis://h?db=1",
        "redis://user@h",
        "redis://h:0",
        "redis://h:port",
        "redis://:secret",
        "redis://jo:secret",
        "redis://[::1",
        "redis://h:99999",
        "redis://a b",
        "redis://u:p%zz@h",
        "redis://u:se cret@h"
      })
  void aWrongUriIsRefusedWithoutItsText(String uri) {
    assertThatThrownBy(() -> RedisSettings.of(uri))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("The URI of Redis ")
        .hasMessageContaining("expected redis://user:password@host:port/database")
        .hasMessageNotContaining("cret");
  }

  @Test
  void noTextHasAPassword() {
    RedisSettings settings =
        RedisSettings.of("redis://jo:topsecret@h/1")
            .sentinel("main", "s1:26379", "redis://:topsecret@s2");

    assertThat(settings.toString())
        .doesNotContain("topsecret")
        .contains("jo@h:6379/1", "main", "s1:26379", "s2:26379");
  }

  @ParameterizedTest
  @CsvSource({"PT0.001S", "PT0S", "-PT1S", "PT11M"})
  void timesHaveLimits(Duration time) {
    RedisSettings settings = RedisSettings.of("redis://h");
    assertThatThrownBy(() -> settings.timeout(time))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("timeout is " + time);
    assertThatThrownBy(() -> settings.connectTimeout(time))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("connectTimeout is " + time);
  }

  @Test
  void namesAndSentinelsAreChecked() {
    RedisSettings settings = RedisSettings.of("redis://h");
    assertThatThrownBy(() -> settings.clientName("two words"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("without spaces");
    assertThatThrownBy(() -> settings.sentinel("main"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("at least one sentinel");
    assertThatThrownBy(() -> settings.sentinel(" ", "h:1"))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> settings.sentinel("main", "h:x"))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void aContextForTlsIsNotTakenWhereNothingIsEncrypted() throws Exception {
    SSLContext trust = SSLContext.getDefault();
    RedisSettings plain = RedisSettings.of("redis://h");
    assertThatThrownBy(() -> plain.tls(trust))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("write rediss://");
    assertThat(RedisSettings.of("rediss://h").tls(trust).tls()).isSameAs(trust);
    assertThat(plain.sentinel("main", "rediss://s").tls(trust).tls()).isSameAs(trust);
  }

  @Test
  void timesOfWaitingAreSecondsAsShortAsPossible() {
    assertThat(RedisBlockingConnection.seconds(Duration.ofSeconds(3))).isEqualTo("3");
    assertThat(RedisBlockingConnection.seconds(Duration.ofSeconds(100))).isEqualTo("100");
    assertThat(RedisBlockingConnection.seconds(Duration.ofMillis(1500))).isEqualTo("1.5");
    assertThat(RedisBlockingConnection.seconds(Duration.ZERO)).isEqualTo("0.001");
  }
}
