package io.millrace.server.api;

import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.store.StatisticsStore.FailureGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The groups of instances that failed for the same cause. */
final class FailureGroupResource {

  private final ApiContext apiContext;

  FailureGroupResource(ApiContext apiContext) {
    this.apiContext = apiContext;
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

  ApiResponse list(ApiRequest apiRequest) {
    int limit = apiRequest.get(InstanceResource.LIMIT);
    List<String> types = apiRequest.get(InstanceFilterReader.TYPE);
    InstanceAccess.check(apiRequest, types);
    if (types.isEmpty()) {
      return ApiResponse.json(readable(apiRequest, largest(limit)));
    }
    List<GroupView> groups = new ArrayList<>();
    for (String type : types) {
      apiContext.operations().failures(type, limit).forEach(g -> groups.add(GroupView.of(g)));
    }
    groups.sort(Comparator.comparingLong(GroupView::count).reversed());
    return ApiResponse.json(groups.stream().limit(limit).toList());
  }

  /** Returns the groups whose instances the caller may read. */
  static List<GroupView> readable(ApiRequest apiRequest, List<GroupView> groups) {
    return groups.stream().filter(one -> InstanceAccess.reads(apiRequest, one.type())).toList();
  }

  List<GroupView> largest(int limit) {
    return apiContext.operations().failures(null, limit).stream().map(GroupView::of).toList();
  }
}
