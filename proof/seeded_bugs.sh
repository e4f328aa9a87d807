#!/bin/sh
# Seeds three bugs in a copy of the model, and expects the proof of a certain lemma to fail for each.
set -eu
from=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seed NAME FILE OLD NEW LEMMA: replaces OLD by NEW in FILE, and compiles up to the file of the lemma.
seed() {
    cp "$from"/*.v "$work"
    python3 - "$work/$2" "$3" "$4" <<'PY'
import sys
path, old, new = sys.argv[1:]
text = open(path).read()
assert text.count(old) == 1, f"{old!r} is in the model {text.count(old)} times"
open(path, "w").write(text.replace(old, new))
PY
    for file in Value Game Program Mt; do
        if ! (cd "$work" && coqc -q "$file.v" >out 2>&1); then
            line=$(sed -n 's/.*line \([0-9]*\), characters.*/\1/p' "$work/out" | head -1)
            lemma=$(head -n "$line" "$work/$file.v" | sed -n 's/^\(Lemma\|Theorem\) \([a-z_]*\).*/\2/p' | tail -1)
            if [ "$lemma" = "$5" ]; then
                echo "$1: the proof of $lemma fails, as expected"
                return
            fi
            echo "$1: the proof of $lemma fails, but $5 was expected to" && cat "$work/out" && exit 1
        fi
    done
    echo "$1: every proof holds, but $5 was expected to fail" && exit 1
}

seed "plain -gamma with ageing wins" Value.v 'else mirror (unage a γ).' 'else mirror γ.' to_parent_to_child
seed "a table that answers at another depth" Program.v \
    "(forall l, lower b = Some l -> exists b', In (d, p, b') m /\\ lower b' = Some l)" \
    "(forall l, lower b = Some l -> exists e b', In (e, p, b') m /\\ lower b' = Some l)" derived_true
seed "a bound stored after an abort" Mt.v \
    'else bind (search g c) (fun v => if better v g then loop γ search rest (Some v) (Some c) else loop γ search rest g best)' \
    'else Choose O (snd c) (fun stop => if stop then Ret (g, best) else
      bind (search g c) (fun v => if better v g then loop γ search rest (Some v) (Some c) else loop γ search rest g best))' \
    loop_keeps
