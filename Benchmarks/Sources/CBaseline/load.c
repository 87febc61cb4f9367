// Clients of an HTTP/1.1 server on this machine, all on the calling thread.
#include "baseline.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { buffer_size = 65536, patience = 10000 };

typedef struct {
    char buffer[buffer_size];
    size_t filled;
    double began;
    int request;
} client;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int connect_to(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int handle = socket(AF_INET, SOCK_STREAM, 0);
    if (handle < 0) return -1;
    int on = 1;
    setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(handle, (struct sockaddr *)&address, sizeof address) == 0) return handle;
    close(handle);
    return -1;
}

// Whether the request went out whole: it is far smaller than a socket's buffer.
static int ask(int handle, client *client, int key, int request) {
    char text[128];
    int length = snprintf(text, sizeof text, "GET /%d HTTP/1.1\r\nHost: localhost\r\n\r\n", key);
    client->filled = 0;
    client->request = request;
    client->began = now();
    return send(handle, text, (size_t)length, MSG_NOSIGNAL) == length;
}

// 1 when an answer with status 200 is there as a whole, 0 when more has to come, -1 when it is no such answer.
static int is_answered(client *client) {
    client->buffer[client->filled] = 0;
    char *end = strstr(client->buffer, "\r\n\r\n");
    if (!end) return client->filled < buffer_size - 1 ? 0 : -1;
    if (strncmp(client->buffer, "HTTP/1.1 200", 12) != 0) return -1;
    for (char *line = strstr(client->buffer, "\r\n"); line && line < end; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, "content-length:", 15) == 0) {
            size_t whole = (size_t)(end + 4 - client->buffer) + strtoul(line + 17, NULL, 10);
            if (whole >= buffer_size) return -1;
            return client->filled >= whole;
        }
    }
    return -1;
}

int baseline_load(int port, int client_count, const int *keys, int count, double *latencies) {
    struct pollfd *polls = calloc((size_t)client_count, sizeof *polls);
    client *clients = calloc((size_t)client_count, sizeof *clients);
    int asked = 0, answered = 0, result = polls && clients ? 0 : -1, opened = 0;
    for (; result == 0 && opened < client_count; opened++) {
        int handle = connect_to(port);
        polls[opened] = (struct pollfd){.fd = handle, .events = POLLIN};
        if (handle < 0) result = -1;
        if (result == 0 && asked < count) {
            if (!ask(handle, &clients[opened], keys[asked], asked)) result = -1;
            asked++;
        }
    }
    while (result == 0 && answered < count) {
        int ready = poll(polls, (nfds_t)client_count, patience);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) result = -1;
        for (int index = 0; result == 0 && index < client_count; index++) {
            if (!polls[index].revents) continue;
            client *client = &clients[index];
            ssize_t length = recv(polls[index].fd, client->buffer + client->filled, buffer_size - 1 - client->filled, 0);
            if (length <= 0) {
                result = -1;
                break;
            }
            client->filled += (size_t)length;
            int state = is_answered(client);
            if (state < 0) result = -1;
            if (state <= 0) continue;
            latencies[client->request] = now() - client->began;
            answered++;
            if (asked == count) continue;
            if (!ask(polls[index].fd, client, keys[asked], asked)) result = -1;
            asked++;
        }
    }
    for (int index = 0; index < opened; index++) {
        if (polls[index].fd >= 0) close(polls[index].fd);
    }
    free(polls);
    free(clients);
    return result;
}
