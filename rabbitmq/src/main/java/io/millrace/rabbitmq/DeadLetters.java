package io.millrace.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.sequence.ChannelException;
import io.millrace.sequence.ChannelTransport.DeadLetter;
import io.millrace.sequence.ChannelTransport.QueueStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads queue depths and dead letters, and moves dead letters back. Thread-safe. */
final class DeadLetters {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
  private static final int SHOWN = 2_000;

  /**
   * Upper limit of the bytes read of a body: enough for {@link #SHOWN} characters of any length.
   */
  private static final int SHOWN_BYTES = 4 * SHOWN;

  /**
   * Number of letters moved over one protocol channel. The broker holds back answers while more
   * than 32 of them are under way to a quorum queue, and forgets those when the protocol channel
   * ends.
   */
  private static final int PIECE = 16;

  /** Upper limit of the bytes of bodies held at a time; a longer body is moved alone. */
  private static final int PIECE_BYTES = 4 * 1_024 * 1_024;

  private final RabbitConnection rabbitConnection;
  private final RabbitNames rabbitNames;
  private final Publisher publisher;
  private final Duration limit;

  DeadLetters(
      RabbitConnection rabbitConnection,
      RabbitNames rabbitNames,
      Publisher publisher,
      Duration limit) {
    this.rabbitConnection = rabbitConnection;
    this.rabbitNames = rabbitNames;
    this.publisher = publisher;
    this.limit = limit;
  }

  @FunctionalInterface
  private interface Question<T> {
    T ask(Connection connection) throws IOException;
  }

