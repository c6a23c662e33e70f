;; First come, first served, on a pool with any resources: batchlab replay LOG --policy wasm:fcfs.wat
;;
;; Each decision appends the arrived jobs to the queue; then its heads start while they fit. The header
;; ../batchlab.h documents the functions and the records.
(module
  (memory (export "memory") 1)
  (data (i32.const 8) "{\"name\": \"fcfs\", \"kind\": \"policy\", \"needs\": [\"pool\"], \"summary\": \"first come, first served\"}\00")

  (global $top (mut i32) (i32.const 1024)) ;; the first free byte
  (global $demand (mut i32) (i32.const 0)) ;; bytes of a demand: 8 for each resource
  (global $row (mut i32) (i32.const 0))    ;; bytes of a row: 8 for the job's number, and the demand
  (global $free (mut i32) (i32.const 0))   ;; where it stands what is free while heads start
  (global $rows (mut i32) (i32.const 0))   ;; where the room for rows begins
  (global $most (mut i32) (i32.const 0))   ;; how many rows there is room for, and verbs
  (global $end (mut i32) (i32.const 0))    ;; and where it ends
  (global $first (mut i32) (i32.const 0))  ;; the head of the queue
  (global $last (mut i32) (i32.const 0))   ;; behind its last row
  (global $answer (mut i32) (i32.const 0))
  (func (export "batchlab_version") (result i32) (i32.const 1))
  (func (export "batchlab_describe") (result i32) (i32.const 8))
  (func (export "batchlab_deinit") (param $policy i32))
  (func (export "batchlab_init") (param $setup i32) (result i32)
    (global.set $demand (i32.mul (i32.load offset=8 (local.get $setup)) (i32.const 8))) ;; kinds
    (global.set $row (i32.add (global.get $demand) (i32.const 8)))
    (global.set $free (call $take (global.get $demand)))
    (call $reserve (i32.const 64))
    (i32.const 1)) ;; anything but NULL: there is one policy, and all of it is in the globals

  ;; Allocates a number of bytes, a multiple of 8, permanently.
  (func $take (export "batchlab_room") (param $bytes i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $top))
    (global.set $top (i32.add (local.get $at) (local.get $bytes)))
    (if (i32.gt_u (global.get $top) (i32.shl (memory.size) (i32.const 16))) (then ;; pages of 64 KiB
      (if (i32.eq (i32.const -1) (memory.grow
        (i32.sub (i32.shr_u (i32.add (global.get $top) (i32.const 65535)) (i32.const 16)) (memory.size))))
        (then (unreachable)))))
    (local.get $at))

  ;; Makes room for a number of further rows: moves the queue to the start of its buffer, or to one four times as large.
  (func $reserve (param $more i32)
    (local $bytes i32) (local $wanted i32)
    (local.set $bytes (i32.sub (global.get $last) (global.get $first)))
    (local.set $wanted (i32.mul (local.get $more) (global.get $row)))
    (if (i32.le_u (i32.add (global.get $last) (local.get $wanted)) (global.get $end)) (then (return)))
    (local.set $wanted (i32.div_u (i32.add (local.get $bytes) (local.get $wanted)) (global.get $row)))
    (if (i32.gt_u (i32.mul (local.get $wanted) (i32.const 2)) (global.get $most)) (then ;; verbs have 16 bytes
      (global.set $most (i32.mul (local.get $wanted) (i32.const 4)))
      (global.set $rows (call $take (i32.mul (global.get $most) (global.get $row))))
      (global.set $end (global.get $top))
      (global.set $answer (call $take (i32.add (i32.const 8) (i32.mul (global.get $most) (i32.const 16)))))))
    (memory.copy (global.get $rows) (global.get $first) (local.get $bytes))
    (global.set $first (global.get $rows))
    (global.set $last (i32.add (global.get $rows) (local.get $bytes))))

  ;; Subtracts a demand from the free amounts, unless one is too small; returns whether it did.
  (func $fit (param $demand i32) (result i32)
    (local $at i32)
    (loop $next
      (if (i64.gt_s (i64.load (i32.add (local.get $demand) (local.get $at)))
                    (i64.load (i32.add (global.get $free) (local.get $at)))) (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $at) (global.get $demand))))
    (loop $next
      (local.set $at (i32.sub (local.get $at) (i32.const 8)))
      (i64.store (i32.add (global.get $free) (local.get $at))
        (i64.sub (i64.load (i32.add (global.get $free) (local.get $at)))
                 (i64.load (i32.add (local.get $demand) (local.get $at)))))
      (br_if $next (local.get $at)))
    (i32.const 1))

  (func (export "batchlab_decide") (param $policy i32) (param $state i32) (result i32)
    (local $left i32) (local $job i32) (local $demand i32) (local $verb i32)
    (local.set $left (i32.load offset=20 (local.get $state))) ;; jobs, jobs_at, demand_at
    (local.set $job (i32.add (local.get $state) (i32.load offset=36 (local.get $state))))
    (local.set $demand (i32.add (local.get $state) (i32.load offset=40 (local.get $state))))
    (call $reserve (local.get $left))
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $left)))
      (i32.store (global.get $last) (i32.load (local.get $job)))
      (memory.copy (i32.add (global.get $last) (i32.const 8)) (local.get $demand) (global.get $demand))
      (global.set $last (i32.add (global.get $last) (global.get $row)))
      (local.set $job (i32.add (local.get $job) (i32.const 104))) ;; sizeof(batchlab_job)
      (local.set $demand (i32.add (local.get $demand) (global.get $demand)))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br $next)))
    (memory.copy (global.get $free)
      (i32.add (local.get $state) (i32.load offset=44 (local.get $state))) (global.get $demand)) ;; free_at
    (local.set $verb (i32.add (global.get $answer) (i32.const 8)))
    (block $done (loop $next
      (br_if $done (i32.eq (global.get $first) (global.get $last)))
      (br_if $done (i32.eqz (call $fit (i32.add (global.get $first) (i32.const 8)))))
      (i32.store (local.get $verb) (i32.const 1)) ;; BATCHLAB_START
      (i32.store offset=4 (local.get $verb) (i32.load (global.get $first)))
      (local.set $verb (i32.add (local.get $verb) (i32.const 16)))
      (global.set $first (i32.add (global.get $first) (global.get $row)))
      (br $next)))
    (i32.store (global.get $answer) (i32.shr_u (i32.sub (local.get $verb) (global.get $answer)) (i32.const 4)))
    (global.get $answer)))
