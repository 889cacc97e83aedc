package io.millrace.server.http;

import io.javalin.http.HttpResponseException;
import io.millrace.codec.CodecException;
import io.millrace.continuous.TooManyOfferedEventsException;
import io.millrace.continuous.UnknownContinuousWorkflowException;
import io.millrace.continuous.UnknownRolloutException;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.TooLargeException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.admin.UnknownFlowException;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.jobs.JobNotFoundException;
import io.millrace.report.source.SourceException;
import io.millrace.schedule.InvalidScheduleException;
import io.millrace.sequence.ChannelException;
import io.millrace.sequence.UnknownNameException;
import io.millrace.server.security.RateLimitedLogger;
import io.millrace.server.security.RejectedRequestException;
import io.millrace.store.StoreException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mapper of exceptions to rejections. An unexpected exception is logged, and its details are not
 * sent to the caller. Thread-safe.
 */
final class ProblemMapper {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemMapper.class);
  private static final int SECONDS = 2;

  /** Seconds to wait while too many events are queued; events run one after another. */
  private static final int EVENT_SECONDS = 10;

  private final RateLimitedLogger limited;

  ProblemMapper(EngineClock clock) {
    this.limited = new RateLimitedLogger(LOG, clock);
  }

  ProblemException of(Throwable thrown, String request) {
    return switch (thrown) {
      case ProblemException e -> e;
      case RejectedRequestException e -> ProblemException.of(e);
      case UnknownContinuousWorkflowException e -> ProblemException.of(404, message(e));
      case UnknownRolloutException e -> ProblemException.of(404, message(e));
      case TooManyOfferedEventsException e ->
          ProblemException.later(429, EVENT_SECONDS, message(e));
      case UnknownNameException e -> ProblemException.of(404, message(e));
      case ChannelException e -> ProblemException.later(503, SECONDS, message(e));
      case UnknownFlowException e -> ProblemException.of(404, message(e));
      case JobNotFoundException e -> ProblemException.of(404, message(e));
      case RedisUnavailableException e -> redisAway(e, request);
      case RedisReplyException e -> redisRefused(e, request);
      case TooLargeException e -> ProblemException.of(413, message(e));
      case InvalidRequestException e -> ProblemException.of(400, message(e));
      case InvalidScheduleException e -> ProblemException.of(400, message(e));
      case CodecException e -> ProblemException.of(e.isTooLarge() ? 413 : 400, message(e));
      case InstanceNotFoundException e -> ProblemException.of(404, message(e));
      case ConflictException e -> ProblemException.of(409, message(e));
      case HttpResponseException e -> ProblemException.of(e.getStatus(), message(e));
      case StoreException e when !e.rejected() -> unavailable(e, request);
      case SourceException e -> unavailable(e, request);
      default -> unexpected(thrown, request);
    };
  }

  private static String message(Exception e) {
    String message = e.getMessage();
    return message == null ? "" : message;
  }

  private static ProblemException redisRefused(RedisReplyException e, String request) {
    LOG.debug("{}: Redis refused it", request, e);
    return e.code().equals("WRONGTYPE")
        ? ProblemException.of(409, "Unexpected value in Redis: " + e.getMessage())
        : ProblemException.later(503, SECONDS, "Redis refuses this now: " + e.getMessage());
  }

  private static ProblemException redisAway(RedisUnavailableException e, String request) {
    LOG.debug("{}: Redis did not answer", request, e);
    return ProblemException.later(503, SECONDS, "Redis does not answer now: " + e.getMessage());
  }

  private ProblemException unavailable(Exception e, String request) {
    limited.warn(
        e.getClass().getName(), request + ": the database did not answer: " + e.getMessage());
    return ProblemException.later(
        503, SECONDS, "The database does not answer now. Try again in a moment.");
  }

  /**
   * Logs an unexpected exception. A caller can repeat the request, so the log shows each place of
   * failure once a minute.
   */
  private ProblemException unexpected(Throwable thrown, String request) {
    String kind = thrown.getClass().getName() + " at " + place(thrown.getStackTrace());
    String id = limited.error(kind, request + " failed unexpectedly", thrown);
    return ProblemException.of(
        500,
        "Something failed that should not. The server's log tells more under error " + id + ".");
  }

  /**
   * Returns the place of failure in Millrace's own code, since library code fails alike for many
   * reasons.
   */
  private static String place(StackTraceElement[] stack) {
    return Stream.of(stack)
        .filter(frame -> frame.getClassName().startsWith("io.millrace."))
        .findFirst()
        .or(() -> Stream.of(stack).findFirst())
        .map(StackTraceElement::toString)
        .orElse("an unknown place");
  }
}
