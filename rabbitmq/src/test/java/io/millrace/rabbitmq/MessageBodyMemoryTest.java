package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import io.millrace.sequence.ChannelTransport.DeadLetter;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of how many message bodies are held in memory at a time. */
class MessageBodyMemoryTest {

  private static final int HUGE = 10_000_000;

  private final List<WeakReference<byte[]>> given = new ArrayList<>();
  private final List<Long> nacked = new ArrayList<>();
  private int most;

  /** Returns a channel whose queue never ends and has letters with this body. */
  private Channel unlimited(byte[] content) {
    return (Channel)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Channel.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "basicGet" -> next(content.clone());
                  case "basicNack" -> nack((Long) args[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private @Nullable Object nack(Long tag) {
    nacked.add(tag);
    return null;
  }

  private GetResponse next(byte[] body) {
    if (given.size() % 20 == 19) {
      System.gc();
      most = (int) Math.max(most, given.stream().filter(one -> one.get() != null).count());
    }
    given.add(new WeakReference<>(body));
    Envelope envelope = new Envelope(given.size(), false, "", "");
    return new GetResponse(envelope, new BasicProperties(), body, 1);
  }

  @Test
  void ofAMessageThatIsTooLongOnlyWhatIsKeptIsHeld() {
    byte[] body = new byte[HUGE];
    body[7] = 7;

    UnackedDelivery unackedDelivery =
        new UnackedDelivery(unlimited(body), 1, new BasicProperties(), body);

    assertThat(unackedDelivery.body()).hasSize(65_536).startsWith(0, 0, 0, 0, 0, 0, 0, 7);
    assertThat(unackedDelivery.length()).isEqualTo(HUGE);
  }

  @Test
  void theBodiesOfDeadLettersAreLetGoOfWhileTheyAreListed() throws Exception {
    byte[] body = "ü".repeat(HUGE / 20).getBytes(StandardCharsets.UTF_8);

    List<DeadLetter> letters = DeadLetters.looked(unlimited(body), "A", "A.dead", 100);

    assertThat(letters).hasSize(100).allMatch(one -> one.body().equals("ü".repeat(2_000)));
    assertThat(given).hasSize(100);
    assertThat(most).isLessThanOrEqualTo(2);
    assertThat(nacked).containsExactly(100L);
  }

  @Test
  void longDeadLettersAreMovedBackInSmallerPieces() throws Exception {
    assertThat(DeadLetters.taken(unlimited(new byte[HUGE]), "A.dead", 16)).hasSize(1);
    assertThat(DeadLetters.taken(unlimited(new byte[1_500_000]), "A.dead", 16)).hasSize(3);
    assertThat(DeadLetters.taken(unlimited(new byte[100]), "A.dead", 16)).hasSize(16);
  }
}
