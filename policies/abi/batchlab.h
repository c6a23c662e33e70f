/*
 * batchlab plug-ins, version 1: the one header for shared libraries and WebAssembly modules.
 *
 * A plug-in contains one or several scheduling policies. It exports the functions below with C linkage; of
 * batchlab_order and batchlab_decide it needs only those that its policies use. All records are little-endian, a multiple
 * of 8 bytes long, and contain no pointers: positions are counted in bytes from the beginning of the record (see
 * BATCHLAB_AT). The plug-in may read the program's records until the function returns. What the plug-in returns remains its
 * own, and must stay valid until its next call for the same policy.
 *
 * Times are whole ticks of a microsecond, those of verbs no farther than INT64_MAX / 4 from the trace's zero. Jobs are
 * numbered from 0 in the order of submission.
 *
 * On nodes a job's further resources are divided in proportion to its processors there, rounded up to whole units: a node
 * with `there` of its procs holds (demand * there + procs - 1) / procs of each resource. On one node, and on a pool, this is
 * the job's whole demand.
 *
 * Nothing is global: several replays may run a plug-in at the same time, each with its own result of batchlab_init and on
 * its own thread; calls for one policy never overlap. The replays of a module share no memory at all.
 */
#ifndef BATCHLAB_H
#define BATCHLAB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BATCHLAB_VERSION 1
#define BATCHLAB_TICKS_PER_SECOND 1000000
#define BATCHLAB_FULL_SPEED 720720 /* parts; divisible by 1 to 16 */
#define BATCHLAB_MOST_VERBS 1048576 /* in one answer */

/* The part of a record at a position, in bytes from its beginning, as some type. */
#define BATCHLAB_AT(type, record, at) ((const type *)((const char *)(record) + (at)))

#if defined(__wasm__)
#define BATCHLAB_EXPORT __attribute__((visibility("default"), used))
#elif defined(_WIN32)
#define BATCHLAB_EXPORT __declspec(dllexport)
#else
#define BATCHLAB_EXPORT __attribute__((visibility("default")))
#endif

/* What a policy gets at the beginning of a replay. */
typedef struct {
  uint32_t version;
  uint32_t policy;      /* its position in the description, from 0 */
  uint32_t kinds;       /* resources; the first is the processors */
  uint32_t nodes;       /* 1: a pool */
  uint32_t overrun;     /* rule for jobs beyond their estimate: 0 raise, 1 kill, 2 overdue */
  uint32_t periodic;    /* 1: decisions come only at multiples of a cycle */
  uint32_t capacity_at; /* int64_t[nodes][kinds] */
  uint32_t params_at;   /* "key=value" for each declared parameter, each with its terminating 0, and a further 0 at the end */
  uint32_t machine_at;  /* the machine as JSON, with its 0: resources, nodes, partitions */
  uint32_t bytes;       /* of the whole record */
} batchlab_setup;

/* Kinds of events. */
enum {
  BATCHLAB_SUBMITTED = 1, /* a job arrived and waits; it is among the jobs; at: when */
  BATCHLAB_RELEASED = 2,  /* a job ends within this instant; its resources are free already; FINISHED follows */
  BATCHLAB_FINISHED = 3,  /* a job ended; at: when */
  BATCHLAB_KILLED = 4,    /* a job was killed, or left the queue, in which it may be submitted again; at: when */
  BATCHLAB_DISPLACED = 5, /* a job left the machine and waits again */
  BATCHLAB_WOKE = 6,      /* a wake-up is due; at: when */
  BATCHLAB_LOADED = 8,    /* the swap in of a job is over, and it runs */
  BATCHLAB_REFUSED = 7,   /* a verb of the last answer was refused; job: its number from 0; at: BATCHLAB_NO_... */
  BATCHLAB_CAPACITY = 9   /* needs "capacity": the capacity, or what is known of its changes, is another from now on */
};