  private <T> T ask(String what, Question<T> question) {
    try {
      return switch (rabbitConnection.await(limit)) {
        case RabbitConnection.State.Connected connected -> question.ask(connected.connection());
        case RabbitConnection.State.Disconnected disconnected ->
            throw new ChannelException(what + ": " + disconnected.reason(), null);
        case RabbitConnection.State.Connecting connecting ->
            throw new ChannelException(what + ": RabbitMQ gives no connection.", null);
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChannelException(what + ": interrupted.", e);
    } catch (IOException | AlreadyClosedException e) {
      throw new ChannelException(what + ": " + RabbitErrorMessages.of(e), e);
    }
  }

  QueueStatus depth(String channel) {
    String queue = rabbitNames.shown(channel);
    String dead = rabbitNames.shownDead(channel);
    return ask(
        "The depth of channel '" + channel + "' is not known",
        connection -> {
          Optional<DeclareOk> state = state(connection, queue);
          return new QueueStatus(
              channel,
              state.map(DeclareOk::getMessageCount).orElse(0),
              state.map(DeclareOk::getConsumerCount).orElse(0),
              state(connection, dead).map(DeclareOk::getMessageCount).orElse(0));
        });
  }

  /** Returns the state of a queue; empty when there is no such queue. */
  private static Optional<DeclareOk> state(Connection connection, String queue) throws IOException {
    Channel own = AmqpChannels.open(connection);
    try {
      return Optional.of(own.queueDeclarePassive(queue));
    } catch (IOException e) {
      if (isMissing(e)) {
        return Optional.empty();
      }
      throw e;
    } finally {
      AmqpChannels.close(own);
    }
  }

  private static boolean isMissing(Throwable failure) {
    return failure.getCause() instanceof ShutdownSignalException shutdown
        && shutdown.getReason() instanceof AMQP.Channel.Close close
        && close.getReplyCode() == AMQP.NOT_FOUND;
  }

  List<DeadLetter> list(String channel, int most) {
    requireLimit(most);
    String dead = rabbitNames.shownDead(channel);
    return ask(
        "The dead letters of channel '" + channel + "' are not known",
        connection -> {
          if (state(connection, dead).isEmpty()) {
            return List.of();
          }
          Channel own = AmqpChannels.open(connection);
          try {
            return looked(own, channel, dead, most);
          } finally {
            AmqpChannels.close(own);
          }
        });
  }

  /**
   * Returns the oldest letters and leaves them in the queue. Only the part that is shown is kept in
   * memory.
   */
  static List<DeadLetter> looked(Channel own, String channel, String queue, int most)
      throws IOException {
    List<DeadLetter> letters = new ArrayList<>();
    long last = 0;
    while (letters.size() < most) {
      GetResponse one = own.basicGet(queue, false);
      if (one == null) {
        break;
      }
      letters.add(letter(channel, one));
      last = one.getEnvelope().getDeliveryTag();
    }
    if (!letters.isEmpty()) {
      own.basicNack(last, true, true);
    }
    return letters;
  }

  private static DeadLetter letter(String channel, GetResponse one) {
    byte[] body = one.getBody();
    String text = new String(body, 0, Math.min(body.length, SHOWN_BYTES), StandardCharsets.UTF_8);
    return new DeadLetter(
        channel,
        MessageCodec.start(text, SHOWN),
        one.getProps().getMessageId(),
        MessageCodec.reason(one.getProps()));
  }

  /** Fetches the oldest messages. The broker requeues them when the protocol channel ends. */
  static List<GetResponse> taken(Channel own, String queue, int most) throws IOException {
    List<GetResponse> all = new ArrayList<>();
    long bytes = 0;
    while (all.size() < most && bytes < PIECE_BYTES) {
      GetResponse one = own.basicGet(queue, false);
      if (one == null) {
        break;
      }
      all.add(one);
      bytes += one.getBody().length;
    }
    return all;
  }

  /** Moves dead letters back; those that arrive meanwhile stay. */
  int requeue(String channel, int most) {
    requireLimit(most);
    String dead = rabbitNames.shownDead(channel);
    return ask(
        "The dead letters of channel '" + channel + "' are not moved back",
        connection ->
            state(connection, dead).isEmpty()
                ? 0
                : inPieces(channel, most, piece -> move(connection, channel, piece)));
  }

  /**
   * Number of letters moved, and the number that were there before. The count of a passive
   * declaration is not used, since it leaves out letters that were just looked at and are not yet
   * back in the queue.
   */
  record MoveResult(int moved, int there) {}

  /**
   * Moves at most a given number of letters; fails when there are letters and none can be moved.
   */
  @FunctionalInterface
  interface BatchMover {
    MoveResult move(int most) throws IOException;
  }

  /**
   * Moves letters piece by piece. A failure after some were moved is logged and the number is
   * returned, since the moves cannot be undone.
   */
  static int inPieces(String channel, int most, BatchMover batchMover) throws IOException {
    int all = most;
    int moved = 0;
    while (moved < all) {
      try {
        MoveResult moveResult = batchMover.move(Math.min(PIECE, all - moved));
        if (moved == 0) {
          all = Math.min(all, moveResult.there());
        }
        if (moveResult.moved() == 0) {
          break;
        }
        moved += moveResult.moved();
      } catch (IOException | AlreadyClosedException e) {
        if (moved == 0) {
          throw e;
        }
        LOG.warn(
            "{} of {} dead letters of channel '{}' were moved back, the others stay: {}",
            moved,
            all,
            channel,
            RabbitErrorMessages.of(e));
        break;
      }
    }
    return moved;
  }

  private MoveResult move(Connection connection, String channel, int most) throws IOException {
    Channel own = AmqpChannels.open(connection);
    try {
      List<GetResponse> letters = taken(own, rabbitNames.deadQueue(channel), most);
      List<OutgoingMessage> parcels =
          letters.stream()
              .map(one -> MessageCodec.revived(channel, rabbitNames, one.getProps(), one.getBody()))
              .toList();
      List<@Nullable String> answers = publisher.send(parcels);
      int safe = safe(answers);
      if (safe > 0) {
        own.basicAck(letters.get(safe - 1).getEnvelope().getDeliveryTag(), true);
      }
      if (safe == 0 && !answers.isEmpty()) {
        throw new IOException(answers.getFirst());
      }
      return new MoveResult(safe, there(letters));
    } finally {
      AmqpChannels.close(own);
    }
  }

  /** Returns the number of letters in the queue before these were fetched. */
  private static int there(List<GetResponse> taken) {
    return taken.isEmpty() ? 0 : taken.size() + taken.getLast().getMessageCount();
  }

  /** Returns how many letters are safe before the first that is not. */
  private static int safe(List<@Nullable String> answers) {
    int safe = 0;
    while (safe < answers.size() && answers.get(safe) == null) {
      safe++;
    }
    return safe;
  }

  private static void requireLimit(int most) {
    if (most < 1) {
      throw new InvalidRequestException(
          "The number of dead letters is " + most + ", expected 1 or more.");
    }
  }
}
