;# expect: unsafe 8
(set-logic HORN)
(declare-fun p ((_ BitVec 8)) Bool)
(assert (p #x00))
(assert (forall ((v (_ BitVec 8))) (=> (p v) (p (bvadd v #b01000000)))))
(assert (forall ((v (_ BitVec 8))) (=> (p v) (= ((_ extract 5 0) v) (_ bv0 6)))))
(assert (forall ((v (_ BitVec 8))) (=> (p v) (= v ((_ rotate_left 3) ((_ rotate_right 11) v))))))
(assert (forall ((v (_ BitVec 8))) (=> (p v) (bvult v #xc0))))
(check-sat)
