package io.millrace.store;

/**
 * A fast and unreliable channel that tells other processes to poll for work. Losing every hint
 * costs only latency.
 */
public interface HintChannel {

  /** Channel that delivers nothing. */
  HintChannel NONE =
      new HintChannel() {
        @Override
        public void publish(String executorGroup) {}

        @Override
        public Subscription subscribe(String executorGroup, Runnable onHint) {
          return () -> {};
        }
      };

  /** A subscription, which ends when it is closed. */
  @FunctionalInterface
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** Sends a hint to the other processes of the group. May block briefly, never throws. */
  void publish(String executorGroup);

  /** Returns false if hints of other processes are known not to arrive here. */
  default boolean isDelivering() {
    return true;
  }

  /** Calls {@code onHint} from a thread of its own for every hint of another process. */
  Subscription subscribe(String executorGroup, Runnable onHint);

  /** Ends the channel with its store: nothing is sent or received any more. */
  default void close() {}
}
