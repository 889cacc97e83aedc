package io.millrace.redis.flow;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Queues that jobs go through. New jobs start in the first. Immutable; the methods return changed
 * copies.
 *
 * @param name without a colon
 * @param queues all queues, in their order; no other flow of the process has a queue of the same
 *     name
 * @param lookup the fields by whose values jobs can be found: strings, numbers, and arrays of them
 * @param timeToLive time for which a job is kept after its end; whole seconds. Processes with
 *     started flows renew it for jobs that a queue still needs.
 */
public record Flow(String name, List<Queue> queues, List<String> lookup, Duration timeToLive) {

  private static final Duration TIME_TO_LIVE = Duration.ofHours(24);
  private static final Duration MAX_TIME_TO_LIVE = Duration.ofDays(3650);

  public Flow {
    QueueNames.plain("The flow", name);
    queues = List.copyOf(requirePresent(queues, "The queues of flow " + name));
    lookup = List.copyOf(requirePresent(lookup, "The lookup fields of flow " + name));
    if (queues.isEmpty()) {
      throw new InvalidRequestException(
          "Flow "
              + name
              + " has no queue; expected at least one. Add the queues that its jobs go through.");
    }
    Set<String> names = new HashSet<>();
    for (Queue queue : queues) {
      if (!names.add(queue.name())) {
        throw new InvalidRequestException(
            "Flow "
                + name
                + " has two queues '"
                + queue.name()
                + "'; expected one of each name. Give the other a name of its own.");
      }
    }
    for (Queue queue : queues) {
      if (queue.next() != null && !names.contains(queue.next())) {
        throw new InvalidRequestException(
            "Queue "
                + queue.name()
                + " of flow "
                + name
                + " leads to '"
                + queue.next()
                + "', which the flow does not have; it has "
                + listed(queues)
                + ". Name all queues of a flow, also those that only other processes serve.");
      }
    }
    for (String field : lookup) {
      QueueNames.plain("The lookup field of flow " + name, field);
    }
    if (timeToLive.toSeconds() < 1 || timeToLive.compareTo(MAX_TIME_TO_LIVE) > 0) {
      throw new InvalidRequestException(
          "The timeToLive of flow "
              + name
              + " is "
              + timeToLive
              + "; expected 1 s to "
              + MAX_TIME_TO_LIVE.toDays()
              + " days.");
    }
  }

  /** Returns a flow without lookup fields, whose jobs live 24 hours. */
  public static Flow of(String name, Queue... queues) {
    return new Flow(name, List.of(queues), List.of(), TIME_TO_LIVE);
  }

  public Flow lookup(String... fields) {
    return new Flow(name, queues, Arrays.asList(fields), timeToLive);
  }

  public Flow timeToLive(Duration time) {
    return new Flow(name, queues, lookup, time);
  }

  /** Returns the queue that new jobs start in. */
  public Queue first() {
    return queues.getFirst();
  }

  /**
   * Returns a queue.
   *
   * @param queue the queue's name; that of a child queue is the parent's queue, a colon, and its
   *     own name, at every level
   * @throws InvalidRequestException if the flow has no such queue; the message lists those it has
   */
  public Queue queue(String queue) {
    int colon = requirePresent(queue, "The queue").lastIndexOf(':');
    List<Queue> among = colon < 0 ? queues : queue(queue.substring(0, colon)).children();
    return among.stream()
        .filter(q -> q.name().equals(queue.substring(colon + 1)))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "Flow "
                    + name
                    + " has no queue '"
                    + queue
                    + "'; "
                    + (colon < 0 ? "it" : queue.substring(0, colon))
                    + " has "
                    + listed(among)
                    + "."));
  }

  private static String listed(List<Queue> queues) {
    return queues.isEmpty()
        ? "none"
        : queues.stream().map(Queue::name).collect(Collectors.joining(", "));
  }
}
