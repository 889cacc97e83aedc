package io.millrace.benchmarks.peer.quartz;

import static org.quartz.SimpleScheduleBuilder.simpleSchedule;

import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.WorkType;
import java.util.UUID;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

/** A job: one for each kind of work, with a trigger for each step of each piece of work. */
record StepJob(Probe probe) implements Job {

  private static final String STEP = "step";
  private static final String PAYLOAD = "payload";

  /** Returns the stored job, which stays in the tables with or without triggers. */
  static JobDetail detail(WorkType workType) {
    return JobBuilder.newJob(StepJob.class)
        .withIdentity(workType.name())
        .storeDurably()
        .requestRecovery()
        .build();
  }

  static Trigger trigger(WorkType workType, int step, String payload) {
    // With one group for all triggers, PostgreSQL without statistics reads the whole group for
    // each.
    String name = UUID.randomUUID().toString();
    // Work that waits long is still due and must not be handled as misfired.
    return TriggerBuilder.newTrigger()
        .withIdentity(name, name)
        .forJob(workType.name())
        .usingJobData(STEP, "" + step)
        .usingJobData(PAYLOAD, payload)
        .withSchedule(simpleSchedule().withMisfireHandlingInstructionIgnoreMisfires())
        .build();
  }

  @Override
  public void execute(JobExecutionContext context) throws JobExecutionException {
    WorkType workType = WorkType.valueOf(context.getJobDetail().getKey().getName());
    JobDataMap data = context.getMergedJobDataMap();
    int step = data.getIntValue(STEP);
    String payload = data.getString(PAYLOAD);
    probe.handle(workType, step, payload);
    if (step < workType.steps()) {
      try {
        context.getScheduler().scheduleJob(trigger(workType, step + 1, payload));
      } catch (SchedulerException e) {
        throw new JobExecutionException(e);
      }
    }
  }
}
