# Completion for bash. The program gives the candidates; file names are candidates everywhere else.
_duomap() {
  local words=() joined='' word line candidates
  # bash splits "--sort=key" into three words, so they are joined again.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((${#words[@]})) && [[ $joined || $word == "=" ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    joined=''
    [[ $word != "=" ]] || joined=yes
  done
  mapfile -t candidates < <("$1" __complete "${words[@]}" 2>/dev/null)
  COMPREPLY=()
  for line in "${candidates[@]}"; do
    line=${line%%$'\t'*}
    [[ $COMP_WORDBREAKS != *=* ]] || line=${line#*=}
    COMPREPLY+=("$line")
  done
} &&
  complete -o bashdefault -o default -F _duomap duomap
