package io.millrace.demo;

import io.millrace.server.CommandProvider;

/** The provider that adds {@code millrace demo} to the command line. */
public final class DemoCommandProvider implements CommandProvider {

  @Override
  public Class<?> commandClass() {
    return DemoCommand.class;
  }
}
