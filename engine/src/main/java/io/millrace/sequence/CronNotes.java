package io.millrace.sequence;

import io.millrace.schedule.CronExpression;
import io.millrace.schedule.Explanation;
import io.millrace.schedule.Slot;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at the start what the crons of the schedulers mean, and which of them look like a slip. */
final class CronNotes {

  private static final Logger LOG = LoggerFactory.getLogger(CronNotes.class);

  private CronNotes() {}

  static void log(SequenceSettings.Crons crons, Instant now) {
    log("workflowExecutorCron", crons.executor(), now);
    log("workflowRetryExecutorCron", crons.retry(), now);
    log("workflowAutoCorrectionSchedular", crons.autoCorrection(), now);
  }

  private static void log(String key, @Nullable CronExpression cron, Instant now) {
    if (cron != null) {
      Explanation meaning = Explanation.of(Crons.schedule(cron), now);
      LOG.info(
          "{} is '{}': {}; next at {}",
          key,
          cron,
          meaning.words(),
          meaning.next().stream().map(Slot::at).toList());
      meaning.warnings().forEach(warning -> LOG.warn("{} is '{}': {}", key, cron, warning));
    }
  }
}
