package io.millrace.verification.architecture.planted.dispatch;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A violation: gets time, randomness and threads from many sources. */
final class OwnClock {

  Instant instant() {
    return Instant.now();
  }

  long millis() {
    return System.currentTimeMillis();
  }

  long nanos() {
    return System.nanoTime();
  }

  LongSupplier reference() {
    return System::nanoTime;
  }

  LocalDateTime local() {
    return LocalDateTime.now(ZoneOffset.UTC);
  }

  void sleep() throws InterruptedException {
    Thread.sleep(1);
  }

  void otherSleep() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(1);
  }

  double chance() {
    return Math.random();
  }

  UUID id() {
    return UUID.randomUUID();
  }

  int otherChance() {
    return ThreadLocalRandom.current().nextInt();
  }

  Random generator() {
    return new Random();
  }

  Thread thread(Runnable task) {
    return new Thread(task);
  }

  Thread virtual(Runnable task) {
    return Thread.ofVirtual().unstarted(task);
  }

  Thread platform(Runnable task) {
    return Thread.ofPlatform().unstarted(task);
  }

  ExecutorService pool() {
    return Executors.newCachedThreadPool();
  }

  Timer timer() {
    return new Timer();
  }
}
