(* The language of statements, as far as it is exact: numbers are rationals, kept in lowest terms;
   vertices and edges are natural numbers, in the order of the record; a path is the list of its
   edges. Functions are total: where docs/language.md gives no value they give some value. *)
From Coq Require Import QArith Qround List Bool Arith ZArith.
Import ListNotations.
Open Scope Q_scope.

(* numbers *)
Definition qadd (x y : Q) := Qred (x + y).
Definition qsub (x y : Q) := Qred (x - y).
Definition qneg (x : Q) := Qred (- x).
Definition qmul (x y : Q) := Qred (x * y).
Definition qdiv (x y : Q) := Qred (x / y).
Definition qpow (x y : Q) := Qred (Qpower x (Qfloor y)).
Definition qle (x y : Q) := Qle_bool x y.
Definition qlt (x y : Q) := negb (Qle_bool y x).
Definition qge (x y : Q) := qle y x.
Definition qgt (x y : Q) := qlt y x.
Definition qabs (x : Q) := if qlt x 0 then qneg x else x.
Definition qsign (x : Q) : Q := if qlt x 0 then -1 else if qlt 0 x then 1 else 0.
Definition qmin (x y : Q) := if qle x y then x else y.
Definition qmax (x y : Q) := if qle x y then y else x.
Definition qfloor (x : Q) := inject_Z (Qfloor x).
Definition qceil (x : Q) := inject_Z (Qceiling x).
Definition qmod (x y : Q) := inject_Z (Zmod (Qfloor x) (Qfloor y)).
Definition is_whole (x : Q) := Qeq_bool (qfloor x) x.
Definition count_of (n : nat) := inject_Z (Z.of_nat n).
Definition place (k : Q) := Nat.pred (Z.to_nat (Qfloor k)). (* numbered from 1 *)

(* lists *)
Definition range (first last : Q) : list Q :=
  map (fun k => qadd first (count_of k)) (seq 0 (Z.to_nat (Qfloor last - Qfloor first + 1))).
Definition card {A} (l : list A) := count_of (length l).
Definition item_at {A} (default : A) (l : list A) (k : Q) := nth (place k) l default.
Definition among {A} (same : A -> A -> bool) (x : A) (l : list A) := existsb (same x) l.
Fixpoint distinct_after {A} (same : A -> A -> bool) (seen l : list A) : list A :=
  match l with
  | [] => []
  | x :: rest =>
      if among same x seen then distinct_after same seen rest
      else x :: distinct_after same (x :: seen) rest
  end.
Definition distinct {A} (same : A -> A -> bool) := distinct_after same (@nil A).
Definition union {A} (same : A -> A -> bool) (l m : list A) := distinct same (l ++ m).
Definition intersection {A} (same : A -> A -> bool) (l m : list A) :=
  distinct same (filter (fun x => among same x m) l).
Definition minus {A} (same : A -> A -> bool) (l m : list A) :=
  distinct same (filter (fun x => negb (among same x m)) l).
Fixpoint same_lists {A} (same : A -> A -> bool) (l m : list A) : bool :=
  match l, m with
  | [], [] => true
  | x :: l', y :: m' => same x y && same_lists same l' m'
  | _, _ => false
  end.
Fixpoint choices {A} (before l : list A) : list (A * list A) :=
  match l with
  | [] => []
  | x :: rest => (x, before ++ rest) :: choices (before ++ [x]) rest
  end.
Fixpoint orders_of {A} (length : nat) (l : list A) : list (list A) :=
  match length with
  | O => [[]]
  | S less => flat_map (fun c => map (cons (fst c)) (orders_of less (snd c))) (choices [] l)
  end.
Definition orders {A} (l : list A) := orders_of (length l) l.
Fixpoint subsets {A} (l : list A) : list (list A) :=
  match l with
  | [] => [[]]
  | x :: rest => flat_map (fun s => [s; x :: s]) (subsets rest)
  end.
Definition same_pairs {A B} (first : A -> A -> bool) (second : B -> B -> bool) (p q : A * B) :=
  first (fst p) (fst q) && second (snd p) (snd q).

(* binders *)
Definition total {A} (l : list A) (f : A -> Q) := fold_left (fun s x => qadd s (f x)) l 0.
Definition product {A} (l : list A) (f : A -> Q) := fold_left (fun s x => qmul s (f x)) l 1.
Definition how_many {A} (l : list A) (f : A -> bool) := card (filter f l).
Definition extreme {A} (better : Q -> Q -> Q) (l : list A) (f : A -> Q) :=
  match l with [] => 0 | x :: rest => fold_left (fun s y => better s (f y)) rest (f x) end.
