(module
  (memory (export "memory") 4)
  (data (i32.const 8) "{\"name\": \"wfp3\", \"kind\": \"order\", CHANGES \"columns\": [\"wait\", \"max(estimate, 1)\", \"procs\"]}\00")
  (func (export "batchlab_version") (result i32) (i32.const 1))
  (func (export "batchlab_describe") (result i32) (i32.const 8))
  (func (export "batchlab_init") (param i32) (result i32) (i32.const 1))
  (func (export "batchlab_deinit") (param i32))
  (func (export "batchlab_room") (param i32) (result i32)
    (select (i32.const 65536) (i32.const 0) (i32.le_u (local.get 0) (i32.const 131072))))
  (func $cell (param $columns i32) (param $row i32) (result f64)
    (f64.load (i32.add (local.get $columns) (i32.mul (i32.const 8) (local.get $row)))))
  (func (export "batchlab_order") (param i32) (param $columns i32) (param $rows i32) (result i32)
    (local $i i32) (local $share f64)
    (loop $next
      (local.set $share (f64.div
        (call $cell (local.get $columns) (local.get $i))
        (call $cell (local.get $columns) (i32.add (local.get $rows) (local.get $i)))))
      (f64.store offset=196608 (i32.mul (i32.const 8) (local.get $i)) (f64.mul
        (f64.neg (call $cell (local.get $columns) (i32.add (i32.mul (i32.const 2) (local.get $rows)) (local.get $i))))
        (f64.mul (local.get $share) (f64.mul (local.get $share) (local.get $share)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $rows))))
    (i32.const 196608)))