;# expect: unsafe 9
; One predicate three times among the premises, with arguments that are terms, and one without arguments.
(set-logic HORN)
(declare-fun p (Int Bool) Bool)
(declare-fun ready () Bool)
(assert ready)
(assert (p 1 true))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (p (- 3 (* 2 x)) b) (p x (not (not b))) ready) (p (+ x 1) (not b)))))
(assert (forall ((x Int)) (=> (and (p x false) (p (- x 1) true) ready) false)))
(check-sat)
