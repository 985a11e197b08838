; Exercise: three times as many. The clauses stand for
;
;     i, s := 0, 0;  while (i < n) { i, s := i + 1, s + 3; }  assert s == 3 * n;
;
; where n is not negative. Define the predicate of the loop's head.

(set-logic HORN)

(define-fun Inv ((i Int) (s Int) (n Int)) Bool true)
; The loop is entered.
(assert (forall ((n Int)) (=> (>= n 0) (Inv 0 0 n))))
; A round.
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (Inv i s n) (< i n)) (Inv (+ i 1) (+ s 3) n))))
; Behind the loop.
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (Inv i s n) (>= i n) (not (= s (* 3 n)))) false)))
(check-sat)
