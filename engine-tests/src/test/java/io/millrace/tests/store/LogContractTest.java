package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.LogLine;
import io.millrace.instance.WorkflowInstance;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that log lines of handlers are stored with the instance. */
class LogContractTest extends StoreContract {

  LogContractTest(StoreFixture subject) {
    super(subject);
  }

  private LogLine line(long id, String message) {
    LogLine.Source source = new LogLine.Source("begin", 2, 3, executor);
    return new LogLine(0, id, source, now(), "INFO", "org.example.Log", message);
  }

  private List<LogLine> lines(long id) {
    return store.logs().lines(id, 0, 1000);
  }

  private List<String> messages(long id) {
    return lines(id).stream().map(LogLine::message).toList();
  }

  private static LogLine withoutId(LogLine line) {
    return new LogLine(
        0, line.instanceId(), line.place(), line.at(), line.level(), line.logger(), line.message());
  }

  @Test
  void aLineComesBackAsItWas() {
    long id = start(instance());
    Instant at = Instant.parse("2001-02-03T04:05:06.123456789Z");
    LogLine full =
        new LogLine(
            7,
            id,
            new LogLine.Source("paying", 2, 5, executor),
            at,
            "WARN",
            "org.example.Pay",
            "€ '");
    LogLine bare = new LogLine(7, id, LogLine.Source.NONE, at, "INFO", "", "");

    store.logs().append(List.of(full, bare));

    Instant stored = at.truncatedTo(ChronoUnit.MICROS);
    assertThat(lines(id).stream().map(LogContractTest::withoutId))
        .containsExactly(
            new LogLine(0, id, full.place(), stored, "WARN", "org.example.Pay", "€ '"),
            new LogLine(0, id, LogLine.Source.NONE, stored, "INFO", "", ""));
  }

  @Test
  void linesKeepTheirOrderWithinACallAndAmongCalls() {
    long id = start(instance());
    long other = start(instance());
    List<String> texts = IntStream.range(0, 300).mapToObj(i -> "line " + i).toList();
    store
        .logs()
        .append(
            texts.subList(0, 200).stream()
                .flatMap(text -> List.of(line(id, text), line(other, "other")).stream())
                .toList());
    store.logs().append(texts.subList(200, 300).stream().map(text -> line(id, text)).toList());

    assertThat(messages(id)).isEqualTo(texts);
    assertThat(messages(other)).hasSize(200).containsOnly("other");
    assertThat(lines(id)).extracting(LogLine::id).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void linesAreReadInPages() {
    long id = start(instance());
    store.logs().append(List.of(line(id, "a"), line(id, "b"), line(id, "c")));

    List<LogLine> first = store.logs().lines(id, 0, 2);
    List<LogLine> rest = store.logs().lines(id, first.getLast().id(), 2);
    assertThat(first).extracting(LogLine::message).containsExactly("a", "b");
    assertThat(rest).extracting(LogLine::message).containsExactly("c");
    assertThat(store.logs().lines(id, rest.getLast().id(), 2)).isEmpty();
  }

  @Test
  void linesOfUnknownInstancesAreDroppedAndTheOthersKept() {
    long id = start(instance());
    store.logs().append(List.of(line(Long.MAX_VALUE, "lost"), line(id, "kept")));

    assertThat(messages(id)).containsExactly("kept");
    assertThat(lines(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void nothingToAppendIsFine() {
    store.logs().append(List.of());

    assertThat(lines(start(instance()))).isEmpty();
  }

  @Test
  void linesMayComeWhileTheInstanceIsHeldAndAfterItsEnd() {
    WorkflowInstance held = startAndClaim();
    store.logs().append(List.of(line(held.id(), "running")));
    saveAccepted(transitionOf(held).end(InstanceStatus.FINISHED));
    store.logs().append(List.of(line(held.id(), "late")));

    assertThat(messages(held.id())).containsExactly("running", "late");
  }

  @Test
  void textsThatNobodyControlsAreCutAndCleaned() {
    long id = start(instance());
    String huge = "x😀".repeat(100_000);
    LogLine.Source source = new LogLine.Source("s", 1, 1, null);
    store
        .logs()
        .append(
            List.of(
                new LogLine(0, id, source, now(), "INFO", huge, huge),
                new LogLine(0, id, source, Instant.MAX, "INFO", "a\0b", "c\0d\uD83De")));

    LogLine cut = lines(id).getFirst();
    assertThat(cut.message()).startsWith("x😀x😀").hasSizeBetween(7_999, 8_000).endsWith("…");
    assertThat(cut.logger()).startsWith("x😀x😀").hasSizeLessThanOrEqualTo(200);
    assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(cut.message())).isTrue();
    LogLine odd = lines(id).getLast();
    assertThat(odd.logger()).startsWith("a").endsWith("b");
    assertThat(odd.message()).startsWith("c").endsWith("e");
  }
}
