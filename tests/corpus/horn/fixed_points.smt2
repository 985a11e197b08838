;# expect: unsafe 9
; The dialect of Z3's fixed points.
(declare-rel p (Int))
(declare-rel bad ())
(declare-var n Int)
(rule (p 0))
(rule (=> (and (p n) (< n 3)) (p (+ n 1))) more)
(rule (=> (and (p n) (> n 2)) bad))
(query bad)
(query (and (p n) (> n 3)))
