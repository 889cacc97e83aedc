package io.millrace.instance;

/** The number of instances of a type that have a status. */
public record TypeCount(String type, InstanceStatus status, long count) {}
