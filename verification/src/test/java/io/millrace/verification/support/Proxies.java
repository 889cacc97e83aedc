package io.millrace.verification.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Proxies of interfaces whose calls a test handles. */
public final class Proxies {

  /** A handler of calls. */
  @FunctionalInterface
  public interface CallHandler {
    Object on(Method method, Object[] args) throws Throwable;
  }

  private Proxies() {}

  /** Returns an object whose methods all call the handler. */
  public static <T> T proxy(Class<T> type, CallHandler callHandler) {
    return type.cast(
        Proxy.newProxyInstance(
            Proxies.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> callHandler.on(method, args)));
  }

  /** Passes a call on, and throws the exception that the method throws. */
  public static Object invoke(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
