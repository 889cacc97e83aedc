package io.millrace.server.config;

import java.util.regex.Pattern;

/**
 * The variables that Kubernetes makes for each service of a namespace: those of a service named
 * millrace-rabbitmq look as if they were settings.
 */
final class KubernetesServiceLinks {

  private static final Pattern NAME =
      Pattern.compile(
          ".+_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_TCP(_(PROTO|PORT|ADDR))?)");

  private KubernetesServiceLinks() {}

  /** By its name alone this could be no setting. */
  static boolean isName(String variable) {
    return NAME.matcher(variable).matches();
  }

  /** The address of a service, under a name that a port of ours may have. */
  static boolean isAddress(String variable, String value) {
    return variable.endsWith("_PORT") && value.startsWith("tcp://");
  }
}
