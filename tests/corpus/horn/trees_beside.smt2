;# expect: unsafe 10
; The clause with two premises has no part in the derivation.
(set-logic HORN)
(declare-fun p0 () Bool)
(declare-fun p1 () Bool)
(assert p0)
(assert (=> p0 p1))
(declare-fun p2 () Bool)
(assert (=> (and p1 p0) p2))
(assert (=> p1 false))
(check-sat)
