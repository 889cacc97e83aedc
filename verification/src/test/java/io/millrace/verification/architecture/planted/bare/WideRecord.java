package io.millrace.verification.architecture.planted.bare;

/** A violation: too many components. */
record WideRecord(int a, int b, int c, int d, int e, int f, int g, int h) {}
