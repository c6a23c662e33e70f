/*
 * Shared by plug-ins in C: memory, lists that grow, parameters by name, the answer.
 *
 * One source makes a shared library and a WebAssembly module. A module has no C library here: this file is all it
 * needs. Include it in the one file of a plug-in.
 */
#ifndef GUEST_H
#define GUEST_H

#include <stddef.h>

#include "batchlab.h"

#define SECOND ((int64_t)BATCHLAB_TICKS_PER_SECOND)
#define NEVER INT64_MAX

/* ---- memory ---- */

#if defined(__wasm__)

extern unsigned char __heap_base; /* the beginning of the memory that the linker leaves free */

/* Allocates the next bytes; they are never freed, since the memory lives no longer than its replay. */
static void *guest_take(size_t bytes) {
  static uintptr_t next;
  if (next == 0) next = (uintptr_t)&__heap_base;
  uintptr_t begin = (next + 15) & ~(uintptr_t)15, end = begin + bytes;
  uintptr_t pages = (end + 65535) / 65536, has = __builtin_wasm_memory_size(0);
  if (end < begin || (pages > has && __builtin_wasm_memory_grow(0, pages - has) == (size_t)-1)) __builtin_trap();
  next = end;
  return (void *)begin;
}

static void guest_give_back(void *memory) { (void)memory; }

/* The buffer to which the program writes its records. */
void *batchlab_room(uint32_t bytes) {
  static void *room;
  static uint32_t has;
  if (bytes > has) {
    has = bytes > 2 * has ? bytes : 2 * has;
    room = guest_take(has);
  }
  return room;
}

#else

#include <stdlib.h>

static void *guest_take(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory == NULL) abort();
  return memory;
}

static void guest_give_back(void *memory) { free(memory); }

#endif

/* ---- lists ---- */

/* A list that grows: at[0] to at[count - 1]. All zeros are an empty list. */
#define LIST(type) struct { type *at; uint32_t count, room; }

/* Makes room for one more value. */
#define RESERVE(list) \
  ((list).at = guest_grown((list).at, (list).count, &(list).room, sizeof *(list).at))

/* Adds a value behind the last. */
#define PUSH(list, value) (RESERVE(list), (list).at[(list).count++] = (value))

/* Removes the first few. */
#define DROP(list, few) \
  ((list).count -= (few), guest_move((list).at, (list).at + (few), (list).count * sizeof *(list).at))

/* Moves the values from one place up to `end` to another place. */
#define MOVE(to, from, end) guest_move(to, from, (size_t)((const char *)(end) - (const char *)(from)))

static inline void guest_move(void *to, const void *from, size_t bytes) {
  if (to != from && bytes > 0) __builtin_memmove(to, from, bytes);
}

static inline void *guest_grown(void *old, uint32_t count, uint32_t *room, size_t each) {
  if (count < *room) return old;
  *room = *room == 0 ? 16 : 2 * *room;
  void *grown = guest_take(*room * each);
  guest_move(grown, old, count * each); /* one instruction of a module */
  guest_give_back(old);
  return grown;
}

/* ---- parameters ---- */

/* Returns the value of a parameter declared in the description. */
static inline const char *guest_param(const batchlab_setup *setup, const char *name) {
  for (const char *text = BATCHLAB_AT(char, setup, setup->params_at); *text != 0;) {
    const char *key = name;
    while (*key != 0 && *text == *key) text++, key++;
    if (*key == 0 && *text == '=') return text + 1;
    while (*text != 0) text++;
    text++;
  }
  return "";
}

/* Returns a parameter that is a duration, in ticks; -1 if it is a word: none, inf. */
static inline int64_t guest_ticks(const batchlab_setup *setup, const char *name) {
  const char *text = guest_param(setup, name);
  if (*text < '0' || *text > '9') return -1;
  int64_t ticks = 0, digit = SECOND;
  while (*text >= '0' && *text <= '9' && ticks < NEVER / 100) ticks = 10 * ticks + (*text++ - '0') * SECOND;
  for (text += *text == '.'; *text >= '0' && *text <= '9'; text++) ticks += (*text - '0') * (digit /= 10);
  return ticks;
}

/* ---- the answer ---- */

/* The verbs of an answer; all zeros are an empty answer. */
typedef struct {
  batchlab_answer *answer;
  uint32_t room;
} guest_verbs;

/* Begins an answer. */
static inline void guest_begin(guest_verbs *verbs) {
  if (verbs->answer == NULL) verbs->answer = guest_take(sizeof(batchlab_answer));
  verbs->answer->count = 0;
  verbs->answer->reserved = 0;
}

/* Adds a verb. */
static inline void guest_say(guest_verbs *verbs, uint32_t verb, uint32_t job, int64_t value) {
  uint32_t count = verbs->answer->count;
  if (count == verbs->room) {
    batchlab_answer *old = verbs->answer;
    verbs->room = count == 0 ? 16 : 2 * count;
    verbs->answer = guest_take(sizeof(batchlab_answer) + verbs->room * sizeof(batchlab_verb));
    *verbs->answer = *old;
    for (uint32_t index = 0; index < count; index++) verbs->answer->verb[index] = old->verb[index];
    guest_give_back(old);
  }
  verbs->answer->verb[count] = (batchlab_verb){verb, job, value};
  verbs->answer->count = count + 1;
}

/* ---- functions common to all plug-ins ---- */

uint32_t batchlab_version(void) { return BATCHLAB_VERSION; }

#endif
