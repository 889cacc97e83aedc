package io.millrace.server.api;

import io.millrace.continuous.RecycleSettingsService;
import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.KeyStatus;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyWriteResult;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Page;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.SealedValues;
import io.millrace.server.security.SecretNames;
import io.millrace.store.KeyValueStore;
import io.millrace.store.KeyValueStore.Put;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values by group and key. A group and a key may hold any character, so they are sent in the
 * query. The version of a value is its ETag.
 */
final class KeyValueResource {

  static final Param<String> GROUP = Param.text("group", KeyId.MAX_LENGTH);
  static final Param<String> KEY = Param.text("key", KeyId.MAX_LENGTH);
  static final Param<String> AFTER = Param.text("after", KeyId.MAX_LENGTH);
  static final Param<Instant> FROM = Param.time("from");
  static final Param<Instant> TO = Param.time("to");
  static final Param<List<KeyStatus>> STATUS = Param.choices("status", statuses());
  static final Param<String> IF_MATCH = Param.header("If-Match", 100);
  static final Param<String> IF_NONE_MATCH = Param.header("If-None-Match", 100);

  private static final long MAX_SECONDS = Duration.ofDays(36_500).toSeconds();
  private static final Pattern TAG = Pattern.compile("\"(\\d{1,18})\"");

  private final KeyValueStore store;
  private final AuditRecorder auditRecorder;
  private final SecretNames secretNames;

  KeyValueResource(ApiContext context) {
    this.secretNames = context.secretNames();
    this.store = context.store().role(KeyValueStore.class);
    this.auditRecorder = new AuditRecorder(context);
  }

  private static Map<String, KeyStatus> statuses() {
    return Param.codes(KeyStatus.values(), KeyStatus::code);
  }

  /** Schema KeyValue. */
  record ValueView(
      String key,
      String value,
      String status,
      long version,
      @Nullable Instant expires,
      Instant created,
      Instant modified) {

    static ValueView of(KeyValue one, SecretNames secretNames) {
      return new ValueView(
          one.id().key(),
          shown(one, secretNames),
          one.status().code(),
          one.version(),
          one.expires(),
          one.created(),
          one.modified());
    }

    private static String shown(KeyValue one, SecretNames secretNames) {
      boolean secret =
          secretNames.isSecret(one.id().group()) || secretNames.isSecret(one.id().key());
      return secret ? SealedValues.MASK : secretNames.maskText(one.value());
    }
  }

  /** Schema KeyValuePage. */
  record ValuePage(List<ValueView> items, @Nullable String next) {}

  /** Schema NamePage. */
  record NamePage(List<String> items, @Nullable String next) {

    /** Returns a page of names; the last name is the cursor of the next page. */
    static NamePage of(List<String> names, int limit) {
      return new NamePage(names, names.size() < limit ? null : names.getLast());
    }
  }

  ApiResponse groups(ApiRequest request) {
    int limit = request.get(InstanceResource.LIMIT);
    return ApiResponse.json(NamePage.of(store.groups(request.find(AFTER), limit), limit));
  }

  ApiResponse list(ApiRequest request) {
    Page<KeyValue> page =
        store.list(
            new KeyQuery(
                request.get(GROUP),
                request.find(FROM),
                request.find(TO),
                Set.copyOf(request.get(STATUS)),
                request.find(InstanceResource.CURSOR),
                request.get(InstanceResource.LIMIT)));
    return ApiResponse.json(
        new ValuePage(
            page.items().stream().map(one -> ValueView.of(one, secretNames)).toList(),
            page.next()));
  }

  ApiResponse get(ApiRequest request) {
    KeyId id = id(request);
    KeyValue found = store.get(id).orElseThrow(() -> missing(id));
    tag(request, found.version());
    return ApiResponse.json(ValueView.of(found, secretNames));
  }

