package io.millrace.redis.sim;

import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.sim.SimCommand.Status;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;
import org.luaj.vm2.lib.jse.JsePlatform;

/** Runs the scripts of the module as Redis does. For one thread at a time. */
final class SimLua {

  private static final Map<String, Prototype> COMPILED = new ConcurrentHashMap<>();

  private final Globals globals = JsePlatform.standardGlobals();
  private final Function<List<String>, @Nullable Object> commands;

  /**
   * Creates an interpreter.
   *
   * @param commands executes a command of a script; throws the server's error
   */
  SimLua(Function<List<String>, @Nullable Object> commands) {
    this.commands = commands;
    LuaTable redis = new LuaTable();
    redis.set("call", function(args -> call(args)));
    redis.set("pcall", function(this::protectedCall));
    redis.set("error_reply", function(args -> table("err", args.checkjstring(1))));
    redis.set("status_reply", function(args -> table("ok", args.checkjstring(1))));
    globals.set("redis", redis);
    globals.set("unpack", globals.get("table").get("unpack"));
    globals.get("string").set("format", function(SimLua::format));
  }

  @Nullable Object run(String text, List<String> keys, List<String> arguments) {
    globals.set("KEYS", list(keys));
    globals.set("ARGV", list(arguments));
    LuaValue result;
    try {
      result = new LuaClosure(COMPILED.computeIfAbsent(text, this::compile), globals).call();
    } catch (LuaError e) {
      LuaValue message = e.getMessageObject();
      throw new RedisReplyException(
          message != null && message.istable()
              ? message.get("err").tojstring()
              : "ERR " + e.getMessage());
    }
    return toReply(result);
  }

  private Prototype compile(String text) {
    try {
      return globals.compilePrototype(new StringReader(text), "@user_script");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LuaValue call(Varargs args) {
    try {
      return toLua(commands.apply(arguments(args)));
    } catch (RedisReplyException e) {
      throw new LuaError(table("err", String.valueOf(e.getMessage())));
    }
  }

  private LuaValue protectedCall(Varargs args) {
    try {
      return toLua(commands.apply(arguments(args)));
    } catch (RedisReplyException e) {
      return table("err", String.valueOf(e.getMessage()));
    }
  }

  private static List<String> arguments(Varargs args) {
    List<String> arguments = new ArrayList<>();
    for (int i = 1; i <= args.narg(); i++) {
      LuaValue value = args.arg(i);
      if (value instanceof LuaString text) {
        arguments.add(text.tojstring());
      } else if (value.isnumber()) {
        arguments.add(number(value.todouble()));
      } else {
        throw new LuaError(
            table("err", "ERR Lua redis lib command arguments must be strings or integers"));
      }
    }
    return arguments;
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e17
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static LuaValue toLua(@Nullable Object reply) {
    return switch (reply) {
      case null -> LuaValue.FALSE;
      case Long number -> LuaValue.valueOf((double) number);
      case Status status -> table("ok", status.text());
      case List<?> items -> {
        LuaTable table = new LuaTable();
        for (int i = 0; i < items.size(); i++) {
          table.set(i + 1, toLua(items.get(i)));
        }
        yield table;
      }
      default -> LuaValue.valueOf(reply.toString());
    };
  }

  private static @Nullable Object toReply(LuaValue value) {
    if (value instanceof LuaString text) {
      return text.tojstring();
    }
    if (value.isnumber()) {
      return (long) value.todouble();
    }
    if (value.isboolean()) {
      return value.toboolean() ? 1L : null;
    }
    if (!value.istable()) {
      return null;
    }
    if (!value.get("err").isnil()) {
      throw new RedisReplyException(value.get("err").tojstring());
    }
    if (!value.get("ok").isnil()) {
      return new Status(value.get("ok").tojstring());
    }
    List<@Nullable Object> items = new ArrayList<>();
    for (int i = 1; !value.get(i).isnil(); i++) {
      items.add(toReply(value.get(i)));
    }
    return items;
  }

  private static LuaTable list(List<String> items) {
    LuaTable table = new LuaTable();
    for (int i = 0; i < items.size(); i++) {
      table.set(i + 1, LuaValue.valueOf(items.get(i)));
    }
    return table;
  }

  private static LuaTable table(String field, String text) {
    LuaTable table = new LuaTable();
    table.set(field, text);
    return table;
  }

  /** Formats numbers. The library's own function ignores the precision. */
  private static LuaValue format(Varargs args) {
    StringBuilder pattern = new StringBuilder();
    List<Object> values = new ArrayList<>();
    String given = args.checkjstring(1);
    for (int i = 0; i < given.length(); i++) {
      char c = given.charAt(i);
      pattern.append(c);
      if (c == '%') {
        int end = i + 1;
        while ("0123456789.-+ #".indexOf(given.charAt(end)) >= 0) {
          end++;
        }
        pattern.append(given, i + 1, end + 1);
        switch (given.charAt(end)) {
          case '%' -> {}
          case 's' -> values.add(args.checkvalue(values.size() + 2).tojstring());
          case 'd', 'x' -> values.add((long) args.checkdouble(values.size() + 2));
          default -> values.add(args.checkdouble(values.size() + 2));
        }
        i = end;
      }
    }
    return LuaValue.valueOf(
        String.format(java.util.Locale.ROOT, pattern.toString(), values.toArray()));
  }

  private static VarArgFunction function(Function<Varargs, LuaValue> body) {
    return new VarArgFunction() {
      @Override
      public Varargs invoke(Varargs args) {
        return body.apply(args);
      }
    };
  }
}
