package io.millrace.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the format of the server's own log. */
class LogConfigurationTest {

  private static final Map<String, String> MARKS =
      Map.of("workflow", "order", "instance", "17", "state", "reserve");

  private final LoggerContext context = new LoggerContext();

  @BeforeEach
  void prepare() {
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void aLineOfAHandlerNamesItsInstance() throws JoranException {
    configure(Map.of());
    assertThat(written(MARKS))
        .isEqualTo(
            "2026-01-05T08:00:00.000Z INFO  Shop [order 17 reserve] reserving 3"
                + System.lineSeparator());
  }

  @Test
  void otherLinesNameNone() throws JoranException {
    configure(Map.of());
    assertThat(written(Map.of()))
        .isEqualTo("2026-01-05T08:00:00.000Z INFO  Shop reserving 3" + System.lineSeparator());
  }

  @Test
  void aLineMayBeJson() throws JoranException {
    configure(Map.of("MILLRACE_LOG_FORMAT", "json"));
    String line = written(MARKS);
    assertThat(line.strip()).doesNotContain("\n");
    JsonNode json = JsonMapper.shared().readTree(line);
    assertThat(json.get("formattedMessage").asString()).isEqualTo("reserving 3");
    assertThat(json.get("mdc").get("instance").asString()).isEqualTo("17");
    assertThat(json.get("level").asString()).isEqualTo("INFO");
  }

  @Test
  void theLevelIsThatOfAllButTalkativeLibraries() throws JoranException {
    configure(Map.of("MILLRACE_LOG_LEVEL", "DEBUG"));
    assertThat(level("com.example.Shop")).isEqualTo(Level.DEBUG);
    assertThat(level("org.eclipse.jetty.server.Server")).isEqualTo(Level.WARN);
    assertThat(level("org.eclipse.jetty.http.HttpParser")).isEqualTo(Level.ERROR);
    assertThat(level("org.eclipse.jetty.util.HostPort")).isEqualTo(Level.ERROR);
    configure(Map.of());
    assertThat(level("com.example.Shop")).isEqualTo(Level.WARN);
  }

  private void configure(Map<String, String> properties) throws JoranException {
    context.reset();
    context.putProperty("MILLRACE_LOG_LEVEL", "WARN");
    context.putProperty("MILLRACE_LOG_FORMAT", "text");
    properties.forEach(context::putProperty);
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(getClass().getResource("/io/millrace/server/logback.xml"));
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .filteredOn(status -> status.getEffectiveLevel() >= Status.WARN)
        .isEmpty();
  }

  private String written(Map<String, String> marks) {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerContext(context);
    event.setLoggerName("com.example.Shop");
    event.setLevel(Level.INFO);
    event.setThreadName("worker");
    event.setMessage("reserving {}");
    event.setArgumentArray(new Object[] {3});
    event.setInstant(Instant.parse("2026-01-05T08:00:00Z"));
    event.setMDCPropertyMap(marks);
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    ConsoleAppender<ILoggingEvent> appender =
        (ConsoleAppender<ILoggingEvent>) root.getAppender("stderr");
    assertThat(appender.getTarget()).isEqualTo("System.err");
    return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  private Level level(String logger) {
    return context.getLogger(logger).getEffectiveLevel();
  }
}
