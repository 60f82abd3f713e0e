(* Proofs of statements about numbers and matrices. Numbers are the elements of an ordered field R
   (`realFieldType` of MathComp 1), such as the real numbers. x / 0 is 0. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import Ring Field.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Proofs.
Variable R : realFieldType.

Definition dot n (x y : 'cV[R]_n) : R := \tr (x^T *m y).
Definition frob2 m n (A : 'M[R]_(m, n)) : R := \tr (A^T *m A).

(* the operations, as ring and field look for them *)
Definition add (x y : R) : R := x + y.
Definition mul (x y : R) : R := x * y.
Definition opp (x : R) : R := - x.
Definition inv (x : R) : R := x^-1.
Definition zero : R := 0.
Definition one : R := 1.
Definition sub (x y : R) : R := add x (opp y).
Definition div (x y : R) : R := mul x (inv y).
Lemma field_of_numbers : field_theory zero one add mul sub opp div inv (@eq R).
Proof.
split=> //; first split=> //.
- exact: add0r.
- exact: addrC.
- exact: addrA.
- exact: mul1r.
- exact: mulrC.
- exact: mulrA.
- exact: mulrDl.
- exact: subrr.
- by apply/eqP; rewrite oner_eq0.
- by move=> x /eqP x0; rewrite /mul /inv mulVf.
Qed.
Add Field numbers : field_of_numbers.
Fixpoint numeral (n : nat) : R :=
  match n with O => zero | S O => one | S m => add one (numeral m) end.

(* matrices *)
Lemma turnD m n (A B : 'M[R]_(m, n)) : (A + B)^T = A^T + B^T. Proof. exact: linearD. Qed.
Lemma turnN m n (A : 'M[R]_(m, n)) : (- A)^T = - A^T. Proof. exact: linearN. Qed.
Lemma turnZ m n k (A : 'M[R]_(m, n)) : (k *: A)^T = k *: A^T. Proof. exact: linearZ. Qed.
Lemma traceN n (A : 'M[R]_n) : \tr (- A) = - \tr A. Proof. exact: linearN. Qed.
Lemma scaleL m n p k (A : 'M[R]_(m, n)) (B : 'M_(n, p)) : k *: A *m B = k *: (A *m B).
Proof. by rewrite scalemxAl. Qed.
Lemma scaleR m n p k (A : 'M[R]_(m, n)) (B : 'M_(n, p)) : A *m (k *: B) = k *: (A *m B).
Proof. by rewrite scalemxAr. Qed.
Lemma by_traces m n (A B : 'M[R]_(m, n)) :
  (forall X : 'M_(n, m), \tr (X *m A) = \tr (X *m B)) -> A = B.
Proof.
move=> alike; apply/matrixP=> i j; have := alike (delta_mx j i).
have pick C : \tr (delta_mx j i *m C) = C i j :> R.
  rewrite /mxtrace (bigD1 j) //= big1 => [|k other]; last first.
    by rewrite mxE big1 // => l _; rewrite mxE (negbTE other) mul0r.
  rewrite addr0 mxE (bigD1 i) //= big1 => [|l other]; last first.
    by rewrite mxE (negbTE other) andbF mul0r.
  by rewrite addr0 mxE !eqxx mul1r.
by rewrite !pick.
Qed.
Lemma frob2_ge0 m n (A : 'M[R]_(m, n)) : 0 <= frob2 A.
Proof.
apply: sumr_ge0 => i _; rewrite mxE; apply: sumr_ge0 => j _.
by rewrite mxE -expr2 sqr_ge0.
Qed.

(* the rule algebra: what the items give, and that it is k times the slack *)
Lemma below_by (k s x y : R) : 0 < k -> 0 <= s -> k * (y - x) = s -> x <= y.
Proof. by move=> k0 s0 E; rewrite -subr_ge0 -(pmulr_rge0 _ k0) E. Qed.
Lemma under_by (k s x y : R) : 0 < k -> 0 < s -> k * (y - x) = s -> x < y.
Proof. by move=> k0 s0 E; rewrite -subr_gt0 -(pmulr_rgt0 _ k0) E. Qed.
Lemma equal_by (k s x y : R) : 0 < k -> s = 0 -> k * (x - y) = s -> x = y.
Proof.
move=> k0 -> /eqP; rewrite mulf_eq0 subr_eq0 => /orP[/eqP k1|/eqP //].
by rewrite k1 ltxx in k0.
Qed.
Lemma alike_by m n (s A B : 'M[R]_(m, n)) : s = 0 -> A - B = s -> A = B.
Proof. by move=> -> /eqP; rewrite subr_eq0 => /eqP. Qed.
Lemma slack_ge0 (x y : R) : x <= y -> 0 <= y - x. Proof. by rewrite subr_ge0. Qed.
Lemma slack_gt0 (x y : R) : x < y -> 0 < y - x. Proof. by rewrite subr_gt0. Qed.
Lemma zero_ge0 (x : R) : x = 0 -> 0 <= x. Proof. by move=> ->. Qed.
Lemma zeros (V : zmodType) (x y : V) : x = 0 -> y = 0 -> x + y = 0.
Proof. by move=> -> ->; rewrite addr0. Qed.
Lemma zero_times (t x y : R) : x = y -> t * (x - y) = 0.
Proof. by move=> ->; rewrite subrr mulr0. Qed.
Lemma zero_scaled m n (t : R) (A B : 'M[R]_(m, n)) : A = B -> t *: (A - B) = 0.
Proof. by move=> ->; rewrite subrr scaler0. Qed.
Lemma zero_inner m n (T A B : 'M[R]_(m, n)) : A = B -> \tr (T^T *m (A - B)) = 0.
Proof. by move=> ->; rewrite subrr mulmx0 mxtrace0. Qed.
Lemma plus_gt0 (x y : R) : 0 < x -> 0 <= y -> 0 < x + y.
Proof. by move=> x0 y0; rewrite (lt_le_trans x0) // ler_addl. Qed.

(* the rules cases, both, absurd, branch *)
Lemma le_cases (x y : R) : x <= y \/ y < x. Proof. by case: leP; [left | right]. Qed.
Lemma lt_cases (x y : R) : x < y \/ y <= x. Proof. by case: ltP; [left | right]. Qed.
Lemma both_ways (x y : R) : x <= y -> y <= x -> x = y.
Proof. by move=> xy yx; apply/eqP; rewrite eq_le xy. Qed.
Lemma never (P : Prop) : (0 : R) < 0 -> P. Proof. by rewrite ltxx. Qed.
Lemma if_so A (c : bool) (x y : A) : c -> (if c then x else y) = x. Proof. by move=> ->. Qed.
Lemma if_not A (c : bool) (x y : A) : ~~ c -> (if c then x else y) = y.
Proof. by case: c. Qed.
Lemma not_le (x y : R) : y < x -> ~~ (x <= y). Proof. by rewrite ltNge. Qed.
Lemma not_lt (x y : R) : y <= x -> ~~ (x < y). Proof. by rewrite leNgt. Qed.

(* what lemmas ask for: that there is a row and a column *)
Ltac sizes := first [assumption | apply: ltn_addr; sizes].

(* numbers that have one normal form: each trace is multiplied out, and then each trace of a product,
   which is that of the transposed product, is a number of its own for `field` *)
Ltac turn H := rewrite ?(trmx_mul, trmxK, turnD, turnN, turnZ, tr_row_mx, tr_col_mx) in H.
Ltac distribute H :=
  rewrite ?(mulmxDl, mulmxDr, mulNmx, mulmxN, scaleL, scaleR) ?mulmxA in H;
  lazymatch type of H with
  | context [row_mx] => try (progress rewrite ?(mul_row_col, mul_mx_row, mul_col_mx) in H; distribute H)
  | _ => idtac
  end.
Lemma known (x : R) : exists y, x = y. Proof. by exists x. Qed.
Ltac expand :=
  repeat match goal with
  | |- context [@mxtrace ?S ?n ?A] =>
      let t := fresh "t" in let H := fresh "H" in
      have [t H] := known (@mxtrace S n A); rewrite H; turn H; distribute H;
      rewrite ?(mxtraceD, traceN, mxtraceZ) in H
  end;
  repeat match goal with H : _ = ?t |- _ => is_var t; subst t end.
Ltac traces :=
  repeat match goal with
  | |- context [@mxtrace ?S ?n ?A] =>
      let H := fresh in
      have H := mxtrace_tr A; turn H; rewrite ?mulmxA in H; try rewrite H; clear H;
      let t := fresh "t" in move: (@mxtrace S n A) => t
  end.
Ltac written t :=
  lazymatch t with
  | @GRing.add _ ?x ?y => let x := written x in let y := written y in constr:(add x y)
  | @GRing.mul _ ?x ?y => let x := written x in let y := written y in constr:(mul x y)
  | @GRing.opp _ ?x => let x := written x in constr:(opp x)
  | @GRing.inv _ ?x => let x := written x in constr:(inv x)
  | @GRing.exp _ ?x ?n =>
      let x := written x in
      let rec power n :=
        lazymatch n with
        | S O => x
        | S ?m => let y := power m in constr:(mul x y)
        | O => constr:(one)
        end in
      power n
  | @GRing.natmul _ _ ?n => eval cbv [numeral] in (numeral n)
  | @GRing.zero _ => constr:(zero)
  | @GRing.one _ => constr:(one)
  | _ => constr:(t : R)
  end.
Ltac operations :=
  match goal with
  | |- ?x = ?y => let x := written x in let y := written y in change (@eq (R : Type) x y)
  end.
Ltac not_zero :=
  repeat split; apply/eqP/lt0r_neq0;
  repeat first [exact: ltr01 | apply: addr_gt0 | apply: mulr_gt0].
Ltac settle :=
  first [reflexivity | lazymatch goal with |- context [inv] => field; not_zero | _ => ring end].
Ltac numbers := rewrite /dot /frob2; expand; traces; operations; settle.
Ltac matrices := apply: by_traces => X; numbers.
(* numbers that are alike in what they are made of *)
Ltac alike :=
  first [congr (if _ then _ else _) | progress f_equal];
  first [reflexivity | matrices | numbers | alike].
