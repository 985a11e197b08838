;# expect: safe
(set-logic HORN)
(declare-fun p (Int Int Bool) Bool)
(assert (p 0 1 false))
(assert (forall ((x Int) (y Int) (b Bool)) (=> (p x y b) (p y x (not b)))))
(assert (forall ((x Int) (y Int) (b Bool)) (=> (p x y b) (= (+ x y) 1))))
(assert (forall ((x Int) (y Int) (b Bool)) (=> (p x y b) (= b (= x 1)))))
(check-sat)
