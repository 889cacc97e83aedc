package io.millrace.redis.admin;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.OwnKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds out where jobs are: one round trip, however many jobs and queues. Thread-safe. */
final class PlaceFinder {

  /** So many entries of a list are looked through from each of its ends. */
  private static final String MOST = "50000";

  private static final int HEAD = 2;
  private static final int EACH = 7;

  private final Redis redis;
  private final Dialect dialect;

  PlaceFinder(Redis redis, Dialect dialect) {
    this.redis = redis;
    this.dialect = dialect;
  }

  /** In the order of the jobs. */
  List<Place> find(Registry registry, List<FlowAdmin.Ref> jobs) {
    List<List<String>> commands = new ArrayList<>();
    for (FlowAdmin.Ref job : jobs) {
      commands.add(List.of("TTL", dialect.job(job.flow(), job.id())));
      commands.add(List.of("HGETALL", OwnKeys.meta(job.flow(), job.id())));
      for (Stop stop : stops(registry, job)) {
        commands.addAll(commands(stop, dialect.entry(job.flow(), job.id())));
      }
    }
    List<@Nullable Object> replies = Replies.lenient(redis, commands);
    List<Place> places = new ArrayList<>();
    int at = 0;
    for (FlowAdmin.Ref job : jobs) {
      List<Stop> stops = stops(registry, job);
      int end = at + HEAD + stops.size() * EACH;
      places.add(place(stops, replies.subList(at, end)));
      at = end;
    }
    return places;
  }

  /** Lists in which a job may be. */
  private record Stop(QueueNode queue, int level) {}

  private List<Stop> stops(Registry registry, FlowAdmin.Ref job) {
    return registry.queuesOf(job.flow()).stream()
        .flatMap(queue -> queue.levels(dialect).stream().map(level -> new Stop(queue, level)))
        .toList();
  }

  private List<List<String>> commands(Stop stop, String entry) {
    String queue = stop.queue().name();
    String waiting = dialect.waiting(queue, stop.level());
    String lock = dialect.lock(queue, entry);
    return List.of(
        List.of("LPOS", dialect.processing(queue, stop.level()), entry, "MAXLEN", MOST),
        List.of("LPOS", waiting, entry, "MAXLEN", MOST),
        List.of("LPOS", waiting, entry, "RANK", "-1", "MAXLEN", MOST),
        List.of("ZSCORE", dialect.delayed(queue, stop.level()), entry),
        List.of("ZSCORE", OwnKeys.dead(queue), entry),
        List.of("GET", lock),
        List.of("TTL", lock));
  }

  private static Place place(List<Stop> stops, List<@Nullable Object> replies) {
    long ttl = Replies.number(replies.get(0));
    Set<String> last =
        stops.stream()
            .map(Stop::queue)
            .filter(queue -> queue.next() == null)
            .map(QueueNode::name)
            .collect(Collectors.toSet());
    Map<String, String> meta = Replies.pairs(replies.get(1));
    Place place = new Place(null, ttl < 0 ? null : ttl, meta, last);
    for (int i = 0; i < stops.size(); i++) {
      int from = HEAD + i * EACH;
      place = in(place, stops.get(i).queue().name(), replies.subList(from, from + EACH));
    }
    return place;
  }

  /** The first queue that has it counts; a job in several is one that was put back by hand. */
  private static Place in(Place so, String queue, List<@Nullable Object> replies) {
    JobList list = list(replies);
    if (list == null || so.spot() != null) {
      return so;
    }
    Object position = replies.get(1) == null ? replies.get(2) : replies.get(1);
    Object score = list == JobList.DELAYED ? replies.get(3) : replies.get(4);
    Place.Spot spot =
        new Place.Spot(
            list,
            queue,
            list == JobList.WAITING ? (Long) position : null,
            list == JobList.DELAYED || list == JobList.DEAD ? at(score) : null,
            list == JobList.PROCESSING ? lock(replies.get(5), replies.get(6)) : null);
    return new Place(spot, so.ttlSeconds(), so.meta(), so.last());
  }

  private static Instant at(@Nullable Object score) {
    return Instant.ofEpochMilli(Replies.number(score));
  }

  private static @Nullable JobList list(List<@Nullable Object> replies) {
    if (replies.get(0) != null) {
      return JobList.PROCESSING;
    }
    if (replies.get(1) != null || replies.get(2) != null) {
      return JobList.WAITING;
    }
    if (replies.get(3) != null) {
      return JobList.DELAYED;
    }
    return replies.get(4) == null ? null : JobList.DEAD;
  }

  /** Null when nobody has it. */
  static JobPage.@Nullable Lock lock(@Nullable Object owner, @Nullable Object seconds) {
    return owner == null
        ? null
        : new JobPage.Lock(owner.toString(), Math.max(0, Replies.number(seconds)));
  }
}
