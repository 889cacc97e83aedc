package io.millrace.redis.sim;

import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.sim.SimCommand.Status;
import io.millrace.redis.wire.LuaScript;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A Redis in memory, whose time is that of a settable clock. Thread-safe. */
public final class SimServer {

  private static final int TRACE = 400;
  private static final Map<String, SimCommand> COMMANDS = new HashMap<>();

  static {
    SimGeneric.add(COMMANDS);
    SimLists.add(COMMANDS);
    SimHashes.add(COMMANDS);
    SimSets.add(COMMANDS);
  }

  /** Looks at the server after each command, script or transaction. */
  @FunctionalInterface
  public interface Watcher {
    void changed(SimServer server);
  }

  /** A client that waits for an entry of a list. */
  static final class Waiter {
    private final String from;
    private final String to;
    private final CompletableFuture<@Nullable String> entry = new CompletableFuture<>();

    Waiter(String from, String to) {
      this.from = from;
      this.to = to;
    }

    CompletableFuture<@Nullable String> entry() {
      return entry;
    }
  }

  private final SimKeys keys;
  private final SimLua lua = new SimLua(this::executeInScript);
  private final List<Waiter> waiters = new ArrayList<>();
  private final Deque<List<?>> trace = new ArrayDeque<>();
  private final Map<String, String> changed = new HashMap<>();
  private Watcher watcher = server -> {};
  private boolean full;
  private boolean refusing; // as memory was full when the script began, and it has written nothing

  public SimServer(SimRedisClock clock) {
    this.keys = new SimKeys(clock);
  }

  public synchronized void watch(Watcher observer) {
    watcher = observer;
  }

  /** Refuses what needs memory, or no longer. */
  public synchronized void full(boolean outOfMemory) {
    full = outOfMemory;
  }

  /** Runs a script with a part of its text replaced, from now on. */
  public synchronized void change(LuaScript luaScript, String from, String to) {
    String text = changed.getOrDefault(luaScript.text(), luaScript.text());
    if (!text.contains(from)) {
      throw new IllegalArgumentException(luaScript + " does not contain: " + from);
    }
    changed.put(luaScript.text(), text.replace(from, to));
  }

  /** Loses all keys, as FLUSHALL does, and as a replacement by an empty server looks to clients. */
  public synchronized void flush() {
    keys.clear();
  }

  /** All keys and values that are there. */
  public synchronized SortedMap<String, Object> dump() {
    return keys.dump();
  }

  public synchronized List<String> list(String key) {
    return keys.get(key) instanceof List<?> ? List.copyOf(keys.list(key)) : List.of();
  }

  /** Empty when it is not there, or no string. */
  public synchronized String text(String key) {
    return keys.get(key) instanceof String text ? text : "";
  }

  /** Whether a sorted set has a member. */
  public synchronized boolean hasScore(String key, String member) {
    return keys.scores(key).containsKey(member);
  }

  public synchronized Map<String, String> hash(String key) {
    return Map.copyOf(keys.hash(key));
  }

  /** Milliseconds until a key ends; -1 for never, -2 when it is not there. */
  public synchronized long timeToLive(String key) {
    return keys.timeToLive(key);
  }

  /** The last commands, for the message of a test that fails. */
  public synchronized String trace() {
    return trace.stream().map(List::toString).collect(Collectors.joining("\n"));
  }

  @Nullable Object execute(String client, List<String> command) {
    synchronized (this) {
      note(client, command);
      refusing = full;
      try {
        return plain(dispatch(command));
      } finally {
        settle();
      }
    }
  }

  @Nullable Object script(
      String client, String name, String text, List<String> names, List<String> arguments) {
    synchronized (this) {
      refusing = full;
      @Nullable Object reply = null;
      try {
        reply = plain(lua.run(changed.getOrDefault(text, text), names, arguments));
        return reply;
      } finally {
        note(client, name, names, arguments, reply);
        settle();
      }
    }
  }

  /** All commands, also behind one that fails, as in Redis; then the first failure is thrown. */
  List<@Nullable Object> transaction(String client, List<List<String>> commands) {
    synchronized (this) {
      note(client, "MULTI", commands);
      List<@Nullable Object> replies = new ArrayList<>();
      RedisReplyException failure = null;
      for (List<String> command : commands) {
        refusing = full;
        try {
          replies.add(plain(dispatch(command)));
        } catch (RedisReplyException e) {
          failure = failure == null ? e : failure;
        }
      }
      settle();
      if (failure != null) {
        throw failure;
      }
      return replies;
    }
  }

  Waiter await(String client, String from, String to) {
    synchronized (this) {
      note(client, "BLMOVE", from, to);
      keys.list(from);
      Waiter waiter = new Waiter(from, to);
      waiters.add(waiter);
      settle();
      return waiter;
    }
  }

  /** Ends a wait; an entry that it was given already stays given. */
  void cancel(Waiter waiter) {
    synchronized (this) {
      waiters.remove(waiter);
      waiter.entry.complete(null);
    }
  }

  /** Adds something to the trace; it is made text only when that is read. */
  public void note(Object... what) {
    synchronized (this) {
      if (trace.size() == TRACE) {
        trace.removeFirst();
      }
      trace.addLast(Arrays.asList(what));
    }
  }

  /** What waits is served after the whole script or transaction, first come, first served. */
  private void settle() {
    for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
      Waiter waiter = all.next();
      if (!(keys.get(waiter.from) instanceof List<?>)) {
        continue;
      }
      all.remove();
      try {
        Object entry = SimLists.move(keys, List.of(waiter.from, waiter.to, "LEFT", "RIGHT"));
        note("server", "moved", entry, waiter.from);
        waiter.entry.complete(String.valueOf(entry));
      } catch (RedisReplyException e) {
        waiter.entry.completeExceptionally(e);
      }
    }
    watcher.changed(this);
  }

  private @Nullable Object executeInScript(List<String> command) {
    Object reply = dispatch(command);
    SimCommand known = COMMANDS.get(command.getFirst().toUpperCase(Locale.ROOT));
    if (known != null && known.writes()) {
      refusing = false; // a script that has begun to write may end
    }
    return reply;
  }

  private @Nullable Object dispatch(List<String> command) {
    String name = command.getFirst();
    SimCommand known = COMMANDS.get(name.toUpperCase(Locale.ROOT));
    if (known == null) {
      throw new RedisReplyException("ERR unknown command '" + name + "'");
    }
    List<String> arguments = command.subList(1, command.size());
    if (arguments.size() < known.least()) {
      throw new RedisReplyException(
          "ERR wrong number of arguments for '" + name.toLowerCase(Locale.ROOT) + "' command");
    }
    if (refusing && known.grows()) {
      throw new RedisReplyException("OOM command not allowed when used memory > 'maxmemory'.");
    }
    return known.body().run(keys, arguments);
  }

  private static @Nullable Object plain(@Nullable Object reply) {
    return switch (reply) {
      case Status status -> status.text();
      case List<?> items -> {
        List<@Nullable Object> plain = new ArrayList<>();
        items.forEach(item -> plain.add(plain(item)));
        yield plain;
      }
      case null, default -> reply;
    };
  }
}
