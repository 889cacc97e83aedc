package io.millrace.verification.architecture.planted.bare;

/** Has more components than anyone can remember. */
record WideRecord(int a, int b, int c, int d, int e, int f, int g, int h) {}
