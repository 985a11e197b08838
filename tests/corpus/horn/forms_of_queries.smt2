;# expect: unsafe
(set-logic HORN)
(set-info :status unsat)
(set-option :produce-models true)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 9)) (p x))))
(assert (not (exists ((x Int)) (and (p x) (= x 1)))))    ; FAILS
(assert (forall ((x Int)) (or (not (p x)) (not (= x 2)))))    ; FAILS
(assert (forall ((x Int)) (not (and (p x) (= x 3)))))    ; FAILS
(assert (forall ((x Int)) (=> (p x) (=> (= x 4) false))))    ; FAILS
(assert (forall ((x Int)) (=> (p x) (= x 5) false)))    ; FAILS
(assert (forall ((x Int)) (=> (exists ((y Int)) (and (p y) (= x (+ y 1)) (= y 6))) false)))    ; FAILS
(assert (not (p 7)))    ; FAILS
(assert (forall ((x Int)) (=> (p x) (and (distinct x 8) (distinct x 20)))))    ; FAILS
(assert (forall ((x Int)) (=> (p x) (! (not (= x 11)) :named later))))
(assert (not (p (+ 5 5))))
(check-sat)
(get-model)
(exit)
