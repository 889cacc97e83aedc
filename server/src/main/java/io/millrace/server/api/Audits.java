package io.millrace.server.api;

import io.millrace.instance.AuditQuery;
import io.millrace.instance.Page;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import io.millrace.server.security.Permission;
import io.millrace.server.security.SecretNames;
import io.millrace.store.AuditStore;
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

    /** Entries of earlier versions name the whole mail address of a subscription. */
    static EntryView of(Audited audited, boolean addresses, SecretNames secretNames) {
      String detail = audited.entry().detail();
      return new EntryView(
          audited.id(),
          audited.at(),
          audited.entry().actor(),
          audited.entry().action(),
          audited.entry().instanceId(),
          audited.seq(),
          target(audited.entry(), addresses),
          audited.entry().reason(),
          detail == null ? null : secretNames.maskText(detail));
    }

    private static @Nullable String target(AuditStore.Entry entry, boolean addresses) {
      String target = entry.target();
      return addresses || target == null || !entry.action().equals("addSubscription")
          ? target
          : target.substring(Math.max(0, target.lastIndexOf('@')));
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
    boolean addresses = Permission.OPERATOR.allows(call.caller().role());
    return Answer.json(
        new AuditPage(
            page.items().stream()
                .map(one -> EntryView.of(one, addresses, sources.secretNames()))
                .toList(),
            page.next()));
  }
}