Definition the_one {A} (default : A) (l : list A) (f : A -> bool) := hd default (filter f l).
Definition mapped {A B} (l : list A) (f : A -> B) := map f l.
Definition kept {A} (l : list A) (f : A -> bool) := filter f l.
Definition for_each {A} (l : list A) (f : A -> bool) := forallb f l.
Definition for_some {A} (l : list A) (f : A -> bool) := existsb f l.

(* matrices: lists of rows *)
Definition matrix (m n : Q) (f : Q -> Q -> Q) : list (list Q) :=
  map (fun i => map (f i) (range 1 n)) (range 1 m).
Fixpoint pivots (columns : nat) (rows : list (list Q)) : nat :=
  match columns with
  | O => 0
  | S less =>
      match partition (fun row => Qeq_bool (hd 0 row) 0) rows with
      | (_, []) => pivots less (map (@tl Q) rows)
      | (done, pivot :: others) =>
          let reduced row :=
            let factor := qdiv (hd 0 row) (hd 0 pivot) in
            map (fun p => qsub (fst p) (qmul factor (snd p))) (combine (tl row) (tl pivot)) in
          S (pivots less (map (@tl Q) done ++ map reduced others))
      end
  end.
Definition rank (rows : list (list Q)) := count_of (pivots (length (hd [] rows)) rows).

(* a network with examples: what a record holds. Of an edge: its tail, its head, the number of its
   parameter (None: its weight is fixed), its weight. Of a vertex: its slopes left and right of 0.
   known: of an example the values of the vertices that are inputs. at_zero: slopes that are chosen
   at kinks. sizes: of steps of gradient descent; later: the slopes of the loss at those behind the
   first. ordered: the vertices, each behind those from which edges lead to it. *)
Record network := Network {
  ordered : list nat;
  ends : list (nat * nat);
  parameters : list (option nat);
  weights : list Q;
  input_list : list nat;
  held_list : list nat;
  output_list : list nat;
  sides : list (Q * Q);
  known : list (list Q);
  labels : list Q;
  loss_slopes : list Q;
  at_zero : list (nat * nat * Q);
  sizes : list Q;
  later : list (list Q) }.

Definition same := Nat.eqb.
Definition vertices (G : network) := seq 0 (length (ordered G)).
Definition edges (G : network) := seq 0 (length (ends G)).
Definition inputs (G : network) := input_list G.
Definition outputs (G : network) := output_list G.
Definition hidden (G : network) :=
  filter (fun v => negb (among same v (inputs G) || among same v (outputs G))) (vertices G).
Definition examples (G : network) := range 1 (card (known G)).
Definition tail (G : network) (e : nat) := fst (nth e (ends G) (0, 0)%nat).
Definition head (G : network) (e : nat) := snd (nth e (ends G) (0, 0)%nat).
Definition into (G : network) (v : nat) := filter (fun e => same (head G e) v) (edges G).
Definition out_of (G : network) (v : nat) := filter (fun e => same (tail G e) v) (edges G).
Definition held (G : network) (v : nat) := among same v (held_list G).
Definition weight (G : network) (e : nat) := nth e (weights G) 0.
Definition edge (G : network) (u v : nat) := hd 0%nat (filter (fun e => same (head G e) v) (out_of G u)).
Definition parameter (G : network) (e : nat) := nth e (parameters G) None.
Definition learnable (G : network) (e : nat) :=
  match parameter G e with None => false | Some _ => true end.
Definition users (G : network) (e : nat) :=
  match parameter G e with
  | None => []
  | Some p =>
      filter (fun f => match parameter G f with None => false | Some q => same p q end) (edges G)
  end.
Definition slope_left (G : network) (v : nat) := fst (nth v (sides G) (0, 0)).
Definition slope_right (G : network) (v : nat) := snd (nth v (sides G) (0, 0)).
Definition label (G : network) (j : Q) := nth (place j) (labels G) 0.
Definition loss_slope (G : network) (j : Q) := nth (place j) (loss_slopes G) 0.
Definition input (G : network) (v : nat) (j : Q) := nth v (nth (place j) (known G) []) 0.

(* the slope of the activation of v at z, and at 0 on example j *)
Definition chosen (G : network) (v : nat) (j : Q) :=
  match filter (fun c => same (fst (fst c)) v && same (snd (fst c)) (S (place j))) (at_zero G) with
  | [] => slope_right G v
  | (_, s) :: _ => s
  end.
