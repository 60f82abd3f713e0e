(* The vertex balance of Le and Jegelka (2022), Lemma 2, first part, for every network on a DAG.

   What is shown, in words. Take a network on any finite directed acyclic graph: a weight on each
   edge, numbers at the inputs, and at each other vertex a number, its slope, by which the
   pre-activation is multiplied. At each vertex that is neither an input nor the output,

       sum over the edges e into v of w_e * dnu/dw_e
         = sum over the edges e out of v of w_e * dnu/dw_e,

   nu the output. So it is for the risk of any number of examples, each with its own inputs,
   slopes and coefficient. And where the weights at v move by gradient flow,

       d/dt (sum over the edges into v of w^2 - sum over the edges out of v of w^2) = 0.

   Numbers are the elements of any commutative ring (with 1 other than 0), such as the real numbers.

   The parts:
     1. balance_of_passes: for any two functions that satisfy the recursions of the forward pass
        (post) and of the backward pass; cycles do not matter.
     2. vertex_balance: for the two passes as they are computed on an acyclic graph. They satisfy
        the recursions, and nothing else does. (acyclic_ranks: acyclic is the same as having
        ranks that grow along each edge.)
     3. partial_is_gradient: post (tail e) * slope (head e) * back (head e) is the derivative of nu
        in w_e, nu as a polynomial in this one weight. tangent_of_passes, derivative_of_output:
        the derivative along any movement of the weights, for everything that is called a
        derivative at a point. vertex_balance_of_partials: the balance without the backward pass.
     4. risk_balance, law_of_velocities, vertex_law: the balance for the risk, and the law.
     5. chain_balance: on a chain of two edges both sides are the one path's product.

   The hypotheses, in the words of the paper:
     acyclic                   Definition 1: the graph of a feedforward network is a DAG. That it is
                               connected and simple, as Appendix B adds, is not needed: parallel
                               edges may be there.
     inputs_have_no_in_edges   the vertices of I are sources. Needed from part 3 on.
     ~~ is_input v, v != output G
                               v in V without I and O. The network has one output.
     the velocities at the edges into and out of v
                               all edges incident to v have learnable weights. The other weights may
                               move in any way, or not at all.
     slope                     the activations are homogeneous (ReLU, leaky ReLU, linear), without
                               biases: at a point such an activation multiplies by a slope. Any
                               slope is allowed, at each vertex and for each example another one. A
                               bias is the weight of an edge from an extra input of value 1, as in
                               the paper.
     coefficient               l'(y_j nu(x_j)) y_j / n, for a loss that is differentiable
                               (Assumption 3). Any number is allowed.
   Assumption 1 (no weight changes its sign) is not needed.

   What is not covered:
   - The slopes are given. Which slopes a point has, that near it they stand still, and that
     gradient flow moves with such slopes for almost every time, is supposed. At a kink an element
     of Clarke's subdifferential of the risk is a convex combination of limits of gradients, so it
     has the form of a risk_gradient whose index runs over examples and choices of slopes; that it
     is one is supposed.
   - From derivative 0 to constant: for the real numbers this takes that the weights are absolutely
     continuous in time, which is not here. vertex_law is about one time.
   - Derivatives are algebraic. vertex_law supposes a derivative at a point (additive, with the
     product rule), such as that of real functions which are differentiable there; the one that is
     constructed here is that of polynomials.
   - Weights that several edges share, activations that are not homogeneous, the second part of
     Lemma 2 (pairs of vertices), and Lemma 3 (layers).

   Compiles with Coq 8.16 and MathComp 1.15; written for MathComp 1, not 2. The last lines print
   what each theorem rests on. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(* Networks and their passes ------------------------------------------------------------------ *)

Record graph := Graph {
  vertex : finType;
  edge : finType;
  tail : edge -> vertex;
  head : edge -> vertex;
  is_input : pred vertex;
  output : vertex
}.

Definition steps_to (G : graph) : rel (vertex G) :=
  fun u v => [exists e : edge G, (tail e == u) && (head e == v)].

(* No walk along edges leads from the head of an edge back to its tail. *)
Definition acyclic (G : graph) : Prop :=
  forall e : edge G, ~~ connect (@steps_to G) (head e) (tail e).

Definition inputs_have_no_in_edges (G : graph) : Prop :=
  forall e : edge G, ~~ is_input (head e).

Section Passes.

Variables (G : graph) (R : comRingType).
Variables (weight : edge G -> R) (slope : vertex G -> R) (input : vertex G -> R).
Implicit Types (post back tangent : vertex G -> R) (v : vertex G) (e : edge G).

(* The weighted sum that comes into a vertex. *)
Definition preactivation post v : R := \sum_(e | head e == v) weight e * post (tail e).

(* What a vertex passes on, given what those before it pass on. *)
Definition forward_step post v : R :=
  if is_input v then input v else slope v * preactivation post v.

(* How the output moves with what a vertex passes on, given this for the vertices after it. *)
Definition backward_step back v : R :=
  (v == output G)%:R + \sum_(e | tail e == v) weight e * slope (head e) * back (head e).

Definition is_forward_pass post : Prop := forall v, post v = forward_step post v.
Definition is_backward_pass back : Prop := forall v, back v = backward_step back v.

(* The derivative of the output in the weight of an edge: see part 3. *)
Definition edge_derivative post back e : R := post (tail e) * slope (head e) * back (head e).

(* 1. The balance of any two solutions of the recursions -------------------------------------- *)

Lemma sum_over_in_edges post back v :
  is_forward_pass post -> ~~ is_input v ->
  \sum_(e | head e == v) weight e * edge_derivative post back e = post v * back v.
Proof.
move=> forward inner.
rewrite [post v]forward /forward_step (negbTE inner) /preactivation mulrAC mulr_sumr.
apply: eq_bigr => e /eqP <-.
by rewrite /edge_derivative !mulrA [_ * slope _]mulrC mulrAC !mulrA.
Qed.

Lemma sum_over_out_edges post back v :
  is_backward_pass back -> v != output G ->
  \sum_(e | tail e == v) weight e * edge_derivative post back e = post v * back v.
Proof.
move=> backward inner.
rewrite [back v]backward /backward_step (negbTE inner) add0r mulr_sumr.
apply: eq_bigr => e /eqP <-.
by rewrite /edge_derivative !mulrA [weight e * _]mulrC.
Qed.

Theorem balance_of_passes post back v :
  is_forward_pass post -> is_backward_pass back -> ~~ is_input v -> v != output G ->
  \sum_(e | head e == v) weight e * edge_derivative post back e =
  \sum_(e | tail e == v) weight e * edge_derivative post back e.
Proof.
by move=> forward backward not_input not_output; rewrite sum_over_in_edges ?sum_over_out_edges.
Qed.

End Passes.

(* 2. The passes as functions ----------------------------------------------------------------- *)

(* A step that reads only values of smaller measure has one fixed point, which iteration reaches. *)
Section LocalRecursion.

Variables (T : finType) (R : Type) (measure : T -> nat) (step : (T -> R) -> T -> R).

Hypothesis measure_positive : forall v, (0 < measure v)%N.
Hypothesis step_looks_below : forall f g v,
  (forall u, (measure u < measure v)%N -> f u = g u) -> step f v = step g v.

Lemma solution_reached start f n v :
  (forall u, f u = step f u) -> (measure v <= n)%N -> iter n step start v = f v.
Proof.
move=> solution; elim: n v => [|n reached] v bounded.
  by move: (measure_positive v); rewrite ltnNge bounded.
rewrite iterS solution; apply: step_looks_below => u below.
by apply: reached; rewrite -ltnS (leq_trans below bounded).
Qed.

Lemma iteration_stands start n v :
  (measure v <= n)%N -> iter n step start v = iter n.+1 step start v.
Proof.
elim: n v => [|n stands] v bounded.
  by move: (measure_positive v); rewrite ltnNge bounded.
apply: (step_looks_below (f := iter n step start) (g := iter n.+1 step start)) => u below.
by apply: stands; rewrite -ltnS (leq_trans below bounded).
Qed.

End LocalRecursion.

Section Acyclic.

Variable G : graph.

Definition ancestors (v : vertex G) : nat := #|[pred u | connect (@steps_to G) u v]|.
Definition descendants (v : vertex G) : nat := #|[pred u | connect (@steps_to G) v u]|.

Lemma ancestors_positive v : (0 < ancestors v)%N.
Proof. by apply/card_gt0P; exists v; rewrite inE connect0. Qed.

Lemma descendants_positive v : (0 < descendants v)%N.
Proof. by apply/card_gt0P; exists v; rewrite inE connect0. Qed.

Lemma edge_connects (e : edge G) : connect (@steps_to G) (tail e) (head e).
Proof. by apply/connect1/existsP; exists e; rewrite !eqxx. Qed.

Lemma ancestors_grow (e : edge G) : acyclic G -> (ancestors (tail e) < ancestors (head e))%N.
Proof.
move=> no_cycle; apply: proper_card; apply/properP; split.
  by apply/subsetP => u; rewrite !inE => up; apply: connect_trans up (edge_connects e).
by exists (head e); rewrite !inE ?connect0 // no_cycle.
Qed.

Lemma descendants_shrink (e : edge G) :
  acyclic G -> (descendants (head e) < descendants (tail e))%N.
Proof.
move=> no_cycle; apply: proper_card; apply/properP; split.
  by apply/subsetP => u; rewrite !inE => down; apply: connect_trans (edge_connects e) down.
by exists (tail e); rewrite !inE ?connect0 // no_cycle.
Qed.

(* Acyclic is the same as: the vertices have ranks that grow along each edge. *)
Theorem acyclic_ranks :
  acyclic G <-> exists rank : vertex G -> nat, forall e : edge G, (rank (tail e) < rank (head e))%N.
Proof.
split=> [no_cycle | [rank grows] e].
  by exists ancestors => e; apply: ancestors_grow.
have never_falls from walk :
      path (@steps_to G) from walk -> (rank from <= rank (last from walk))%N.
  elim: walk from => [//|next walk later] from /= /andP [/existsP [f ends] /later].
  by case/andP: ends => /eqP <- /eqP <-; apply/leq_trans/ltnW/grows.
apply/negP => /connectP [walk on_walk ends].
by move: (never_falls _ _ on_walk); rewrite -ends leqNgt grows.
Qed.

End Acyclic.

Section Functions.

Variables (G : graph) (R : comRingType).
Variables (weight : edge G -> R) (slope : vertex G -> R) (input : vertex G -> R).

(* No walk has more vertices than there are: after so many steps nothing changes any more. *)
Definition post : vertex G -> R :=
  iter #|vertex G| (forward_step weight slope input) (fun=> 0).

Definition backward : vertex G -> R :=
  iter #|vertex G| (backward_step weight slope) (fun=> 0).

Definition gradient : edge G -> R := edge_derivative slope post backward.

Hypothesis no_cycle : acyclic G.

Lemma forward_looks_below f g v :
  (forall u, (ancestors u < ancestors v)%N -> f u = g u) ->
  forward_step weight slope input f v = forward_step weight slope input g v.
Proof.
move=> agree; rewrite /forward_step /preactivation; case: ifP => // _; congr (_ * _).
by apply: eq_bigr => e /eqP ends; rewrite agree // -ends ancestors_grow.
Qed.

Lemma backward_looks_below f g v :
  (forall u, (descendants u < descendants v)%N -> f u = g u) ->
  backward_step weight slope f v = backward_step weight slope g v.
Proof.
move=> agree; rewrite /backward_step; congr (_ + _).
by apply: eq_bigr => e /eqP starts; rewrite agree // -starts descendants_shrink.
Qed.

Theorem post_solves : is_forward_pass weight slope input post.
Proof.
move=> v; rewrite /post (iteration_stands (@ancestors_positive G) forward_looks_below) //.
exact: max_card.
Qed.

Theorem backward_solves : is_backward_pass weight slope backward.
Proof.
move=> v; rewrite /backward (iteration_stands (@descendants_positive G) backward_looks_below) //.
exact: max_card.
Qed.

Theorem post_unique f : is_forward_pass weight slope input f -> forall v, post v = f v.
Proof.
move=> solves v.
exact: (solution_reached (@ancestors_positive G) forward_looks_below) (max_card _).
Qed.

Theorem backward_unique f : is_backward_pass weight slope f -> forall v, backward v = f v.
Proof.
move=> solves v.
exact: (solution_reached (@descendants_positive G) backward_looks_below) (max_card _).
Qed.

Theorem vertex_balance v :
  ~~ is_input v -> v != output G ->
  \sum_(e | head e == v) weight e * gradient e = \sum_(e | tail e == v) weight e * gradient e.
Proof. exact: balance_of_passes post_solves backward_solves. Qed.

End Functions.

(* 3. The formula is the derivative ----------------------------------------------------------- *)

Lemma sum_by_ends (V E : finType) (R : zmodType) (end_of : E -> V) (F : E -> R) :
  \sum_v \sum_(e | end_of e == v) F e = \sum_e F e.
Proof. by rewrite [RHS](partition_big end_of xpredT). Qed.

Section Tangent.

Variables (G : graph) (R : comRingType).
Variables (weight direction : edge G -> R) (slope : vertex G -> R).

(* How post moves when the weights move in a direction and inputs and slopes stand still. *)
Definition is_tangent (post tangent : vertex G -> R) : Prop :=
  forall v, tangent v =
    if is_input v then 0
    else slope v *
      \sum_(e | head e == v) (direction e * post (tail e) + weight e * tangent (tail e)).

Theorem tangent_of_passes post back tangent :
  inputs_have_no_in_edges G -> is_backward_pass weight slope back -> is_tangent post tangent ->
  tangent (output G) = \sum_e direction e * edge_derivative slope post back e.
Proof.
move=> sources backward moves.
have at_head v : tangent v * back v =
    \sum_(e | head e == v) (direction e * post (tail e) * slope (head e) * back (head e) +
                            tangent (tail e) * (weight e * slope (head e) * back (head e))).
  rewrite moves; case: ifP => [entry | _].
    by rewrite mul0r big1 // => e /eqP ends; move: (sources e); rewrite ends entry.
  rewrite mulrAC mulr_sumr; apply: eq_bigr => e /eqP <-.
  rewrite mulrDr; congr (_ + _).
    by rewrite mulrC !mulrA.
  by rewrite mulrC [weight e * tangent _]mulrC !mulrA.
have at_tail v : tangent v * back v = (if v == output G then tangent v else 0) +
    \sum_(e | tail e == v) tangent (tail e) * (weight e * slope (head e) * back (head e)).
  rewrite [back v]backward /backward_step mulrDr mulr_sumr.
  congr (_ + _); first by case: eqP => _; rewrite ?mulr1 ?mulr0.
  by apply: eq_bigr => e /eqP <-.
have total : \sum_v tangent v * back v = \sum_v tangent v * back v by [].
rewrite {1}(eq_bigr _ (fun v _ => at_tail v)) (eq_bigr _ (fun v _ => at_head v)) in total.
move: total; rewrite big_split /= -big_mkcond big_pred1_eq.
rewrite !sum_by_ends big_split /=.
move/addIr => ->.
by apply: eq_bigr => e _; rewrite /edge_derivative !mulrA.
Qed.

End Tangent.

Section SameNumbers.

Variables (G : graph) (R : comRingType) (w w' : edge G -> R) (s s' x x' : vertex G -> R).

Hypotheses (no_cycle : acyclic G) (eq_w : w =1 w') (eq_s : s =1 s') (eq_x : x =1 x').

Lemma eq_post : post w s x =1 post w' s' x'.
Proof.
apply: post_unique => // v.
rewrite [LHS](post_solves _ _ _ no_cycle) /forward_step /preactivation eq_s eq_x.
by under eq_bigr => e _ do rewrite -eq_w.
Qed.

Lemma eq_backward : backward w s =1 backward w' s'.
Proof.
apply: backward_unique => // v; rewrite [LHS](backward_solves _ _ no_cycle) /backward_step.
by under eq_bigr => e _ do rewrite -eq_w -eq_s.
Qed.

Lemma eq_gradient : gradient w s x =1 gradient w' s' x'.
Proof. by move=> e; rewrite /gradient /edge_derivative eq_post eq_s eq_backward. Qed.

End SameNumbers.

(* The numbers in A move, as functions of time do; those in R are their values at one time, and
   their derivatives there. *)
Section DerivativeAtAPoint.

Variables (A R : comRingType) (value : {rmorphism A -> R}) (derivative : {additive A -> R}).

Hypothesis product_rule : forall a b : A,
  derivative (a * b) = derivative a * value b + value a * derivative b.

Variables (G : graph) (weight : edge G -> A) (slope input : vertex G -> A).

Hypothesis no_cycle : acyclic G.

Lemma value_of_post v :
  value (post weight slope input v) = post (value \o weight) (value \o slope) (value \o input) v.
Proof.
apply/esym; move: v; apply: post_unique => // v.
rewrite [in LHS](post_solves _ _ _ no_cycle) /forward_step /preactivation.
case: ifP => // _; rewrite rmorphM rmorph_sum; congr (_ * _).
by apply: eq_bigr => e _; rewrite rmorphM.
Qed.

Hypothesis sources : inputs_have_no_in_edges G.
Hypothesis slopes_stand_still : forall v, derivative (slope v) = 0.
Hypothesis inputs_stand_still : forall v, derivative (input v) = 0.

Theorem derivative_of_output :
  derivative (post weight slope input (output G)) =
  \sum_e derivative (weight e) *
    gradient (value \o weight) (value \o slope) (value \o input) e.
Proof.
apply: (tangent_of_passes (weight := value \o weight)
          (tangent := fun v => derivative (post weight slope input v)) sources) => //.
  exact: backward_solves.
move=> v; rewrite [in LHS](post_solves _ _ _ no_cycle) /forward_step /preactivation.
case: ifP => _; first exact: inputs_stand_still.
rewrite product_rule slopes_stand_still mul0r add0r raddf_sum; congr (_ * _).
by apply: eq_bigr => e _; rewrite product_rule value_of_post.
Qed.

End DerivativeAtAPoint.

Section Polynomials.

Variables (G : graph) (R : comRingType).
Variables (weight : edge G -> R) (slope input : vertex G -> R).

(* The output as a polynomial in time, while the weights move as polynomials in time. *)
Definition output_along (moving : edge G -> {poly R}) : {poly R} :=
  post moving (fun v => (slope v)%:P) (fun v => (input v)%:P) (output G).

(* The output as a polynomial in the weight of one edge. *)
Definition output_in (e : edge G) : {poly R} :=
  output_along (fun f => if f == e then 'X else (weight f)%:P).

(* The partial derivative of the output by one weight. *)
Definition partial (e : edge G) : R := (output_in e)^`().[weight e].

Definition derivative_at (t : R) (p : {poly R}) : R := p^`().[t].

Lemma derivative_at_additive t : additive (derivative_at t).
Proof. by move=> p q; rewrite /derivative_at derivB hornerD hornerN. Qed.
Canonical derivative_at_additive_map t := Additive (derivative_at_additive t).

Lemma derivative_at_product t (p q : {poly R}) :
  derivative_at t (p * q) =
  derivative_at t p * horner_eval t q + horner_eval t p * derivative_at t q.
Proof. by rewrite /derivative_at /horner_eval derivM !(hornerD, hornerM). Qed.

Hypothesis no_cycle : acyclic G.

(* That polynomial at t is the output for the weights at t. *)
Theorem output_along_at moving t :
  (output_along moving).[t] = post (fun e => (moving e).[t]) slope input (output G).
Proof.
rewrite -[LHS]/(horner_eval t _) /output_along value_of_post //.
by apply: eq_post => // v /=; rewrite /horner_eval hornerC.
Qed.

Hypothesis sources : inputs_have_no_in_edges G.

Theorem derivative_along moving t :
  (output_along moving)^`().[t] =
  \sum_e (moving e)^`().[t] * gradient (fun f => (moving f).[t]) slope input e.
Proof.
rewrite -[LHS]/([additive of derivative_at t] _) /output_along.
rewrite (derivative_of_output (derivative_at_product t)) //=.
- apply: eq_bigr => e _; congr (_ * _).
  by apply: eq_gradient => // v /=; rewrite /horner_eval hornerC.
- by move=> v; rewrite /= /derivative_at derivC horner0.
- by move=> v; rewrite /= /derivative_at derivC horner0.
Qed.

Theorem partial_is_gradient e : partial e = gradient weight slope input e.
Proof.
rewrite /partial /output_in derivative_along (bigD1 e) //= eqxx derivX hornerC mul1r.
rewrite big1 ?addr0 => [|f /negbTE ->]; last by rewrite derivC horner0 mul0r.
by apply: eq_gradient => // f; case: eqP => [->|_]; rewrite ?hornerX ?hornerC.
Qed.

Lemma first_order_expansion (p : {poly R}) :
  exists rest : {poly R}, forall t, p.[t] = p.[0] + t * p^`().[0] + t ^+ 2 * rest.[t].
Proof.
elim/poly_ind: p => [|p a _]; first by exists 0 => t; rewrite deriv0 !horner0 !mulr0 !addr0.
elim/poly_ind: p => [|p b _].
  by exists 0 => t; rewrite mul0r add0r derivC !(hornerC, horner0) !mulr0 !addr0.
exists p => t; rewrite derivD derivM derivX derivC mulr1 addr0.
rewrite !(hornerD, hornerM, hornerX, hornerC) !mulr0 !add0r -addrA [LHS]addrC; congr (_ + _).
by rewrite mulrDl addrC [b * t]mulrC expr2 -mulrA [_ * (t * t)]mulrC.
Qed.

(* Moved by t in a direction, the output moves by t times the formula, up to t^2. *)
Theorem output_expands (direction : edge G -> R) :
  exists rest : {poly R}, forall t,
    post (fun e => weight e + t * direction e) slope input (output G) =
    post weight slope input (output G) +
    t * (\sum_e direction e * gradient weight slope input e) + t ^+ 2 * rest.[t].
Proof.
pose moving e := (weight e)%:P + direction e *: 'X.
have moved t e : (moving e).[t] = weight e + t * direction e.
  by rewrite /moving hornerD hornerC hornerZ hornerX mulrC.
have [rest expands] := first_order_expansion (output_along moving).
exists rest => t; move: (expands t); rewrite !output_along_at derivative_along.
rewrite (eq_post no_cycle (moved t) (frefl _) (frefl _)) => ->.
have start e : (moving e).[0] = weight e by rewrite moved mul0r addr0.
rewrite (eq_post no_cycle start (frefl _) (frefl _)); congr (_ + _ * _ + _).
apply: eq_bigr => e _; congr (_ * _); last exact: eq_gradient.
by rewrite /moving derivD derivC add0r derivZ derivX hornerZ hornerC mulr1.
Qed.

Theorem vertex_balance_of_partials v :
  ~~ is_input v -> v != output G ->
  \sum_(e | head e == v) weight e * partial e = \sum_(e | tail e == v) weight e * partial e.
Proof.
move=> not_input not_output; under eq_bigr => e _ do rewrite partial_is_gradient.
by rewrite vertex_balance //; apply: eq_bigr => e _; rewrite partial_is_gradient.
Qed.

End Polynomials.

(* 4. The risk and its flow ------------------------------------------------------------------- *)

Section Risk.

Variables (G : graph) (R : comRingType) (example : finType).
Variables (weight : edge G -> R) (slope input : example -> vertex G -> R).
Variable (coefficient : example -> R).

(* The derivative of the risk in the weight of an edge: see risk_gradient_is_derivative. *)
Definition risk_gradient (e : edge G) : R :=
  \sum_j coefficient j * partial weight (slope j) (input j) e.

Hypotheses (no_cycle : acyclic G) (sources : inputs_have_no_in_edges G).

Theorem risk_balance v :
  ~~ is_input v -> v != output G ->
  \sum_(e | head e == v) weight e * risk_gradient e =
  \sum_(e | tail e == v) weight e * risk_gradient e.
Proof.
have by_example (chosen : pred (edge G)) : \sum_(e | chosen e) weight e * risk_gradient e =
    \sum_j coefficient j * \sum_(e | chosen e) weight e * partial weight (slope j) (input j) e.
  under eq_bigr => e _ do rewrite mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => j _; rewrite mulr_sumr.
  by apply: eq_bigr => e _; rewrite mulrCA.
move=> not_input not_output; rewrite !by_example.
by apply: eq_bigr => j _; rewrite vertex_balance_of_partials.
Qed.

(* d/dt of the sum of w^2 is 2 times the sum of w * dw/dt. *)
Theorem law_of_velocities (velocity : edge G -> R) v :
  ~~ is_input v -> v != output G ->
  (forall e, (head e == v) || (tail e == v) -> velocity e = - risk_gradient e) ->
  2%:R * (\sum_(e | head e == v) weight e * velocity e) =
  2%:R * (\sum_(e | tail e == v) weight e * velocity e).
Proof.
move=> not_input not_output flow; congr (_ * _).
under eq_bigr => e ends do rewrite flow ?ends // mulrN.
under [RHS]eq_bigr => e starts do rewrite flow ?starts ?orbT // mulrN.
by rewrite !sumrN risk_balance.
Qed.

End Risk.

Section Law.

Variables (A R : comRingType) (value : {rmorphism A -> R}) (derivative : {additive A -> R}).

Hypothesis product_rule : forall a b : A,
  derivative (a * b) = derivative a * value b + value a * derivative b.

Variables (G : graph) (example : finType) (weight : edge G -> A).

Hypotheses (no_cycle : acyclic G) (sources : inputs_have_no_in_edges G).

(* The law (4) at one time, before it is integrated. *)
Theorem vertex_law (slope input : example -> vertex G -> R) (coefficient : example -> R) v :
  ~~ is_input v -> v != output G ->
  (forall e, (head e == v) || (tail e == v) ->
    derivative (weight e) = - risk_gradient (value \o weight) slope input coefficient e) ->
  derivative (\sum_(e | head e == v) weight e ^+ 2 - \sum_(e | tail e == v) weight e ^+ 2) = 0.
Proof.
move=> not_input not_output flow.
have of_squares (chosen : pred (edge G)) : derivative (\sum_(e | chosen e) weight e ^+ 2) =
    2%:R * \sum_(e | chosen e) (value \o weight) e * derivative (weight e).
  rewrite raddf_sum mulr_sumr; apply: eq_bigr => e _.
  by rewrite expr2 product_rule mulr_natl mulr2n mulrC.
apply/eqP; rewrite raddfB subr_eq0 !of_squares; apply/eqP.
exact: law_of_velocities flow.
Qed.

(* The coefficients are those of the risk: a sum of losses, each with its slope at the output. *)
Theorem risk_gradient_is_derivative
    (slope input : example -> vertex G -> A) (loss : example -> A) (coefficient : example -> R) :
  (forall j v, derivative (slope j v) = 0) -> (forall j v, derivative (input j v) = 0) ->
  (forall j, derivative (loss j) =
    coefficient j * derivative (post weight (slope j) (input j) (output G))) ->
  derivative (\sum_j loss j) =
  \sum_e derivative (weight e) *
    risk_gradient (value \o weight) (fun j => value \o slope j) (fun j => value \o input j)
      coefficient e.
Proof.
move=> slopes_stand_still inputs_stand_still chain_rule; rewrite raddf_sum.
under eq_bigr => j _ do rewrite chain_rule (derivative_of_output product_rule) // mulr_sumr.
rewrite exchange_big; apply: eq_bigr => e _; rewrite mulr_sumr.
by apply: eq_bigr => j _; rewrite partial_is_gradient // mulrCA.
Qed.

End Law.

(* The law for weights that move as polynomials in time, at the time t. *)
Theorem vertex_law_along (G : graph) (R : comRingType) (example : finType)
    (moving : edge G -> {poly R}) (slope input : example -> vertex G -> R)
    (coefficient : example -> R) (v : vertex G) (t : R) :
  acyclic G -> inputs_have_no_in_edges G -> ~~ is_input v -> v != output G ->
  (forall e, (head e == v) || (tail e == v) ->
    (moving e)^`().[t] = - risk_gradient (fun f => (moving f).[t]) slope input coefficient e) ->
  (\sum_(e | head e == v) moving e ^+ 2 - \sum_(e | tail e == v) moving e ^+ 2)^`().[t] = 0.
Proof.
move=> no_cycle sources not_input not_output flow.
exact: (vertex_law (derivative := [additive of derivative_at t]) (derivative_at_product t)
          no_cycle sources not_input not_output flow).
Qed.

(* 5. An example: the hypotheses can be met, and the two sides need not be 0 ------------------ *)

(* None -> Some false -> Some true: an input, an inner vertex, the output. *)
Definition chain : graph :=
  Graph (fun e : bool => if e then Some false else None) (fun e : bool => Some e)
    (fun v : option bool => v == None) (Some true).

Lemma chain_is_acyclic : acyclic chain.
Proof.
apply/acyclic_ranks.
by exists (fun v : option bool => if v is Some b then (if b then 2 else 1)%N else 0%N); case.
Qed.

Lemma chain_inputs : inputs_have_no_in_edges chain.
Proof. by case. Qed.

Lemma sum_over_bool (R : zmodType) (chosen : pred bool) (F : bool -> R) :
  \sum_(e | chosen e) F e =
  (if chosen true then F true else 0) + (if chosen false then F false else 0).
Proof. by rewrite big_mkcond big_bool. Qed.

Example chain_balance (R : comRingType) (weight : bool -> R) (slope input : option bool -> R) :
  let partial := @partial chain R weight slope input in
  let path := input None * weight false * slope (Some false) * weight true * slope (Some true) in
  weight false * partial false = path /\ weight true * partial true = path.
Proof.
have forward := @post_solves chain R weight slope input chain_is_acyclic.
have back := @backward_solves chain R weight slope chain_is_acyclic.
rewrite /= !(partial_is_gradient _ _ _ chain_is_acyclic chain_inputs).
rewrite /gradient /edge_derivative /=.
have at_output : backward (G := chain) weight slope (Some true) = 1.
  by rewrite back /backward_step sum_over_bool /= !addr0.
have at_input : post (G := chain) weight slope input None = input None by rewrite forward.
split.
  rewrite at_input back /backward_step sum_over_bool /= at_output mulr1 add0r addr0 !mulrA.
  by rewrite [weight false * _]mulrC.
rewrite at_output forward /forward_step /preactivation sum_over_bool /= at_input add0r mulr1 !mulrA.
rewrite [weight true * _]mulrC; congr (_ * _).
by rewrite mulrC -!mulrA; congr (_ * _); rewrite [RHS]mulrC -mulrA.
Qed.

Print Assumptions balance_of_passes.
Print Assumptions acyclic_ranks.
Print Assumptions post_solves.
Print Assumptions backward_solves.
Print Assumptions post_unique.
Print Assumptions backward_unique.
Print Assumptions vertex_balance.
Print Assumptions tangent_of_passes.
Print Assumptions derivative_of_output.
Print Assumptions output_along_at.
Print Assumptions derivative_along.
Print Assumptions partial_is_gradient.
Print Assumptions output_expands.
Print Assumptions vertex_balance_of_partials.
Print Assumptions risk_balance.
Print Assumptions law_of_velocities.
Print Assumptions vertex_law.
Print Assumptions risk_gradient_is_derivative.
Print Assumptions vertex_law_along.
Print Assumptions chain_balance.
