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
import io.millrace.redis.wire.ProtocolKeys;
import io.millrace.redis.wire.UuidV7Generator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The jobs on a Redis. Thread-safe. All methods throw the exceptions of {@link Redis}; a {@link
 * RedisUnavailableException} tells whether the operation may have been executed.
 */
public final class JobStore {

  /**
   * Number of jobs created in one transaction, which occupies the server for about a millisecond.
   */
  static final int BATCH = 250;

  private final Redis redis;
  private final JavaScriptJson texts;
  private final UuidV7Generator ids;
  private final JobReader reader;
  private final JobDeleter jobDeleter;

  public JobStore(Redis redis, JavaScriptJson texts, UuidV7Generator ids) {
    this.redis = redis;
    this.texts = texts;
    this.ids = ids;
    this.reader = new JobReader(redis, texts);
    this.jobDeleter = new JobDeleter(redis, texts, reader);
  }

  /**
   * Result of the creation of a job.
   *
   * @param created false when another job has the same unique key, whose id is returned then, or
   *     when a job with this id exists
   */
  public record CreateResult(String id, boolean created) {}

  /**
   * A page of the jobs that have a value.
   *
   * @param jobs the jobs without their children
   * @param next how many to skip for the following page; null for the last page
   */
  public record FoundJobs(List<JobView> jobs, @Nullable Long next) {}

  /**
   * Creates a job in the first queue of a flow.
   *
   * @return its id; with a unique key that another job has, the id of that job
   * @throws io.millrace.codec.CodecException if a field cannot be written as JSON
   */
  public String create(Flow flow, NewJob job) {
    return createOrGet(flow, job).id();
  }

  /** Creates a job, and tells whether another job already has its unique key. */
  public CreateResult createOrGet(Flow flow, NewJob job) {
    return createOrGet(draft(flow, job), job);
  }

  private CreateResult createOrGet(JobDraft draft, NewJob job) {
    return named(
        draft,
        () -> {
          if (!job.isPlain()) {
            return JobCreationScript.create(redis, draft, job);
          }
          transact(draft.commands(), List.of(draft));
          return new CreateResult(draft.id(), true);
        });
  }

