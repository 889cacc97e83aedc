package io.millrace.server.api;

import io.millrace.instance.AuditQuery;
import io.millrace.instance.Page;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import io.millrace.store.AuditStore.Audited;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who did what. */
final class Audits {

  static final Param<String> ACTOR = Param.text("actor", 100);
  static final Param<String> ACTION = Param.text("action", 50);
  static final Param<Long> INSTANCE = Param.id("instance");
  static final Param<Instant> FROM = Param.time("from");
  static final Param<Instant> TO = Param.time("to");

  private final Sources sources;

  Audits(Sources sources) {
    this.sources = sources;
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

    static EntryView of(Audited audited) {
      return new EntryView(
          audited.id(),
          audited.at(),
          audited.entry().actor(),
          audited.entry().action(),
          audited.entry().instanceId(),
          audited.seq(),
          audited.entry().target(),
          audited.entry().reason(),
          audited.entry().detail());
    }
  }

  Answer list(Call call) {
    Page<Audited> page =
        sources
            .operations()
            .audit(
                AuditQuery.all()
                    .actor(call.find(ACTOR))
                    .action(call.find(ACTION))
                    .instance(call.find(INSTANCE))
                    .between(call.find(FROM), call.find(TO))
                    .limit(call.get(Instances.LIMIT))
                    .after(call.find(Instances.CURSOR)));
    return Answer.json(
        new AuditPage(page.items().stream().map(EntryView::of).toList(), page.next()));
  }
}
