package io.millrace.examples.order;

import io.millrace.examples.order.OrderProcess.Order;
import java.io.IOException;

/**
 * The systems around the order process. Each call carries a key; a repeated call with the same key
 * changes nothing.
 */
interface OrderServices {

  /** Reserves goods. */
  void reserve(Order order, String key) throws IOException;

  /** Releases reserved goods. */
  void release(Order order, String key) throws IOException;

  /** Charges the customer and returns a receipt. */
  String charge(Order order, int cents, String key) throws IOException;

  /** Refunds the payment. */
  void refund(Order order, String receipt, String key) throws IOException;

  /**
   * Sends the goods and returns the parcel's number.
   *
   * @throws IOException if a later attempt may succeed
   * @throws UndeliverableException if no attempt can succeed
   */
  String ship(Order order, String key) throws IOException, UndeliverableException;

  /** A permanent failure; no further attempt can help. */
  class UndeliverableException extends Exception {
    UndeliverableException(String message) {
      super(message);
    }
  }
}
