// The first of our own in the sandbox. It says hello, is told what to run, sets limits that neither it nor the script can
// raise, runs the script, ends what the script left running, and sends what it left lying.
//
// 125 as its exit code means that the script was not started; without the ready line nobody takes it for the script's own.

#include "system.h"

enum { channel = 3, not_started = 125, not_run = 126, most_words = 4096 };

static char told[4 * 1024 * 1024];
static char *words[most_words + 1];

static void give_up(void) { sys_exit(not_started); }

static void must(long answer) {
  if (answer < 0) give_up();
}

/** Reads "count\n" and as many words, each ended by a NUL; gives up where fewer come. */
static long read_words(void) {
  size have = 0, at = 0;
  long count = -1, found = 0;
  for (;;) {
    long n = sys_read(channel, told + have, sizeof told - 1 - have);
    if (n == -EINTR) continue;
    if (n <= 0) give_up();
    have += n;
    if (count < 0) {
      while (at < have && told[at] != '\n') at++;
      if (at == have) continue;
      count = number_at(told);
      if (count < 7 || count > most_words) give_up();
      words[0] = told + ++at;
    }
    for (; at < have && found < count; at++)
      if (!told[at]) words[++found] = told + at + 1;
    if (found == count) break;
  }
  words[count] = 0;
  return count;
}

static void set_limit(int resource, const char *word, size unit) {
  long value = number_at(word);
  if (value < 0) give_up();
  must(sys_limit(resource, value * unit));
}

/** Runs the script to its end; what it started may go on. */
static int run_script(char **command, const char *processes, char **environment) {
  long script = sys_fork();
  if (script == 0) {
    set_limit(RLIMIT_NPROC, processes, 1);
    sys_close(channel);
    sys_exec(command[0], command, environment);
    const char *said = "The interpreter could not be started\n";
    write_all(2, said, length_of(said));
    sys_exit(not_run);
  }
  must(script);
  int status = 0;
  while (sys_wait(script, &status) == -EINTR);
  return code_of(status);
}

/** Ends all processes but bubblewrap's first and this one, and waits until they are taken away. */
static void end_others(void) {
  while (sys_kill(-1, SIGKILL) != -ESRCH) sys_yield();
}

/** Whether there may be something to send. What cannot be looked at is for tar to complain about. */
static int has_left_something(const char *files, const char *output) {
  char space[512];
  if (sys_stat_link(output, space) != -ENOENT) return 1;
  long folder = sys_open(files, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
  if (folder < 0) return folder != -ENOENT;
  // "." and ".." take 24 bytes each and come first.
  long listed = sys_list(folder, space, sizeof space);
  sys_close(folder);
  return listed != 48;
}

static int pack(const char *folder, char **environment) {
  char *tar[] = {"/usr/bin/tar", "--create", "--file=-", "--format=gnu", "--hard-dereference", "--directory", (char *)folder, ".", 0};
  long packer = sys_fork();
  if (packer == 0) {
    long nowhere = sys_open("/dev/null", O_WRONLY | O_CLOEXEC, 0);
    if (nowhere < 0 || sys_dup_to(channel, 1) < 0 || sys_dup_to(nowhere, 2) < 0) sys_exit(not_run);
    sys_close(channel);
    sys_exec(tar[0], tar, environment);
    sys_exit(not_run);
  }
  if (packer < 0) return not_run;
  int status = 0;
  while (sys_wait(packer, &status) == -EINTR);
  return code_of(status);
}

/** `init INPUT OUT FILES OUTPUT`, with the channel open. */
__attribute__((noreturn)) static void run_init(char **arguments, char **environment) {
  const char *input = arguments[2], *out = arguments[3], *files = arguments[4], *output = arguments[5];
  // A script of the same user could otherwise read and write its memory.
  must(sys_control(PR_SET_DUMPABLE, 0));
  must(sys_close_from(channel + 1));
  sys_umask(077);
  must(write_all(channel, "hello\n", 6));
  read_words();
  must(sys_limit(RLIMIT_CORE, 0));
  set_limit(RLIMIT_NOFILE, words[0], 1);
  set_limit(RLIMIT_FSIZE, words[1], 1024);
  set_limit(RLIMIT_CPU, words[2], 1);
  set_limit(RLIMIT_DATA, words[3], 1024);
  set_limit(RLIMIT_NPROC, words[4], 1);
  char **command = words + 6;
  must(sys_access(command[0], 1));
  long opened = sys_open(input, O_RDONLY, 0);
  must(opened);
  must(sys_dup_to(opened, 0));
  sys_close(opened);
  must(write_all(channel, "ready\n", 6));
  int code = run_script(command, words[5], environment);
  end_others();
  int packed = has_left_something(files, output) ? pack(out, environment) : 0;
  char trailer[32];
  char *end = put_number(put_text(trailer, "packed "), packed, 9);
  write_all(channel, trailer, end - trailer);
  sys_exit(code);
}
