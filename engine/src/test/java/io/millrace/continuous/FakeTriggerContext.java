package io.millrace.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.store.ContinuousStore.OfferedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An engine for one source, which does one step at a time, by a clock that the test sets. */
final class FakeTriggerContext implements TriggerContext, EngineClock {

  final Deque<OfferedEvent> offered = new ArrayDeque<>();
  final AtomicInteger wakes = new AtomicInteger();
  final Set<String> memory = new HashSet<>();
  @Nullable String position;
  @Nullable Instant since;
  private Instant now;
  private long nanos = 1_000;

  FakeTriggerContext(String now) {
    this.now = Instant.parse(now);
  }

  void pass(Duration time) {
    now = now.plus(time);
    nanos += time.toNanos();
  }

  void passUntil(String then) {
    pass(Duration.between(now, Instant.parse(then)));
  }

  /** Corrects the wall clock forward or back. */
  void correct(Duration by) {
    now = now.plus(by);
  }

  /** Polls the source for an event, and accepts it as the engine does. */
  PollResult.Event fire(Trigger.Source source) throws Exception {
    PollResult.Event event = read(source);
    write(event);
    event.accepted().run();
    return event;
  }

  /** Writes the changes of an event, like its transaction. */
  void write(PollResult.Event event) {
    position = event.position() == null ? position : event.position();
    event.memory().removed().forEach(memory::remove);
    memory.addAll(event.memory().added());
  }

  Tick tick(Trigger.Source source) throws Exception {
    return (Tick) fire(source).payload();
  }

  static PollResult.Event read(Trigger.Source source) throws Exception {
    PollResult pollResult = source.poll();
    assertThat(pollResult).isInstanceOf(PollResult.Event.class);
    return (PollResult.Event) pollResult;
  }

  /** Polls the source, which has no event, and returns its pause. */
  static Duration pause(Trigger.Source source) throws Exception {
    PollResult pollResult = source.poll();
    assertThat(pollResult).isInstanceOf(PollResult.WaitFor.class);
    return ((PollResult.WaitFor) pollResult).waitFor();
  }

  @Override
  public String name() {
    return "mine";
  }

  @Override
  public Optional<String> position() {
    return Optional.ofNullable(position);
  }

  @Override
  public Set<String> memory() {
    return Set.copyOf(memory);
  }

  @Override
  public Optional<Instant> enabledSince() {
    return Optional.ofNullable(since);
  }

  @Override
  public EngineClock clock() {
    return this;
  }

  @Override
  public void wake() {
    wakes.incrementAndGet();
  }

  @Override
  public Optional<OfferedEvent> nextOfferedEvent() {
    return Optional.ofNullable(offered.peek());
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }
}
