package io.millrace.demo.shop;

/** The payload that the signal {@code paid} may carry. */
public record Payment(int cents) {}
