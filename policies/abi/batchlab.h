/*
 * batchlab plug-ins, version 1: the one header for shared libraries and WebAssembly modules.
 *
 * A plug-in holds one or several scheduling policies. It exports the functions below with C linkage; of
 * batchlab_order and batchlab_decide it needs those that its policies use. All records are little-endian, a multiple
 * of 8 bytes long, and hold no pointers: places are counted in bytes from the beginning of the record (see
 * BATCHLAB_AT). What the program hands over is the plug-in's to read until the function returns; what the plug-in
 * returns stays its own, and must stay until its next call for the same policy.
 *
 * Times are whole ticks of a microsecond, those of verbs no farther than INT64_MAX / 4 from the trace's zero. Jobs are
 * numbered from 0 in the order of submission.
 *
 * On nodes a job's further resources are divided in proportion to its processors there, rounded up to whole units: where
 * of its procs so many are on a node, it holds (demand * there + procs - 1) / procs of each resource. On one node, and on
 * a pool, that is its whole demand.
 *
 * Nothing is global: several replays may run a plug-in at the same time, each with the value of its own
 * batchlab_init, from threads of their own; one value is never called twice at a time. A module's replays share no
 * memory at all.
 */
#ifndef BATCHLAB_H
#define BATCHLAB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BATCHLAB_VERSION 1
#define BATCHLAB_TICKS_PER_SECOND 1000000
#define BATCHLAB_FULL_SPEED 720720 /* parts; 1 to 16 divide it */
#define BATCHLAB_MOST_VERBS 1048576 /* in one answer */

/* A record's part of some type, so many bytes from the record's beginning. */
#define BATCHLAB_AT(type, record, at) ((const type *)((const char *)(record) + (at)))

#if defined(__wasm__)
#define BATCHLAB_EXPORT __attribute__((visibility("default"), used))
#elif defined(_WIN32)
#define BATCHLAB_EXPORT __declspec(dllexport)
#else
#define BATCHLAB_EXPORT __attribute__((visibility("default")))
#endif

/* What a policy is begun with. */
typedef struct {
  uint32_t version;
  uint32_t policy;      /* which one, counted from 0 in the description */
  uint32_t kinds;       /* resources; the first is the processors */
  uint32_t nodes;       /* 1: a pool */
  uint32_t overrun;     /* of jobs beyond their estimate: 0 raise, 1 kill, 2 overdue */
  uint32_t periodic;    /* 1: decisions come only at multiples of a cycle */
  uint32_t capacity_at; /* int64_t[nodes][kinds] */
  uint32_t params_at;   /* "key=value" for each declared parameter, each with its 0, and a 0 behind the last */
  uint32_t machine_at;  /* the machine as JSON, with its 0: resources, nodes, partitions */
  uint32_t bytes;       /* of the whole record */
} batchlab_setup;

/* What happened. */
enum {
  BATCHLAB_SUBMITTED = 1, /* a job arrived and waits; it is among the jobs; at: when */
  BATCHLAB_RELEASED = 2,  /* a job ends within this instant and holds nothing any more; it will be FINISHED */
  BATCHLAB_FINISHED = 3,  /* a job ended; at: when */
  BATCHLAB_KILLED = 4,    /* a job was killed; at: when */
  BATCHLAB_DISPLACED = 5, /* a job left the machine and waits again */
  BATCHLAB_WOKE = 6,      /* a wake-up is due; at: when */
  BATCHLAB_LOADED = 8,    /* a job that had to be swapped in has been, and runs */
  BATCHLAB_REFUSED = 7    /* a verb of the last answer was refused; job: its number from 0; at: BATCHLAB_NO_... */
};

/* Why a verb was refused. */
enum {
  BATCHLAB_NO_ROOM = 1,      /* the machine would be oversubscribed */
  BATCHLAB_NO_STATE = 2,     /* the job is in another state */
  BATCHLAB_NO_PLACEMENT = 3, /* not all of the job, a node twice, a task split, or the wrong partition */
  BATCHLAB_NO_PAST = 4,      /* the wake-up is not after now, or the promised start before now */
  BATCHLAB_NO_NEED = 5       /* the description does not declare the need */
};

typedef struct {
  uint32_t kind;
  uint32_t job;
  int64_t at;
} batchlab_event;

