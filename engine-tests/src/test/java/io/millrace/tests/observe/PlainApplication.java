package io.millrace.tests.observe;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.observe.Tracing;
import io.millrace.testing.ManualEngine;
import java.util.concurrent.Callable;

/** An application that runs a workflow; created by reflection, on a class path without meters. */
public final class PlainApplication implements Callable<String> {

  @Override
  public String call() {
    WorkflowDefinition order =
        WorkflowDefinition.of("order").start("reserve", ctx -> Next.done("reserved")).build();
    try (ManualEngine engine = ManualEngine.with(order)) {
      long id = engine.client().start(StartRequest.of("order")).id();
      engine.runUntilIdle();
      return engine.client().get(id).status().code() + ", methods seen: " + seen();
    }
  }

  /** Reads all methods of a class, as frameworks do, which loads the types in their signatures. */
  private static boolean seen() {
    return Engine.class.getDeclaredMethods().length > 0
        && EngineBuilder.class.getDeclaredMethods().length > 0
        && Tracing.class.getDeclaredMethods().length > 0;
  }
}
