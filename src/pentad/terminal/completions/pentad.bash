# Completion of pentad in bash, written by `pentad completion bash`.

# What can follow a command: subcommands, games, or a file.
_pentad_words() {
  case $1 in
@words@
  esac
}

# The options of a command, or of a game after it.
_pentad_options() {
  case $1 in
@options@
  esac
}

# The values of an option after a command; fails for an option that takes none.
_pentad_values() {
  case $1 in
@values@
    *) return 1 ;;
  esac
}

_pentad() {
  local current=$2 previous=$3 command= game= word found i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case ${command:+$command }$word in
@names@ command=${command:+$command }$word ;;
      *) [[ $word != -* && " $(_pentad_words "$command") " == *" $word "* ]] && game=$word ;;
    esac
  done
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if found=$(_pentad_values "$command $previous") || found=$(_pentad_values "$command $game $previous"); then
    :
  elif [[ $current == -* ]]; then
    found="$(_pentad_options "$command") $(_pentad_options "$command $game") --help"
  else
    found=$(_pentad_words "$command")
  fi
  COMPREPLY=()
  if [[ " $found " == *" @file "* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    found=${found/@file/}
  fi
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$found" -- "$current")
}

complete -F _pentad pentad
