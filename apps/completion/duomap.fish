# Completion for fish. The program gives the candidates; file names are candidates everywhere else.
function __duomap_has_candidates
    set -l words (commandline -opc)
    set -g __duomap_candidates ($words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)
    test -n "$__duomap_candidates"
end
complete -c duomap -n __duomap_has_candidates -f -a '$__duomap_candidates'
