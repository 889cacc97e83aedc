package io.millrace.imports;

import io.millrace.server.CommandProvider;

/** Provider of the command {@code millrace import}. */
public final class ImportCommandProvider implements CommandProvider {

  @Override
  public Class<?> commandClass() {
    return ImportCommand.class;
  }
}
