/*
 * Shortest job first, as an order: a built-in policy serves the jobs by it.
 *
 *   batchlab replay LOG --allow-native --policy "easy:order=(so:sjf.so)"
 */
#include "guest.h"

struct batchlab_policy {
  LIST(double) scores;
};

/* It reads one column, the estimate in seconds, which does not change: each job is scored once. */
const char *batchlab_describe(void) {
  return "{\"name\": \"sjf\", \"kind\": \"order\", \"summary\": \"shortest estimate first\","
         " \"columns\": [\"estimate\"]}";
}

batchlab_policy *batchlab_init(const batchlab_setup *setup) {
  (void)setup;
  batchlab_policy *policy = guest_take(sizeof *policy);
  *policy = (batchlab_policy){0};
  return policy;
}

/* The lowest score is served first; among equal scores, the job submitted first. */
const double *batchlab_order(batchlab_policy *policy, const double *columns, uint32_t rows) {
  policy->scores.count = 0;
  for (uint32_t row = 0; row < rows; row++) PUSH(policy->scores, columns[row]);
  return policy->scores.at;
}

void batchlab_deinit(batchlab_policy *policy) {
  guest_give_back(policy->scores.at);
  guest_give_back(policy);
}
