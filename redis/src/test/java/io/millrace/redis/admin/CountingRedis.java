package io.millrace.redis.admin;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.LuaScript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A Redis that records the commands sent to the server. */
final class CountingRedis implements Redis {

  private final Redis redis;
  private final List<List<String>> commands = new ArrayList<>();
  private int trips;

  CountingRedis(Redis redis) {
    this.redis = redis;
  }

  int trips() {
    return trips;
  }

  List<List<String>> commands() {
    return commands;
  }

  @Override
  public Object call(String... command) {
    trips++;
    commands.add(Arrays.asList(command));
    return redis.call(command);
  }

  @Override
  public Object run(LuaScript luaScript, List<String> keys, List<String> arguments) {
    trips++;
    return redis.run(luaScript, keys, arguments);
  }

  @Override
  public List<Object> pipelined(List<List<String>> all) {
    trips++;
    commands.addAll(all);
    return redis.pipelined(all);
  }

  @Override
  public List<Object> transaction(List<List<String>> all) {
    trips++;
    return redis.transaction(all);
  }

  @Override
  public BlockingConnection blocking() {
    return redis.blocking();
  }

  @Override
  public void close() {
    redis.close();
  }
}
