package io.millrace.sequence;

/**
 * A task that is registered for all nodes.
 *
 * @param revision grows with every change
 */
public record RegisteredTask(int id, int revision, Task task) {}
