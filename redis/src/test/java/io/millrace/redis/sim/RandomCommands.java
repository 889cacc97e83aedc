package io.millrace.redis.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random commands on a few keys, some of which have the wrong type or wrong arguments. */
final class RandomCommands {

  /** Templates of commands. Each word in angle brackets is replaced by a value of its kind. */
  private static final List<String> SHAPES =
      List.of(
          "SET <s> <v>",
          "SET <any> <v> EX <ttl>",
          "SET <s> <v> PX <ms>",
          "SET <s> <v> NX",
          "SET <s> <v> XX KEEPTTL",
          "SET <s> <v> EX 0",
          "SET <s> <v> EX x",
          "SET <s> <v> BAD",
          "GET <any>",
          "MGET <any> <any>",
          "INCR <any>",
          "INCRBY <s> <n>",
          "DEL <any>",
          "DEL <any> <any>",
          "UNLINK <any>",
          "EXISTS <any> <any>",
          "TYPE <any>",
          "EXPIRE <any> <ttl>",
          "EXPIRE <any> 0",
          "EXPIRE <any> -1",
          "EXPIRE <any> <ttl> NX",
          "EXPIRE <any> 900 XX",
          "PEXPIRE <any> <ms>",
          "PERSIST <any>",
          "TTL <any>",
          "PTTL <any>",
          "DBSIZE",
          "PING",
          "LPUSH <l> <v>",
          "RPUSH <any> <v> <v>",
          "RPUSH <l> <v>",
          "RPUSH <l> <v> <v>",
          "LPOP <any>",
          "RPOP <l>",
          "LLEN <any>",
          "LRANGE <any> <n> <n>",
          "LRANGE <l> 0 -1",
          "LINDEX <l> <n>",
          "LREM <any> <n> <v>",
          "LREM <l> 1 <v>",
          "LREM <l> -1 <v>",
          "LREM <l> 0 <v>",
          "LINSERT <l> BEFORE <v> <v>",
          "LINSERT <any> AFTER <v> <v>",
          "LINSERT <l> BAD <v> <v>",
          "LPOS <any> <v>",
          "LPOS <l> <v> RANK -1",
          "LPOS <l> <v> RANK 2",
          "LPOS <l> <v> RANK 0",
          "LPOS <l> <v> COUNT 0",
          "LPOS <l> <v> MAXLEN 2",
          "LPOS <l> <v> COUNT 2 MAXLEN 3",
          "LTRIM <l> <n> <n>",
          "LMOVE <l> <l> LEFT RIGHT",
          "LMOVE <l> <l> RIGHT LEFT",
          "LMOVE <any> <any> LEFT RIGHT",
          "LMOVE <l> <l> UP DOWN",
          "HSET <h> <v> <v>",
          "HSET <any> <v> <v> <v> <n>",
          "HSET <h> <v> <v> <v>",
          "HSETNX <h> <v> <v>",
          "HGET <any> <v>",
          "HMGET <any> <v> <v>",
          "HMGET <h> <v> <v> <v>",
          "HGETALL <any>",
          "HLEN <h>",
          "HEXISTS <h> <v>",
          "HDEL <any> <v> <v>",
          "HDEL <h> <v>",
          "HINCRBY <h> <v> <n>",
          "HINCRBY <any> count <n>",
          "HINCRBY <h> <v> x",
          "SADD <t> <v> <v>",
          "SREM <any> <v>",
          "SISMEMBER <t> <v>",
          "SCARD <any>",
          "ZADD <z> <n> <v>",
          "ZADD <any> <n> <v> <n> <v>",
          "ZADD <z> NX <n> <v>",
          "ZADD <z> XX <n> <v>",
          "ZADD <z> x <v>",
          "ZADD <z> <n> <v> <n>",
          "ZREM <any> <v>",
          "ZREM <z> <v> <v>",
          "ZCARD <any>",
          "ZSCORE <z> <v>",
          "ZCOUNT <z> <n> +inf",
          "ZRANGE <z> 0 -1 WITHSCORES",
          "ZRANGE <any> <n> <n>",
          "ZRANGE <z> 0 0 WITHSCORES",
          "ZRANGE <z> -inf <n> BYSCORE LIMIT 0 2",
          "ZRANGE <z> <n> (1 BYSCORE REV",
          "ZRANGEBYSCORE <z> -inf <n>",
          "ZRANGEBYSCORE <z> (<n> +inf WITHSCORES LIMIT 1 2",
          "ZRANGEBYSCORE <z> x y",
          "ZREVRANGE <z> <n> <n>",
          "ZREMRANGEBYRANK <z> 0 <n>",
          "ZREMRANGEBYRANK <any> <n> <n>",
          "ZREMRANGEBYSCORE <z> <n> <n>",
          "GET",
          "LPUSH <l>",
          "NOSUCH <any>");

  private static final List<String> VALUES =
      List.of("a", "b", "c", "d", "\"Zoë 🚀\"", "", "7", "-3", "true", "count");

  private RandomCommands() {}

  static List<String> next(RandomGenerator random) {
    String shape = SHAPES.get(random.nextInt(SHAPES.size()));
    List<String> command = new ArrayList<>();
    for (String word : shape.split(" ", -1)) {
      command.add(fill(word, random));
    }
    return command;
  }

  private static String fill(String word, RandomGenerator random) {
    return switch (word) {
      case "<v>" -> VALUES.get(random.nextInt(VALUES.size()));
      case "<n>" -> Integer.toString(random.nextInt(-3, 5));
      case "(<n>" -> "(" + random.nextInt(-3, 5);
      case "<ttl>" -> Integer.toString(random.nextInt(100, 1_000));
      case "<ms>" -> Integer.toString(random.nextInt(100_000, 1_000_000));
      case "<any>" -> "slhtz".charAt(random.nextInt(5)) + ":" + random.nextInt(2);
      case "<s>", "<l>", "<h>", "<t>", "<z>" -> word.charAt(1) + ":" + random.nextInt(2);
      default -> word;
    };
  }
}
