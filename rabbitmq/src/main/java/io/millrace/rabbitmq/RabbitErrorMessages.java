package io.millrace.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Turns failures of the broker or the network into messages for an operator. */
final class RabbitErrorMessages {

  private static final int DEPTH = 10;

  private static final Pattern DIFFERS =
      Pattern.compile(
          ".*inequivalent arg '(?<arg>[^']+)' for (?<kind>queue|exchange) '(?<name>[^']+)' in vhost '(?<vhost>[^']+)':"
              + " received (?<wanted>.+?) but current is (?<current>.+)",
          Pattern.DOTALL);

  private RabbitErrorMessages() {}

  /** Returns why a connection could not be made. */
  static String ofConnecting(Throwable failure, RabbitSettings.BrokerUri brokerUri) {
    String at = "RabbitMQ at " + brokerUri;
    if (has(failure, AuthenticationFailureException.class)
        || has(failure, PossibleAuthenticationFailureException.class)) {
      return at
          + " refuses the user '"
          + brokerUri.user()
          + "': unknown, or the password is wrong; correct them in the URI, or add the user.";
    }
    if (has(failure, UnknownHostException.class)) {
      return at + " is not found: no such host; correct the URI.";
    }
    if (has(failure, ConnectException.class)) {
      return at + " is not reached: nothing answers there; start the broker or correct the URI.";
    }
    if (has(failure, SSLException.class)) {
      return at
          + " cannot be spoken to over TLS ("
          + root(failure)
          + "); add its certificate's authority to the trust store of the JVM, or name a port that speaks TLS.";
    }
    if (has(failure, TimeoutException.class) || has(failure, SocketTimeoutException.class)) {
      return at + " does not answer in time.";
    }
    String told = told(failure);
    if (told != null && told.contains("vhost")) {
      return at
          + " does not let '"
          + brokerUri.user()
          + "' into the vhost '"
          + brokerUri.vhost()
          + "' ("
          + told
          + "); add it, or give the user permissions there.";
    }
    return at + " gives no connection: " + (told != null ? told : root(failure)) + ".";
  }

  /** Returns why an operation on a connection was refused. */
  static String of(Throwable failure) {
    String told = told(failure);
    if (told == null && has(failure, TimeoutException.class)) {
      return "RabbitMQ has not answered in time. If that lasts for one queue only, it has no leader:"
          + " delete it (rabbitmqctl delete_queue), and it is created again.";
    }
    if (told == null) {
      return root(failure);
    }
    Matcher differs = DIFFERS.matcher(told);
    if (!differs.matches()) {
      return told;
    }
    return "The %s '%s' of vhost '%s' exists with other properties: its %s is %s, expected %s. %s"
        .formatted(
            differs.group("kind"),
            differs.group("name"),
            differs.group("vhost"),
            differs.group("arg"),
            value(differs.group("current")),
            value(differs.group("wanted")),
            whatToDo(differs.group("kind")));
  }

  private static String whatToDo(String kind) {
    return kind.equals("queue")
        ? "Delete it when it is empty (rabbitmqctl delete_queue), or use another vhost; it is then"
            + " created again. The delivery limit and the exchange must be the same on all nodes."
        : "Delete it when nobody uses it, or configure another exchange.";
  }

  private static String value(String text) {
    return text.replaceAll("the value '(.*?)'.*", "'$1'").replaceAll("^none$", "not set");
  }

  /** Returns the broker's own text; null when it sent none. */
  private static @Nullable String told(Throwable failure) {
    Throwable one = failure;
    for (int i = 0; i < DEPTH && one != null; i++, one = one.getCause()) {
      if (one instanceof ShutdownSignalException shutdown) {
        if (shutdown.getReason() instanceof AMQP.Channel.Close close) {
          return close.getReplyText();
        }
        if (shutdown.getReason() instanceof AMQP.Connection.Close close) {
          return close.getReplyText();
        }
      }
    }
    return null;
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> type) {
    Throwable one = failure;
    for (int i = 0; i < DEPTH && one != null; i++, one = one.getCause()) {
      if (type.isInstance(one)) {
        return true;
      }
    }
    return false;
  }

  private static String root(Throwable failure) {
    Throwable one = failure;
    for (int i = 0; i < DEPTH; i++) {
      Throwable cause = one.getCause();
      if (cause == null) {
        break;
      }
      one = cause;
    }
    return one.getMessage() == null ? one.getClass().getSimpleName() : one.getMessage();
  }
}
