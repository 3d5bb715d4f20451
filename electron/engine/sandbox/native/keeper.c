// Stands between the studio and bubblewrap. A small process forks quickly, can wait for every process that bubblewrap leaves
// behind, and outlives a studio that is killed by as long as it takes to end them.
//
//   keeper UID GID FOLDER COUNT DOOR..., with the studio at as many descriptors from 3 on
//
// Becomes COUNT keepers, each with one of them, because it forks so much quicker than the studio; the first process only waits
// for the others. Each enters its control group by its share of the doors, which takes longer than everything else.
// Both sides send frames: four bytes of length, lowest first, one byte of kind, and the content.
//   from the studio  S  start: parts, each with its length before it (see `part`)
//                    K  end what runs
//   to the studio    H  it is ready, and held by its group; before anything else
//                    P  the first process of the sandbox, as text; sent before the script is started
//                    1, 2, A  what it printed, and what init sent
//                    E  nothing of it is left; with the exit code as text where bubblewrap told one
// One script at a time. Without a studio it ends everything, and itself.

#include "init.c"

enum { studio = 3 };
/** Descriptors that bubblewrap is started with. */
enum { at_channel = 3, at_status, at_filter, at_options, at_init, at_placed };
/** Its own are kept above all of those. */
enum { lowest_own = 64, most_keepers = 32, most_doors = 4 };
enum { most_placed = 2, most_command = 16, most_start = 96 * 1024 * 1024 };
/** How long what was printed, and what nobody waits for, may wait for more, so that a short script wakes the studio once. */
enum { linger_printed_ms = 2, linger_other_ms = 20 };
/** How long to wait before looking again whether a sandbox is held: usually the first process is a few steps behind. */
enum { retry_ns = 100 * 1000 };
enum part { part_program, part_command, part_options, part_words, part_filter, part_placed };

struct slice { byte *at; size n; };

static int status_file, own_program;
static byte sending[256 * 1024];
static size to_send;
static long send_by;

static int own(long fd) {
  long high = fd < 0 ? fd : sys_dup_above(fd, lowest_own);
  if (high < 0) sys_exit(1);
  sys_close(fd);
  return high;
}

static void flush(void);

/** Room for the content of the next frame. */
static byte *frame_space(size least) {
  if (to_send + 5 + least > sizeof sending) flush();
  return sending + to_send + 5;
}

static void put_frame(byte kind, size n) {
  byte *at = sending + to_send;
  for (int i = 0; i < 4; i++) at[i] = n >> (8 * i);
  at[4] = kind;
  long by = milliseconds() + (kind == '1' || kind == '2' ? linger_printed_ms : linger_other_ms);
  if (to_send == 0 || by < send_by) send_by = by;
  to_send += 5 + n;
}

static void send_number(byte kind, long number) {
  char *space = (char *)frame_space(24);
  put_frame(kind, number < 0 ? 0 : put_number(space, number, 0) - space);
}

/** The first process of the sandbox, and with it all others: it asked to die with bubblewrap just before it put itself under the filter. */
static int is_held(int first) {
  // A user of thousands of groups has them all before the line that is looked for.
  static char text[1024 * 1024];
  char path[48];
  *put_text(put_number(put_text(path, "/proc/"), first, 0), "/status") = 0;
  long file = sys_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return 0;
  long n = sys_read(file, text, sizeof text - 1);
  sys_close(file);
  text[n < 0 ? 0 : n] = 0;
  return find(text, "\nSeccomp:\t2\n") != 0;
}

/** A number that bubblewrap told of itself; -1 where it has not. */
static long told_by_bubblewrap(const char *name) {
  char text[4096];
  long n = sys_pread(status_file, text, sizeof text - 1);
  text[n < 0 ? 0 : n] = 0;
  const char *found = find(text, name);
  return found ? number_at(found + length_of(name)) : -1;
}

