;# expect: nothing
;# warns: W0403
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 1))
(check-sat)
