package io.millrace.imports;

import io.millrace.server.CommandProvider;

/** Adds {@code millrace import}. */
public final class ImportCommandProvider implements CommandProvider {

  @Override
  public Class<?> commandClass() {
    return ImportCommand.class;
  }
}