/** Ends and takes away every process that is left, also those that lost their parents on the way. */
static void end_all(void) {
  for (;;) {
    char text[4096];
    long list = sys_open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC, 0);
    long n = list < 0 ? 0 : sys_read(list, text, sizeof text - 1);
    if (list >= 0) sys_close(list);
    text[n < 0 ? 0 : n] = 0;
    for (char *at = text; *at;) {
      long pid = number_at(at);
      if (pid > 1) sys_kill(pid, SIGKILL);
      while (*at && *at++ != ' ');
    }
    if (sys_wait(-1, 0) == -ECHILD) return;
  }
}

/** Leaves nothing behind. */
__attribute__((noreturn)) static void leave(int code) {
  end_all();
  sys_exit(code);
}

static void flush(void) {
  if (write_all(studio, sending, to_send) < 0) leave(0);
  to_send = 0;
}

/** A file in memory with this content, to be read from its beginning. */
static int file_of(struct slice content) {
  int file = own(sys_memory_file("sunwell"));
  if (write_all(file, content.at, content.n) < 0 || sys_rewind(file) < 0) sys_exit(1);
  return file;
}

/** The words of a part, each ended by a NUL. */
static void words_of(struct slice part, char **to, int most) {
  int n = 0;
  for (size i = 0; i < part.n && n < most; i++) {
    to[n++] = (char *)part.at + i;
    while (i < part.n && part.at[i]) i++;
  }
  to[n] = 0;
}

struct running {
  int bubblewrap, ended, out, error, channel;
  struct slice words;
  byte *start;
  size start_size;
  int is_greeted, is_told;
};

/** Never returns in the child. */
static struct running start(struct slice *parts, int count) {
  struct running run = {0};
  int out[2], error[2], channel_ends[2], files[2 + most_placed];
  if (sys_pipe(out) < 0 || sys_pipe(error) < 0 || sys_socket_pair(channel_ends) < 0) sys_exit(1);
  for (int i = 0; i < 2; i++) out[i] = own(out[i]), error[i] = own(error[i]), channel_ends[i] = own(channel_ends[i]);
  files[0] = file_of(parts[part_filter]);
  files[1] = file_of(parts[part_options]);
  int placed = count - part_placed;
  for (int i = 0; i < placed; i++) files[2 + i] = file_of(parts[part_placed + i]);
  sys_truncate(status_file);
  sys_rewind(status_file);
  sys_rewind(own_program);
  run.bubblewrap = sys_fork();
  if (run.bubblewrap == 0) {
    char *command[most_command + 5] = {(char *)parts[part_program].at, "--args", "6", "--"};
    char *nothing[] = {0};
    words_of(parts[part_command], command + 4, most_command);
    sys_on_signal(SIGPIPE, SIG_DFL);
    int given[] = {out[1], error[1], channel_ends[1], status_file, files[0], files[1], own_program, files[2], files[3]};
    for (int i = 0; i < 7 + placed; i++)
      if (sys_dup_to(given[i], 1 + i) < 0) sys_exit(not_run);
    // A script can read the environment its ancestors were started with, so there is none.
    sys_exec(command[0], command, nothing);
    char *said = "bubblewrap could not be started\n";
    write_all(2, said, length_of(said));
    sys_exit(not_run);
  }
  if (run.bubblewrap < 0) sys_exit(1);
  for (int i = 0; i < 2 + placed; i++) sys_close(files[i]);
  sys_close(out[1]), sys_close(error[1]), sys_close(channel_ends[1]);
  run.out = out[0], run.error = error[0], run.channel = channel_ends[0];
  run.ended = own(sys_pid_descriptor(run.bubblewrap));
  run.words = parts[part_words];
  return run;
}

/** Passes on what there is to read; closes what has ended. */
static void pass_on(int *fd, byte kind) {
  size room = 64 * 1024;
  byte *space = frame_space(room);
  long n = sys_read(*fd, space, room);
  if (n == -EINTR) return;
  if (n > 0) return put_frame(kind, n);
  sys_close(*fd);
  *fd = -1;
}

