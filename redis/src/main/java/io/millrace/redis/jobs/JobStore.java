package io.millrace.redis.jobs;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StorableText;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.RedisDialect;
import io.millrace.redis.wire.UuidV7Generator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The jobs on a Redis. Thread-safe. All methods throw what {@link Redis} throws; a {@link
 * RedisUnavailableException} tells whether what was asked for may have been done.
 */
public final class JobStore {

  /** So many are made in one transaction, which holds up the server for about a millisecond. */
  static final int BATCH = 250;

  private final Redis redis;
  private final RedisDialect redisDialect;
  private final JavaScriptJson texts;
  private final UuidV7Generator ids;
  private final JobReader reader;
  private final JobDeleter jobDeleter;

  public JobStore(
      Redis redis, RedisDialect redisDialect, JavaScriptJson texts, UuidV7Generator ids) {
    this.redis = redis;
    this.redisDialect = redisDialect;
    this.texts = texts;
    this.ids = ids;
    this.reader = new JobReader(redis, redisDialect, texts);
    this.jobDeleter = new JobDeleter(redis, redisDialect, texts, reader);
  }

  /**
   * What came of making a job.
   *
   * @param created false when there was one with the same unique key, whose id this is
   */
  public record CreateResult(String id, boolean created) {}

  /**
   * Some of the jobs that have a value.
   *
   * @param jobs without their children
   * @param next how many to skip for the following ones; null when there are none
   */
  public record FoundJobs(List<JobView> jobs, @Nullable Long next) {}

  /**
   * Makes a job in the first queue of a flow.
   *
   * @return its id; with a unique key, that of the job which has it already
   * @throws io.millrace.codec.CodecException if a field cannot be written as JSON
   */
  public String create(Flow flow, NewJob job) {
    return createOrGet(flow, job).id();
  }

  /** The same, telling whether there was one already. */
  public CreateResult createOrGet(Flow flow, NewJob job) {
    return createOrGet(draft(flow, job), job);
  }

  private CreateResult createOrGet(JobDraft jobDraft, NewJob job) {
    return named(
        jobDraft,
        () -> {
          if (!job.isPlain()) {
            return JobCreationScript.make(redis, redisDialect, jobDraft, job);
          }
          transact(jobDraft.commands(), List.of(jobDraft));
          return new CreateResult(jobDraft.id(), true);
        });
  }

  /** Lets errors name the creation; their code stays at the beginning. */
  private static CreateResult named(JobDraft jobDraft, Supplier<CreateResult> creation) {
    String where =
        "in queue '"
            + jobDraft.flow().first().name()
            + "' of flow '"
            + jobDraft.flow().name()
            + "'";
    try {
      return creation.get();
    } catch (RedisUnavailableException e) {
      throw e.unexecuted()
          ? RedisUnavailableException.unexecuted(
              "No job was created " + where + "; try again: " + e.getMessage(), e)
          : new RedisUnavailableException(
              "It is unknown whether a job was created " + where + ": " + e.getMessage(), e);
    } catch (RedisReplyException e) {
      RedisReplyException named =
          new RedisReplyException(e.getMessage() + "; no job was created " + where);
      named.addSuppressed(e);
      throw named;
    }
  }

  /**
   * Makes many jobs, which wait in their order; much faster than one after the other.
   *
   * @return their ids
   * @throws RedisUnavailableException if the server went away; this message and the next one tell
   *     how many jobs were made
   * @throws RedisReplyException if the server refused, being full for example
   */
  public List<String> createAll(Flow flow, List<NewJob> jobs) {
    List<String> made = new ArrayList<>(jobs.size());
    List<JobDraft> batch = new ArrayList<>(BATCH);
    try {
      for (NewJob job : jobs) {
        JobDraft jobDraft = draft(flow, job);
        if (!job.isPlain() || batch.size() == BATCH) {
          send(batch, made);
        }
        if (job.isPlain()) {
          batch.add(jobDraft);
        } else {
          made.add(JobCreationScript.make(redis, redisDialect, jobDraft, job).id());
        }
      }
      send(batch, made);
    } catch (RedisUnavailableException e) {
      String known = madeOf(flow, made, jobs);
      throw e.unexecuted()
          ? RedisUnavailableException.unexecuted(
              known + ", and no other; try again with those: " + e.getMessage(), e)
          : new RedisUnavailableException(
              known + ", of up to " + BATCH + " more it is unknown: " + e.getMessage(), e);
    } catch (RedisReplyException e) {
      throw new RedisReplyException(e.getMessage() + "; " + madeOf(flow, made, jobs));
    }
    return made;
  }

