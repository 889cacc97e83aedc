package io.millrace.definition;

/** A handler that must run on a platform thread. */
record CpuBoundHandler(StateHandler handler) implements StateHandler {

  @Override
  public Next handle(StateContext ctx) throws Exception {
    return handler.handle(ctx);
  }
}
