package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;

/** Tests the calls of methods that only the driver of H2 has, beside a version that lacks some. */
final class H2DriverTest {

  /** Loads {@link H2Driver} again, and hides the class with the method for the write delay. */
  private static final class WithoutWriteDelay extends ClassLoader {

    WithoutWriteDelay() {
      super(H2Driver.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals("org.h2.engine.Database")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith(H2Driver.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] code = file.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void theLockTimeoutIsSetWithoutAMethodForTheWriteDelay() throws Exception {
    Class<?> driver = new WithoutWriteDelay().loadClass(H2Driver.class.getName());
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:driver", "sa", "")) {
      var setLockTimeout = driver.getDeclaredMethod("setLockTimeout", Connection.class, int.class);
      setLockTimeout.setAccessible(true);
      assertThat(setLockTimeout.invoke(null, connection, 20)).isEqualTo(true);

      var writeCommitsAtOnce = driver.getDeclaredMethod("writeCommitsAtOnce", Connection.class);
      writeCommitsAtOnce.setAccessible(true);
      writeCommitsAtOnce.invoke(null, connection);
    }
  }
}
