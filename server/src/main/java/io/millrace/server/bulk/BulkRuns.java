package io.millrace.server.bulk;

import io.millrace.Admin;
import io.millrace.WorkflowClient;
import io.millrace.definition.DefinitionDocument;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.security.InstancePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The bulk runs: starts them and shows their progress. Thread-safe. */
public final class BulkRuns {

  private static final int LISTED = 50;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final WorkflowClient client;
  private final Admin admin;

  public BulkRuns(WorkflowClient client, Admin admin) {
    this.client = client;
    this.admin = admin;
  }

  /** The number of matching instances; {@code capped} if there may be more. */
  public record Count(long count, boolean capped) {}

  /** Schema BulkRun. */
  public record Run(
      long id,
      BulkAction action,
      String status,
      InstanceFilter filter,
      boolean force,
      long total,
      long done,
      long succeeded,
      long refused,
      List<BulkWorkflow.Refusal> refusals,
      String actor,
      Instant started,
      @Nullable Instant ended) {}

  /** Counts the instances that a run over {@code filter} would act on, up to a cap. */
  public Count count(InstanceFilter filter, int cap) {
    if (!filter.ids().isEmpty()) {
      return new Count(filter.ids().size(), false);
    }
    int count = admin.count(filter.query(), cap);
    return count >= cap ? new Count(cap, true) : new Count(count - countOwn(filter, cap), false);
  }

  /** Counts the matching instances that a run leaves alone because they are the server's own. */
  private int countOwn(InstanceFilter filter, int cap) {
    List<String> own =
        client.definitions().stream()
            .map(DefinitionDocument::type)
            .filter(InstancePermissions::isServerType)
            .filter(type -> filter.type().isEmpty() || filter.type().contains(type))
            .distinct()
            .toList();
    return own.isEmpty()
        ? 0
        : admin.count(filter.query().type(own.getFirst(), own.toArray(String[]::new)), cap);
  }

  /** Returns the greatest instance id; 0 without instances. */
  public long highestId() {
    List<WorkflowInstance> newest = client.search(InstanceQuery.all().limit(1)).items();
    return newest.isEmpty() ? 0 : newest.getFirst().id();
  }

  /**
   * Starts a run and records its actor in the audit.
   *
   * @param key identifies the run, so that a repeated start returns the same run; null for none
   */
  public Run start(BulkRequest request, @Nullable String key) {
    StartRequest start = StartRequest.of(BulkWorkflow.TYPE, request);
    StartedInstance startedInstance;
    try {
      startedInstance = client.start(key == null ? start : start.externalId(key));
    } catch (InstanceConflictException e) {
      return earlier(e, request);
    }
    if (startedInstance.created()) {
      admin.audit(
          new AuditEntry(
              request.actor(),
              "bulk",
              startedInstance.id(),
              request.action().code(),
              request.reason(),
              MAPPER.writeValueAsString(request.filter())));
    }
    return view(client.get(startedInstance.id()));
  }

  /**
   * Returns the run of an earlier request with the same key. The set of matching instances may
   * differ by now, but everything else in the request must be the same.
   */
  private Run earlier(InstanceConflictException conflict, BulkRequest request) {
    BulkRequest first =
        client
            .input(conflict.instanceId(), BulkRequest.class)
            .map(r -> r.withScope(request.highestId(), request.total()))
            .orElseThrow(() -> conflict);
    if (!first.equals(request)) {
      throw conflict;
    }
    return view(client.get(conflict.instanceId()));
  }

  /** Returns the run; empty if there is none with this id. */
  public Optional<Run> find(long id) {
    return client.find(id).filter(i -> i.type().equals(BulkWorkflow.TYPE)).map(this::view);
  }

  /** Returns the last runs, newest first. */
  public List<Run> list() {
    InstanceQuery query = InstanceQuery.all().type(BulkWorkflow.TYPE).limit(LISTED);
    return client.search(query).items().stream().map(this::view).toList();
  }

  private Run view(WorkflowInstance instance) {
    BulkRequest request = client.input(instance.id(), BulkRequest.class).orElseThrow();
    BulkWorkflow.Tally tally =
        client
            .variable(instance.id(), BulkWorkflow.TALLY, BulkWorkflow.Tally.class)
            .orElse(BulkWorkflow.Tally.NONE);
    long reported = instance.progress() == null ? 0 : instance.progress().done();
    return new Run(
        instance.id(),
        request.action(),
        instance.status().code(),
        request.filter(),
        request.force(),
        request.total(),
        Math.max(tally.done(), reported),
        tally.succeeded(),
        tally.refused(),
        BulkWorkflow.Refusal.of(
            client.variable(instance.id(), BulkWorkflow.REFUSALS, BulkWorkflow.Refusal[].class)),
        request.actor(),
        instance.timing().created(),
        instance.timing().ended());
  }
}
