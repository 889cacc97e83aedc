package io.millrace.instance;

/** The number of instances of a type's version that have a state and a status. */
public record StateCount(int version, String state, InstanceStatus status, long count) {}
