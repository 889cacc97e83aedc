package io.millrace.server;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The versions of Millrace and Java. */
final class MillraceVersion implements IVersionProvider {

  /** Returns the version of the jar, or a placeholder for classes that are not in a jar. */
  static String millrace() {
    @Nullable String version = MillraceVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development build" : version;
  }

  static String java() {
    return Runtime.version().toString();
  }

  @Override
  public String[] getVersion() {
    return new String[] {"millrace " + millrace() + ", JDK " + java()};
  }
}
