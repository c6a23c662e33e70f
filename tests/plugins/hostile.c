/*
 * A plug-in that misbehaves: in a replay as its parameter `how` says, and before one as it is built, with -D.
 */
#include "batchlab.h"
#if defined(SPEAKS)
#undef BATCHLAB_VERSION
#define BATCHLAB_VERSION SPEAKS
#endif
#include <stdio.h>
#include <string.h>

#include "guest.h"

#if !defined(DESCRIPTION)
#define DESCRIPTION                                                                          \
  "{\"name\": \"hostile\", \"kind\": \"policy\", \"needs\": [\"pool\"],"                    \
  " \"params\": [{\"name\": \"how\", \"kind\": \"text\", \"default\": \"not at all\"}]}"
#endif

#if defined(NEEDS_MORE)
void nobody_has_this(void);
#endif

struct batchlab_policy {
  char how[32];
  guest_verbs verbs;
  const char *fault;
};

const char *batchlab_describe(void) { return DESCRIPTION; }

static int is(const batchlab_policy *policy, const char *how) { return strcmp(policy->how, how) == 0; }

#if !defined(WITHOUT_INIT)
batchlab_policy *batchlab_init(const batchlab_setup *setup) {
  batchlab_policy *policy = guest_take(sizeof *policy);
  *policy = (batchlab_policy){0};
  strncpy(policy->how, guest_param(setup, "how"), sizeof policy->how - 1);
  if (is(policy, "fault at once")) policy->fault = "I have no luck\n\033[31mtoday";
#if defined(NEEDS_MORE)
  nobody_has_this();
#endif
  if (!is(policy, "null at once")) return policy;
  guest_give_back(policy);
  return NULL;
}
#endif

const char *batchlab_fault(batchlab_policy *policy) { return policy->fault; }

/* Starts all that is new, whether it fits or not. */
static void start_all(batchlab_policy *policy, const batchlab_state *state) {
  const batchlab_job *job = BATCHLAB_AT(batchlab_job, state, state->jobs_at);
  for (uint32_t index = 0; index < state->jobs; index++)
    guest_say(&policy->verbs, BATCHLAB_START, job[index].job, 0);
}

static void misbehave(batchlab_policy *policy, const batchlab_state *state) {
  guest_verbs *verbs = &policy->verbs;
  if (is(policy, "unknown job")) guest_say(verbs, BATCHLAB_START, 4000000000u, 0);
  if (is(policy, "future job")) guest_say(verbs, BATCHLAB_START, 3, 0);
  if (is(policy, "twice")) guest_say(verbs, BATCHLAB_START, 0, 0), guest_say(verbs, BATCHLAB_START, 0, 0);
  if (is(policy, "no verb")) guest_say(verbs, 99, 0, 0);
  if (is(policy, "stray share")) guest_say(verbs, BATCHLAB_SHARE, 0, 1);
  if (is(policy, "rate")) guest_say(verbs, BATCHLAB_RATE, 0, -1);
  if (is(policy, "undeclared")) guest_say(verbs, BATCHLAB_RATE, 0, 0);
  if (is(policy, "past")) guest_say(verbs, BATCHLAB_WAKE, 0, state->now);
  if (is(policy, "shorter than nothing")) guest_say(verbs, BATCHLAB_EXPECT, 0, -1);
  if (is(policy, "beyond time")) guest_say(verbs, BATCHLAB_PROMISE, 0, INT64_MIN);
  if (is(policy, "late promise")) guest_say(verbs, BATCHLAB_PROMISE, 0, state->now - 1);
  if (is(policy, "huge")) verbs->answer->count = UINT32_MAX;
  if (is(policy, "fault")) policy->fault = "my books are \xff wrong";
  if (is(policy, "oversubscribe")) start_all(policy, state);
  if (is(policy, "print")) {
    start_all(policy, state);
    printf("hello from the plug-in\n");
    fflush(stdout);
  }
}

#if !defined(WITHOUT_DECIDE)
const batchlab_answer *batchlab_decide(batchlab_policy *policy, const batchlab_state *state) {
  guest_begin(&policy->verbs);
  misbehave(policy, state);
  return is(policy, "null") ? NULL : policy->verbs.answer;
}
#endif

/* Asked only where the description makes an order of it. */
const double *batchlab_order(batchlab_policy *policy, const double *columns, uint32_t rows) {
  if (is(policy, "fault") && rows > 0) policy->fault = "no idea who is first";
  return is(policy, "null") ? NULL : columns;
}

void batchlab_deinit(batchlab_policy *policy) {
  guest_give_back(policy->verbs.answer);
  guest_give_back(policy);
}
