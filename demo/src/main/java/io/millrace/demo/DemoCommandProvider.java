package io.millrace.demo;

import io.millrace.server.CommandProvider;

/** Adds {@code millrace demo}. */
public final class DemoCommandProvider implements CommandProvider {

  @Override
  public Class<?> commandClass() {
    return DemoCommand.class;
  }
}
