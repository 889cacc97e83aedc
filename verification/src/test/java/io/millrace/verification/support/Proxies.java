package io.millrace.verification.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Interfaces whose calls a test sees. */
public final class Proxies {

  /** Answers calls. */
  @FunctionalInterface
  public interface CallHandler {
    Object on(Method method, Object[] args) throws Throwable;
  }

  private Proxies() {}

  /** An object all of whose methods do what {@code calls} does. */
  public static <T> T proxy(Class<T> type, CallHandler callHandler) {
    return type.cast(
        Proxy.newProxyInstance(
            Proxies.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> callHandler.on(method, args)));
  }

  /** Passes a call on; throws what the method throws. */
  public static Object invoke(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
