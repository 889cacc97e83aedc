package io.millrace.verification.architecture.planted.dispatch;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.util.logging.Logger;

/** A violation: ends the process, prints, logs past SLF4J, and reads Java serialization. */
final class ForbiddenCalls {

  void end() {
    System.exit(1);
  }

  void print(Throwable failure) {
    failure.printStackTrace();
    System.out.println(failure);
    System.err.println(failure);
  }

  Logger logger() {
    return Logger.getGlobal();
  }

  Object read(InputStream in) throws IOException, ClassNotFoundException {
    try (ObjectInputStream objects = new ObjectInputStream(in)) {
      return objects.readObject();
    }
  }
}
