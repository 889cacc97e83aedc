package io.millrace.redis.sim;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.sim.SimServer.Waiter;
import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connections of one client process to a simulated server. */
public final class SimRedis implements Redis {

  private final SimServer server;
  private final String client;
  private final SimFaults faults;
  private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean dead;
  private volatile CountDownLatch going = new CountDownLatch(0);

  public SimRedis(SimServer server, String client, SimFaults faults) {
    this.server = server;
    this.client = client;
    this.faults = faults;
  }

  /** Simulates {@code kill -9}: no later action of the client has an effect. */
  public void crash() {
    server.note(client, "crash");
    dead = true;
    waiting.forEach(server::cancel);
    going.countDown();
  }

  public boolean isDead() {
    return dead;
  }

  /** Holds back all requests until {@code resume}, as a long pause of the process does. */
  public void pause() {
    going = new CountDownLatch(1);
  }

  public void resume() {
    going.countDown();
  }

  @Override
  public @Nullable Object call(String... command) {
    List<String> whole = List.of(command);
    return send(whole.getFirst(), () -> server.execute(client, whole));
  }

  @Override
  public @Nullable Object run(LuaScript luaScript, List<String> keys, List<String> arguments) {
    return send(
        luaScript.name(),
        () -> server.script(client, luaScript.name(), luaScript.text(), keys, arguments));
  }

  /** Runs a script that is not part of the module. */
  @Nullable Object eval(String text, List<String> keys, List<String> arguments) {
    return send("EVAL", () -> server.script(client, "EVAL", text, keys, arguments));
  }

  @Override
  public List<@Nullable Object> pipelined(List<List<String>> commands) {
    List<@Nullable Object> replies = new ArrayList<>();
    RedisReplyException failure = null;
    for (List<String> command : commands) {
      try {
        replies.add(send(command.getFirst(), () -> server.execute(client, command)));
      } catch (RedisReplyException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return replies;
  }

  @Override
  public List<@Nullable Object> transaction(List<List<String>> commands) {
    return send("MULTI", () -> server.transaction(client, commands));
  }

  @Override
  public BlockingConnection blocking() {
    return new Waits();
  }

  @Override
  public void close() {
    dead = true;
    waiting.forEach(server::cancel);
  }

  private <T extends @Nullable Object> T send(String what, Supplier<T> request) {
    awaitGoing();
    SimFaults.Fate fate = dead ? SimFaults.Fate.CRASH_BEFORE : faults.fate(client, what);
    if (fate == SimFaults.Fate.CRASH_BEFORE) {
      crash();
    }
    if (fate == SimFaults.Fate.CRASH_BEFORE || fate == SimFaults.Fate.LOSE_REQUEST) {
      throw unavailable(what + " was not sent");
    }
    T reply = request.get();
    if (fate == SimFaults.Fate.CRASH_AFTER) {
      crash();
    }
    if (fate != SimFaults.Fate.DELIVER || dead) {
      throw unavailable(what + " was not answered");
    }
    return reply;
  }

  private void awaitGoing() {
    try {
      going.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RedisUnavailableException("Interrupted", e);
    }
  }

  private RedisUnavailableException unavailable(String why) {
    return new RedisUnavailableException(client + ": " + why, null);
  }

  private final class Waits implements BlockingConnection {

    private @Nullable Waiter current;
    private boolean interrupted; // true when the last interrupt came while no thread waited

    @Override
    public @Nullable String move(String from, String to, Duration timeout) {
      Waiter waiter = send("BLMOVE", () -> server.await(client, from, to));
      waiting.add(waiter);
      synchronized (this) {
        current = waiter;
        if (interrupted) {
          server.cancel(waiter);
        }
      }
      try {
        return taken(waiter, timeout);
      } finally {
        waiting.remove(waiter);
        synchronized (this) {
          current = null;
          interrupted = false;
        }
      }
    }

    private @Nullable String taken(Waiter waiter, Duration timeout) {
      try {
        String entry = waiter.entry().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (dead) {
          throw unavailable("BLMOVE was not answered");
        }
        return entry;
      } catch (TimeoutException e) {
        server.cancel(waiter);
        return waiter.entry().getNow(null);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RedisReplyException refused) {
          throw refused;
        }
        throw new AssertionError(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        server.cancel(waiter);
        return waiter.entry().getNow(null);
      }
    }

    @Override
    public synchronized void interrupt() {
      interrupted = current == null;
      if (current != null) {
        server.cancel(current);
      }
    }

    @Override
    public void close() {
      interrupt();
    }
  }
}
