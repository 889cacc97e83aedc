package io.millrace.demo.shop;

import java.time.Duration;
import java.time.Instant;

/**
 * The payment gateway of the bank. For a few orders it does not answer within the first minute
 * after the payment, and answers normally afterwards.
 */
final class PaymentGateway {

  /**
   * Length of an outage: longer than all attempts of the workflow, shorter than these and another
   * round of attempts.
   */
  static final Duration OUTAGE = Duration.ofMinutes(1);

  private static final double UNREACHABLE = 0.021;
  private static final double DECLINED = 0.02;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Sleeper sleeper;

  /** A call without an answer; a later attempt may get one. */
  static final class GatewayTimeoutException extends Exception {
    GatewayTimeoutException(String message) {
      super(message);
    }
  }

  /** A permanent refusal by the customer's bank. */
  static final class CardDeclinedException extends Exception {
    CardDeclinedException(String message) {
      super(message);
    }
  }

  PaymentGateway(Sleeper sleeper) {
    this.sleeper = sleeper;
  }

  /**
   * Charges the order, once, and returns a receipt.
   *
   * @param paidAt time at which the customer sent the payment
   */
  String charge(Order order, int cents, Instant paidAt, Instant now)
      throws GatewayTimeoutException, CardDeclinedException, InterruptedException {
    if (DeterministicRandom.of(order.number(), "gateway") < UNREACHABLE
        && now.isBefore(paidAt.plus(OUTAGE))) {
      sleeper.sleep(PATIENCE);
      throw new GatewayTimeoutException(
          "The payment gateway gave no answer within "
              + PATIENCE.toSeconds()
              + " s for order "
              + order.number());
    }
    sleeper.sleep(
        Duration.ofMillis(60 + (long) (240 * DeterministicRandom.of(order.number(), "bank"))));
    if (DeterministicRandom.of(order.number(), "card") < DECLINED) {
      throw new CardDeclinedException("the bank declines " + Money.of(cents));
    }
    return "R" + order.number().substring(1);
  }

  /** Refunds the payment, once for each receipt. */
  void refund(String receipt) throws InterruptedException {
    sleeper.sleep(Duration.ofMillis(80 + (long) (120 * DeterministicRandom.of(receipt, "bank"))));
  }
}
