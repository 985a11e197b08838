;# expect: safe
; A record in one of several kinds of objects; fields, testers of both forms.
(set-logic HORN)
(declare-datatypes ((node 0)) (((node (next Int) (data Int)))))
(declare-datatypes ((obj 0)) (((O_int (getInt Int)) (O_node (getNode node)) (none))))
(declare-fun inv (obj Int) Bool)
(assert (forall ((x obj)) (=> (= x (O_node (node 0 1))) (inv x 0))))
(assert (forall ((x obj) (i Int))
  (=> (and (inv x i) ((_ is O_node) x)) (inv (O_node (node i (+ 1 (data (getNode x))))) (+ i 1)))))
(assert (forall ((x obj) (i Int))
  (=> (and (inv x i) (not (and (is-O_node x) (= (data (getNode x)) (+ i 1))))) false)))
(check-sat)
