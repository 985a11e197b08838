;# expect: safe
; Trees and forests contain each other.
(set-logic HORN)
(declare-datatypes ((Tree 0) (Forest 0)) (((node (label Int) (sub Forest))) ((empty) (more (first Tree) (rest Forest)))))
(declare-fun p (Tree) Bool)
(assert (forall ((x Int)) (=> (> x 0) (p (node x empty)))))
(assert (forall ((t Tree)) (=> (p t) (p (node (+ 1 (label t)) (more t empty))))))
(assert (forall ((t Tree)) (=> (and (p t) (<= (label t) 0)) false)))
(check-sat)
