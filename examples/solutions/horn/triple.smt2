; A solution: what s is, and that i does not get past n.

(set-logic HORN)

(define-fun Inv ((i Int) (s Int) (n Int)) Bool (and (= s (* 3 i)) (<= i n)))
; The loop is entered.
(assert (forall ((n Int)) (=> (>= n 0) (Inv 0 0 n))))
; A round.
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (Inv i s n) (< i n)) (Inv (+ i 1) (+ s 3) n))))
; Behind the loop.
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (Inv i s n) (>= i n) (not (= s (* 3 n)))) false)))
(check-sat)
