#!/usr/bin/env bash
# Tests word count against tr, sort and uniq on real texts: those in $DUOMAP_DATA/text, also
# compressed, and the licences on any Debian machine.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Prints the words of the files, one a line. Each file ends a line, because no word spans files.
gnu_words() {
  local file
  for file in "$@"; do
    case $file in
      *.gz) gzip -dc "$file" ;;
      *) cat "$file" ;;
    esac
    echo
  done | LC_ALL=C tr -c "A-Za-z0-9'\200-\377" '\n' | { grep -av '^$' || true; }
}

# Turns words, one a line, into rows of word and count, in the order of the words' bytes.
gnu_counts() {
  LC_ALL=C sort | LC_ALL=C uniq -c | LC_ALL=C sed -E 's/^ *([0-9]+) (.*)$/\2\t\1/'
}

# same EXPECTED NAME ARGUMENT...: checks that these arguments give the content of EXPECTED.
same() {
  local expected=$1 name=$2
  shift 2
  "$DUOMAP" run wordcount --sort key --format tsv "$@" >"$folder/got" 2>"$folder/talk" || {
    echo "$name: exit status $?"
    cat "$folder/talk"
    exit 1
  }
  cmp "$expected" "$folder/got" || {
    echo "$name: the program and the GNU tools differ (-: GNU)"
    diff -a -u "$expected" "$folder/got" | head -20 || true
    exit 1
  }
}

# compare NAME FILE...: compares the counts of the files with and without --lower.
compare() {
  local name=$1
  shift
  gnu_words "$@" >"$folder/words"
  gnu_counts <"$folder/words" >"$folder/counts"
  LC_ALL=C tr A-Z a-z <"$folder/words" | gnu_counts >"$folder/lower_counts"
  test -s "$folder/counts" || { echo "$name holds no words"; exit 1; }
  same "$folder/counts" "$name" "$@"
  same "$folder/lower_counts" "$name, --lower" --lower "$@"
  echo "$name: $(wc -l <"$folder/words") words, $(wc -l <"$folder/counts") different"
}

licences=()
for file in /usr/share/common-licenses/*; do
  test -f "$file" && licences+=("$file")
done
if ((${#licences[@]} > 0)); then
  compare "the licences in /usr/share/common-licenses" "${licences[@]}"
  for threads in 1 2 7; do
    for path in portable avx2 avx512; do
      # The program refuses a vector path that this CPU lacks.
      status=0
      DUOMAP_VECTOR=$path "$DUOMAP" run wordcount "${licences[0]}" >/dev/null 2>&1 || status=$?
      ((status == 2)) && continue
      export DUOMAP_VECTOR=$path
      same "$folder/counts" "$path, $threads threads" --threads "$threads" "${licences[@]}"
      same "$folder/lower_counts" "$path, $threads threads, --lower" --threads "$threads" --lower "${licences[@]}"
      unset DUOMAP_VECTOR
    done
  done
fi

texts=()
for file in "${DUOMAP_DATA:-/nonexistent}"/text/*.gz; do
  test -f "$file" && texts+=("$file")
done
if ((${#texts[@]} == 0)); then
  echo "skipped: no texts in DUOMAP_DATA='${DUOMAP_DATA:-}'; ${#licences[@]} licences were compared"
  exit 77
fi
# In slow builds (tests/CMakeLists.txt), only the beginning of each text, compressed again.
if [[ -n ${DUOMAP_QUICK-} ]]; then
  mkdir "$folder/short"
  for file in "${texts[@]}"; do
    gzip -dc "$file" 2>/dev/null | head -c 100000 | gzip -1 >"$folder/short/$(basename "$file")" || true
  done
  texts=("$folder"/short/*)
fi
compare "$DUOMAP_DATA/text" "${texts[@]}"
mkdir "$folder/plain"
for file in "${texts[@]}"; do
  gzip -dc "$file" >"$folder/plain/$(basename "$file" .gz)"
done
same "$folder/counts" "the same texts, not compressed" "$folder/plain"
same "$folder/lower_counts" "the same texts, not compressed, --lower" --lower "$folder/plain"
