package io.millrace.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A record of the calls that reach classes of jars, which see this class through their parent. */
public final class JarCallLog {

  static final List<String> CALLS = new CopyOnWriteArrayList<>();

  private JarCallLog() {}

  /** Records a call with the name that the jar of the thread's class loader contains. */
  public static void add(String call) {
    ClassLoader classes = Thread.currentThread().getContextClassLoader();
    try (InputStream name = classes.getResourceAsStream("jar-name.txt")) {
      CALLS.add(
          call
              + " in "
              + (name == null ? "none" : new String(name.readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