  ApiResponse put(ApiRequest request) throws IOException {
    JsonFields body = request.body("value", "status", "expiresAfterSeconds");
    KeyStatus status = body.optionalChoice("status", statuses());
    Long seconds = body.optionalNumber("expiresAfterSeconds", 1, MAX_SECONDS);
    KeyContent content =
        new KeyContent(
            body.text("value", 0, KeyContent.MAX_BYTES),
            status == null ? KeyStatus.UNKNOWN : status,
            seconds == null ? null : Duration.ofSeconds(seconds));
    if (content.value().equals(SealedValues.MASK)) {
      throw ProblemException.invalid(
          "value", "is what answers show in place of a secret value; expected the value itself.");
    }
    KeyId id = changeable(request);
    long version = written(id, store.put(condition(request, id, content), null));
    auditRecorder.record(OperatorAction.by(request.caller().actor()), "setKeyValue", shown(id));
    tag(request, version);
    return ApiResponse.json(Map.of("version", version));
  }

  ApiResponse delete(ApiRequest request) {
    KeyId id = changeable(request);
    String expected = request.find(IF_MATCH);
    KeyWriteResult done = store.delete(id, expected == null ? null : version(expected), null);
    if (done instanceof KeyWriteResult.Refused refused && refused.current() == null) {
      throw missing(id);
    }
    written(id, done);
    auditRecorder.record(OperatorAction.by(request.caller().actor()), "deleteKeyValue", shown(id));
    return ApiResponse.empty();
  }

  private static Put condition(ApiRequest request, KeyId id, KeyContent content) {
    String match = request.find(IF_MATCH);
    String noneMatch = request.find(IF_NONE_MATCH);
    if (match != null && noneMatch != null) {
      throw ProblemException.invalid("If-Match", "stands beside If-None-Match; expected one.");
    }
    if (noneMatch != null && !noneMatch.equals("*")) {
      throw ProblemException.invalid("If-None-Match", "is not *; expected that or nothing.");
    }
    if (match != null) {
      return Put.ifVersion(id, version(match), content);
    }
    return noneMatch == null ? Put.set(id, content) : Put.ifAbsent(id, content);
  }

  private static long version(String tag) {
    Matcher digits = TAG.matcher(tag);
    if (!digits.matches()) {
      throw ProblemException.invalid(
          "If-Match", "is none of the ETags of values; expected one such as \"7\".");
    }
    return Long.parseLong(digits.group(1));
  }

  private static long written(KeyId id, KeyWriteResult write) {
    return switch (write) {
      case KeyWriteResult.Written done -> done.version();
      case KeyWriteResult.Refused refused -> {
        KeyValue current = refused.current();
        throw ProblemException.of(
            412,
            current == null
                ? "There is no " + shown(id) + ", so nothing was written."
                : "The value of "
                    + shown(id)
                    + " has version "
                    + current.version()
                    + " by now, so nothing was written. Read it again.");
      }
      case KeyWriteResult.Fenced fenced ->
          throw new IllegalStateException("a write without fence was fenced");
    };
  }

  private static ProblemException missing(KeyId id) {
    return ProblemException.notFound("There is no " + shown(id) + ".");
  }

  private static String shown(KeyId id) {
    return "key '" + id.key() + "' in group '" + id.group() + "'";
  }

  private static void tag(ApiRequest request, long version) {
    request.context().header("ETag", "\"" + version + "\"");
  }

  /**
   * Returns the key, unless it belongs to the recycle policy, which only administrators may change.
   */
  private static KeyId changeable(ApiRequest request) {
    KeyId id = id(request);
    if (id.group().equals(RecycleSettingsService.KEYS)) {
      throw ProblemException.of(
          403, "Group '" + id.group() + "' is the server's own; use PUT /recycle-policy instead.");
    }
    return id;
  }

  private static KeyId id(ApiRequest request) {
    return new KeyId(request.get(GROUP), request.get(KEY));
  }
}
