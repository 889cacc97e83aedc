package io.millrace.server.bulk;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.security.InstancePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The instances that match a filter, one chunk at a time. The server's own instances are included
 * only if they are named by id.
 */
final class InstanceSelection {

  private InstanceSelection() {}

  /**
   * A chunk of instances.
   *
   * @param next cursor of the next chunk; null if this is the last one
   */
  record Chunk(List<Long> ids, @Nullable String next) {}

  /**
   * Returns the chunk at {@code cursor}, which is null for the first one.
   *
   * @param highestId greatest id that is included
   */
  static Chunk chunk(
      WorkflowClient client,
      InstanceFilter filter,
      long highestId,
      @Nullable String cursor,
      int size) {
    if (!filter.ids().isEmpty()) {
      int from = cursor == null ? 0 : Integer.parseInt(cursor);
      int to = Math.min(filter.ids().size(), from + size);
      return new Chunk(
          filter.ids().subList(from, to), to == filter.ids().size() ? null : String.valueOf(to));
    }
    InstanceQuery query = filter.query().limit(size).after(cursor);
    Page<WorkflowInstance> page = client.search(query);
    List<Long> ids = new ArrayList<>();
    for (WorkflowInstance instance : page.items()) {
      if (instance.id() <= highestId && !InstancePermissions.isServerType(instance.type())) {
        ids.add(instance.id());
      }
    }
    return new Chunk(ids, page.next());
  }
}
