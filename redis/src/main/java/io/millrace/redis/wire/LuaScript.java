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
 * The Lua scripts. The head of each file describes its keys, arguments and replies. A line {@code
 * --@include name} stands for the file {@code name.lua}, which has functions that several scripts
 * use.
 */
public enum LuaScript {
  /** Creates a delayed, prioritized or unique job. */
  CREATE,
  /** Creates the children of a parent. */
  SPAWN,
  /** Returns which children are done. */
  CHILDREN,
  /** Tells if a job has finished. */
  IS_FINISHED,
  /** Leases the next waiting job. */
  LEASE,
  /** Leases a job that was moved to the processing list already. */
  LEASE_MOVED,
  /** Stores a result, moves the job to its next queue, and may lease the next one. */
  COMPLETE,
  /** Lets a job come back to its queue, for a retry or because its handler has asked for it. */
  COME_BACK,
  /** Fails a job for good. */
  FAIL,
  /** Renews the locks that are still the worker's. */
  RENEW_LOCKS,
  /** Recovers a stalled job, or fails it. */
  RECOVER,
  /** Releases a leased job whose outcome is not stored. */
  RELEASE,
  /** Moves delayed jobs that are due to the waiting list. */
  PROMOTE,
  /** Requeues dead jobs. */
  REQUEUE,
  /** Searches a page of jobs for those that are about to expire. */
  EXPIRING,
  /** Renews the time to live of jobs, or of the lists by which they are found. */
  RENEW_JOBS,
  /** Deletes a job in whatever list it is. */
  DELETE,
  /** Removes an element from a list for a trigger, and keeps it until it is dropped. */
  TAKE_ELEMENT,
  /** Drops an element whose execution is durable. */
  DROP_ELEMENT;

  private static final Map<LuaScript, Loaded> LOADED = new ConcurrentHashMap<>();
  private static final Pattern INCLUDE = Pattern.compile("(?m)^--@include (\\w+)$");

  /** Returns the whole script. */
  public String text() {
    return loaded().text;
  }

  /** Returns the SHA-1 in hexadecimal digits, by which a server knows the script. */
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
   * Reads the script at the first use, so that a missing or broken one does not affect the others.
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
