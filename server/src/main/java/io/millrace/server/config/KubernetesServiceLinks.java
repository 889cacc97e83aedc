package io.millrace.server.config;

import java.util.regex.Pattern;

/**
 * The environment variables that Kubernetes sets for each service of a namespace. Those of a
 * service with the name millrace-rabbitmq look like settings.
 */
final class KubernetesServiceLinks {

  private static final Pattern NAME =
      Pattern.compile(
          ".+_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_TCP(_(PROTO|PORT|ADDR))?)");

  private KubernetesServiceLinks() {}

  /** True for a name that can only be a variable of Kubernetes. */
  static boolean isName(String variable) {
    return NAME.matcher(variable).matches();
  }

  /** True for the address of a service under a name that a port setting may have. */
  static boolean isAddress(String variable, String value) {
    return variable.endsWith("_PORT") && value.startsWith("tcp://");
  }
}
