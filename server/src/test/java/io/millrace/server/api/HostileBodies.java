package io.millrace.server.api;

import java.util.Random;

/** The bodies of hostile requests, generated from random numbers only. */
final class HostileBodies {

  static final String FORM = "application/x-www-form-urlencoded";
  static final String MULTIPART = "multipart/form-data; boundary=b";

  static final String[] WILD = {
    "",
    "0",
    "-1",
    "1",
    "2",
    "9223372036854775807",
    "9223372036854775808",
    "1e400",
    "0x10",
    "null",
    "%00",
    "%ff",
    "%zz",
    "%",
    "%2e%2e%2f",
    "..%2f..%2fetc%2fpasswd",
    "'%20OR%201=1--",
    "%F0%9F%92%A9",
    "%ED%A0%80",
    "%C0%AF",
    "a".repeat(300),
    "1;drop",
    "%0d%0aSet-Cookie:x=1",
    "[]",
    "true",
    "a+b",
    "2026-01-01T00:00:00Z",
    "-999999999-01-01T00:00:00Z",
    "%2526",
    "*",
    "{id}",
    ";x=1",
    "failed",
  };

  private static final String[] VALUES = {
    "null",
    "true",
    "1",
    "-1",
    "1e400",
    "1E999999999",
    "99999999999999999999",
    "0.1",
    "\"\"",
    "\"x\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"" + "x".repeat(5000) + "\"",
    "[]",
    "{}",
    "[[]]",
    "[1,null,\"a\"]",
    "{\"a\":{\"b\":[]}}",
    "\"2026-01-01T00:00:00Z\"",
    "\"9999999-01-01T00:00:00Z\"",
    "[".repeat(70) + "]".repeat(70),
    "{\"ids\":[1,2]}",
    "{\"status\":[\"failed\"],\"ids\":[0]}",
    "\"retry\"",
    "\"order\"",
    "NaN",
    "01",
    "'x'",
    "\"\\x\"",
    "\"<script>\"",
    "-0",
    "1.0",
  };

  static final String[] NAMES = {
    "type",
    "input",
    "variables",
    "externalId",
    "businessKey",
    "priority",
    "at",
    "version",
    "reason",
    "state",
    "expectedState",
    "set",
    "remove",
    "name",
    "payload",
    "key",
    "action",
    "filter",
    "signal",
    "dryRun",
    "expectedCount",
    "user",
    "password",
    "role",
    "days",
    "old",
    "new",
    "sequenceId",
    "tasks",
    "schedule",
    "parameters",
    "component",
    "channel",
    "timeoutMs",
    "title",
    "from",
    "until",
    "affected",
    "to",
    "mail",
    "webhook",
    "value",
    "claimant",
    "token",
    "operation",
    "period",
    "limit",
    "from",
    "to",
    "x",
    "",
    "__proto__",
  };

  private static final String[] SCHEDULES = {
    "{\"frequency\":\"DAILY\"}",
    "{\"frequency\":\"ONETIME\",\"startDate\":\"2026-02-02\",\"endDate\":\"2026-02-01\"}",
    "{\"frequency\":\"YEARLY\",\"startDate\":\"+999999999-12-31\"}",
    "{\"frequency\":\"MONTHLY\",\"zone\":\"+18:00\",\"until\":\"+1000000000-12-31T23:59:59Z\"}",
    "{\"frequency\":\"WEEKLY\",\"recurs\":false,\"until\":\"1970-01-01T00:00:00Z\"}",
    "{\"cron\":\"* * * * * ?\"}",
    "{\"cron\":\"0 0 0 31 2 ? 2099\"}",
    "{\"cron\":\"0 30 2 L * ? *\",\"zone\":\"Africa/Casablanca\",\"dst\":\"BOTH\"}",
    "{\"every\":\"PT0S\"}",
    "{\"every\":\"PT1S\",\"anchor\":\"-1000000000-01-01T00:00:00Z\"}",
    "{\"every\":\"P3660D\",\"anchor\":\"+1000000000-12-31T23:59:59Z\"}",
    "{\"every\":\"PT9223372036854775807S\"}",
    "{\"frequency\":\"DAILY\",\"calendars\":[{\"name\":\"x\",\"blackouts\":[{\"name\":\"y\","
        + "\"from\":\"-1000000000-01-01T00:00:00Z\",\"to\":\"+1000000000-12-31T23:59:59Z\"}],"
        + "\"holidays\":[{\"name\":\"z\",\"date\":\"+999999999-12-31\",\"yearly\":true}]}]}",
    "{\"frequency\":\"DAILY\",\"calendars\":[null]}",
    "{\"frequency\":\"DAILY\",\"catchUpLimit\":1e3}",
    "{\"frequency\":[],\"cron\":{}}",
  };

