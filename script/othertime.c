/*
 * Gives a process another time of day: a library for LD_PRELOAD that adds OTHER_TIME_SECONDS to it. Clocks
 * that measure how long something takes are left alone. libfaketime does more, but slows a JVM down ten
 * times, and Redis does not start with it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset;
static int (*real)(clockid_t, struct timespec *);
static int (*await)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

__attribute__((constructor)) static void start(void) {
  const char *seconds = getenv("OTHER_TIME_SECONDS");
  offset = seconds ? atol(seconds) : 0;
  real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  /* Without a version it would be that of a former layout of pthread_cond_t, where there was one. */
  void *newer = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!newer) newer = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  await = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))newer;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = real ? real(clock, now) : (int)syscall(SYS_clock_gettime, clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec exact;
  if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}

/* Waits until a time of day, which is told from the seconds since the machine's start by its size. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  struct timespec real_until = *until;
  if (until->tv_sec > 1000000000) real_until.tv_sec -= offset;
  return await(condition, mutex, &real_until);
}
