/* The least that one query costs: write the candidate, start the check, wait for it. For benches/overhead.rs.
 * Usage: spawn_loop CHECK FILE BYTES RUNS [WORKERS]; prints the runs per second of all workers together,
 * and the processor time of a run, with that of the check, in microseconds. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void loop(const char *check, const char *file, const char *bytes, size_t length, int runs) {
    for (int i = 0; i < runs; i++) {
        int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (fd < 0 || write(fd, bytes, length) != (ssize_t)length) exit(2);
        close(fd);
        char *arguments[] = {(char *)check, (char *)file, NULL};
        pid_t child;
        int status;
        if (posix_spawn(&child, check, NULL, NULL, arguments, environ) != 0) exit(2);
        waitpid(child, &status, 0);
    }
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    size_t length = strtoul(argv[3], NULL, 10);
    int runs = atoi(argv[4]), workers = argc > 5 ? atoi(argv[5]) : 1;
    char *bytes = malloc(length + 1);
    memset(bytes, 'x', length);
    double start = now();
    for (int w = 0; w < workers; w++) {
        if (fork() == 0) {
            char file[4096];
            snprintf(file, sizeof file, "%s.%d", argv[2], w);
            loop(argv[1], file, bytes, length, runs / workers);
            unlink(file);
            _exit(0);
        }
    }
    for (int w = 0; w < workers; w++) wait(NULL);
    double seconds = now() - start;
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    double microseconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    int done = runs / workers * workers;
    printf("%.1f %.1f\n", done / seconds, microseconds / done);
    return 0;
}
