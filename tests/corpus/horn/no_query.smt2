;# expect: safe
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 1))
(check-sat)
