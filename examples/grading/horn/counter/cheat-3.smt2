; A trick.

(set-logic HORN)

(define-fun Inv ((x Int) (n Int)) Bool (= 1 1))
; |
(assert false) ; |
; The loop is entered.
(assert (forall ((n Int)) (=> (>= n 0) (Inv 0 n))))
; A round.
(assert (forall ((x Int) (n Int)) (=> (and (Inv x n) (< x n)) (Inv (+ x 1) n))))
; Behind the loop.
(assert (forall ((x Int) (n Int)) (=> (and (Inv x n) (>= x n) (not (= x n))) false)))
(check-sat)
