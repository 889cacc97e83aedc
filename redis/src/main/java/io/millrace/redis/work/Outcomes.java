package io.millrace.redis.work;

import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.FlowEvent;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Counts, logs and tells what became of the jobs of a worker. Thread-safe. */
final class Outcomes implements LeasedJob.Desk {

  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);

  private final Station station;
  private final String worker;

  Outcomes(Station station, String worker) {
    this.station = station;
    this.worker = worker;
  }

  void begun(Taken.Leased job) {
    tell(new FlowEvent.Leased(station.place(job.entry()), worker, job.book().attempts() + 1));
  }

  void dropped(Taken.Gone gone) {
    if (gone.why().isEmpty()) {
      station.totals().count(Totals.Kind.EXPIRED);
    }
    if (station.warnings().permits()) {
      LOG.warn(
          "Job {} of queue {} is dropped: its fields {}",
          gone.entry(),
          station.lane().name(),
          gone.why().isEmpty() ? "are gone, they expired or were deleted" : gone.why());
    }
  }

  /** The handler was told to stop, or had no right to the job any more. */
  void lost(Taken.Leased job, Verdict.Nothing none) {
    lost(
        job,
        none.why() == Held.Stop.STOPPED
            ? "the process ends; the job was put back"
            : "its lock was lost");
  }

  private void lost(Taken.Leased job, String why) {
    if (station.warnings().permits()) {
      LOG.warn(
          "The result of job {} in queue {} was not stored: {}",
          job.entry(),
          station.lane().name(),
          why);
    }
    tell(new FlowEvent.Lost(station.place(job.entry()), worker, why));
  }

  void stored(Taken.Leased job, Verdict verdict, Ended end, Duration took) {
    switch (end.status()) {
      case OK -> stored(job, verdict, took);
      case LOST -> lost(job, "its lock is another's, or has run out");
      case INVALID -> lost(job, "somebody has moved it out of the jobs that are worked on");
      case GONE -> lost(job, "its fields are gone, they expired or were deleted");
    }
  }

  private void stored(Taken.Leased job, Verdict verdict, Duration took) {
    FlowEvent.Place place = station.place(job.entry());
    switch (verdict) {
      case Verdict.Done done -> {
        station.totals().count(Totals.Kind.COMPLETED);
        if (done.nextQueue() == null) {
          station.ended(job.entry());
        }
        tell(new FlowEvent.Completed(place, worker, done.nextQueue(), took));
      }
      case Verdict.Again again -> {
        if (again.isAttempt()) {
          station.totals().count(Totals.Kind.RETRIED);
          log(job, "failed and is tried again", again.reason(), again.cause());
        }
        tell(new FlowEvent.Retried(place, worker, again.reason(), again.delay()));
      }
      case Verdict.Failed failed -> {
        station.totals().count(Totals.Kind.FAILED);
        station.ended(job.entry());
        log(job, "failed", failed.message(), failed.cause());
        tell(new FlowEvent.Failed(place, worker, failed.message(), took));
      }
      case Verdict.Parked parked ->
          throw new IllegalArgumentException("It has not ended: " + parked);
      case Verdict.Nothing none ->
          throw new IllegalArgumentException("Nothing was stored: " + none);
    }
  }

  private void log(Taken.Leased job, String what, String message, @Nullable Throwable cause) {
    if (station.warnings().permits()) {
      String text = "Job " + job.entry() + " of queue " + station.lane().name() + " " + what;
      try {
        LOG.warn("{}: {}", text, message, cause);
      } catch (RuntimeException e) {
        // Exceptions of users may override anything, and throw when they are written.
        LOG.warn("{}: {}", text, message);
      }
    }
  }

  /** The server could not be asked, or refused; the worker tries again after a rest. */
  void fault(Throwable fault) {
    if (!station.warnings().permits()) {
      return;
    }
    boolean ours =
        !(fault instanceof RedisUnavailableException || fault instanceof RedisReplyException);
    LOG.atLevel(ours ? Level.ERROR : Level.WARN)
        .setCause(ours ? fault : null)
        .log(
            "Worker {} of queue {} tries again after a rest: {}",
            worker,
            station.lane().name(),
            fault.getMessage());
  }

  @Override
  public void progress(Taken.Leased job, int percent, String note) {
    String meta = station.lane().meta(job.entry());
    String queue = station.lane().name();
    String done = Integer.toString(percent);
    station
        .setting()
        .redis()
        .pipelined(
            List.of(
                List.of("HSET", meta, "progress", done, "note", note, "toldIn", queue),
                List.of("EXPIRE", meta, Long.toString(station.lane().targets().secondsToLive()))));
  }

  private void tell(FlowEvent event) {
    station.setting().tell(event);
  }
}
