package io.millrace.redis.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Lua scripts. Each file tells in its head its keys, arguments and answers. A line {@code
 * --@include name} stands for the file {@code name.lua}, which holds functions that several use.
 */
public enum LuaScript {
  /** Makes a job that is delayed, urgent or unique. */
  CREATE,
  /** Makes the children of a parent. */
  SPAWN,
  /** Looks which children have ended. */
  CHILDREN,
  /** Takes the next job that waits. */
  LEASE,
  /** Takes the lock of a job that a blocking move has brought. */
  CLAIM,
  /** Stores a result, hands the job on, and may take the next one. */
  COMPLETE,
  /** Ends a job that failed, or has it tried again. */
  FAIL,
  /** Renews the locks that are still the worker's. */
  EXTEND,
  /** Puts back, or parks, a job whose worker died. */
  RECOVER,
  /** Puts a leased job back that was not begun. */
  RELEASE,
  /** Moves the delayed jobs that are due to those that wait. */
  PROMOTE,
  /** Moves dead jobs back to those that wait. */
  REQUEUE,
  /** Looks at a page of jobs for those whose time to live runs out. */
  EXPIRING,
  /** Lets jobs, or the lists by which they are found, live on. */
  RENEW_JOBS,
  /** Deletes a job wherever it stands. */
  DELETE,
  /** Takes an element of a list for a trigger. */
  TAKE_ELEMENT,
  /** Drops an element whose execution is durable. */
  DROP_ELEMENT;

  private static final Map<LuaScript, Loaded> LOADED = new ConcurrentHashMap<>();
  private static final Pattern INCLUDE = Pattern.compile("(?m)^--@include (\\w+)$");

  /** The whole script. */
  public String text() {
    return loaded().text;
  }

  /** Its SHA-1 in hexadecimal digits, by which a server knows it. */
  public String sha() {
    return loaded().sha;
  }

  private record Loaded(String text, String sha) {
    static Loaded of(LuaScript luaScript) {
      String text = load(luaScript.name().toLowerCase(Locale.ROOT));
      return new Loaded(text, sha1(text));
    }
  }

  /**
   * Read at the first use, so that one that is missing or broken does not take the others along.
   */
  private Loaded loaded() {
    return LOADED.computeIfAbsent(this, Loaded::of);
  }

  private static String load(String name) {
    try (InputStream in = LuaScript.class.getResourceAsStream(name + ".lua")) {
      if (in == null) {
        throw new IllegalStateException("The script " + name + ".lua is missing in the jar");
      }
      String own = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return INCLUDE.matcher(own).replaceAll(m -> Matcher.quoteReplacement(load(m.group(1))));
    } catch (IOException e) {
      throw new UncheckedIOException("The script " + name + ".lua cannot be read", e);
    }
  }

  private static String sha1(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
