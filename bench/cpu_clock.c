// Preloaded into a process, this makes its CPU time the answer to every question for the time. So the time limit of any program is a limit
// on CPU seconds, and other work of the machine costs nobody anything.
//
// - A search may look at the clock in every node. The system call behind CPU time would slow it down, so it is made anew only after 0.1 ms.
// - Who waits until a time waits for as long as it meant to by this clock. Otherwise that time would always have passed, and a thread that
//   waits for another would spin.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

enum { kEpoch = 1000000000 };  // where CLOCK_REALTIME starts, to tell its times from those of CLOCK_MONOTONIC

#define REAL(name)               \
  static __typeof__(name)* real; \
  if (real == NULL) real = (__typeof__(name)*)dlsym(RTLD_NEXT, #name)

static int real_time(clockid_t which, struct timespec* now) {
  REAL(clock_gettime);
  return real(which, now);
}

static long nanoseconds(struct timespec from, struct timespec to) {
  return (to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec;
}

int clock_gettime(clockid_t which, struct timespec* now) {
  static _Thread_local struct timespec read_at, cpu;
  if (which == CLOCK_PROCESS_CPUTIME_ID || which == CLOCK_THREAD_CPUTIME_ID) return real_time(which, now);
  struct timespec wall;
  real_time(CLOCK_MONOTONIC, &wall);
  if (nanoseconds(read_at, wall) > 100000) {
    real_time(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    read_at = wall;
  }
  *now = cpu;
  if (which == CLOCK_REALTIME) now->tv_sec += kEpoch;
  return 0;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  struct timespec fine;
  clock_gettime(CLOCK_REALTIME, &fine);
  now->tv_sec = fine.tv_sec;
  now->tv_usec = fine.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* now) {
  struct timespec fine;
  clock_gettime(CLOCK_REALTIME, &fine);
  if (now != NULL) *now = fine.tv_sec;
  return fine.tv_sec;
}

// The real time of a clock when as many seconds have passed as this clock still has to go.
static struct timespec real_end(clockid_t which, const struct timespec* end) {
  struct timespec now, wall;
  clock_gettime(which, &now);
  real_time(which, &wall);
  const long left = nanoseconds(now, *end), sum = wall.tv_nsec + (left > 0 ? left : 0);
  return (struct timespec){wall.tv_sec + sum / 1000000000L, sum % 1000000000L};
}

int sem_clockwait(sem_t* restrict semaphore, clockid_t which, const struct timespec* restrict end) {
  REAL(sem_clockwait);
  const struct timespec until = real_end(which, end);
  return real(semaphore, which, &until);
}

int pthread_cond_clockwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex, clockid_t which,
                           const struct timespec* restrict end) {
  REAL(pthread_cond_clockwait);
  const struct timespec until = real_end(which, end);
  return real(condition, mutex, which, &until);
}

int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex, const struct timespec* restrict end) {
  REAL(pthread_cond_timedwait);
  const struct timespec until = real_end(end->tv_sec >= kEpoch ? CLOCK_REALTIME : CLOCK_MONOTONIC, end);
  return real(condition, mutex, &until);
}
