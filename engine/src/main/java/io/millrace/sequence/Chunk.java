package io.millrace.sequence;

import static io.millrace.instance.InvalidRequestException.given;

import java.util.concurrent.Callable;

/**
 * A piece of a task's work.
 *
 * @param name unique within the task and the same in every attempt, since results are kept by it;
 *     at most 80 characters
 * @param work runs on a thread of the pool, or on the task's own when the pool is full
 */
public record Chunk<T>(String name, Callable<T> work) {

  public Chunk {
    given(name, "The name of a chunk");
    given(work, "The work of chunk '" + name + "'");
  }
}