/** Tells init what to run, once nothing of the sandbox can outlive bubblewrap, nor bubblewrap this process. */
static void tell_when_held(struct running *run) {
  long first = told_by_bubblewrap("\"child-pid\": ");
  if (first < 0 || !is_held(first)) return;
  run->is_told = 1;
  send_number('P', first);
  // An init that is gone says so by its silence.
  write_all(run->channel, run->words.at, run->words.n);
  sys_unmap(run->start, run->start_size);
}

static void read_all(void *to, size n) {
  for (byte *at = to, *end = at + n; at < end;) {
    long done = sys_read(studio, at, end - at);
    if (done == -EINTR) continue;
    // The studio is gone.
    if (done <= 0) leave(0);
    at += done;
  }
}

static size read_header(byte *kind) {
  byte header[5];
  read_all(header, sizeof header);
  *kind = header[4];
  return header[0] | header[1] << 8 | header[2] << 16 | (size)header[3] << 24;
}

static void watch(struct running *run) {
  int is_over = 0;
  while (!is_over || run->out >= 0 || run->error >= 0 || run->channel >= 0) {
    struct pollfd fds[] = {
        {studio, POLLIN, 0},
        {is_over ? -1 : run->ended, POLLIN, 0},
        {run->out, POLLIN, 0},
        {run->error, POLLIN, 0},
        {run->channel, POLLIN, 0},
    };
    int is_waiting = run->is_greeted && !run->is_told && !is_over;
    long linger_ns = to_send > 0 ? (send_by - milliseconds()) * 1000000 : 0;
    long timeout[2] = {0, is_waiting ? retry_ns : linger_ns > 0 ? linger_ns : 0};
    sys_poll(fds, 5, is_waiting || to_send > 0 ? timeout : 0);
    if (fds[0].revents) {
      byte kind;
      if (read_header(&kind) != 0 || kind != 'K') leave(1);
      if (!is_over) sys_kill(run->bubblewrap, SIGKILL);
    }
    if (fds[2].revents) pass_on(&run->out, '1');
    if (fds[3].revents) pass_on(&run->error, '2');
    if (fds[4].revents) {
      pass_on(&run->channel, 'A');
      run->is_greeted = 1;
    }
    if (fds[1].revents) {
      end_all();
      is_over = 1;
    }
    if (run->is_greeted && !run->is_told && !is_over) tell_when_held(run);
    if (to_send > 0 && milliseconds() >= send_by) flush();
  }
  sys_close(run->ended);
  if (!run->is_told) sys_unmap(run->start, run->start_size);
  send_number('E', told_by_bubblewrap("\"exit-code\": "));
  flush();
}

/** Reads what to start, and stays with it until nothing of it is left. */
static void run_one(void) {
  byte kind;
  size n = read_header(&kind);
  // It ended by itself while the studio asked for its end.
  if (kind == 'K' && n == 0) return;
  if (kind != 'S' || n > most_start) sys_exit(1);
  byte *start_frame = (byte *)sys_map(n + 1);
  if ((long)start_frame < 0 && (long)start_frame > -4096) sys_exit(1);
  read_all(start_frame, n);
  struct slice parts[part_placed + most_placed];
  int count = 0;
  for (size at = 0; at < n; count++) {
    if (count == part_placed + most_placed || n - at < 4) sys_exit(1);
    byte *length = start_frame + at;
    parts[count].n = length[0] | length[1] << 8 | length[2] << 16 | (size)length[3] << 24;
    parts[count].at = length + 4;
    if (parts[count].n > n - at - 4) sys_exit(1);
    at += 4 + parts[count].n;
  }
  if (count < part_placed) sys_exit(1);
  struct running run = start(parts, count);
  run.start = start_frame;
  run.start_size = n + 1;
  watch(&run);
}

