package io.millrace.server.api;

import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.store.StatisticsStore.FailureGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups of instances that failed alike. */
final class Failures {

  private final Sources sources;

  Failures(Sources sources) {
    this.sources = sources;
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

  Answer list(Call call) {
    int limit = call.get(Instances.LIMIT);
    List<String> types = call.get(Filters.TYPE);
    InstanceAccess.check(call, types);
    if (types.isEmpty()) {
      return Answer.json(readable(call, largest(limit)));
    }
    List<GroupView> groups = new ArrayList<>();
    for (String type : types) {
      sources.operations().failures(type, limit).forEach(g -> groups.add(GroupView.of(g)));
    }
    groups.sort(Comparator.comparingLong(GroupView::count).reversed());
    return Answer.json(groups.stream().limit(limit).toList());
  }

  /** Returns the groups whose instances the caller may read. */
  static List<GroupView> readable(Call call, List<GroupView> groups) {
    return groups.stream().filter(one -> InstanceAccess.reads(call, one.type())).toList();
  }

  List<GroupView> largest(int limit) {
    return sources.operations().failures(null, limit).stream().map(GroupView::of).toList();
  }
}
