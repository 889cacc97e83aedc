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

  static InstanceFilter of(ApiRequest apiRequest) {
    return checked(
        new InstanceFilter(
            List.of(),
            apiRequest.get(TYPE),
            apiRequest.get(STATUS),
            apiRequest.find(STATE),
            apiRequest.find(ANY_KEY),
            apiRequest.find(KEY_PREFIX),
            apiRequest.find(BUSINESS_KEY),
            apiRequest.find(EXTERNAL_ID),
            apiRequest.find(PARENT),
            apiRequest.find(EXECUTOR),
            apiRequest.find(GROUP),
            apiRequest.find(FAILURE),
            apiRequest.find(CREATED_FROM),
            apiRequest.find(CREATED_TO),
            apiRequest.find(ENDED_FROM),
            apiRequest.find(ENDED_TO),
            apiRequest.find(VARIABLE),
            apiRequest.find(VALUE_OF)));
  }

  /** Returns the filter in the member {@code name} of a body. */
  static InstanceFilter of(JsonFields body, String name) {
    JsonFields jsonFields = body.object(name, NAMES);
    return checked(
        new InstanceFilter(
            jsonFields.numbers("ids", IDS),
            jsonFields.texts("type", TYPES, NAME),
            jsonFields.choices("status", STATUSES),
            jsonFields.optionalText("state", NAME),
            jsonFields.optionalText("key", KEY),
            jsonFields.optionalText("keyPrefix", KEY),
            jsonFields.optionalText("businessKey", KEY),
            jsonFields.optionalText("externalId", KEY),
            jsonFields.optionalNumber("parent", 1, Long.MAX_VALUE),
            jsonFields.optionalNumber("executor", 1, Long.MAX_VALUE),
            jsonFields.optionalText("group", NAME),
            jsonFields.optionalText("failure", FINGERPRINT),
            jsonFields.optionalTime("createdFrom"),
            jsonFields.optionalTime("createdTo"),
            jsonFields.optionalTime("endedFrom"),
            jsonFields.optionalTime("endedTo"),
            jsonFields.optionalText("variable", NAME),
            jsonFields.optionalText("value", VALUE)));
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
