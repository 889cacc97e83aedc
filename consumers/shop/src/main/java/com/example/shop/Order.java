package com.example.shop;

import java.time.LocalDate;

/** An order of a customer: the input of the workflow. */
public record Order(String number, LocalDate deliverOn, int parcels) {

  /** Returns an order with this number, for which the other values do not matter. */
  public static Order of(String number) {
    return new Order(number, LocalDate.of(2026, 12, 24), 2);
  }
}
