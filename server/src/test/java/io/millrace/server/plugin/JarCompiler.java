package io.millrace.server.plugin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A compiler of classes into a jar, like a user's build. */
public final class JarCompiler {

  public static final String SERVICE = "META-INF/services/io.millrace.WorkflowProvider";

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** One for all, because it remembers what is in the jars of the class path. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

  private final Map<String, byte[]> entries = new LinkedHashMap<>();

  private JarCompiler() {}

  /** Returns a jar without contents. */
  public static JarCompiler empty() {
    return new JarCompiler();
  }

  /** Returns a jar with a file of services. */
  public static JarCompiler naming(String... providers) {
    return new JarCompiler().with(SERVICE, String.join("\n", providers));
  }

  /** Returns a jar whose provider {@code name} has one workflow. */
  public static JarCompiler workflow(String name, String type, int version) throws IOException {
    return naming(name)
        .compiled(
            name,
            """
            import io.millrace.WorkflowProvider;
            import io.millrace.definition.*;
            import java.util.*;
            public class %s implements WorkflowProvider {
              public Collection<WorkflowDefinition> workflows(javax.sql.DataSource database) {
                return List.of(WorkflowDefinition.of("%s").version(%s)
                    .start("begin", ctx -> Next.moveTo("done", "by " + getClass().getSimpleName()))
                    .end("done").build());
              }
            }
            """
                .formatted(name, type, version));
  }

  public JarCompiler with(String entry, String text) {
    return with(entry, text.getBytes(StandardCharsets.UTF_8));
  }

  public JarCompiler with(String entry, byte[] content) {
    entries.put(entry, content);
    return this;
  }

  /** Adds the classes of one source file, except those named {@code without}. */
  public JarCompiler compiled(String name, String source, String... without) throws IOException {
    Path folder = Files.createTempDirectory("millrace-jar");
    try {
      Path file = Files.writeString(folder.resolve(name + ".java"), source);
      if (!compile(file, folder)) {
        throw new IllegalArgumentException(name + " does not compile");
      }
      for (Path made : list(folder)) {
        String entry = made.getFileName().toString();
        if (entry.endsWith(".class") && !List.of(without).contains(entry)) {
          entries.put(entry, Files.readAllBytes(made));
        }
      }
    } finally {
      for (Path made : list(folder)) {
        Files.delete(made);
      }
      Files.delete(folder);
    }
    return this;
  }

  private static synchronized boolean compile(Path file, Path folder) {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> options = List.of("-proc:none", "-cp", classPath, "-d", "" + folder);
    return COMPILER
        .getTask(null, FILES, null, options, null, FILES.getJavaFileObjects(file))
        .call();
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  public Path write(Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
    return jar;
  }
}
