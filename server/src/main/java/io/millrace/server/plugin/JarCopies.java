package io.millrace.server.plugin;

import io.millrace.WorkflowProvider;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * The copies of the jars in use. A build that overwrites a jar therefore does not disturb running
 * code. Must be closed after everything that uses the classes. Thread-safe.
 */
public final class JarCopies implements AutoCloseable {

  private static final Cleaner CLEANER = Cleaner.create();

  private final List<Path> parents;
  private final Set<URLClassLoader> open = Collections.newSetFromMap(new WeakHashMap<>());
  private @Nullable ProcessFolder folder;
  private int count;

  JarCopies(List<Path> parents) {
    this.parents = parents;
    parents.forEach(ProcessFolder::deleteLeftovers);
  }

  /**
   * Returns copies in the data folder of {@code home}, else in {@code home} itself, else in the
   * system's folder for temporary files, which a system may clean up: the first one that is
   * writable.
   */
  public static JarCopies below(Path home) {
    return new JarCopies(List.of(home.resolve("data"), home, temporaryFiles()));
  }

  /** Returns copies in the system's folder for temporary files, for short-lived use. */
  public static JarCopies temporary() {
    return new JarCopies(List.of(temporaryFiles()));
  }

  private static Path temporaryFiles() {
    return Path.of(System.getProperty("java.io.tmpdir", "."));
  }

  /**
   * Copies the classes of {@code place} as they are now.
   *
   * @param use purpose of the classes, as the name of their class loader
   * @param jars the files, in the order in which classes are searched
   */
  JarCopy copy(String use, Path place, List<Path> jars) throws InvalidPluginException {
    Path target = target();
    try {
      List<Path> files = new ArrayList<>();
      List<URL> urls = new ArrayList<>();
      for (Path jar : jars) {
        Path file = target.resolve(files.size() + "-" + jar.getFileName());
        copy(jar, file);
        files.add(file);
        urls.add(file.toUri().toURL());
      }
      URLClassLoader classes =
          new URLClassLoader(
              use + ":" + place.getFileName(),
              urls.toArray(URL[]::new),
              WorkflowProvider.class.getClassLoader());
      openAll(classes);
      synchronized (this) {
        open.add(classes);
      }
      return new JarCopy(classes, List.copyOf(files), deletion(classes, target));
    } catch (IOException e) {
      ProcessFolder.delete(target);
      throw unreadable(e);
    } catch (InvalidPluginException e) {
      ProcessFolder.delete(target);
      throw e;
    }
  }

  private synchronized Path target() throws InvalidPluginException {
    try {
      if (folder == null) {
        folder = ProcessFolder.open(parents);
      }
      // a path of its own each time: a system may have deleted the folder as old
      Path target = folder.path().resolve(String.valueOf(count++));
      return Files.createDirectories(target);
    } catch (IOException e) {
      throw notCopied(e);
    }
  }

  private static void copy(Path jar, Path file) throws IOException, InvalidPluginException {
    try {
      Files.copy(jar, file);
    } catch (IOException e) {
      throw Files.isReadable(jar) ? notCopied(e) : unreadable(e);
    }
    // A class loader would silently ignore a damaged file.
    new JarFile(file.toFile()).close();
  }

  /**
   * Opens all files of the loader. It opens them one by one as it searches, and then keeps them
   * open.
   */
  private static void openAll(URLClassLoader classes) {
    classes.findResource("META-INF/millrace-there-is-none");
  }

  /**
   * Registers the deletion. The action must not reference the loader, which otherwise could never
   * be collected.
   */
  private static Cleaner.Cleanable deletion(URLClassLoader classes, Path target) {
    return CLEANER.register(classes, () -> ProcessFolder.delete(target));
  }

  static InvalidPluginException unreadable(IOException e) {
    return new InvalidPluginException(
        "It cannot be read: " + why(e) + ".",
        "Expected a jar; check its rights, or copy it again.");
  }

  private static InvalidPluginException notCopied(IOException e) {
    return new InvalidPluginException(
        "It cannot be copied, as the server does with all jars that it uses: " + e + ".",
        "Give the server the right to write into its home, and make room there.");
  }

  private static String why(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "it is gone";
    }
    if (e instanceof AccessDeniedException) {
      return "the server has no right to";
    }
    return String.valueOf(e.getMessage());
  }

  @Override
  public synchronized void close() {
    List.copyOf(open).forEach(JarCopy::close);
    open.clear();
    if (folder != null) {
      folder.close();
      folder = null;
    }
  }
}
