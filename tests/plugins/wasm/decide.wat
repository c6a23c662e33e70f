(func (export "batchlab_decide") (param $policy i32) (param $state i32) (result i32)
             (local $job i32)
             (block $all (loop $next
               (br_if $all (i32.eq (local.get $job) (i32.load offset=20 (local.get $state))))
               (call $verb (local.get $job) (i32.const 1) (i32.load (i32.add
                 (i32.add (local.get $state) (i32.load offset=36 (local.get $state)))
                 (i32.mul (local.get $job) (i32.const 104)))))
               (local.set $job (i32.add (local.get $job) (i32.const 1)))
               (br $next)))
             (call $answer (local.get $job)))
