;# expect: unsafe 6
(set-logic HORN)
(declare-fun p ((Array Int (Array Int Bool))) Bool)
(assert (forall ((a (Array Int (Array Int Bool)))) (=> (not (select (select a 1) 2)) (p a))))
(assert (forall ((a (Array Int (Array Int Bool)))) (=> (p a) (p (store a 1 (store (select a 1) 2 true))))))
(assert (forall ((a (Array Int (Array Int Bool)))) (=> (p a) (not (select (select a 1) 2)))))
(check-sat)
