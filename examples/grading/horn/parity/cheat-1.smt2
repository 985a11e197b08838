; A trick.

(set-logic HORN)

(define-fun Even ((n Int)) Bool false)
(define-fun Odd ((n Int)) Bool false)
(assert (Even 0))
(assert (forall ((n Int)) (=> (Even n) (Odd (+ n 1)))))
(assert (forall ((n Int)) (=> (Odd n) (Even (+ n 1)))))
; Not both.
(assert (forall ((n Int)) (=> (and (Even n) (Odd n)) false)))
(check-sat)
