; A typical mistake.

(set-logic HORN)

(define-fun Even ((n Int)) Bool (= (mod n 4) 0))
(define-fun Odd ((n Int)) Bool (= (mod n 2) 1))
(assert (Even 0))
(assert (forall ((n Int)) (=> (Even n) (Odd (+ n 1)))))
(assert (forall ((n Int)) (=> (Odd n) (Even (+ n 1)))))
; Not both.
(assert (forall ((n Int)) (=> (and (Even n) (Odd n)) false)))
(check-sat)
