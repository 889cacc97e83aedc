package io.millrace.examples.parcels;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.jobs.JobView;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A flow in which parcels are weighed, then labeled. */
final class Parcels {

  static final Flow FLOW =
      Flow.of(
              "parcels",
              Queue.of("weigh").fields("item", "count").next("label"),
              Queue.of("label")
                  .fields("item", "grams")
                  .policy(
                      QueuePolicy.standard()
                          .retry(RetryPolicy.fixed(Duration.ofMillis(50)).maxAttempts(3))))
          .lookup("customer");

  private static final Map<String, Integer> GRAMS = Map.of("teapot", 900, "saucer", 150);

  private Parcels() {}

  static NewJob parcel(String customer, String item, int count) {
    return NewJob.of(Map.of("customer", customer, "item", item, "count", count));
  }

  static JobResult weigh(Job job) {
    String item = job.get("item", String.class);
    Integer grams = GRAMS.get(item);
    if (grams == null) {
      throw new IllegalArgumentException("nobody knows what one " + item + " weighs");
    }
    return JobResult.of("grams", job.get("count", Integer.class) * grams);
  }

  /** Labels a parcel; the printer jams at each first attempt. */
  static JobResult label(Job job) {
    if (job.attempt() == 1) {
      throw new IllegalStateException("the printer is jammed");
    }
    String label = job.get("item", String.class) + ", " + job.get("grams", Integer.class) + " g";
    return JobResult.of("label", label).done();
  }

  /** Returns a sentence on the outcome of a parcel. */
  static String describe(JobView job) {
    return job.hasFailed()
        ? text(job, "item") + " failed in " + text(job, "failedQueue") + ": " + why(job)
        : text(job, "item") + " has the label '" + text(job, "label") + "'";
  }

  private static String why(JobView job) {
    return text(job, "failedErrorMsg");
  }

  private static String text(JobView job, String field) {
    return job.field(field).map(JsonNode::asString).orElse("nothing");
  }
}