  private void send(List<JobDraft> batch, List<String> made) {
    if (!batch.isEmpty()) {
      transact(JobDraft.commands(batch), batch);
      batch.forEach(jobDraft -> made.add(jobDraft.id()));
      batch.clear();
    }
  }

  private static String madeOf(Flow flow, List<String> made, List<NewJob> jobs) {
    return "The first "
        + made.size()
        + " of "
        + jobs.size()
        + " jobs of flow '"
        + flow.name()
        + "' were made";
  }

  private void transact(List<List<String>> commands, List<JobDraft> drafts) {
    try {
      redis.transaction(commands);
    } catch (RedisReplyException e) {
      // Redis does not roll back: without their entries the jobs would only be in the way.
      try {
        redis.pipelined(
            drafts.stream().map(jobDraft -> List.of("UNLINK", jobDraft.key())).toList());
      } catch (RedisUnavailableException | RedisReplyException second) {
        e.addSuppressed(second); // the jobs expire
      }
      throw e;
    }
  }

  /**
   * Makes a job under an id of the caller's own, unless there is one with it.
   *
   * @param id without a colon
   * @throws InvalidRequestException if the job has a unique key, or the id cannot be part of a key
   */
  public CreateResult createWithId(Flow flow, String id, NewJob job) {
    if (requirePresent(id, "The id").isEmpty()
        || id.indexOf(':') >= 0
        || StorableText.indexOfHalf(id) >= 0
        || job.uniqueKey() != null) {
      throw new InvalidRequestException(
          "A job cannot be made as '"
              + StorableText.repaired(id)
              + "': its id must not be empty, or have a colon or half of a surrogate pair, and goes"
              + " without a unique key");
    }
    JobDraft jobDraft = JobDraft.of(requirePresent(flow, "The flow"), job, id, redisDialect, texts);
    return named(jobDraft, () -> JobCreationScript.make(redis, redisDialect, jobDraft, job));
  }

  private JobDraft draft(Flow flow, NewJob job) {
    requirePresent(job, "The job");
    return JobDraft.of(requirePresent(flow, "The flow"), job, ids.next(), redisDialect, texts);
  }

  /**
   * A job with its children.
   *
   * @param flow for a child the name of its queue, {@code <parentQueue>:<child>}
   * @return empty when there is none, or no more
   * @throws RedisReplyException if something else than a job stands under its key
   */
  public Optional<JobView> get(String flow, String id) {
    return reader.get(requirePresent(flow, "The flow"), bare(id));
  }

  /**
   * The jobs of a flow that have a value in a lookup attribute, the oldest first. Those that have
   * lived out their time are left out, and taken out of the list. Read page by page, so that jobs
   * that are deleted meanwhile may hide as many others of a long list.
   *
   * @param value a string or number, or what an array has as element
   * @param children whether they are read too
   * @throws InvalidRequestException if the flow has no such lookup attribute
   */
  public List<JobView> find(Flow flow, String attribute, Object value, boolean children) {
    return reader.find(flow.name(), lookup(flow, attribute, value), children);
  }

  /**
   * The same in pages, the newest first.
   *
   * @param limit 1 or more
   * @param skip so many newer ones are passed over
   */
  public FoundJobs newest(Flow flow, String attribute, Object value, int limit, long skip) {
    return reader.newest(flow.name(), lookup(flow, attribute, value), limit, skip);
  }

  private String lookup(Flow flow, String attribute, Object value) {
    if (!flow.lookup().contains(requirePresent(attribute, "The attribute"))) {
      throw new InvalidRequestException(
          "Jobs of flow "
              + flow.name()
              + " cannot be found by '"
              + attribute
              + "'; its lookup attributes are: "
              + String.join(", ", flow.lookup()));
    }
    return redisDialect.lookup(
        flow.name(), attribute, texts.lookup(requirePresent(value, "The value")));
  }

  /**
   * Deletes a job wherever it stands, with its children. A worker that has it loses its lock, and
   * its result is not stored.
   *
   * @return false when there was none
   */
  public boolean delete(Flow flow, String id) {
    return jobDeleter.delete(requirePresent(flow, "The flow"), bare(id));
  }

  /**
   * Deletes a child with its own children. Its parent goes on without it.
   *
   * @param queue of the children, {@code <parentQueue>:<child>}
   * @return false when there was none
   */
  public boolean deleteChild(String queue, String id) {
    return jobDeleter.deleteChild(requirePresent(queue, "The queue"), bare(id));
  }

  /** Behind a colon would stand the name of a lookup list. */
  private static String bare(String id) {
    if (requirePresent(id, "The id").isEmpty() || id.indexOf(':') >= 0) {
      throw new InvalidRequestException(
          "'" + id + "' is no id of a job: it must have no colon, and at least one character");
    }
    return id;
  }
}
