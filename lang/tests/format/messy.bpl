

/* A text that nobody formats.
     Its comments stay as they are. */
type   T a b ;  type Seq=  [ int ]  int;   // two types
datatype Tree < a > { Leaf ( ), Node(left :Tree a,
right: Tree a )   }
const {:attr "x"}  unique c:T int (Seq) ;
var m:<a>[T a a]a,g:int where g>=-1;
function f<a>(x:int,a)returns(int){x+1}
function {:inline} neg(x:int):int
{ -x - -1
* 2 }
axiom(forall<a>x:int,y:a::{f(x,y)}{ f ( x,y ) , g2(x) }
f(x,y)>x
  &&(
  f(x, y) < m2[ x ]   // why
|| !(x==0)) );



procedure{:inline 1}P<a>(x:int,b:bv8)returns(y:int,z:bv4) free requires x>0;requires x<100
&& true;
   // about the postcondition
ensures y>=0;modifies g ;
{


  var i:int; var t:Tree int; /* both */ var j:int;  // one too many
  if(x<0){y:=-x;}else{y:=x;}
  if ( * )
  {
    y:=1;y:=2;
  }
  // between
  else if(i>0){while(i<x)invariant i>=0;
     free invariant {:a} -1<i;
  // before the body
  {i:=i+1;
    // the end of the body

  }}
  else{  }
  loop:  z:=b[4:0];
  other:
    t:=t->(left:=Leaf());  y := t->left->x + m[0];
  call  y,z:=P (i,0bv8) ;
  assert{:msg "no"}(exists k:int::0<=k && k<y)==>
  (if x>0 then y else-y)
     ==(var q:=x;q+1);
  goto loop,other;

}
implementation Q() { assert true; } /* before Q */ procedure Q();
requires old(g)==int(1.5);
