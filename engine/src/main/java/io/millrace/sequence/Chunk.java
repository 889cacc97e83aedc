package io.millrace.sequence;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import java.util.concurrent.Callable;

/**
 * A piece of a task's work.
 *
 * @param name unique within the task and the same in every attempt, since results are stored by it;
 *     at most 80 characters
 * @param work runs on a thread of the pool, or on the task's own when the pool is full
 */
public record Chunk<T>(String name, Callable<T> work) {

  public Chunk {
    requirePresent(name, "The name of a chunk");
    requirePresent(work, "The work of chunk '" + name + "'");
  }
}
