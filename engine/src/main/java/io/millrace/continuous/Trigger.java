package io.millrace.continuous;

/**
 * What a continuous workflow waits for. Immutable and shared; what changes while it waits belongs
 * to the {@link Source} that is opened for each run. An idle source holds no thread: it is asked
 * again when the rest it asked for has passed, when it was woken, and when the execution of its
 * last event has ended.
 *
 * <p>Write one's own for any source of events; see {@link Source#poll} for what makes it lose and
 * repeat nothing.
 */
public interface Trigger {

  /** Returns a description for people, such as {@code every 5 minutes}. */
  String describe();

  /**
   * Begins to wait. Called again after each restart, continuation and hand-over, after the source
   * before was closed.
   *
   * @throws Exception when that is not possible now; it is tried again with growing pauses
   */
  Source open(TriggerContext scope) throws Exception;

  /** An open trigger. Its methods are called by one thread at a time, not always the same one. */
  interface Source extends AutoCloseable {

    /**
     * The next event, or how long to rest. Must not wait for an event: a source that learns of one
     * by itself calls {@link TriggerContext#wake} and answers here.
     *
     * <p>An event is accepted when its execution is durable; {@link PollResult.Event#accepted} is
     * called after that, and not at all when it is lost on the way. A destructive read belongs
     * there. The event may then come again, here or on another node; one with the same {@link
     * PollResult.Event#id} starts nothing anew.
     *
     * @throws Exception when the source fails; it is closed, and opened again after a pause
     */
    PollResult poll() throws Exception;

    /** Ends the wait; quick, and called once. Events not taken stay where they are. */
    @Override
    default void close() {}
  }
}
