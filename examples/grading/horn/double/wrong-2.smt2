; A typical mistake.

(set-logic HORN)

(define-fun Double ((n Int) (r Int)) Bool (= r (* 2 n)))
; It returns at once.
(assert (forall ((n Int)) (=> (<= n 0) (Double n 0))))
; It calls itself.
(assert (forall ((n Int) (r Int)) (=> (and (> n 0) (Double (- n 1) r)) (Double n (+ r 2)))))
; The assertion.
(assert (forall ((n Int) (r Int)) (=> (and (Double n r) (>= n 0) (not (= r (* 2 n)))) false)))
(check-sat)
