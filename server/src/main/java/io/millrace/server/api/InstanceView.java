package io.millrace.server.api;

import io.millrace.instance.ChildCounts;
import io.millrace.instance.InstanceTimestamps;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Schema Instance. */
record InstanceView(
    long id,
    String type,
    int version,
    String status,
    String state,
    @Nullable String reason,
    @Nullable String businessKey,
    @Nullable String externalId,
    @Nullable Long parentId,
    String executorGroup,
    @Nullable Long executorId,
    int priority,
    int attempt,
    int seq,
    @Nullable String failure,
    Instant created,
    Instant modified,
    Instant entered,
    @Nullable Instant ended,
    @Nullable Instant nextActivation,
    @Nullable String waitingFor,
    ChildCounts children,
    @Nullable Progress progress) {

  static InstanceView of(WorkflowInstance instance) {
    Position position = instance.position();
    InstanceTimestamps instanceTimestamps = instance.timing();
    return new InstanceView(
        instance.id(),
        instance.type(),
        instance.version(),
        instance.status().code(),
        instance.state(),
        instance.reason(),
        instance.origin().businessKey(),
        instance.origin().externalId(),
        instance.origin().parentId(),
        instance.origin().executorGroup(),
        instance.lease().executorId(),
        instance.origin().priority(),
        instance.lease().attempt(),
        instance.seq(),
        instance.failure(),
        instanceTimestamps.created(),
        instanceTimestamps.modified(),
        instanceTimestamps.entered(),
        instanceTimestamps.ended(),
        position.nextActivation(),
        position.status().isTerminal() ? null : position.waitingFor(),
        instance.children(),
        instance.progress());
  }
}
