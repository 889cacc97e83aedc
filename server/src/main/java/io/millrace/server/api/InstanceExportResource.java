package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.http.StrictJson;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The export of all matching instances as a file. It is written page by page, so that it never
 * holds all of them in memory.
 */
final class InstanceExportResource {

  static final Param<Format> FORMAT =
      Param.choice("format", Map.of("csv", Format.CSV, "json", Format.JSON), Format.CSV);
  static final Param<Integer> MAX = Param.number("max", 1, Integer.MAX_VALUE, Integer.MAX_VALUE);

  private static final int PAGE = 500;

  private final WorkflowClient client;
  private final InstanceAccess instances;

  InstanceExportResource(ApiContext context) {
    this.client = context.client();
    this.instances = context.instances();
  }

  /** The format of an export. */
  enum Format {
    CSV("text/csv; charset=utf-8", "csv"),
    JSON("application/x-ndjson", "ndjson");

    private final String contentType;
    private final String ending;

    Format(String contentType, String ending) {
      this.contentType = contentType;
      this.ending = ending;
    }
  }

  ApiResponse export(ApiRequest request) {
    Format format = request.get(FORMAT);
    int max = request.get(MAX);
    InstanceQuery query =
        instances.query(request, InstanceFilterReader.of(request)).limit(Math.min(PAGE, max));
    Page<WorkflowInstance> first = client.search(query);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Disposition", "attachment; filename=\"instances." + format.ending + "\"");
    return new ApiResponse.Stream(
        format.contentType, headers, out -> write(out, format, query, first, max), () -> {});
  }

  private void write(
      OutputStream to, Format format, InstanceQuery query, Page<WorkflowInstance> first, int max)
      throws IOException {
    BufferedOutputStream out = new BufferedOutputStream(to, 1 << 16);
    if (format == Format.CSV) {
      out.write(InstanceCsv.HEADER.getBytes(StandardCharsets.UTF_8));
    }
    int left = max;
    Page<WorkflowInstance> page = first;
    while (true) {
      for (WorkflowInstance instance :
          page.items().subList(0, Math.min(left, page.items().size()))) {
        out.write(line(format, InstanceView.of(instance)));
      }
      left -= page.items().size();
      if (left <= 0 || page.next() == null) {
        break;
      }
      page = client.search(query.after(page.next()));
    }
    out.flush();
  }

  private static byte[] line(Format format, InstanceView view) {
    String line = format == Format.CSV ? InstanceCsv.line(view) : StrictJson.write(view) + "\n";
    return line.getBytes(StandardCharsets.UTF_8);
  }
}
