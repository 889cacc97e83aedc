package io.millrace.server.api;

import io.millrace.instance.FailureGroup;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The groups of instances that failed for the same cause. */
final class FailureGroupResource {

  private final ApiContext context;

  FailureGroupResource(ApiContext context) {
    this.context = context;
  }

  /** Schema FailureGroup. */
  record GroupView(
      String fingerprint,
      String type,
      String state,
      long count,
      long newestId,
      @Nullable String reason,
      Instant first,
      Instant last) {

    static GroupView of(FailureGroup group) {
      return new GroupView(
          group.fingerprint(),
          group.type(),
          group.state(),
          group.count(),
          group.newest().instanceId(),
          group.newest().reason(),
          group.first(),
          group.last());
    }
  }

  ApiResponse list(ApiRequest request) {
    int limit = request.get(InstanceResource.LIMIT);
    List<String> types = request.get(InstanceFilterReader.TYPE);
    InstanceAccess.check(request, types);
    if (types.isEmpty()) {
      return ApiResponse.json(readable(request, largest(limit)));
    }
    List<GroupView> groups = new ArrayList<>();
    for (String type : types) {
      context.admin().failures(type, limit).forEach(g -> groups.add(GroupView.of(g)));
    }
    groups.sort(Comparator.comparingLong(GroupView::count).reversed());
    return ApiResponse.json(groups.stream().limit(limit).toList());
  }

  /** Returns the groups whose instances the caller may read. */
  static List<GroupView> readable(ApiRequest request, List<GroupView> groups) {
    return groups.stream().filter(one -> InstanceAccess.reads(request, one.type())).toList();
  }

  List<GroupView> largest(int limit) {
    return context.admin().failures(null, limit).stream().map(GroupView::of).toList();
  }
}
