# Runs one check where a launcher has put it, and writes down how it ended. Made by paredown, for one query.
here=${0%/*/*} job=${0%/*} number=@NUMBER@ check= watch=
# All that the check starts carries this in its environment.
mark=PAREDOWN_SLOT=$here/query-$number-
exec 3< /dev/null
fail() {
  echo "paredown: $1 on $(uname -n)" >&2
  exit 9
}
# In a session of its own, so that all of it can be killed.
own() {
  if command -v setsid > /dev/null; then exec setsid "$@"; else exec "$@"; fi
}
slay() {
  kill -s KILL -- "-$1" 2> /dev/null || kill -s KILL "$1" 2> /dev/null
}
# Kills what has left the check's session.
sweep() {
  for round in 1 2 3 4 5; do
    found=$(grep -lsF "$mark" /proc/[0-9]*/environ)
    [ -n "$found" ] || return 0
    for process in $found; do
      process=${process%/environ}
      kill -s KILL "${process##*/}" 2> /dev/null
    done
  done
}
# Ends the check, also one that is only about to start: that sees that it is not wanted any more.
give_up() {
  rm -f "$job/wanted-$number"
  if [ -n "$check" ] || read -r check 2> /dev/null <&3; then slay "$check"; fi
  sweep
}
# The state of a process, and when it was started: another one may get its number.
look() {
  state=X begun=
  [ -d /proc/self ] || { kill -0 "$1" 2> /dev/null && state=R; return 0; }
  read -r line 2> /dev/null < "/proc/$1/stat" || return 0
  set -- ${line##*) }
  state=$1 begun=${20}
}
is_there() {
  [ "$state" != Z ] && [ "$state" != X ] && [ "$begun" = "$first" ]
}
# Beside the check: ends it when its time is over, when nobody wants the answer, and when the one who waits for it has gone. It is
# nobody's child, since a scheduler kills a job from the top: what is started meanwhile below is not found any more, and must be here.
if [ "$1" = watch ]; then
  left=@MILLISECONDS@
  look "$2"
  first=$begun
  # The check writes its number there. The file may go with its folder, and is still read.
  : > "$job/check-$number"
  exec 3< "$job/check-$number"
  echo "$$" > "$job/watch" && mv "$job/watch" "$job/watched-$number"
  while [ -e "$job/wanted-$number" ] && is_there; do
    if [ "$left" -le 1000 ]; then
      sleep "$((left / 1000)).$(printf %03d "$((left % 1000))")"
      echo late > "$job/late-$number"
      if read -r check <&3; then slay "$check"; fi
      exit
    fi
    sleep 1
    left=$((left - 1000))
    look "$2"
  done
  if is_there; then kill "$2" 2> /dev/null; fi
  give_up
  exit
fi
[ -e "$job/wanted-$number" ] || fail "this query is not wanted any more"
@CANDIDATE@
command -v @PROGRAM@ > /dev/null || fail "cannot find @PROGRAM@"
cd @WORK@ || fail "cannot enter the working directory"
trap 'give_up; slay "$watch"; exit 9' HUP INT TERM
echo "$$" > "$job/pid"
export PWD TMPDIR="$here/tmp" TMP="$here/tmp" TEMP="$here/tmp"@HOME@
start= end= rest=
# Until it has a session of its own, what kills this script kills it too, and nobody would end the check.
(own sh "$0" watch "$$" < /dev/null > /dev/null 2>&1 &)
until read -r watch 2> /dev/null < "$job/watched-$number"; do
  [ -e "$job/wanted-$number" ] || fail "this query is not wanted any more"
  sleep 0.01
done
read -r start rest 2> /dev/null < /proc/uptime
(
  export "$mark"
@LIMITS@
  own sh -c 'echo $$ > "$0" && [ -e "$1" ] || kill -s KILL $$; shift; exec "$@"' "$job/check-$number" "$job/wanted-$number" @WORDS@
) < @STDIN@ > @STDOUT@ 2> @STDERR@ &
check=$!
wait "$check"
status=$?
slay "$check"
read -r end rest 2> /dev/null < /proc/uptime
sweep
if [ -e "$job/late-$number" ]; then status=late; fi
# Who ends a job sends the signal to the check too, which may be the first to end. Then there will be one for us.
case $status in 129 | 130 | 137 | 143) sleep 1 ;; esac
slay "$watch"
[ -e "$job/wanted-$number" ] || fail "nobody wants the verdict any more"
echo "paredown $number $status ${start:-0} ${end:-0} end" > "$job/verdict" || fail "cannot write the verdict"
exit 0
