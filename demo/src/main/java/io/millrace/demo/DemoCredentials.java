package io.millrace.demo;

import io.millrace.server.security.GeneratedLogin;
import java.nio.file.Path;

/**
 * The credentials of a started demo, which are new at each start.
 *
 * @param linkToken token of a login link
 * @param keyFile file with an API key for the command line
 */
public record DemoCredentials(GeneratedLogin login, String linkToken, Path keyFile) {
  @Override
  public String toString() {
    return "DemoCredentials[login=" + login + ", linkToken=***, keyFile=" + keyFile + "]";
  }
}
