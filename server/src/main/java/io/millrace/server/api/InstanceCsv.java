package io.millrace.server.api;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The CSV format of instances (RFC 4180). */
final class InstanceCsv {

  static final String HEADER =
      "id,type,version,status,state,reason,businessKey,externalId,parentId,executorGroup,executorId,"
          + "priority,attempt,seq,failure,created,modified,entered,ended,nextActivation,waitingFor\r\n";

  /** Characters that make a spreadsheet treat a cell as a formula. */
  private static final String FORMULA = "=+-@\t\r\n";

  private InstanceCsv() {}

  static String line(InstanceView view) {
    List<@Nullable Object> cells =
        Arrays.asList(
            view.id(),
            view.type(),
            view.version(),
            view.status(),
            view.state(),
            view.reason(),
            view.businessKey(),
            view.externalId(),
            view.parentId(),
            view.executorGroup(),
            view.executorId(),
            view.priority(),
            view.attempt(),
            view.seq(),
            view.failure(),
            view.created(),
            view.modified(),
            view.entered(),
            view.ended(),
            view.nextActivation(),
            view.waitingFor());
    return cells.stream().map(InstanceCsv::cell).collect(Collectors.joining(",", "", "\r\n"));
  }

  /** Returns a cell that no spreadsheet treats as a formula. */
  static String cell(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    String text = value.toString();
    if (!text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0) {
      text = "'" + text;
    }
    boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
