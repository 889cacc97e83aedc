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
 * Copies of the jars that are in use: whoever writes a new jar over one, as a build does, disturbs
 * nothing that runs. Close it after all that uses the classes. Thread-safe.
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
   * In the data of {@code home}, else in {@code home} itself, else in the system's folder for
   * temporary files, where a system may clean up: the first that can be written to.
   */
  public static JarCopies below(Path home) {
    return new JarCopies(List.of(home.resolve("data"), home, temporaryFiles()));
  }

  /** In the system's folder for temporary files, for what ends soon. */
  public static JarCopies temporary() {
    return new JarCopies(List.of(temporaryFiles()));
  }

  private static Path temporaryFiles() {
    return Path.of(System.getProperty("java.io.tmpdir", "."));
  }

  /**
   * The classes of {@code place} as they are now.
   *
   * @param use for what, for people who look at class loaders
   * @param jars the files, in the order in which classes are looked for
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
      // its own path again and again: a system may have deleted it as old
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
    // A class loader would pass over a damaged file without a word.
    new JarFile(file.toFile()).close();
  }

  /** A loader opens its files one by one as it looks for something, and then keeps them open. */
  private static void openAll(URLClassLoader classes) {
    classes.findResource("META-INF/millrace-there-is-none");
  }

  /** Must not know the loader, which could never go otherwise. */
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
