;; Shortest job first, as an order: batchlab replay LOG --policy 'easy:order=(wasm:sjf.wat)'
;;
;; To make another order from it, change two things: the columns of the description, each an expression over what is
;; known of a waiting job, and the formula of batchlab_order. The header ../batchlab.h documents each function.
(module
  (memory (export "memory") 1)

  ;; The description, zero-terminated. Further columns are further texts: "columns": ["estimate", "procs"].
  (data (i32.const 8) "{\"name\": \"sjf\", \"kind\": \"order\", \"columns\": [\"estimate\"], \"summary\": \"shortest estimate first\"}\00")

  ;; The first free byte: a page of 64 KiB, less the space of the description, is left.
  (global $top (mut i32) (i32.const 1024))
  ;; The address of the scores, and the number of rows for which there is room.
  (global $scores (mut i32) (i32.const 0))
  (global $most (mut i32) (i32.const 0))

  (func (export "batchlab_version") (result i32) (i32.const 1))
  (func (export "batchlab_describe") (result i32) (i32.const 8))

  ;; The policy has no state: it can be any number except 0.
  (func (export "batchlab_init") (param $setup i32) (result i32) (i32.const 1))
  (func (export "batchlab_deinit") (param $policy i32))

  ;; Allocates a number of bytes, a multiple of 8. The program requests twice as much each time, so that nothing
  ;; need be freed.
  (func $take (export "batchlab_room") (param $bytes i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $top))
    (global.set $top (i32.add (local.get $at) (local.get $bytes)))
    (if (i32.gt_u (global.get $top) (i32.shl (memory.size) (i32.const 16))) (then ;; pages of 64 KiB
      (if (i32.eq (i32.const -1) (memory.grow
        (i32.sub (i32.shr_u (i32.add (global.get $top) (i32.const 65535)) (i32.const 16)) (memory.size))))
        (then (unreachable)))))
    (local.get $at))

  ;; Scores the rows: the lowest score is served first. The columns are stored one after the other, so that row i of
  ;; column c is at columns + 8 * (c * rows + i).
  (func (export "batchlab_order") (param $policy i32) (param $columns i32) (param $rows i32) (result i32)
    (local $i i32)
    (if (i32.gt_u (local.get $rows) (global.get $most)) (then
      (global.set $most (i32.mul (local.get $rows) (i32.const 2)))
      (global.set $scores (call $take (i32.mul (global.get $most) (i32.const 8))))))
    (block $all (loop $next
      (br_if $all (i32.eq (local.get $i) (local.get $rows)))
      (f64.store
        (i32.add (global.get $scores) (i32.mul (local.get $i) (i32.const 8)))
        (call $score (f64.load (i32.add (local.get $columns) (i32.mul (local.get $i) (i32.const 8))))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))
    (global.get $scores))

  ;; The formula.
  (func $score (param $estimate f64) (result f64)
    (local.get $estimate)))