/** Never root: the limits of a script and the kernel's own checks do not hold for root. */
static void become(long uid, long gid) {
  if (uid <= 0 || gid < 0) sys_exit(1);
  if (CALL(getuid, 0, 0, 0, 0, 0, 0) == 0) {
    if (CALL(setgroups, 0, 0, 0, 0, 0, 0) < 0) sys_exit(1);
    if (CALL(setresgid, gid, gid, gid, 0, 0, 0) < 0 || CALL(setresuid, uid, uid, uid, 0, 0, 0) < 0) sys_exit(1);
  }
  if (CALL(getuid, 0, 0, 0, 0, 0, 0) != uid || CALL(geteuid, 0, 0, 0, 0, 0, 0) != uid) sys_exit(1);
}

/** What bubblewrap writes about itself. A file below the folder, by which a later studio finds what is left of a dead one. */
static int open_status_file(const char *folder, int which) {
  long file = sys_open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (file >= 0) return own(file);
  // Not every file system has files without names.
  char path[4200];
  if (length_of(folder) > 4096) sys_exit(1);
  char *end = put_number(put_text(put_text(path, folder), "/status-"), CALL(getpid, 0, 0, 0, 0, 0, 0), 0);
  *put_number(put_text(end, "-"), which, 0) = 0;
  file = sys_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  sys_unlink(path);
  return own(file);
}

/** Serves one studio's channel for ever. */
__attribute__((noreturn)) static void keep(int channel_of_studio) {
  if (sys_dup_to(channel_of_studio, lowest_own - 1) < 0 || sys_dup_to(lowest_own - 1, studio) < 0) sys_exit(1);
  sys_close_range(studio + 1, lowest_own - 1);
  if (sys_control(PR_SET_CHILD_SUBREAPER, 1) < 0) sys_exit(1);
  send_number('H', -1);
  flush();
  for (;;) run_one();
}

__attribute__((noreturn)) static void run_keepers(char **arguments, long all_doors) {
  long count = number_at(arguments[5]);
  if (count < 1 || count > most_keepers) sys_exit(1);
  long doors = all_doors / count;
  if (doors > most_doors || doors * count != all_doors) sys_exit(1);
  sys_close_from(studio + count);
  // Before it becomes another user, who may have no access to either; once for each, because whoever reads one moves its place.
  int files[most_keepers][2 + most_doors];
  for (int i = 0; i < count; i++) {
    files[i][0] = open_status_file(arguments[4], i);
    files[i][1] = own(sys_open("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0));
    for (int door = 0; door < doors; door++)
      files[i][2 + door] = own(sys_open(arguments[6 + i * doors + door], O_WRONLY | O_CLOEXEC, 0));
  }
  become(number_at(arguments[2]), number_at(arguments[3]));
  // A key that is pressed in the studio's terminal is for the studio.
  sys_new_session();
  sys_chdir("/");
  // Scripts yield to the studio and to everything else that runs at the usual priority.
  sys_priority(5);
  sys_on_signal(SIGPIPE, SIG_IGN);
  for (int i = 0; i < count; i++) {
    long keeper = sys_fork();
    if (keeper < 0) sys_exit(1);
    if (keeper > 0) continue;
    status_file = files[i][0];
    own_program = files[i][1];
    for (int other = 0; other < count; other++)
      for (int file = 0; other != i && file < 2 + doors; file++) sys_close(files[other][file]);
    for (int door = 0; door < doors; door++) {
      // Nought means whoever writes it.
      if (sys_write(files[i][2 + door], "0", 1) != 1) sys_exit(1);
      sys_close(files[i][2 + door]);
    }
    keep(studio + i);
  }
  sys_close_from(studio);
  int worst = 0, status = 0;
  while (sys_wait(-1, &status) != -ECHILD)
    if (status) worst = 1;
  sys_exit(worst);
}

__attribute__((noreturn, used)) void enter(long *stack) {
  long count = stack[0];
  char **arguments = (char **)(stack + 1);
  char **environment = arguments + count + 1;
  if (count == 6 && find(arguments[1], "init") == arguments[1]) run_init(arguments, environment);
  if (count >= 6 && find(arguments[1], "keeper") == arguments[1]) run_keepers(arguments, count - 6);
  sys_exit(2);
}