/* A job as it is known at its submission; -1 is what is not known. */
typedef struct {
  uint32_t job;
  uint32_t reserved;
  int64_t number;   /* in the log */
  int64_t submit;   /* when it entered the queue: of a job that was held back, when it became eligible */
  int64_t estimate;
  int64_t procs;
  int64_t task_procs; /* on machines with nodes, each task is whole on one node */
  int64_t memory;     /* as the log tells it, over all processors */
  int64_t run;        /* -1 unless the description declares clairvoyance */
  int64_t user;
  int64_t group;
  int64_t executable;
  int64_t queue;
  int64_t partition;
} batchlab_job;

/* What a policy is told at a decision. */
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
  uint32_t reserved;
} batchlab_state;

/* What a policy wants done, in order. */
enum {
  BATCHLAB_START = 1,    /* job, on a pool, at full speed */
  BATCHLAB_PLACE = 2,    /* job, at value parts of full speed; its BATCHLAB_SHAREs follow */
  BATCHLAB_SHARE = 3,    /* of the placement before: value processors on node job */
  BATCHLAB_RATE = 4,     /* job runs at value parts of full speed; 0 suspends it where it is */
  BATCHLAB_RUN_ONLY = 5, /* the BATCHLAB_ROWs that follow run at full speed, all other resident jobs pause */
  BATCHLAB_ROW = 6,      /* of the row before: job */
  BATCHLAB_DISPLACE = 7, /* job leaves the machine and waits again; its progress is kept if value is not 0 */
  BATCHLAB_KILL = 8,     /* job ends for good */
  BATCHLAB_WAKE = 9,     /* a decision at value, should nothing else call for one; at most 1,048,576 to come */
  BATCHLAB_EXPECT = 10,  /* job is expected to run for value, from 0, in all, instead of its estimate */
  BATCHLAB_PROMISE = 11  /* job is promised a start no later than value, which is not before now */
};

typedef struct {
  uint32_t verb;
  uint32_t job;
  int64_t value;
} batchlab_verb;

typedef struct {
  uint32_t count;
  uint32_t reserved;
  batchlab_verb verb[]; /* count of them */
} batchlab_answer;

/* What the plug-in makes of it. */
typedef struct batchlab_policy batchlab_policy;

/* Returns BATCHLAB_VERSION. Called first. */
BATCHLAB_EXPORT uint32_t batchlab_version(void);

/*
 * Returns the description, as JSON with its 0: an object per policy, several in an array.
 *   {"name": "sjf", "kind": "order", "summary": "...", "columns": ["estimate"], "changes": false,
 *    "params": [{"name": "k", "kind": "count", "default": "1", "help": "..."}], "needs": ["pool"]}
 * An order with "changes": true, or with a column that reads `wait` (the waiting time so far), is asked for the scores of
 * all waiting jobs at each decision; any other for the score of each job once, when it is submitted.
 */
BATCHLAB_EXPORT const char *batchlab_describe(void);

/* Begins a policy for one replay. NULL is a failure; so is a batchlab_fault right after it. */
BATCHLAB_EXPORT batchlab_policy *batchlab_init(const batchlab_setup *setup);

/*
 * Returns NULL while all is well, else what went wrong, in words. Need not be exported. Of a module it is asked after a
 * trap too, so that the message of a panic can be told; policy is NULL where batchlab_init trapped.
 */
BATCHLAB_EXPORT const char *batchlab_fault(batchlab_policy *policy);

/*
 * Of kind "order": returns one score per row; the least is served first. The columns are those of the description,
 * one behind the other, rows values in each. NULL is a failure.
 */
BATCHLAB_EXPORT const double *batchlab_order(batchlab_policy *policy, const double *columns, uint32_t rows);

/* Of kind "policy": returns what shall be done. NULL is a failure. */
BATCHLAB_EXPORT const batchlab_answer *batchlab_decide(batchlab_policy *policy, const batchlab_state *state);

/* Ends a policy. */
BATCHLAB_EXPORT void batchlab_deinit(batchlab_policy *policy);

/*
 * Modules only: returns room for so many bytes, on a multiple of 8, for the program to write setups, states and
 * columns to. The last room returned is used until more is needed; it may be the same memory, grown.
 */
BATCHLAB_EXPORT void *batchlab_room(uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif
