package com.example.micronaut;

import io.micronaut.runtime.Micronaut;

/** A shop in an application of Micronaut. */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    Micronaut.run(Main.class, args);
  }
}
