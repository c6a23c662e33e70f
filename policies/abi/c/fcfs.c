/*
 * First come, first served: the head blocks every job behind it.
 *
 *   batchlab replay LOG --allow-native --policy so:fcfs.so
 */
#include "guest.h"

struct batchlab_policy {
  uint32_t kinds;        /* resources */
  LIST(uint32_t) queue;  /* jobs in the order of submission */
  LIST(int64_t) demand;  /* of each job of the queue, one amount per resource */
  LIST(int64_t) free;    /* the free amounts while an answer is made */
  uint32_t head;         /* of the queue: jobs before it have started */
  guest_verbs verbs;
};

const char *batchlab_describe(void) {
  return "{\"name\": \"fcfs\", \"kind\": \"policy\", \"summary\": \"first come, first served\","
         " \"needs\": [\"pool\"]}";
}

batchlab_policy *batchlab_init(const batchlab_setup *setup) {
  batchlab_policy *policy = guest_take(sizeof *policy);
  *policy = (batchlab_policy){.kinds = setup->kinds};
  return policy;
}

/* Whether the head of the queue fits into what is free, in every resource; if so, it takes it. */
static int take(batchlab_policy *policy) {
  const int64_t *demand = policy->demand.at + (size_t)policy->head * policy->kinds;
  for (uint32_t kind = 0; kind < policy->kinds; kind++)
    if (demand[kind] > policy->free.at[kind]) return 0;
  for (uint32_t kind = 0; kind < policy->kinds; kind++) policy->free.at[kind] -= demand[kind];
  return 1;
}

/* Removes a job that has left the queue; the jobs behind it move up. */
static void left(batchlab_policy *policy, uint32_t job) {
  uint32_t at = policy->head, kinds = policy->kinds;
  while (at < policy->queue.count && policy->queue.at[at] != job) at++;
  if (at == policy->queue.count) return;
  for (uint32_t next = at + 1; next < policy->queue.count; next++) {
    policy->queue.at[next - 1] = policy->queue.at[next];
    for (uint32_t kind = 0; kind < kinds; kind++)
      policy->demand.at[(size_t)(next - 1) * kinds + kind] = policy->demand.at[(size_t)next * kinds + kind];
  }
  policy->queue.count--;
  policy->demand.count -= kinds;
}

const batchlab_answer *batchlab_decide(batchlab_policy *policy, const batchlab_state *state) {
  /* A job that was killed may have left the queue. */
  const batchlab_event *event = BATCHLAB_AT(batchlab_event, state, state->events_at);
  for (uint32_t index = 0; index < state->events; index++)
    if (event[index].kind == BATCHLAB_KILLED) left(policy, event[index].job);
  /* New jobs go to the end of the queue. Other events do not matter: the state contains the free amounts. */
  const batchlab_job *job = BATCHLAB_AT(batchlab_job, state, state->jobs_at);
  const int64_t *demand = BATCHLAB_AT(int64_t, state, state->demand_at);
  for (uint32_t index = 0; index < state->jobs; index++) {
    PUSH(policy->queue, job[index].job);
    for (uint32_t kind = 0; kind < policy->kinds; kind++) PUSH(policy->demand, *demand++);
  }
  policy->free.count = 0;
  const int64_t *free = BATCHLAB_AT(int64_t, state, state->free_at);
  for (uint32_t kind = 0; kind < policy->kinds; kind++) PUSH(policy->free, free[kind]);

  guest_begin(&policy->verbs);
  for (; policy->head < policy->queue.count && take(policy); policy->head++)
    guest_say(&policy->verbs, BATCHLAB_START, policy->queue.at[policy->head], 0);
  return policy->verbs.answer;
}

void batchlab_deinit(batchlab_policy *policy) {
  guest_give_back(policy->queue.at);
  guest_give_back(policy->demand.at);
  guest_give_back(policy->free.at);
  guest_give_back(policy->verbs.answer);
  guest_give_back(policy);
}
