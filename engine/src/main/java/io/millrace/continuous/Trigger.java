package io.millrace.continuous;

/**
 * The source of events of a continuous workflow. Immutable and shared; state that changes while it
 * waits belongs to the {@link Source} that is opened for each run. An idle source holds no thread:
 * it is polled when the pause that it requested has passed, when it was woken, and when the
 * execution of its last event has ended.
 *
 * <p>Applications can implement it for any source of events; see {@link Source#poll} for how to
 * lose and repeat nothing.
 */
public interface Trigger {

  /** Returns a description for people, such as {@code every 5 minutes}. */
  String describe();

  /**
   * Opens a source. Called again after each restart, continuation and move to another executor,
   * after the previous source was closed.
   *
   * @throws Exception if that is not possible now; it is retried with growing pauses
   */
  Source open(TriggerContext scope) throws Exception;

  /** An open trigger. Its methods are called by one thread at a time, not always the same one. */
  interface Source extends AutoCloseable {

    /**
     * Returns the next event, or how long to pause. Must not wait for an event: a source that
     * learns of one by itself calls {@link TriggerContext#wake} and returns it here.
     *
     * <p>An event is accepted when its execution is durable. {@link PollResult.Event#accepted} is
     * called after that, and not at all if it is lost on the way. A destructive read belongs there.
     * The event may then come again, here or on another node; one with the same {@link
     * PollResult.Event#id} starts no second execution.
     *
     * @throws Exception if the source fails; it is closed, and opened again after a pause
     */
    PollResult poll() throws Exception;

    /** Ends the wait. Must be quick; called once. Events that were not read stay where they are. */
    @Override
    default void close() {}
  }
}
