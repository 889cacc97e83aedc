package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownListener;
import io.millrace.lifecycle.EngineClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that only a queue that was created just before its broker ended is suspected to have no
 * leader.
 */
class NewQueuesTest {

  private final List<ShutdownListener> listeners = new ArrayList<>();
  private final Set<String> open = new HashSet<>(Set.of("first", "second"));
  private final Connection first = connection("first");
  private final Connection second = connection("second");
  private final NewQueues newQueues = new NewQueues(clock());
  private long nanos;

  private EngineClock clock() {
    return new EngineClock() {
      @Override
      public long nanoTime() {
        return nanos;
      }

      @Override
      public Instant instant() {
        return Instant.EPOCH;
      }
    };
  }

  private Connection connection(String name) {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "addShutdownListener" -> {
                    listeners.add((ShutdownListener) args[0]);
                    yield null;
                  }
                  case "isOpen" -> open.contains(name);
                  case "equals" -> proxy.hashCode() == args[0].hashCode();
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private void theFirstEnds() {
    open.remove("first");
    listeners.forEach(listener -> listener.shutdownCompleted(null));
  }

  @Test
  void aQueueThatWasMadeJustBeforeIsSuspectedUntilItHasAnswered() {
    newQueues.add("q", first);
    pass(Duration.ofSeconds(2));
    theFirstEnds();
    pass(Duration.ofHours(1));

    assertThat(newQueues.mayHaveNoLeader("q")).isTrue();
    assertThat(newQueues.mayHaveNoLeader("other")).isFalse();
    newQueues.remove("q");
    assertThat(newQueues.mayHaveNoLeader("q")).isFalse();
  }

  @Test
  void aQueueThatIsOnDiskIsNotSuspected() {
    newQueues.add("q", first);
    pass(Duration.ofSeconds(10));
    theFirstEnds();

    assertThat(newQueues.mayHaveNoLeader("q")).isFalse();
  }

  @Test
  void aQueueIsNotSuspectedWhileTheConnectionThatMadeItIsOpen() {
    newQueues.add("q", first);
    open.remove("second");

    assertThat(newQueues.mayHaveNoLeader("q")).isFalse();
  }

  @Test
  void aQueueThatIsCreatedAgainIsSuspectedByTheEndOfItsNewConnection() {
    newQueues.add("q", first);
    theFirstEnds();
    newQueues.add("q", second);
    assertThat(newQueues.mayHaveNoLeader("q")).isFalse();

    open.remove("second");
    assertThat(newQueues.mayHaveNoLeader("q")).isTrue();
  }
}
