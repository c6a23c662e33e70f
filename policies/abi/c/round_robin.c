/*
 * Gang scheduling by turns: two rows of jobs share a pool, and each runs for a slice while the other pauses.
 *
 * A job waits, in the order of submission, until a row has processors for it; it is placed, paused, in the
 * first such row. When the slice is over, or the row is empty, it is the other row's turn, if that has jobs. The
 * machine must have processors only: a paused job would keep all other resources.
 *
 *   batchlab replay LOG --allow-native --policy so:round_robin.so,slice=10m
 */
#include "guest.h"

#define ROWS 2

typedef struct {
  uint32_t job;
  int64_t procs;
} member;

struct batchlab_policy {
  int64_t slice;
  LIST(member) waiting;
  struct {
    LIST(member) jobs;
    int64_t free; /* processors, when it is the row's turn */
  } row[ROWS];
  int turn;        /* the row that runs */
  int64_t over_at; /* the end of its slice; NEVER while it has the machine for itself */
  guest_verbs verbs;
  const char *fault;
};

const char *batchlab_describe(void) {
  return "{\"name\": \"round-robin\", \"kind\": \"policy\","
         " \"summary\": \"two rows of jobs run by turns\","
         " \"rule\": \"A job is placed in the first row with processors for it; the rows run by turns.\","
         " \"needs\": [\"pool\", \"time-sharing\"],"
         " \"params\": [{\"name\": \"slice\", \"kind\": \"duration\", \"default\": \"600\","
         "               \"help\": \"how long a row runs while the other waits\"}]}";
}

batchlab_policy *batchlab_init(const batchlab_setup *setup) {
  batchlab_policy *policy = guest_take(sizeof *policy);
  *policy = (batchlab_policy){.slice = guest_ticks(setup, "slice"), .over_at = NEVER};
  for (int row = 0; row < ROWS; row++) policy->row[row].free = *BATCHLAB_AT(int64_t, setup, setup->capacity_at);
  if (policy->slice <= 0) policy->fault = "slice must be longer than nothing";
  if (setup->kinds > 1) policy->fault = "it counts processors only, and this machine has more than these";
  return policy;
}

const char *batchlab_fault(batchlab_policy *policy) { return policy->fault; }

/* Removes a job from its row. */
static void ended(batchlab_policy *policy, uint32_t job) {
  for (int row = 0; row < ROWS; row++) {
    uint32_t kept = 0;
    for (uint32_t index = 0; index < policy->row[row].jobs.count; index++) {
      member resident = policy->row[row].jobs.at[index];
      if (resident.job == job)
        policy->row[row].free += resident.procs;
      else
        policy->row[row].jobs.at[kept++] = resident;
    }
    policy->row[row].jobs.count = kept;
  }
}

/* Places a job, paused, in the first row that has room; 0 if none has. */
static int place(batchlab_policy *policy, member job) {
  for (int row = 0; row < ROWS; row++) {
    if (job.procs > policy->row[row].free) continue;
    policy->row[row].free -= job.procs;
    PUSH(policy->row[row].jobs, job);
    guest_say(&policy->verbs, BATCHLAB_PLACE, job.job, 0);
    guest_say(&policy->verbs, BATCHLAB_SHARE, 0, job.procs); /* all of it on the one node of a pool */
    return 1;
  }
  return 0;
}

/* Returns the next row after the present one that has jobs; the present one if there is no other. */
static int next_row(const batchlab_policy *policy) {
  for (int step = 1; step < ROWS; step++) {
    int row = (policy->turn + step) % ROWS;
    if (policy->row[row].jobs.count > 0) return row;
  }
  return policy->turn;
}

/* Sets the row whose turn it is, and the end of the slice. */
static void take_turns(batchlab_policy *policy, int64_t now) {
  if (policy->over_at <= now || policy->row[policy->turn].jobs.count == 0) {
    policy->turn = next_row(policy);
    policy->over_at = NEVER;
  }
  if (next_row(policy) == policy->turn) {
    policy->over_at = NEVER; /* no other row waits for the slice to end */
  } else if (policy->over_at == NEVER) {
    policy->over_at = now + policy->slice;
    guest_say(&policy->verbs, BATCHLAB_WAKE, 0, policy->over_at);
  }
  guest_say(&policy->verbs, BATCHLAB_RUN_ONLY, 0, 0);
  for (uint32_t index = 0; index < policy->row[policy->turn].jobs.count; index++)
    guest_say(&policy->verbs, BATCHLAB_ROW, policy->row[policy->turn].jobs.at[index].job, 0);
}

const batchlab_answer *batchlab_decide(batchlab_policy *policy, const batchlab_state *state) {
  const batchlab_event *event = BATCHLAB_AT(batchlab_event, state, state->events_at);
  for (uint32_t index = 0; index < state->events; index++)
    if (event[index].kind >= BATCHLAB_RELEASED && event[index].kind <= BATCHLAB_KILLED)
      ended(policy, event[index].job);
  const batchlab_job *job = BATCHLAB_AT(batchlab_job, state, state->jobs_at);
  for (uint32_t index = 0; index < state->jobs; index++)
    PUSH(policy->waiting, ((member){job[index].job, job[index].procs}));

  guest_begin(&policy->verbs);
  uint32_t placed = 0;
  while (placed < policy->waiting.count && place(policy, policy->waiting.at[placed])) placed++;
  DROP(policy->waiting, placed);
  take_turns(policy, state->now);
  return policy->verbs.answer;
}

void batchlab_deinit(batchlab_policy *policy) {
  for (int row = 0; row < ROWS; row++) guest_give_back(policy->row[row].jobs.at);
  guest_give_back(policy->waiting.at);
  guest_give_back(policy->verbs.answer);
  guest_give_back(policy);
}
