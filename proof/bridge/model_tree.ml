(* Runs the extracted model on trees. A line "ALGORITHM PLACES FIRST INFINITY TREE" in, a line of JSON out: the fields
   of `emtee tree --json` that the model has. PLACES is the size of the memory; an INFINITY of 0 is none. *)
open Model

let tokens text =
  let out = ref [] and word = Buffer.create 8 in
  let flush () = if Buffer.length word > 0 then (out := Buffer.contents word :: !out; Buffer.clear word) in
  String.iter (fun c -> match c with
    | '(' | ')' -> flush (); out := String.make 1 c :: !out
    | ' ' -> flush ()
    | c -> Buffer.add_char word c) text;
  flush (); List.rev !out

let nodes_so_far = ref 0
let fresh () = incr nodes_so_far; !nodes_so_far

(* The side that moves is named by a list's first word, or is the one that did not move before. *)
let rec tree usual = function
  | "(" :: "max" :: rest -> nodes true rest
  | "(" :: "min" :: rest -> nodes false rest
  | "(" :: rest -> nodes usual rest
  | "win" :: rest -> (Leaf0 (fresh (), usual, 32000), rest)
  | "loss" :: rest -> (Leaf0 (fresh (), usual, -32000), rest)
  | "draw" :: rest -> (Leaf0 (fresh (), usual, 0), rest)
  | v :: rest -> (Leaf0 (fresh (), usual, int_of_string v), rest)
  | [] -> failwith "the tree ends too early"
and nodes side words =
  let id = fresh () in
  let rec go acc = function
    | ")" :: rest -> (Node0 (id, side, List.rev acc), rest)
    | words -> let c, rest = tree (not side) words in go (c :: acc) rest in
  go [] words

let rec height = function Leaf0 _ -> 0 | Node0 (_, _, cs) -> 1 + List.fold_left (fun h c -> max h (height c)) 0 cs
let rec at t = function [] -> t | i :: rest -> (match t with Node0 (_, _, cs) -> at (List.nth cs i) rest | t -> t)
let worth = function Leaf0 (_, _, v) -> v | Node0 _ -> 0
let number = function Leaf0 (id, _, _) | Node0 (id, _, _) -> id

(* The root has the number 1. *)
let is_root p = number (Obj.magic p) = 1

let list numbers = "[" ^ String.concat "," (List.map string_of_int numbers) ^ "]"
let show fields =
  print_endline ("{" ^ String.concat "," (List.map (fun (name, text) -> "\"" ^ name ^ "\":" ^ text) fields) ^ "}")

(* The counts of a log: each pass at the root stores its g there, without a visit in the log. *)
let counts_of log =
  let leaves = List.filter_map (function Evaluated (_, p) -> Some (worth (Obj.magic p)) | _ -> None) log in
  let stored = List.length (List.filter (function Stored _ -> true | _ -> false) log) in
  let visits = List.length (List.filter (function Visited _ -> true | _ -> false) log) in
  let answers = List.filter_map (function
    | Stored (_, p, { lower = Some g; _ }) when is_root p -> Some g
    | Stored (_, p, { upper = Some g; _ }) when is_root p -> Some g
    | _ -> None) log in
  (leaves, stored - List.length leaves, visits, answers)

let counted leaves interior nodes passes =
  [ "nbp", string_of_int (List.length leaves); "leaves", list leaves; "interior", string_of_int interior;
    "nodes", string_of_int nodes; "passes", string_of_int passes ]

let searched ((r, log) : outcome) =
  let leaves, interior, visits, answers = counts_of (List.rev log) in
  let passes = List.length answers in
  match r with
  | Some [ v ] ->
    show ([ "value", string_of_int v; "trace", list answers ] @ counted leaves interior (visits + passes) passes)
  | _ -> show []

(* MTD-best expands the root once and stores nothing there; each pass visits one of its children. *)
let proved d ((r, log) : outcome) =
  let leaves, interior, visits, _ = counts_of (List.rev log) in
  let passes = List.length (List.filter (function Visited (e, _) -> e = d - 1 | _ -> false) log) in
  match r with
  | Some [ m; l; u ] ->
    show ([ "value", "null"; "best_move", "\"" ^ string_of_int m ^ "\"";
        "lower", string_of_int l; "upper", string_of_int u ]
      @ counted leaves (interior + 1) (visits + 1) passes)
  | _ -> show []

let () =
  let most = 32767 in
  try while true do
    let line = input_line stdin in
    let name, places, first, infinity, text =
      Scanf.sscanf line "%s %d %d %d %[^\n]" (fun a p f i t -> (a, p, f, i, t)) in
    nodes_so_far := 0;
    let t, _ = tree true (tokens text) in
    let d = height t in
    let high = if infinity > 0 then infinity else most in
    let low = -high in
    let by driver = searched (drive driver places first low high d t) in
    let window w = searched (wide_search w places (max (-most) (low - 1) + 1) (min most (high + 1)) d t) in
    let aspire wn width = searched (aspire_search wn places first width low high d t) in
    let best strategy = proved d (best_search strategy places first (-most) most d t) in
    let oracle dual =
      match sss_star dual 10_000_000 d t with
      | Some v, log ->
        let leaves = List.map (fun path -> worth (at t path)) log in
        show [ "value", string_of_int v; "leaves", list leaves; "nbp", string_of_int (List.length leaves) ]
      | None, _ -> show [] in
    (match String.split_on_char ':' name with
    | [ "sss" ] -> by sss | [ "dual" ] -> by dual | [ "mtd-bi" ] -> by c_star | [ "mtd-f" ] -> by mtd_f
    | [ "mtd-f-figure8" ] -> by mtd_f_figure_8
    | [ "mtd-step"; step ] -> by (mtd_step (int_of_string step))
    | [ "mtd-gallop"; step ] -> by (mtd_gallop (int_of_string step))
    | [ "alpha-beta" ] -> window AlphaBeta
    | [ "negascout" ] -> window NegaScout
    | [ "aspiration-negascout"; width ] -> aspire Open (int_of_string width)
    | [ "aspiration-negascout"; width; "double" ] -> aspire Double (int_of_string width)
    | [ "mtd-best" ] -> best prove_best_first
    | [ "mtd-best-disprove-rest" ] -> best disprove_rest_first
    | [ "bns" ] -> best bns
    | [ "stockman-sss" ] -> oracle false
    | [ "stockman-dual" ] -> oracle true
    | [ "minimax" ] -> show [ "value", string_of_int (minimax d t); "worths", list (worth_of_moves d t) ]
    | _ -> failwith ("no algorithm " ^ name));
    flush stdout
  done with End_of_file -> ()