/* Why a verb was refused. */
enum {
  BATCHLAB_NO_ROOM = 1,      /* the machine would be oversubscribed */
  BATCHLAB_NO_STATE = 2,     /* the state of the job does not allow the verb */
  BATCHLAB_NO_PLACEMENT = 3, /* not all of the job, a node twice, a task split, or the wrong partition */
  BATCHLAB_NO_PAST = 4,      /* the wake-up is not after now, or the promised start before now */
  BATCHLAB_NO_NEED = 5       /* the description does not declare the need */
};

typedef struct {
  uint32_t kind;
  uint32_t job;
  int64_t at;
} batchlab_event;

/* What is known of a job at its submission; -1 stands for an unknown value. */
typedef struct {
  uint32_t job;
  uint32_t reserved;
  int64_t number;   /* in the log */
  int64_t submit;   /* when it entered the queue; for a job that was held back, when it became eligible */
  int64_t estimate;
  int64_t procs;
  int64_t task_procs; /* on machines with nodes, each task is on a single node */
  int64_t memory;     /* as stated in the log, over all processors */
  int64_t run;        /* -1 unless the description declares clairvoyance */
  int64_t user;
  int64_t group;
  int64_t executable;
  int64_t queue;
  int64_t partition;
} batchlab_job;

/* What a policy gets at a decision. */
typedef struct {
  int64_t now;
  uint64_t random;    /* below 2^53, from the seed of the replay */
  uint32_t events;
  uint32_t jobs;      /* submitted since the last decision */
  uint32_t kinds;
  uint32_t nodes;
  uint32_t events_at; /* batchlab_event[events] */
  uint32_t jobs_at;   /* batchlab_job[jobs] */
  uint32_t demand_at; /* int64_t[jobs][kinds] */
  uint32_t free_at;   /* int64_t[nodes][kinds] */
  uint32_t bytes;     /* of the whole record */
  uint32_t more_at;   /* batchlab_more, for a policy whose needs ask for it; otherwise 0 */
} batchlab_state;

/*
 * What a policy sees only if its needs ask for it; positions are counted from the beginning of the state, and are 0 for what
 * it does not ask for.
 */
typedef struct {
  uint32_t service_at;   /* "capacity": int64_t[nodes][kinds], what is in service */
  uint32_t foreseen;     /* "foresight": the closures that are known and not over, by beginning */
  uint32_t foreseen_at;  /* batchlab_closure[foreseen] */
  uint32_t amounts_at;   /* int64_t[foreseen][kinds], what they take out of service */
  uint32_t shapes_at;    /* "layout": batchlab_shape[jobs] */
  uint32_t sites_at;     /* "layout": uint64_t[jobs][(nodes + 63) / 64], a bit for each node on which the job may be */
  uint32_t preceding;    /* "dependencies": the jobs on which these jobs depended */
  uint32_t preceding_at; /* batchlab_preceding[preceding] */
  uint32_t devices_at;   /* "devices": batchlab_devices, if the machine has some */
  uint32_t even_at;      /* "layout": uint64_t[jobs], a bit for each resource of which every node of the job has the same part */
} batchlab_more;

/*
 * A resource that comes in devices, such as GPUs: on a node a job has a part of one device, or whole devices. Then follows
 * int64_t[nodes][most], what is free of each device; 0 for those that a node does not have.
 */
typedef struct {
  uint32_t resource; /* its position, from 0 */
  uint32_t most;     /* the devices of the node with most of them */
  int64_t size;      /* units of each device */
} batchlab_devices;

/* An interval in which a part of a node, or of the pool, is out of service. */
typedef struct {
  int64_t from;
  int64_t to;
  uint64_t node;
} batchlab_closure;

/* How a job lies on nodes: tasks of task_procs processors, and smaller ones. */
typedef struct {
  int64_t smaller;       /* tasks that are smaller than the others */
  int64_t smaller_procs; /* the processors of each of them */
  int64_t per_node;      /* the most tasks on a node; INT64_MAX for any number */
  int64_t exclusive;     /* 1: no other job on its nodes */
} batchlab_shape;

