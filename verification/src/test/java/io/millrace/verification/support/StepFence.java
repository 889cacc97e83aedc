package io.millrace.verification.support;

import io.millrace.definition.StateContext;
import io.millrace.store.Fence;
import java.lang.reflect.Field;

/** The lease of an attempt, which handlers do not need and so cannot ask for. */
public final class StepFence {

  private StepFence() {}

  /** The fence under which what this call of a handler answers is to be saved. */
  public static Fence of(StateContext ctx) {
    try {
      Field field = ctx.getClass().getDeclaredField("fence");
      field.setAccessible(true);
      return (Fence) field.get(ctx);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(ctx.getClass() + " has no readable field 'fence'.", e);
    }
  }
}
