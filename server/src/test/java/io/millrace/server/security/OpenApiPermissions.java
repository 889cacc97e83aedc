package io.millrace.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The permissions in the HTTP contract, by operation. */
final class OpenApiPermissions {

  private static final Pattern PATH = Pattern.compile("  (/\\S*):.*");
  private static final Pattern METHOD = Pattern.compile("    (get|post|put|patch|delete):(.*)");
  private static final Pattern ID = Pattern.compile("operationId: (\\w+)");
  private static final Pattern PERMISSION = Pattern.compile("x-permission: (\\w+)");

  private OpenApiPermissions() {}

  /** An operation; the path starts at the context path. */
  record Operation(String method, String path, String text) {

    String id() {
      return only(ID);
    }

    /** Returns the permission; fails unless there is exactly one. */
    Permission permission() {
      return Permission.valueOf(only(PERMISSION).toUpperCase(Locale.ROOT));
    }

    private String only(Pattern pattern) {
      List<String> found = pattern.matcher(text).results().map(r -> r.group(1)).toList();
      if (found.size() != 1) {
        throw new AssertionError(method + " " + path + " has " + found + " of " + pattern);
      }
      return found.getFirst();
    }

    boolean changes() {
      return !method.equals("GET");
    }
  }

  static List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    String path = "";
    String method = "";
    StringBuilder text = new StringBuilder();
    for (String line : (paths() + "\n  /end:").lines().toList()) {
      Matcher nextPath = PATH.matcher(line);
      Matcher nextMethod = METHOD.matcher(line);
      boolean isPath = nextPath.matches();
      boolean isMethod = nextMethod.matches();
      if ((isPath || isMethod) && !method.isEmpty()) {
        String base = path.equals("/metrics") ? "" : "/api/v1";
        operations.add(new Operation(method, base + path, text.toString()));
      }
      if (isPath || isMethod) {
        text.setLength(0);
        path = isPath ? nextPath.group(1) : path;
        method = isPath ? "" : nextMethod.group(1).toUpperCase(Locale.ROOT);
      }
      text.append(line).append('\n');
    }
    return operations;
  }

  private static String paths() {
    String name = "/io/millrace/server/openapi.yaml";
    try (InputStream in = OpenApiPermissions.class.getResourceAsStream(name)) {
      String all = new String(in.readAllBytes(), UTF_8);
      return all.substring(all.indexOf("\npaths:"), all.indexOf("\ncomponents:"));
    } catch (IOException e) {
      throw new AssertionError(name, e);
    }
  }
}
