package io.millrace.server.api;

import io.millrace.instance.InstanceStatus;
import io.millrace.server.bulk.InstanceFilter;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A reader of instance filters, from a query or a body. */
final class InstanceFilterReader {

  static final int NAME = 100;
  static final int KEY = 200;
  static final int FINGERPRINT = 64;
  private static final int VALUE = 4000;
  private static final int TYPES = 20;
  private static final int IDS = 1000;

  private static final Map<String, String> STATUSES = statuses();

  static final Param<List<String>> TYPE = Param.texts("type", TYPES, NAME);
  private static final Param<List<String>> STATUS = Param.choices("status", STATUSES);
  private static final Param<String> STATE = Param.text("state", NAME);
  private static final Param<String> ANY_KEY = Param.text("key", KEY);
  private static final Param<String> KEY_PREFIX = Param.text("keyPrefix", KEY);
  private static final Param<String> BUSINESS_KEY = Param.text("businessKey", KEY);
  private static final Param<String> EXTERNAL_ID = Param.text("externalId", KEY);
  private static final Param<Long> PARENT = Param.id("parent");
  private static final Param<Long> EXECUTOR = Param.id("executor");
  private static final Param<String> GROUP = Param.text("group", NAME);
  private static final Param<String> FAILURE = Param.text("failure", FINGERPRINT);
  private static final Param<Instant> CREATED_FROM = Param.time("createdFrom");
  private static final Param<Instant> CREATED_TO = Param.time("createdTo");
  private static final Param<Instant> ENDED_FROM = Param.time("endedFrom");
  private static final Param<Instant> ENDED_TO = Param.time("endedTo");
  private static final Param<String> VARIABLE = Param.text("variable", NAME);
  private static final Param<String> VALUE_OF = Param.text("value", VALUE);

  static final List<Param<?>> PARAMS =
      List.of(
          TYPE,
          STATUS,
          STATE,
          ANY_KEY,
          KEY_PREFIX,
          BUSINESS_KEY,
          EXTERNAL_ID,
          PARENT,
          EXECUTOR,
          GROUP,
          FAILURE,
          CREATED_FROM,
          CREATED_TO,
          ENDED_FROM,
          ENDED_TO,
          VARIABLE,
          VALUE_OF);

  private static final Set<String> NAMES =
      Set.of(
          "ids",
          "type",
          "status",
          "state",
          "key",
          "keyPrefix",
          "businessKey",
          "externalId",
          "parent",
          "executor",
          "group",
          "failure",
          "createdFrom",
          "createdTo",
          "endedFrom",
          "endedTo",
          "variable",
          "value");

  private InstanceFilterReader() {}

  private static Map<String, String> statuses() {
    Map<String, InstanceStatus> codes = Param.codes(InstanceStatus.values(), InstanceStatus::code);
    Map<String, String> same = new LinkedHashMap<>();
    codes.keySet().forEach(code -> same.put(code, code));
    return same;
  }

  static InstanceFilter of(ApiRequest request) {
    return checked(
        new InstanceFilter(
            List.of(),
            request.get(TYPE),
            request.get(STATUS),
            request.find(STATE),
            request.find(ANY_KEY),
            request.find(KEY_PREFIX),
            request.find(BUSINESS_KEY),
            request.find(EXTERNAL_ID),
            request.find(PARENT),
            request.find(EXECUTOR),
            request.find(GROUP),
            request.find(FAILURE),
            request.find(CREATED_FROM),
            request.find(CREATED_TO),
            request.find(ENDED_FROM),
            request.find(ENDED_TO),
            request.find(VARIABLE),
            request.find(VALUE_OF)));
  }

  /** Returns the filter in the member {@code name} of a body. */
  static InstanceFilter of(JsonFields body, String name) {
    JsonFields fields = body.object(name, NAMES);
    return checked(
        new InstanceFilter(
            fields.numbers("ids", IDS),
            fields.texts("type", TYPES, NAME),
            fields.choices("status", STATUSES),
            fields.optionalText("state", NAME),
            fields.optionalText("key", KEY),
            fields.optionalText("keyPrefix", KEY),
            fields.optionalText("businessKey", KEY),
            fields.optionalText("externalId", KEY),
            fields.optionalNumber("parent", 1, Long.MAX_VALUE),
            fields.optionalNumber("executor", 1, Long.MAX_VALUE),
            fields.optionalText("group", NAME),
            fields.optionalText("failure", FINGERPRINT),
            fields.optionalTime("createdFrom"),
            fields.optionalTime("createdTo"),
            fields.optionalTime("endedFrom"),
            fields.optionalTime("endedTo"),
            fields.optionalText("variable", NAME),
            fields.optionalText("value", VALUE)));
  }

  private static InstanceFilter checked(InstanceFilter filter) {
    oneWithout("variable", filter.variable(), "value", filter.value());
    oneWithout("value", filter.value(), "variable", filter.variable());
    return filter;
  }

  private static void oneWithout(
      String name, @Nullable String given, String other, @Nullable String missing) {
    if (given != null && missing == null) {
      throw ProblemException.invalid(name, "is given without '" + other + "'; expected both.");
    }
  }
}
