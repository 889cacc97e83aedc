package io.millrace.examples.fanout;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import java.util.stream.IntStream;

/**
 * A parent that gives each of its children a number to square, waits for all of them, and adds up
 * their results.
 */
final class FanOut {

  static final String PARENT = "sum-of-squares";
  static final String SUM = "sum";

  private static final String CHILD = "square";
  private static final String RESULT = "result";

  enum State {
    SPLIT,
    JOIN,
    DONE
  }

  private FanOut() {}

  static WorkflowDefinition child() {
    return WorkflowDefinition.of(CHILD).start("square", FanOut::square).build();
  }

  static WorkflowDefinition parent() {
    return WorkflowDefinition.of(PARENT, State.class)
        .start(State.SPLIT, FanOut::split)
        .state(State.JOIN, FanOut::join)
        .end(State.DONE)
        .build();
  }

  private static Next square(StateContext ctx) {
    long number = ctx.input(Integer.class);
    ctx.set(RESULT, number * number);
    return Next.done(number + " squared");
  }

  private static Next split(StateContext ctx) {
    int count = ctx.input(Integer.class);
    ctx.spawnAll(IntStream.rangeClosed(1, count).mapToObj(n -> StartRequest.of(CHILD, n)).toList());
    return Next.waitForChildren(State.JOIN, count + " children started");
  }

  private static Next join(StateContext ctx) {
    if (ctx.children().failed() > 0) {
      return Next.fail(ctx.children().failed() + " children failed");
    }
    ctx.set(SUM, ctx.childVariables(RESULT, Long.class).stream().mapToLong(Long::longValue).sum());
    return Next.moveTo(State.DONE, ctx.children().total() + " squares added");
  }
}
