(** The axioms that each named theorem depends on: none. *)

Require Import Value Game Program Mt Driver Window Best Reach Relations Passes.
Require Import Stockman Order Refine Frontier Remember MtRefines Truth Sss.

Print Assumptions to_parent_to_child.
Print Assumptions emtee_age_unage.
Print Assumptions everything_stored_is_true.
Print Assumptions every_return_keeps_its_promise.
Print Assumptions mt_keeps_its_contract.
Print Assumptions a_pass_that_fails_high_names_a_move.
Print Assumptions mt_stores_the_truth.
Print Assumptions mt_returns_the_truth.
Print Assumptions another_depth_may_be_wrong.
Print Assumptions every_driver_ends.
Print Assumptions every_driver_finds_f.
Print Assumptions any_driver_finds_f.
Print Assumptions any_driver_finds_f_on_many_machines.
Print Assumptions sss_finds_f.
Print Assumptions dual_finds_f.
Print Assumptions c_star_finds_f.
Print Assumptions mtd_f_finds_f.
Print Assumptions mtd_f_figure_8_finds_f.
Print Assumptions mtd_step_finds_f.
Print Assumptions mtd_gallop_finds_f.
Print Assumptions window_search_keeps_its_contract.
Print Assumptions a_wide_window_is_exact.
Print Assumptions a_null_window_is_mt.
Print Assumptions a_window_pass_keeps_its_contract.
Print Assumptions aspiration_is_exact.
Print Assumptions every_strategy_proves_a_best_move.
Print Assumptions mtd_best_returns_a_best_move.
Print Assumptions mt_visits_only_what_is_reached.
Print Assumptions a_null_window_visits.
Print Assumptions mt_calls_do_no_more_than_alpha_beta.
Print Assumptions a_pass_visits.
Print Assumptions a_pass_at_the_root_visits.
Print Assumptions the_first_pass_visits.
Print Assumptions each_pass_visits.
Print Assumptions whole_memory_keeps_every_store.
Print Assumptions visit_refines.
Print Assumptions mt_refines.
Print Assumptions visit_true.
Print Assumptions path_memory_forgets_nothing.
Print Assumptions sss_is_mtd_plus_infinity.
Print Assumptions dual_is_mtd_minus_infinity.
