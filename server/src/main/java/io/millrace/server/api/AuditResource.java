package io.millrace.server.api;

import io.millrace.instance.AuditQuery;
import io.millrace.instance.Page;
import io.millrace.instance.StoredAuditEntry;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.security.SecretNames;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The audit of operator actions. */
final class AuditResource {

  static final Param<String> ACTOR = Param.text("actor", 100);
  static final Param<String> ACTION = Param.text("action", 50);
  static final Param<Long> INSTANCE = Param.id("instance");
  static final Param<Instant> FROM = Param.time("from");
  static final Param<Instant> TO = Param.time("to");

  private final ApiContext context;

  AuditResource(ApiContext context) {
    this.context = context;
  }

  /** Schema AuditPage. */
  record AuditPage(List<EntryView> items, @Nullable String next) {}

  /** Schema AuditEntry. */
  record EntryView(
      long id,
      Instant at,
      String actor,
      String action,
      @Nullable Long instanceId,
      @Nullable Integer seq,
      @Nullable String target,
      @Nullable String reason,
      @Nullable String detail) {

    static EntryView of(StoredAuditEntry storedEntry, SecretNames secretNames) {
      String detail = storedEntry.entry().detail();
      return new EntryView(
          storedEntry.id(),
          storedEntry.at(),
          storedEntry.entry().actor(),
          storedEntry.entry().action(),
          storedEntry.entry().instanceId(),
          storedEntry.seq(),
          storedEntry.entry().target(),
          storedEntry.entry().reason(),
          detail == null ? null : secretNames.maskText(detail));
    }
  }

  ApiResponse list(ApiRequest request) {
    Page<StoredAuditEntry> page =
        context
            .admin()
            .audit(
                AuditQuery.all()
                    .actor(request.find(ACTOR))
                    .action(request.find(ACTION))
                    .instance(request.find(INSTANCE))
                    .between(request.find(FROM), request.find(TO))
                    .limit(request.get(InstanceResource.LIMIT))
                    .after(request.find(InstanceResource.CURSOR)));
    return ApiResponse.json(
        new AuditPage(
            page.items().stream().map(one -> EntryView.of(one, context.secretNames())).toList(),
            page.next()));
  }
}