Definition slope_at (G : network) (v : nat) (at_kink z : Q) :=
  if Qeq_bool (slope_left G v) (slope_right G v) then slope_right G v
  else if qlt z 0 then slope_left G v
  else if qlt 0 z then slope_right G v else at_kink.
Definition activation (G : network) (v : nat) (z : Q) := qmul (slope_at G v (slope_right G v) z) z.

(* forwards and backwards: a value for each vertex, later ones first *)
Fixpoint value_in (found : list (nat * Q)) (v : nat) : Q :=
  match found with
  | [] => 0
  | (u, x) :: rest => if same u v then x else value_in rest v
  end.
Fixpoint value_of (found : list (nat * (Q * Q))) (v : nat) : Q * Q :=
  match found with
  | [] => (0, 0)
  | (u, x) :: rest => if same u v then x else value_of rest v
  end.
Definition pre_of (G : network) (found : list (nat * Q)) (v : nat) :=
  total (into G v) (fun e => qmul (weight G e) (value_in found (tail G e))).
Definition forwards (G : network) (j : Q) :=
  fold_left
    (fun found v =>
      (v, if among same v (inputs G) then input G v j else activation G v (pre_of G found v)) :: found)
    (ordered G) [].
Definition post (G : network) (v : nat) (j : Q) := value_in (forwards G j) v.
Definition pre (G : network) (v : nat) (j : Q) := pre_of G (forwards G j) v.
Definition slope (G : network) (v : nat) (j : Q) := slope_at G v (chosen G v j) (pre G v j).
Definition output (G : network) (j : Q) := post G (hd 0%nat (outputs G)) j.
Definition backwards (G : network) (j : Q) :=
  let values := forwards G j in
  fold_left
    (fun found v =>
      let through :=
        if among same v (outputs G) then 1
        else total (out_of G v) (fun e => qmul (weight G e) (value_in found (head G e))) in
      (v, qmul (slope_at G v (chosen G v j) (pre_of G values v)) through) :: found)
    (rev (ordered G)) [].
Definition sensitivity (G : network) (v : nat) (j : Q) := value_in (backwards G j) v.
Definition gradient (G : network) (e : nat) (j : Q) :=
  qmul (post G (tail G e) j) (sensitivity G (head G e) j).

(* the flow, and gradient descent *)
Definition velocity (G : network) (e : nat) :=
  let slopes j := total (users G e) (fun f => gradient G f j) in
  qneg (qdiv (total (examples G) (fun j => qmul (qmul (loss_slope G j) (label G j)) (slopes j)))
             (card (examples G))).
Definition moving (G : network) (j : Q) :=
  let values := forwards G j in
  let before found v :=
    total (into G v) (fun e =>
      qadd (qmul (velocity G e) (value_in values (tail G e)))
           (qmul (weight G e) (fst (value_of found (tail G e))))) in
  fold_left
    (fun found v =>
      let at_pre := if among same v (inputs G) then 0 else before found v in
      (v, (qmul (slope_at G v (chosen G v j) (pre_of G values v)) at_pre, at_pre)) :: found)
    (ordered G) [].
Definition rate_pre (G : network) (v : nat) (j : Q) := snd (value_of (moving G j) v).
Definition rate_post (G : network) (v : nat) (j : Q) := fst (value_of (moving G j) v).
Definition rate_output (G : network) (j : Q) := rate_post G (hd 0%nat (outputs G)) j.
Definition stepped (G : network) : network :=
  match sizes G with
  | [] => G
  | eta :: rest =>
      Network (ordered G) (ends G) (parameters G)
        (map (fun e => qadd (weight G e) (qmul eta (velocity G e))) (edges G))
        (input_list G) (held_list G) (output_list G) (sides G) (known G) (labels G)
        (hd [] (later G)) (at_zero G) rest (tl (later G))
  end.
Fixpoint repeated (k : nat) (G : network) : network :=
  match k with O => G | S less => stepped (repeated less G) end.
Definition after (G : network) (k : Q) : network := repeated (Z.to_nat (Qfloor k)) G.
Definition steps (G : network) := range 0 (qsub (card (sizes G)) 1).
Definition step_size (G : network) (k : Q) := nth (Z.to_nat (Qfloor k)) (sizes G) 0.

(* paths *)
Fixpoint onwards (fuel : nat) (G : network) (v : nat) : list (list nat) :=
  (if among same v (outputs G) then [[]] else []) ++
  match fuel with
  | O => []
  | S less => flat_map (fun e => map (cons e) (onwards less G (head G e))) (out_of G v)
  end.
