(* Runs the extracted model on trees: a line "ALGORITHM PLACES TREE" in, a line of results out. *)
open Model

let tokens text =
  let out = ref [] and word = Buffer.create 8 in
  let flush () = if Buffer.length word > 0 then (out := Buffer.contents word :: !out; Buffer.clear word) in
  String.iter (fun c -> match c with
    | '(' | ')' -> flush (); out := String.make 1 c :: !out
    | ' ' -> flush ()
    | c -> Buffer.add_char word c) text;
  flush (); List.rev !out

let count = ref 0
let fresh () = incr count; !count

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

let () =
  try while true do
    let line = input_line stdin in
    let a, places, text = Scanf.sscanf line "%s %d %[^\n]" (fun a p t -> (a, p, t)) in
    count := 0;
    let t, _ = tree true (tokens text) in
    let d = height t and low = -32767 and high = 32767 in
    let show value passes leaves interior nodes =
      Printf.printf "%d %d %d %d %d %s\n" value passes (List.length leaves) interior nodes
        (String.concat "," (List.map string_of_int leaves)) in
    let searched roots ((r, log) : outcome) =
      let log = List.rev log in
      let leaves = List.filter_map (function Evaluated (_, p) -> Some (worth (Obj.magic p)) | _ -> None) log in
      let number kind = List.length (List.filter kind log) in
      let stored = number (function Stored _ -> true | _ -> false) in
      let visits = number (function Visited _ -> true | _ -> false) in
      match r with
      | Some (v, passes) -> show v passes leaves (stored - List.length leaves) (visits + roots * passes)
      | None -> print_endline "nothing" in
    let by driver = searched 1 (drive driver places 0 low high d t) in
    let oracle dual =
      match sss_star dual 10_000_000 d t with
      | Some v, log -> show v 1 (List.map (fun path -> worth (at t path)) log) 0 0
      | None, _ -> print_endline "nothing" in
    (match a with
    | "sss" -> by sss | "dual" -> by dual | "mtd-bi" -> by c_star | "mtd-f" -> by mtd_f
    | "mtd-f-figure8" -> by mtd_f_figure_8
    | "alpha-beta" -> searched 0 (wide_search AlphaBeta places (low + 1) high d t)
    | "negascout" -> searched 0 (wide_search NegaScout places (low + 1) high d t)
    | "stockman-sss" -> oracle false | "stockman-dual" -> oracle true
    | "minimax" -> show (minimax d t) 1 [] 0 0
    | a -> failwith ("no algorithm " ^ a));
    flush stdout
  done with End_of_file -> ()
