// Calls of the kernel without a C library: the library's own start takes longer than all that init does.
// Every call returns what the kernel returned: a negative number is an error's, negated.
#pragma once

#include <asm/poll.h>
#include <asm/signal.h>
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/memfd.h>
#include <linux/prctl.h>
#include <linux/resource.h>

typedef unsigned char byte;
typedef unsigned int u32;
typedef unsigned long size;

#if defined(__x86_64__)
static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long answer;
  __asm__ volatile("syscall"
                   : "=a"(answer)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return answer;
}
__asm__(".globl _start\n_start:\n xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call enter\n");
#elif defined(__aarch64__)
static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
__asm__(".globl _start\n_start:\n mov x29, #0\n mov x30, #0\n mov x0, sp\n bl enter\n");
#else
#error "There is no sandbox for this processor"
#endif

#define CALL(name, a, b, c, d, e, f) \
  call(__NR_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static inline long sys_read(int fd, void *to, size n) { return CALL(read, fd, to, n, 0, 0, 0); }
static inline long sys_write(int fd, const void *from, size n) { return CALL(write, fd, from, n, 0, 0, 0); }
static inline long sys_pread(int fd, void *to, size n) { return CALL(pread64, fd, to, n, 0, 0, 0); }
static inline long sys_open(const char *path, int flags, int mode) { return CALL(openat, AT_FDCWD, path, flags, mode, 0, 0); }
static inline long sys_close(int fd) { return CALL(close, fd, 0, 0, 0, 0, 0); }
static inline long sys_close_from(int fd) { return CALL(close_range, fd, ~0u, 0, 0, 0, 0); }
static inline long sys_close_range(int first, int last) { return CALL(close_range, first, last, 0, 0, 0, 0); }
static inline long sys_dup_to(int fd, int target) { return CALL(dup3, fd, target, 0, 0, 0, 0); }
static inline long sys_dup_above(int fd, int least) { return CALL(fcntl, fd, F_DUPFD_CLOEXEC, least, 0, 0, 0); }
static inline long sys_rewind(int fd) { return CALL(lseek, fd, 0, 0, 0, 0, 0); }
static inline long sys_truncate(int fd) { return CALL(ftruncate, fd, 0, 0, 0, 0, 0); }
static inline long sys_unlink(const char *path) { return CALL(unlinkat, AT_FDCWD, path, 0, 0, 0, 0); }
static inline long sys_access(const char *path, int mode) { return CALL(faccessat, AT_FDCWD, path, mode, 0, 0, 0); }
static inline long sys_stat_link(const char *path, void *to) { return CALL(newfstatat, AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW, 0, 0); }
static inline long sys_list(int fd, void *to, size n) { return CALL(getdents64, fd, to, n, 0, 0, 0); }
static inline long sys_pipe(int *ends) { return CALL(pipe2, ends, O_CLOEXEC, 0, 0, 0, 0); }
static inline long sys_socket_pair(int *ends) { return CALL(socketpair, 1 /* AF_UNIX */, 1 /* SOCK_STREAM */ | O_CLOEXEC, 0, ends, 0, 0); }
static inline long sys_memory_file(const char *name) { return CALL(memfd_create, name, MFD_CLOEXEC, 0, 0, 0, 0); }
static inline long sys_poll(struct pollfd *fds, int n, const long *timeout) { return CALL(ppoll, fds, n, timeout, 0, 0, 0); }
static inline long sys_fork(void) { return CALL(clone, SIGCHLD, 0, 0, 0, 0, 0); }
static inline long sys_exec(const char *path, char *const *words, char *const *environment) { return CALL(execve, path, words, environment, 0, 0, 0); }
static inline long sys_wait(int pid, int *status) { return CALL(wait4, pid, status, 0, 0, 0, 0); }
static inline long sys_kill(int pid, int signal) { return CALL(kill, pid, signal, 0, 0, 0, 0); }
static inline long sys_pid_descriptor(int pid) { return CALL(pidfd_open, pid, 0, 0, 0, 0, 0); }
static inline long sys_yield(void) { return CALL(sched_yield, 0, 0, 0, 0, 0, 0); }
static inline long sys_control(int option, long value) { return CALL(prctl, option, value, 0, 0, 0, 0); }
static inline long sys_umask(int mask) { return CALL(umask, mask, 0, 0, 0, 0, 0); }
static inline long sys_chdir(const char *path) { return CALL(chdir, path, 0, 0, 0, 0, 0); }
static inline long sys_new_session(void) { return CALL(setsid, 0, 0, 0, 0, 0, 0); }
static inline long sys_priority(int nice) { return CALL(setpriority, 0, 0, nice, 0, 0, 0); }
static inline long sys_map(size n) { return CALL(mmap, 0, n, 3 /* read, write */, 0x22 /* private, anonymous */, -1, 0); }
static inline long sys_unmap(void *at, size n) { return CALL(munmap, at, n, 0, 0, 0, 0); }

static inline long sys_limit(int resource, size value) {
  struct { size soft, hard; } limit = {value, value};
  return CALL(prlimit64, 0, resource, &limit, 0, 0, 0);
}

/** What happens on a signal from now on: SIG_DFL or SIG_IGN. */
static inline long sys_on_signal(int signal, void *then) {
  struct { void *then; size flags; void *restorer; size mask; } action = {then, 0, 0, 0};
  return CALL(rt_sigaction, signal, &action, 0, 8, 0, 0);
}

__attribute__((noreturn)) static inline void sys_exit(int code) {
  for (;;) CALL(exit_group, code, 0, 0, 0, 0, 0);
}

/** Milliseconds of a clock that never goes back. */
static inline long milliseconds(void) {
  long time[2] = {0, 0};
  CALL(clock_gettime, 1 /* CLOCK_MONOTONIC */, time, 0, 0, 0, 0);
  return time[0] * 1000 + time[1] / 1000000;
}

/** 0, or the error. Goes on where the kernel took only part of it. */
static inline long write_all(int fd, const void *from, size n) {
  for (const byte *at = from, *end = at + n; at < end;) {
    long done = sys_write(fd, at, end - at);
    if (done == -EINTR) continue;
    if (done < 0) return done;
    at += done;
  }
  return 0;
}

static inline size length_of(const char *text) {
  size n = 0;
  while (text[n]) n++;
  return n;
}

/** Where `word` begins in the text, or 0. */
static inline const char *find(const char *text, const char *word) {
  for (; *text; text++) {
    size i = 0;
    while (word[i] && text[i] == word[i]) i++;
    if (!word[i]) return text;
  }
  return 0;
}

/** The number that the text begins with; -1 where there is none or too large a one. */
static inline long number_at(const char *text) {
  long number = 0;
  if (*text < '0' || *text > '9') return -1;
  for (; *text >= '0' && *text <= '9'; text++) {
    if (number > 1L << 56) return -1;
    number = number * 10 + (*text - '0');
  }
  return number;
}

/** Writes the number in at least `width` places and returns the end. */
static inline char *put_number(char *to, long number, int width) {
  char digits[24];
  int n = 0;
  do digits[n++] = '0' + number % 10;
  while ((number /= 10) > 0);
  while (width-- > n) *to++ = ' ';
  while (n > 0) *to++ = digits[--n];
  return to;
}

static inline char *put_text(char *to, const char *text) {
  while (*text) *to++ = *text++;
  return to;
}

/** How a process ended, as a shell says it. */
static inline int code_of(int status) {
  int signal = status & 0x7f;
  return signal ? 128 + signal : (status >> 8) & 0xff;
}

// The compiler calls these by itself.
__attribute__((used)) void *memcpy(void *to, const void *from, size n) {
  for (size i = 0; i < n; i++) ((byte *)to)[i] = ((const byte *)from)[i];
  return to;
}
__attribute__((used)) void *memset(void *to, int value, size n) {
  for (size i = 0; i < n; i++) ((volatile byte *)to)[i] = value;
  return to;
}
