#compdef pentad
# Completion of pentad in zsh, written by `pentad completion zsh`.

# The subcommands of a command, with what they do.
_pentad_commands() {
  case $1 in
@commands@
    *) return 1 ;;
  esac
}

# What else can follow a command: games, or a file.
_pentad_words() {
  case $1 in
@words@
  esac
}

# The options of a command, or of a game after it, with what they do.
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
  local -a found all
  local command= game= word previous=${words[CURRENT-1]} is_value=
  for word in ${words[2,CURRENT-1]}; do
    case ${command:+$command }$word in
@names@ command=${command:+$command }$word ;;
      *) _pentad_words "$command"; [[ $word != -* && ${found[(Ie)$word]} -gt 0 ]] && game=$word ;;
    esac
    found=()
  done
  if _pentad_values "$command $previous" || _pentad_values "$command $game $previous"; then
    is_value=1
  elif [[ $PREFIX == -* ]]; then
    _pentad_options "$command"; all=($found); found=()
    _pentad_options "$command $game"; all+=($found '--help:show what the command takes')
    _describe -o option all
    return
  elif _pentad_commands "$command"; then
    _describe command found
    return
  else
    _pentad_words "$command"
  fi
  if (( ${found[(Ie)@file]} )); then
    _files
    found=(${found:#@file})
  fi
  (( $#found )) && compadd -a found
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pentad "$@"; else compdef _pentad pentad; fi
