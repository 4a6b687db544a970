/* Ports of a small machine. */
#include <stdio.h>
#include "port.h"

#define MAX_PORTS 16
#define EMPTY
#define SQUARE(x) ((x) * (x))

/* A port. Opened once. */
struct port {
    int fd;
    char *name, label[8];
    void (*on_close)(int);
};

typedef struct {
    int left;
} pair_t;

typedef struct node {
    struct node *next;
} node_t, *node_p;

typedef int (*compare_fn)(const void *, const void *);
typedef unsigned long word;

enum colour {
    RED,
    GREEN = 2,
};

union value {
    int i;
};

static const int LIMIT = 3;
int counter;
extern char *names[];

int open_port(int fd);

// Opens it.
static int
open_quick(const char *name,
           int mode)
{
    int local = 1;
    struct port p;
    if (local) {
        puts("int fake(void) {}");
    } else {
        switch (mode) {
        case 1:
            return 1;
        default:
            break;
        }
    }
    return local;
}

char *port_name(struct port *p) { return p->name; }

#ifdef HAVE_RETRY
void retry(void)
{
}
#endif

void torn(void)
{
#ifdef FAST
    if (counter) {
        counter = 2;
#else
    if (!counter) {
#endif
        counter = 3;
    }
}

/* int commented_out(void) {} */
#if 0
void dead(void) { if (
#endif

int after_break(void)
{
    return 4;
}
