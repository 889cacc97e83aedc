package io.millrace.server.plugin;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The jar files of a folder, and the files that belong together. */
final class JarFiles {

  private JarFiles() {}

  /**
   * Returns the jars and the folders of jars in {@code folder}, by name; none if it does not exist.
   */
  static List<Path> places(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> isJar(file) || Files.isDirectory(file)).sorted().toList();
    }
  }

  /** Returns the jar itself, or the jars of a folder. */
  static List<Path> of(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      return List.of(place);
    }
    try (Stream<Path> files = Files.list(place)) {
      return files.filter(JarFiles::isJar).sorted().toList();
    }
  }

  /**
   * Returns {@code jars}, each followed by the existing jars of the class path in its manifest,
   * which a copy would look for beside itself.
   */
  static List<Path> withClassPaths(List<Path> jars) throws IOException {
    Set<Path> all = new LinkedHashSet<>();
    for (Path jar : jars) {
      add(jar.toAbsolutePath().normalize(), all);
    }
    return List.copyOf(all);
  }

  private static void add(Path jar, Set<Path> all) throws IOException {
    if (all.add(jar)) {
      for (Path named : classPath(jar)) {
        add(named, all);
      }
    }
  }

  private static List<Path> classPath(Path jar) throws IOException {
    List<Path> found = new ArrayList<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      String entries =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      if (entries == null) {
        return List.of();
      }
      for (String entry : entries.strip().split("\\s+", -1)) {
        Path path = file(jar, entry);
        if (path != null && isJar(path) && Files.isRegularFile(path)) {
          found.add(path);
        }
      }
    }
    return found;
  }

  /**
   * Returns the file of an entry; null for another machine or an invalid address, which Java
   * ignores too.
   */
  private static @Nullable Path file(Path jar, String entry) {
    try {
      URI address = jar.toUri().resolve(URI.create(entry));
      return "file".equals(address.getScheme()) ? Path.of(address).normalize() : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isJar(Path file) {
    return file.toString().endsWith(".jar");
  }
}
