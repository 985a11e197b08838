;# expect: unknown(unsupported)
; An interpretation of `div` at zero satisfies this: (div 1 0) may be 5.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((d Int)) (=> (and (p d) (not (= (div 1 d) 5))) false)))
(check-sat)
