package io.millrace.sequence;

/**
 * A task as it is known to all nodes.
 *
 * @param revision grows with every change
 */
public record RegisteredTask(int id, int revision, Task task) {}
