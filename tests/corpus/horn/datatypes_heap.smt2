;# expect: unsafe 11
; A heap as verifiers of C write it: what is not allocated is no object, and the second cell is written over.
(set-logic HORN)
(declare-datatypes ((Obj 0) (Heap 0))
  (((O_Int (getInt Int)) (defObj)) ((HeapCtor (size Int) (cells (Array Int Obj))))))
(declare-fun start (Heap) Bool)
(declare-fun two (Heap) Bool)
(assert (start (HeapCtor 0 ((as const (Array Int Obj)) defObj))))
(assert (forall ((h Heap) (c (Array Int Obj)))
  (=> (and (start h) (= c (store (store (cells h) 1 (O_Int 5)) 2 (O_Int 7)))) (two (HeapCtor 2 c)))))
(assert (forall ((h Heap)) (=> (and (two h) (not (= (getInt (select (cells h) 2)) 5))) false)))
(check-sat)
