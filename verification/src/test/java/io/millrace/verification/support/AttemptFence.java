package io.millrace.verification.support;

import io.millrace.definition.StateContext;
import io.millrace.store.Fence;
import java.lang.reflect.Field;

/**
 * Access to the fence of an attempt, which handlers do not need and which their context therefore
 * does not offer.
 */
public final class AttemptFence {

  private AttemptFence() {}

  /** Returns the fence under which the result of this handler call is to be saved. */
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
