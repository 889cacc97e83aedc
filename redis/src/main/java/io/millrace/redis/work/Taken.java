package io.millrace.redis.work;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What came of taking a job. */
sealed interface Taken {

  /**
   * A job whose lock the worker has.
   *
   * @param entry as it stands in the lists
   * @param texts the values of the queue's attributes, in their order, behind the correlation id
   * @param book what Millrace keeps of it
   * @param ticket no other lease of the queue in this process has it; empty where nobody asks
   */
  record Leased(String entry, List<@Nullable String> texts, Book book, String ticket)
      implements Taken {}

  /** The entry's hash is away, or no hash: it was dropped. */
  record Gone(String entry, String why) implements Taken {}

  /** Somebody else has the job. */
  record Others() implements Taken {}

  /** No job waits. */
  record Empty() implements Taken {}

  /** Jobs were taken, and put off since the limit of their groups is reached. */
  record Delayed() implements Taken {}

  /** No job of the queue may begin yet; what was taken waits again. */
  record Limited(Duration rest) implements Taken {}

  /** Nobody may take a job of the queue. */
  record Paused() implements Taken {}

  /**
   * What Millrace keeps of a job; nothing of most.
   *
   * @param attempts that have failed in this queue
   * @param since the first of them failed, in ms since 1970; 0 when none has
   * @param priority empty for none
   * @param unique the key that holds its unique key, empty for none
   * @param stalls how often its worker has died in this queue
   */
  record Book(int attempts, long since, String priority, String unique, int stalls) {
    static final Book NONE = new Book(0, 0, "", "", 0);
  }

  /**
   * Reads what a script answers.
   *
   * @param ticket for the job, if it is one
   */
  static Taken read(@Nullable Object reply, String ticket) {
    List<?> parts = (List<?>) Replies.need(reply);
    return switch (Replies.text(parts.getFirst())) {
      case "JOB" -> leased(parts, ticket);
      case "GONE" -> new Gone(Replies.text(parts.get(1)), Replies.text(parts.get(2)));
      case "EMPTY" -> new Empty();
      case "PAUSED" -> new Paused();
      case "DELAYED" -> new Delayed();
      case "LIMITED" -> new Limited(Duration.ofMillis(Replies.number(parts.get(1))));
      case "TAKEN" -> new Others();
      default -> throw new IllegalStateException("A script answered " + parts);
    };
  }

  private static Leased leased(List<?> parts, String ticket) {
    List<?> book = (List<?>) Replies.need(parts.get(3));
    return new Leased(
        Replies.text(parts.get(1)), Replies.texts(Replies.need(parts.get(2))), book(book), ticket);
  }

  private static Book book(List<?> parts) {
    if (parts.stream().allMatch(Objects::isNull)) {
      return Book.NONE;
    }
    return new Book(
        (int) Replies.number(parts.get(0)),
        Replies.number(parts.get(1)),
        Replies.orEmpty(parts.get(2)),
        Replies.orEmpty(parts.get(3)),
        (int) Replies.number(parts.get(4)));
  }
}