/* What had to happen to a job on which another depended. */
enum {
  BATCHLAB_AFTER_START = 1,
  BATCHLAB_AFTER_END = 2
};

typedef struct {
  uint32_t job;       /* the job that depended */
  uint32_t milestone; /* BATCHLAB_AFTER_... */
  int64_t number;     /* in the log, of the job that came first */
} batchlab_preceding;

/* Kinds of verbs; they are applied in order. */
enum {
  BATCHLAB_START = 1,    /* job, on a pool, at full speed */
  BATCHLAB_PLACE = 2,    /* job, at value parts of full speed; its BATCHLAB_SHAREs follow */
  BATCHLAB_SHARE = 3,    /* of the preceding placement: value processors on node job */
  BATCHLAB_RATE = 4,     /* job runs at value parts of full speed; 0 suspends it where it is */
  BATCHLAB_RUN_ONLY = 5, /* the BATCHLAB_ROWs that follow run at full speed, all other resident jobs pause */
  BATCHLAB_ROW = 6,      /* of the preceding row: job */
  BATCHLAB_DISPLACE = 7, /* job leaves the machine and waits again; its progress is kept if value is not 0 */
  BATCHLAB_KILL = 8,     /* job ends for good */
  BATCHLAB_WAKE = 9,     /* request a decision at value; at most 1,048,576 may be pending */
  BATCHLAB_EXPECT = 10,  /* job is expected to run for value in total (at least 0), instead of its estimate */
  BATCHLAB_PROMISE = 11  /* job is promised a start no later than value, which must not be before now */
};

typedef struct {
  uint32_t verb;
  uint32_t job;
  int64_t value;
} batchlab_verb;

typedef struct {
  uint32_t count;
  uint32_t reserved;
  batchlab_verb verb[]; /* count verbs */
} batchlab_answer;

/* The plug-in's own state of a policy. */
typedef struct batchlab_policy batchlab_policy;

/* Returns BATCHLAB_VERSION. Called first. */
BATCHLAB_EXPORT uint32_t batchlab_version(void);

/*
 * Returns the description as JSON, zero-terminated: an object, or an array with an object per policy.
 *   {"name": "sjf", "kind": "order", "summary": "...", "columns": ["estimate"], "changes": false,
 *    "params": [{"name": "k", "kind": "count", "default": "1", "help": "..."}], "needs": ["pool"]}
 * An order with "changes": true, or with a column that reads `wait` (the waiting time so far), is called for the scores of
 * all waiting jobs at each decision; any other order scores each job once, at its submission.
 */
BATCHLAB_EXPORT const char *batchlab_describe(void);

/* Begins a policy for one replay. NULL is a failure; so is a batchlab_fault that reports one right after it. */
BATCHLAB_EXPORT batchlab_policy *batchlab_init(const batchlab_setup *setup);

/*
 * Returns NULL if there is no error, otherwise an error message. Need not be exported. In a module it is also called after a
 * trap, to report the message of a panic; policy is NULL if batchlab_init trapped.
 */
BATCHLAB_EXPORT const char *batchlab_fault(batchlab_policy *policy);

/*
 * For kind "order": returns one score per row; the lowest is served first. As a predictor, a score is a run time in seconds,
 * or 0 if nothing is predicted. The columns are those of the description,
 * one after the other, with `rows` values in each. NULL is a failure.
 */
BATCHLAB_EXPORT const double *batchlab_order(batchlab_policy *policy, const double *columns, uint32_t rows);

/* For kind "policy": returns the verbs. NULL is a failure. */
BATCHLAB_EXPORT const batchlab_answer *batchlab_decide(batchlab_policy *policy, const batchlab_state *state);

/* Ends a policy. */
BATCHLAB_EXPORT void batchlab_deinit(batchlab_policy *policy);

/*
 * Modules only: returns a buffer of the given size, aligned to 8 bytes, to which the program writes setups, states and
 * columns. The last buffer is used until more is needed; a new one may be the same memory, grown.
 */
BATCHLAB_EXPORT void *batchlab_room(uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif
