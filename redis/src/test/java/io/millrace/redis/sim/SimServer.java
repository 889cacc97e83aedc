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

/** A Redis in memory, with a settable clock. Thread-safe. */
public final class SimServer {

  private static final int TRACE = 400;
  private static final Map<String, SimCommand> COMMANDS = new HashMap<>();

  static {
    SimGeneric.add(COMMANDS);
    SimLists.add(COMMANDS);
    SimHashes.add(COMMANDS);
    SimSets.add(COMMANDS);
  }

  /** Watcher that is called after each command, script or transaction. */
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

  /** True if memory was full when the script started, and it has written nothing. */
  private boolean refusing;

  public SimServer(SimRedisClock clock) {
    this.keys = new SimKeys(clock);
  }

  public synchronized void watch(Watcher observer) {
    watcher = observer;
  }

  /** Turns on or off the refusal of commands that need memory. */
  public synchronized void full(boolean outOfMemory) {
    full = outOfMemory;
  }

  /** Replaces a part of a script's text from now on. */
  public synchronized void change(LuaScript luaScript, String from, String to) {
    String text = changed.getOrDefault(luaScript.text(), luaScript.text());
    if (!text.contains(from)) {
      throw new IllegalArgumentException(luaScript + " does not contain: " + from);
    }
    changed.put(luaScript.text(), text.replace(from, to));
  }

  /** Loses all keys, as FLUSHALL does, or as a replacement by an empty server looks to clients. */
  public synchronized void flush() {
    keys.clear();
  }

  /** Returns all keys and values. */
  public synchronized SortedMap<String, Object> dump() {
    return keys.dump();
  }

  public synchronized List<String> list(String key) {
    return keys.get(key) instanceof List<?> ? List.copyOf(keys.list(key)) : List.of();
  }

  /** Returns the text of a key; empty when it does not exist or is not a string. */
  public synchronized String text(String key) {
    return keys.get(key) instanceof String text ? text : "";
  }

  /** Returns true if a sorted set has a member. */
  public synchronized boolean hasScore(String key, String member) {
    return keys.scores(key).containsKey(member);
  }

  public synchronized Map<String, String> hash(String key) {
    return Map.copyOf(keys.hash(key));
  }

  /** Returns the milliseconds until a key expires; -1 for never, -2 when it does not exist. */
  public synchronized long timeToLive(String key) {
    return keys.timeToLive(key);
  }

  /** Returns the last commands, for the message of a test that fails. */
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

  /**
   * Executes all commands, also those after a failed one, as in Redis; then throws the first
   * failure.
   */
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

  /** Ends a wait; an entry that it has received stays with it. */
  void cancel(Waiter waiter) {
    synchronized (this) {
      waiters.remove(waiter);
      waiter.entry.complete(null);
    }
  }

  /** Adds something to the trace; it is converted to text only when that is read. */
  public void note(Object... what) {
    synchronized (this) {
      if (trace.size() == TRACE) {
        trace.removeFirst();
      }
      trace.addLast(Arrays.asList(what));
    }
  }

  /** Serves waiting clients after the whole script or transaction, in the order of their waits. */
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
      refusing = false; // a script that has started to write may end
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
