;# expect: unsafe 13
; The dialect of Z3's fixed points.
(declare-rel sum (Int Int))
(declare-rel both (Int))
(declare-rel error ())
(declare-var n Int)
(declare-var s Int)
(declare-var m Int)
(rule (sum 0 0))
(rule (=> (and (sum n s) (< n 4)) (sum (+ n 1) (+ s n 1))))
(rule (=> (and (sum n s) (sum m s) (not (= n m))) (both s)))
(rule (=> (and (sum 4 s) (sum 3 m) (= (- s m) 4)) error))
(query error)
