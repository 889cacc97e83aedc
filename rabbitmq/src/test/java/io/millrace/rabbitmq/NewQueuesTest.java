package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownListener;
import io.millrace.lifecycle.EngineClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Only a queue that was made just before its broker ended is suspected to have no leader. */
class NewQueuesTest {

  private final List<ShutdownListener> listeners = new ArrayList<>();
  private final Connection first = connection();
  private final Connection second = connection();
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

  private Connection connection() {
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
                  case "equals" -> proxy.hashCode() == args[0].hashCode();
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private void theFirstEnds() {
    listeners.forEach(listener -> listener.shutdownCompleted(null));
  }

  @Test
  void aQueueThatWasMadeJustBeforeIsSuspectedUntilItHasAnswered() {
    newQueues.add("q", first);
    pass(Duration.ofSeconds(2));
    theFirstEnds();
    pass(Duration.ofHours(1));

    assertThat(newQueues.mayHaveNoLeader("q", second)).isTrue();
    assertThat(newQueues.mayHaveNoLeader("other", second)).isFalse();
    newQueues.remove("q");
    assertThat(newQueues.mayHaveNoLeader("q", second)).isFalse();
  }

  @Test
  void aQueueThatIsOnDiskIsNotSuspected() {
    newQueues.add("q", first);
    pass(Duration.ofSeconds(10));
    theFirstEnds();

    assertThat(newQueues.mayHaveNoLeader("q", second)).isFalse();
  }

  @Test
  void aQueueIsNotSuspectedOverTheConnectionThatMadeIt() {
    newQueues.add("q", first);

    assertThat(newQueues.mayHaveNoLeader("q", first)).isFalse();
  }

  @Test
  void aQueueThatIsMadeAnewIsSuspectedByTheNewConnectionsEnd() {
    newQueues.add("q", first);
    pass(Duration.ofSeconds(2));
    newQueues.add("q", second);
    pass(Duration.ofSeconds(9));
    theFirstEnds();

    assertThat(newQueues.mayHaveNoLeader("q", first)).isTrue();
  }
}
