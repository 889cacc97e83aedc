package io.millrace.demo.shop;

/** What the signal {@code paid} may carry. */
public record Payment(int cents) {}
