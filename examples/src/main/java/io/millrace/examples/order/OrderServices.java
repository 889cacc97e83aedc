package io.millrace.examples.order;

import io.millrace.examples.order.OrderProcess.Order;
import java.io.IOException;

/**
 * The systems around the order process. Each call carries a key; the same key means the same call
 * again, which changes nothing more.
 */
interface OrderServices {

  /** Puts goods aside. */
  void reserve(Order order, String key) throws IOException;

  /** Puts goods back. */
  void release(Order order, String key) throws IOException;

  /** Takes the money; answers with a receipt. */
  String charge(Order order, int cents, String key) throws IOException;

  /** Gives the money back. */
  void refund(Order order, String receipt, String key) throws IOException;

  /**
   * Sends the goods; answers with the parcel's number.
   *
   * @throws IOException when it may be tried again
   * @throws UndeliverableException when it never will be possible
   */
  String ship(Order order, String key) throws IOException, UndeliverableException;

  /** No further attempt can help. */
  class UndeliverableException extends Exception {
    UndeliverableException(String message) {
      super(message);
    }
  }
}
