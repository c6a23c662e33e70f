/*
 * EASY backfilling on the processors of a pool (Lifka, JSSPP 1995).
 *
 * Jobs start in the order of submission while they fit. The first that does not fit gets a reservation: its shadow time
 * is the earliest instant at which the expected ends of running jobs leave room for it; the extra processors are those
 * free then beyond its need. A job behind it starts if it fits now, and either ends by the shadow time or uses
 * extra processors only. The reservation is recomputed at every decision.
 *
 *   batchlab replay LOG --allow-native --policy so:easy.so
 */
#include "guest.h"

typedef struct {
  uint32_t job;
  int64_t procs;
  int64_t lasts; /* its estimate; at least a second */
} waiting;

typedef struct {
  uint32_t job;
  int64_t procs;
  int64_t end; /* expected */
} running;

struct batchlab_policy {
  LIST(waiting) queue;   /* in the order of submission */
  LIST(running) running; /* by expected end */
  guest_verbs verbs;
  const char *fault; /* the error message, NULL if there is no error */
};

const char *batchlab_describe(void) {
  return "{\"name\": \"easy\", \"kind\": \"policy\", \"summary\": \"EASY backfilling on processors\","
         " \"cite\": \"Lifka, JSSPP 1995\", \"needs\": [\"pool\"]}";
}

batchlab_policy *batchlab_init(const batchlab_setup *setup) {
  batchlab_policy *policy = guest_take(sizeof *policy);
  *policy = (batchlab_policy){0};
  if (setup->kinds > 1) policy->fault = "it counts processors only, and this machine has more than these";
  return policy;
}

const char *batchlab_fault(batchlab_policy *policy) { return policy->fault; }

static void ended(batchlab_policy *policy, uint32_t job) {
  running *at = policy->running.at, *end = at + policy->running.count;
  while (at < end && at->job != job) at++;
  if (at == end) return;
  MOVE(at, at + 1, end);
  policy->running.count--;
}

/* Starts a job. */
static void start(batchlab_policy *policy, const waiting *job, int64_t now) {
  guest_say(&policy->verbs, BATCHLAB_START, job->job, 0);
  running new = {job->job, job->procs, job->lasts > NEVER - now ? NEVER : now + job->lasts};
  RESERVE(policy->running);
  running *first = policy->running.at, *end = first + policy->running.count++, *at = end;
  while (at > first && at[-1].end > new.end) at--;
  MOVE(at + 1, at, end);
  *at = new;
}

/*
 * Returns the shadow time of a job that needs a number of processors, and stores in *free what is free then; -1 if it
 * never fits. All ends of one instant count. An overdue job is expected to end in a second.
 */
static int64_t shadow_time(const batchlab_policy *policy, int64_t now, int64_t need, int64_t *free) {
  const running *next = policy->running.at, *end = next + policy->running.count;
  int64_t overdue = 0, instant = now;
  for (; next < end && next->end <= now; next++) overdue += next->procs;
  while (*free < need) {
    instant = next < end ? next->end : NEVER;
    if (overdue > 0 && now + SECOND <= instant) {
      instant = now + SECOND;
      *free += overdue;
      overdue = 0;
    } else if (next == end) {
      return -1;
    }
    for (; next < end && next->end == instant; next++) *free += next->procs;
  }
  return instant;
}

/* Removes a job that has left the queue. */
static void left(batchlab_policy *policy, uint32_t job) {
  waiting *at = policy->queue.at, *end = at + policy->queue.count;
  while (at < end && at->job != job) at++;
  if (at == end) return;
  MOVE(at, at + 1, end);
  policy->queue.count--;
}

/* Starts jobs behind the head that do not delay it. The other jobs move up in the queue. */
static void backfill(batchlab_policy *policy, int64_t now, int64_t free, uint32_t head) {
  waiting *at = policy->queue.at + head, *end = policy->queue.at + policy->queue.count;
  int64_t free_then = free;
  int64_t shadow = shadow_time(policy, now, at->procs, &free_then);
  int64_t extra = free_then - at->procs;
  if (shadow < 0) policy->fault = "the ends of all running jobs do not make the first job fit";
  guest_say(&policy->verbs, BATCHLAB_PROMISE, at->job, shadow);
  for (at++; at < end && free > 0;) {
    int in_time = at->lasts <= shadow - now;
    if (at->procs > free || (!in_time && at->procs > extra)) {
      at++;
      continue;
    }
    start(policy, at, now);
    free -= at->procs;
    if (!in_time) extra -= at->procs;
    MOVE(at, at + 1, end--);
  }
  policy->queue.count = (uint32_t)(end - policy->queue.at);
}

const batchlab_answer *batchlab_decide(batchlab_policy *policy, const batchlab_state *state) {
  const batchlab_event *event = BATCHLAB_AT(batchlab_event, state, state->events_at);
  for (const batchlab_event *end = event + state->events; event < end; event++) {
    if (event->kind >= BATCHLAB_RELEASED && event->kind <= BATCHLAB_KILLED) ended(policy, event->job);
    if (event->kind == BATCHLAB_KILLED) left(policy, event->job);
  }
  const batchlab_job *job = BATCHLAB_AT(batchlab_job, state, state->jobs_at);
  for (const batchlab_job *end = job + state->jobs; job < end; job++)
    PUSH(policy->queue, ((waiting){job->job, job->procs, job->estimate > SECOND ? job->estimate : SECOND}));

  guest_begin(&policy->verbs);
  int64_t free = *BATCHLAB_AT(int64_t, state, state->free_at);
  uint32_t head = 0;
  for (; head < policy->queue.count && policy->queue.at[head].procs <= free; head++) {
    free -= policy->queue.at[head].procs;
    start(policy, &policy->queue.at[head], state->now);
  }
  if (head < policy->queue.count) backfill(policy, state->now, free, head);
  DROP(policy->queue, head);
  return policy->verbs.answer;
}

void batchlab_deinit(batchlab_policy *policy) {
  guest_give_back(policy->queue.at);
  guest_give_back(policy->running.at);
  guest_give_back(policy->verbs.answer);
  guest_give_back(policy);
}