  private static final String[] DISPOSITIONS = {
    "form-data; name=\"token\"",
    "form-data; name=\"mail\"; filename=\"x\"",
    "form-data; name=\"id\"; filename=\"../../../tmp/x\"",
    "form-data; name=\"\"",
    "form-data; name=",
    "form-data",
    "attachment; filename=\"\u00e9\u0000\"",
    "",
  };

  private final Random random;

  HostileBodies(Random random) {
    this.random = random;
  }

  /** Returns JSON that no operation expects, or nearly what an operation expects. */
  String json() {
    return switch (random.nextInt(15)) {
      case 0 -> pick(VALUES);
      case 1 -> "{\"reason\":";
      case 3, 4 -> "{\"type\":\"quick\",\"input\":" + pick(VALUES) + "}";
      case 5 -> "{\"name\":\"paid\",\"payload\":" + pick(VALUES) + "}";
      case 6 -> "{\"set\":{\"a\":" + pick(VALUES) + "}}";
      case 7 -> "{\"schedule\":" + pick(SCHEDULES) + ",\"slots\":" + pick(VALUES) + "}";
      case 8 -> "{\"schedule\":" + pick(SCHEDULES) + "}";
      case 9 -> sequence();
      case 10 -> "{\"name\":\"T\",\"type\":\"Count\",\"component\":" + pick(VALUES) + "}";
      case 11 ->
          "{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-02-01T00:00:00Z\",\"dryRun\":true}";
      case 2 -> "\u0000\u0001\ufffd";
      default -> object();
    };
  }

  /** Returns the fields of a form. */
  String form() {
    StringBuilder form = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      form.append(pick(new String[] {"id", "token", "mail", "", "%"}))
          .append(random.nextInt(8) == 0 ? "" : "=")
          .append(pick(WILD))
          .append('&');
    }
    return form.toString();
  }

  private String sequence() {
    return "{\"sequenceId\":\""
        + (1 + random.nextInt(2 * HostileInput.WORKFLOWS))
        + "\",\"type\":\"Count\",\"tasks\":[{\"task\":\"ABSENT\",\"position\":"
        + pick(new String[] {"1", "2", "null", "\"1\""})
        + ",\"parameters\":"
        + pick(new String[] {"{}", "{\"a\":null}", "{\"a\":[null,1e400]}", "7"})
        + "}],\"schedule\":"
        + pick(SCHEDULES)
        + "}";
  }

  private String object() {
    StringBuilder body = new StringBuilder("{");
    for (int i = random.nextInt(5); i > 0; i--) {
      body.append('"').append(pick(NAMES)).append("\":").append(pick(VALUES)).append(',');
    }
    if (body.length() > 1) {
      body.setLength(body.length() - 1);
    }
    return body.append('}').toString();
  }

  /** Returns a multipart body, with some files, sometimes without an end. */
  String multipart() {
    StringBuilder parts = new StringBuilder(random.nextInt(8) == 0 ? "preamble" : "");
    for (int i = random.nextInt(4); i > 0; i--) {
      parts.append("--b\r\n");
      if (random.nextInt(8) > 0) {
        parts.append("Content-Disposition: ").append(pick(DISPOSITIONS)).append("\r\n");
      }
      parts.append("\r\n").append(pick(WILD)).append("\r\n");
    }
    return parts.append(random.nextInt(4) == 0 ? "" : "--b--\r\n").toString();
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
