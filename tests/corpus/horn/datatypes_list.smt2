;# expect: unsafe 8
; A list of three elements.
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun len (L Int) Bool)
(assert (len nil 0))
(assert (forall ((x Int) (l L) (n Int)) (=> (len l n) (len (cons x l) (+ n 1)))))
(assert (forall ((l L) (n Int)) (=> (and (len l n) (= n 3) (= (hd l) 7) (= (hd (tl l)) 8)) false)))
(check-sat)