Definition paths (G : network) := flat_map (onwards (length (ordered G)) G) (inputs G).
Fixpoint longer (fuel : nat) (G : network) (v : nat) (found : list (list nat)) : list (list nat) :=
  match fuel with
  | O => []
  | S less =>
      let first p := match p with [] => v | e :: _ => tail G e end in
      found ++
      longer less G v (flat_map (fun p => map (fun e => e :: p) (into G (first p))) found)
  end.
Definition paths_to (G : network) (v : nat) := longer (S (length (ordered G))) G v [[]].
Definition edges_on (p : list nat) := p.
Definition start (G : network) (p : list nat) := tail G (hd 0%nat p).
Fixpoint recursion (fuel : nat) (G : network) (body : nat -> list nat -> list Q -> Q)
    (u : nat) (p : list nat) : Q :=
  match fuel with
  | O => 0
  | S less => body u p (map (fun e => recursion less G body (tail G e) (e :: p)) (into G u))
  end.
Definition along (G : network) (v : nat) (body : nat -> list nat -> list Q -> Q) :=
  recursion (S (length (ordered G))) G body v [].

(* what a record must be, so that it is one of a network *)
Fixpoint rising (G : network) (seen later : list nat) : bool :=
  match later with
  | [] => true
  | v :: rest =>
      forallb (fun e => among same (tail G e) seen) (into G v) && rising G (v :: seen) rest
  end.
Definition unrepeated (l : list nat) := same_lists same (distinct same l) l.
(* slopes at kinks: one of a vertex and an example that are there, between those beside it *)
Definition slopes_are_chosen (G : network) : bool :=
  forallb
    (fun c =>
      let '(v, j, s) := c in
      among same v (vertices G) && negb (among same v (inputs G))
      && Nat.leb 1 j && Nat.leb j (length (known G))
      && qle (qmin (slope_left G v) (slope_right G v)) s
      && qle s (qmax (slope_left G v) (slope_right G v)))
    (at_zero G)
  && same_lists (same_pairs same same)
       (distinct (same_pairs same same) (map fst (at_zero G))) (map fst (at_zero G)).
(* a held input has one value *)
Definition held_at_one (G : network) : bool :=
  forallb
    (fun v => forallb (fun j => Qeq_bool (input G v j) (input G v 1)) (examples G))
    (held_list G).
(* the slopes of one loss: equal margins, at all steps, have equal slopes *)
Fixpoint reached (steps : nat) (G : network) : list network :=
  G :: match steps with O => [] | S less => reached less (stepped G) end.
Definition of_one_loss (G : network) : bool :=
  let found :=
    flat_map
      (fun H => map (fun j => (qmul (label H j) (output H j), loss_slope H j)) (examples H))
      (reached (Nat.pred (length (sizes G))) G) in
  negb (same (length (outputs G)) 1)
  || forallb
       (fun p =>
         forallb
           (fun q => negb (Qeq_bool (fst p) (fst q)) || Qeq_bool (snd p) (snd q))
           found)
       found.
Definition well_formed (G : network) : bool :=
  same_lists same (distinct same (ordered G)) (ordered G)
  && forallb (fun v => among same v (vertices G)) (ordered G)
  && rising G [] (ordered G)
  && forallb (fun p => among same (fst p) (vertices G) && among same (snd p) (vertices G)) (ends G)
  && same_lists (same_pairs same same) (distinct (same_pairs same same) (ends G)) (ends G)
  && same (length (weights G)) (length (ends G))
  && same (length (parameters G)) (length (ends G))
  && forallb (fun e => forallb (fun f => Qeq_bool (weight G e) (weight G f)) (users G e)) (edges G)
  && same (length (sides G)) (length (ordered G))
  && forallb
       (fun v => Bool.eqb (among same v (inputs G)) (match into G v with [] => true | _ => false end))
       (vertices G)
  && forallb (fun v => among same v (vertices G) && negb (among same v (inputs G))) (outputs G)
  && forallb (fun v => among same v (inputs G)) (held_list G)
  && negb (same (length (outputs G)) 0) && negb (same (length (known G)) 0)
  && same (length (labels G)) (length (known G))
  && same (length (loss_slopes G)) (length (known G))
  && forallb (fun row => same (length row) (length (ordered G))) (known G)
  && same (length (later G)) (Nat.pred (length (sizes G)))
  && forallb (fun row => same (length row) (length (known G))) (later G)
  && unrepeated (inputs G) && unrepeated (outputs G)
  && slopes_are_chosen G && held_at_one G && of_one_loss G.
