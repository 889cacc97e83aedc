package io.millrace.benchmarks.workload.server;

import io.millrace.WorkflowProvider;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.sql.DataSource;

/** A workflow that takes a step every second and never ends, for a server's folder of jars. */
public final class TickingWorkflow implements WorkflowProvider {

  @Override
  public Collection<WorkflowDefinition> workflows(DataSource database) {
    return List.of(
        WorkflowDefinition.of("ticking")
            .start("tick", ctx -> Next.moveAfter("tock", Duration.ofSeconds(1), "ticked"))
            .state("tock", ctx -> Next.moveAfter("tick", Duration.ofSeconds(1), "tocked"))
            .build());
  }

  /** Writes a jar with this class into the folder. */
  static Path jar(Path folder) throws IOException {
    Path jar = folder.resolve("ticking.jar");
    String name = TickingWorkflow.class.getName();
    String file = name.replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        InputStream code = TickingWorkflow.class.getClassLoader().getResourceAsStream(file)) {
      if (code == null) {
        throw new IOException("The class " + name + " is not on the class path.");
      }
      entries.putNextEntry(new ZipEntry(file));
      code.transferTo(entries);
      entries.putNextEntry(new ZipEntry("META-INF/services/" + WorkflowProvider.class.getName()));
      entries.write(name.getBytes(StandardCharsets.UTF_8));
    }
    return jar;
  }
}
