package io.millrace.codec;

import io.millrace.instance.InvalidRequestException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with its arguments, which a {@code Class} cannot express. A list of orders is {@code new
 * TypeRef<List<Order>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {

  private final Type type;

  /** Takes the type from the declaration of the subclass. */
  protected TypeRef() {
    if (getClass().getSuperclass() != TypeRef.class
        || !(getClass().getGenericSuperclass() instanceof ParameterizedType self)) {
      throw new InvalidRequestException(
          getClass().getName()
              + " names no type; expected a direct subclass of TypeRef with its argument, such as new"
              + " TypeRef<List<Order>>() {}.");
    }
    type = self.getActualTypeArguments()[0];
  }

  private TypeRef(Class<T> type) {
    this.type = type;
  }

  /** Returns the reference to a class. */
  public static <T> TypeRef<T> of(Class<T> type) {
    return new OfClass<>(type);
  }

  public final Type type() {
    return type;
  }

  /** Returns the name of the type, for messages. */
  @Override
  public final String toString() {
    return type.getTypeName();
  }

  private static final class OfClass<T> extends TypeRef<T> {
    OfClass(Class<T> type) {
      super(type);
    }
  }
}
