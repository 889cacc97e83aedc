package io.millrace;

import java.lang.reflect.Proxy;
import java.util.function.Function;

/** An implementation of an interface of which a test calls one method; any other call fails. */
public final class SingleMethodFake {

  private SingleMethodFake() {}

  /**
   * Returns the implementation.
   *
   * @param answer the result for the arguments of a call; null arguments when there are none
   */
  public static <T> T of(Class<T> type, String method, Function<Object[], Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, args) -> {
              if (!called.getName().equals(method)) {
                throw new AssertionError(type.getSimpleName() + "." + called.getName());
              }
              return answer.apply(args);
            }));
  }
}
