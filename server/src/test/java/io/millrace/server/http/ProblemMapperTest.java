package io.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.codec.CodecException;
import io.millrace.codec.JsonLimits;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.TooLargeException;
import io.millrace.store.StoreException;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests that a caller that repeats a failing request does not fill the log. */
class ProblemMapperTest {

  private final SettableClock clock = SettableClock.at(Instant.parse("2026-01-05T08:00:00Z"));
  private final ProblemMapper mapper = new ProblemMapper(clock);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(ProblemMapper.class);

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(log);
  }

  @Test
  void whatFailsAgainAndAgainIsLoggedOnceAMinuteForEachPlace() {
    String first = "";
    for (int i = 0; i < 1000; i++) {
      String detail = mapper.of(failure("a"), "GET /a").problem().detail();
      first = i == 0 ? detail : first;
      assertThat(detail).isEqualTo(first);
    }
    mapper.of(new IllegalStateException("another place"), "GET /b");

    assertThat(logged()).hasSize(2);
    assertThat(logged().getFirst()).startsWith("GET /a failed unexpectedly, error ");
    String id = logged().getFirst().substring("GET /a failed unexpectedly, error ".length());
    assertThat(first).contains("under error " + id);

    clock.advance(Duration.ofMinutes(1));
    String later = mapper.of(failure("a"), "GET /a").problem().detail();
    assertThat(logged().getLast()).contains(" (999 more since the last such line)");
    assertThat(later).isNotEqualTo(first);
  }

  @Test
  void faultsOfTwoPlacesAreTwoThoughTheLibraryFailsAtOne() {
    mapper.of(caught(() -> Objects.requireNonNull(null)), "GET /a");
    mapper.of(caught(() -> Objects.requireNonNull(null)), "GET /b");
    assertThat(logged()).hasSize(2);
  }

  @Test
  void moreKindsThanAreKeptDoNotHideALaterOneForEver() {
    for (int i = 0; i < 200; i++) {
      mapper.of(at("place" + i), "GET /" + i);
    }
    assertThat(logged()).hasSize(101);

    clock.advance(Duration.ofMinutes(1));
    mapper.of(at("late"), "GET /late");
    mapper.of(at("later"), "GET /later");
    assertThat(logged()).hasSize(103);
  }

  @Test
  void whatIsTooLargeToBeStoredIsAnsweredLikeABodyThatIsTooLarge() {
    Problem instance =
        mapper.of(new TooLargeException("Start of 'job': too many bytes."), "POST /x").problem();
    Problem value =
        mapper
            .of(
                caught(() ->
                    CodecException.naming(
                        "Variable 'v'", () -> new JsonLimits(2, 64).checked("abc", "\"abc\""))),
                "POST /x")
            .problem();

    assertThat(List.of(instance.status(), value.status())).containsOnly(413);
    assertThat(List.of(instance.type(), value.type())).containsOnly("too-large");
    assertThat(instance.detail()).isEqualTo("Start of 'job': too many bytes.");
    assertThat(value.detail()).startsWith("Variable 'v': ").contains("expected at most 2.");
    assertThat(mapper.of(new CodecException("no number", null), "POST /x").problem().status())
        .isEqualTo(400);
  }

  @Test
  void whatIsStoredForbidsIsAConflictAndNoInvalidRequest() {
    List<Integer> statuses =
        Stream.of(
                new ConflictException("in use"),
                new InstanceConflictException(7, "has ended"),
                new InvalidRequestException("too long"))
            .map(thrown -> mapper.of(thrown, "POST /x").problem().status())
            .toList();

    assertThat(statuses).containsExactly(409, 409, 400);
  }

  private static Throwable caught(Runnable call) {
    return catchThrowable(call::run);
  }

  private static Throwable at(String method) {
    Throwable thrown = failure("a");
    thrown.setStackTrace(
        new StackTraceElement[] {new StackTraceElement("io.millrace.Any", method, "Any.java", 1)});
    return thrown;
  }

  @Test
  void aDatabaseThatIsAwayIsOneLineAMinute() {
    for (int i = 0; i < 100; i++) {
      mapper.of(new StoreException("gone " + i, false, null), "GET /" + i);
    }
    assertThat(logged()).singleElement().asString().contains("the database did not answer: gone 0");
    assertThat(log.list.getFirst().getLevel()).isEqualTo(Level.WARN);
    assertThat(log.list.getFirst().getThrowableProxy()).isNull();
  }

  @Test
  void whatACallerSendsStaysInOneLine() {
    mapper.of(failure("a"), "GET /x\r\n2026 ERROR forged " + "y".repeat(9000));
    assertThat(logged().getFirst())
        .startsWith("GET /x 2026 ERROR forged yyy")
        .doesNotContain("\n")
        .hasSizeLessThan(600);
  }

  private static IllegalStateException failure(String message) {
    return new IllegalStateException(message);
  }

  private List<String> logged() {
    return log.list.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }
}
