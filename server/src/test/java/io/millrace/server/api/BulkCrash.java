package io.millrace.server.api;

import io.millrace.instance.StartRequest;
import io.millrace.store.InstanceStore;
import io.millrace.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A process that starts a bulk run and stops at the worst point: it has acted on an instance, and
 * has not yet stored that. It waits there to be killed. Its argument is the URL of the database.
 */
final class BulkCrash {

  /** Prefix of the output before the id of the run. */
  static final String RUN = "bulk run ";

  /** The output when the process has stopped at that point. */
  static final String STANDS = "stands still";

  static final int INSTANCES = 60;
  static final String KEY = "crash";

  private static final int LAST = 37;

  private final AtomicInteger actions = new AtomicInteger();

  private BulkCrash() {}

  public static void main(String[] args) {
    BulkCrash crash = new BulkCrash();
    TestServer server = TestServer.start(args[0], 0, "/", crash::around);
    List<StartRequest> orders =
        Collections.nCopies(INSTANCES, StartRequest.of("order").businessKey(KEY));
    server.client().startAll(orders).forEach(one -> server.awaitState(one.id(), "pay"));
    ApiTestClient.Reply begun =
        new ApiTestClient(server.port())
            .post(
                "/api/v1/bulk",
                Map.of(
                    "action",
                    "pause",
                    "filter",
                    Map.of("businessKey", KEY, "status", List.of("inProgress"))));
    System.out.println(RUN + begun.json().get("id").longValue());
  }

  private Store around(Store store) {
    return proxy(Store.class, store, args -> {});
  }

  private <T> T proxy(Class<T> role, T real, Consumer<Object[]> before) {
    Object proxy =
        Proxy.newProxyInstance(
            role.getClassLoader(),
            new Class<?>[] {role},
            (self, method, args) -> {
              before.accept(args == null ? new Object[0] : args);
              try {
                Object answer = method.invoke(real, args);
                return answer instanceof InstanceStore work
                    ? proxy(InstanceStore.class, work, this::standBeforeTheNote)
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return role.cast(proxy);
  }

  private void standBeforeTheNote(Object[] args) {
    boolean note =
        args.length > 0
            && args[0] instanceof InstanceStore.StepRecord step
            && step.name().startsWith("i");
    if (note && actions.incrementAndGet() == LAST) {
      System.out.println(STANDS);
      while (true) {
        LockSupport.park();
      }
    }
  }
}