  /** Adds the flow and queue to error messages, whose code stays at the beginning. */
  private static CreateResult named(JobDraft draft, Supplier<CreateResult> creation) {
    String where =
        "in queue '" + draft.flow().first().name() + "' of flow '" + draft.flow().name() + "'";
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
   * Creates many jobs, which wait in their order; much faster than one after the other.
   *
   * @return their ids
   * @throws RedisUnavailableException if the server became unavailable; the message tells how many
   *     jobs were created, as that of the next exception does
   * @throws RedisReplyException if the server refused, being full for example
   */
  public List<String> createAll(Flow flow, List<NewJob> jobs) {
    List<String> created = new ArrayList<>(jobs.size());
    List<JobDraft> batch = new ArrayList<>(BATCH);
    try {
      for (NewJob job : jobs) {
        JobDraft draft = draft(flow, job);
        if (!job.isPlain() || batch.size() == BATCH) {
          send(batch, created);
        }
        if (job.isPlain()) {
          batch.add(draft);
        } else {
          created.add(JobCreationScript.create(redis, draft, job).id());
        }
      }
      send(batch, created);
    } catch (RedisUnavailableException e) {
      String known = createdOf(flow, created, jobs);
      throw e.unexecuted()
          ? RedisUnavailableException.unexecuted(
              known + ", and no other; try again with those: " + e.getMessage(), e)
          : new RedisUnavailableException(
              known + ", of up to " + BATCH + " more it is unknown: " + e.getMessage(), e);
    } catch (RedisReplyException e) {
      throw new RedisReplyException(e.getMessage() + "; " + createdOf(flow, created, jobs));
    }
    return created;
  }

  private void send(List<JobDraft> batch, List<String> created) {
    if (!batch.isEmpty()) {
      transact(JobDraft.commands(batch), batch);
      batch.forEach(draft -> created.add(draft.id()));
      batch.clear();
    }
  }

  private static String createdOf(Flow flow, List<String> created, List<NewJob> jobs) {
    return "The first "
        + created.size()
        + " of "
        + jobs.size()
        + " jobs of flow '"
        + flow.name()
        + "' were created";
  }

  private void transact(List<List<String>> commands, List<JobDraft> drafts) {
    try {
      redis.transaction(commands);
    } catch (RedisReplyException e) {
      // Redis does not roll back, and hashes without list entries would be useless.
      try {
        redis.pipelined(drafts.stream().map(draft -> List.of("UNLINK", draft.key())).toList());
      } catch (RedisUnavailableException | RedisReplyException second) {
        e.addSuppressed(second); // the jobs expire
      }
      throw e;
    }
  }

  /**
   * Creates a job under an id of the caller's own, unless a job with this id exists.
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
          "A job cannot be created as '"
              + StorableText.repaired(id)
              + "'; expected an id with at least one character, no colon and no half of a surrogate"
              + " pair, and no unique key.");
    }
    JobDraft draft = JobDraft.of(requirePresent(flow, "The flow"), job, id, texts);
    return named(draft, () -> JobCreationScript.create(redis, draft, job));
  }

  private JobDraft draft(Flow flow, NewJob job) {
    requirePresent(job, "The job");
    return JobDraft.of(requirePresent(flow, "The flow"), job, ids.next(), texts);
  }

  /**
   * Returns a job with its children; empty if it does not exist.
   *
   * @param flow the flow; that of a child job is the name of its queue, {@code
   *     <parentQueue>:<child>}
   * @throws RedisReplyException if its key has a value other than a job
   */
  public Optional<JobView> find(String flow, String id) {
    return reader.find(requirePresent(flow, "The flow"), bare(id));
  }

  /**
   * Returns a job as {@link #find} does.
   *
   * @throws JobNotFoundException if it does not exist
   */
  public JobView get(String flow, String id) {
    return find(flow, id).orElseThrow(() -> new JobNotFoundException(flow, id));
  }

  /**
   * Returns the jobs of a flow that have a value in a lookup field, the oldest first. Expired jobs
   * are left out, and removed from the lookup list. The list is read page by page; jobs that are
   * deleted meanwhile may hide as many others of a long list.
   *
   * @param value a string or number, or an element of an array
   * @param children true to read the children as well
   * @throws InvalidRequestException if the flow has no such lookup field
   */
  public List<JobView> findBy(Flow flow, String field, Object value, boolean children) {
    return reader.findBy(flow.name(), lookup(flow, field, value), children);
  }

  /**
   * Returns such jobs in pages, the newest first.
   *
   * @param limit 1 or more
   * @param skip the number of newer jobs to skip
   */
  public FoundJobs newest(Flow flow, String field, Object value, int limit, long skip) {
    return reader.newest(flow.name(), lookup(flow, field, value), limit, skip);
  }

  private String lookup(Flow flow, String field, Object value) {
    if (!flow.lookup().contains(requirePresent(field, "The field"))) {
      throw new InvalidRequestException(
          "Jobs of flow "
              + flow.name()
              + " cannot be found by '"
              + field
              + "'; its lookup fields are: "
              + String.join(", ", flow.lookup()));
    }
    return ProtocolKeys.lookup(
        flow.name(), field, texts.lookup(requirePresent(value, "The value")));
  }

  /**
   * Deletes a job in whatever list it is, with its children. A worker that processes it loses its
   * lock, and its result is not stored.
   *
   * @return false when there was none
   */
  public boolean delete(Flow flow, String id) {
    return jobDeleter.delete(requirePresent(flow, "The flow"), bare(id));
  }

  /**
   * Deletes a child with its own children. Its parent continues without it.
   *
   * @param queue the queue of the children, {@code <parentQueue>:<child>}
   * @return false when there was none
   */
  public boolean deleteChild(String queue, String id) {
    return jobDeleter.deleteChild(requirePresent(queue, "The queue"), bare(id));
  }

  /** Checks an id. After a colon, the rest of the key would be the name of a lookup list. */
  private static String bare(String id) {
    if (requirePresent(id, "The id").isEmpty() || id.indexOf(':') >= 0) {
      throw new InvalidRequestException(
          "'" + id + "' is no id of a job; expected at least one character and no colon.");
    }
    return id;
  }
}
