;; A predictor: batchlab replay LOG --policy 'easy:candidates=sjf,predictor=(wasm:predictor.wat)'
;;
;; It is a plug-in of kind order whose numbers are run times in seconds: three quarters of the mean of the user's last two
;; jobs, and a quarter of the request. A number that is not above 0 is no prediction; then the request stands. sjf.wat
;; explains the other functions.
(module
  (memory (export "memory") 1)
  (data (i32.const 8) "{\"name\": \"predictor\", \"kind\": \"order\", \"columns\": [\"last2\", \"estimate\"], \"summary\": \"three quarters of the mean of the user's last two jobs, and a quarter of the request\"}\00")
  (global $top (mut i32) (i32.const 1024))
  (global $scores (mut i32) (i32.const 0))
  (global $most (mut i32) (i32.const 0))

  (func (export "batchlab_version") (result i32) (i32.const 1))
  (func (export "batchlab_describe") (result i32) (i32.const 8))
  (func (export "batchlab_init") (param $setup i32) (result i32) (i32.const 1))
  (func (export "batchlab_deinit") (param $policy i32))

  (func $take (export "batchlab_room") (param $bytes i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $top))
    (global.set $top (i32.add (local.get $at) (local.get $bytes)))
    (if (i32.gt_u (global.get $top) (i32.shl (memory.size) (i32.const 16))) (then
      (if (i32.eq (i32.const -1) (memory.grow
        (i32.sub (i32.shr_u (i32.add (global.get $top) (i32.const 65535)) (i32.const 16)) (memory.size))))
        (then (unreachable)))))
    (local.get $at))

  (func (export "batchlab_order") (param $policy i32) (param $columns i32) (param $rows i32) (result i32)
    (local $i i32)
    (if (i32.gt_u (local.get $rows) (global.get $most)) (then
      (global.set $most (i32.mul (local.get $rows) (i32.const 2)))
      (global.set $scores (call $take (i32.mul (global.get $most) (i32.const 8))))))
    (block $all (loop $next
      (br_if $all (i32.eq (local.get $i) (local.get $rows)))
      (f64.store
        (i32.add (global.get $scores) (i32.mul (local.get $i) (i32.const 8)))
        (call $seconds
          (f64.load (i32.add (local.get $columns) (i32.mul (local.get $i) (i32.const 8))))
          (f64.load (i32.add (local.get $columns) (i32.mul (i32.add (local.get $rows) (local.get $i)) (i32.const 8))))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))
    (global.get $scores))

  ;; The formula. A user with fewer than two ended jobs has -1 for their mean.
  (func $seconds (param $last2 f64) (param $estimate f64) (result f64)
    (select
      (f64.add (f64.mul (f64.const 0.75) (local.get $last2)) (f64.mul (f64.const 0.25) (local.get $estimate)))
      (f64.const 0)
      (f64.gt (local.get $last2) (f64.const 0)))))
