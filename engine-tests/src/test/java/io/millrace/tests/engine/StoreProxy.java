package io.millrace.tests.engine;

import io.millrace.store.InstanceStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiFunction;

/** A proxy of a store that notifies a test before and after every call of its hot path. */
final class StoreProxy {

  /** A watcher of calls; it may throw an exception to suppress a call or its answer. */
  interface Watcher {
    void on(String call);
  }

  private StoreProxy() {}

  /**
   * Returns a proxy of {@code store}, which reports calls as for example "before save" and "after
   * save".
   */
  static Store around(Store store, Watcher watcher) {
    InstanceStore work = proxy(InstanceStore.class, store.instances(), watcher);
    PeriodLedgerStore fires =
        proxy(PeriodLedgerStore.class, store.role(PeriodLedgerStore.class), watcher);
    return proxy(
        Store.class,
        store,
        call -> {},
        (name, args) ->
            switch (name) {
              case "instances" -> work;
              case "role" -> args[0] == PeriodLedgerStore.class ? fires : null;
              default -> null;
            });
  }

  private static <T> T proxy(Class<T> type, T target, Watcher watcher) {
    return proxy(type, target, watcher, (name, args) -> null);
  }

  private static <T> T proxy(
      Class<T> type, T target, Watcher watcher, BiFunction<String, Object[], Object> own) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> {
              Object replaced = own.apply(method.getName(), args);
              if (replaced != null) {
                return replaced;
              }
              watcher.on("before " + method.getName());
              try {
                Object answer = method.invoke(target, args);
                watcher.on("after " + method.getName());
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(proxy);
  }
}
