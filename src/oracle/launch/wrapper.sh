# Runs one check where a launcher has put it, and writes down how it ended. Made by paredown, for one query.
here=${0%/*/*} job=${0%/*} number=@NUMBER@ check= watch=
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
# Ends the check, also one that is only about to start: that sees that it is not wanted any more.
give_up() {
  rm -f "$job/wanted-$number"
  if [ -n "$check" ] || read -r check 2> /dev/null <&3; then slay "$check"; fi
}
# Beside the check: ends it when its time is over, when nobody wants the answer, and when the one who waits for it has gone.
if [ "$1" = watch ]; then
  left=@MILLISECONDS@ parent= now=
  # The check writes its number there. The file may go with its folder, and is still read.
  : > "$job/check-$number"
  exec 3< "$job/check-$number"
  echo > "$job/watched-$number"
  read -r rest rest rest parent rest 2> /dev/null < "/proc/$$/stat"
  now=$parent
  # One that is dead may keep its number for long; then we have another parent.
  while [ -e "$job/wanted-$number" ] && kill -0 "$2" 2> /dev/null && [ "$now" = "$parent" ]; do
    if [ "$left" -le 1000 ]; then
      sleep "$((left / 1000)).$(printf %03d "$((left % 1000))")"
      echo late > "$job/late-$number"
      if read -r check <&3; then slay "$check"; fi
      exit
    fi
    sleep 1
    left=$((left - 1000))
    read -r rest rest rest now rest 2> /dev/null < "/proc/$$/stat"
  done
  if [ "$now" = "$parent" ]; then kill "$2" 2> /dev/null; fi
  give_up
  exit
fi
[ -e "$job/wanted-$number" ] || fail "this query is not wanted any more"
@CANDIDATE@
command -v @PROGRAM@ > /dev/null || fail "cannot find @PROGRAM@"
cd @WORK@ || fail "cannot enter the working directory"
trap 'give_up; slay "$watch"; exit 9' HUP INT TERM
echo "$$" > "$job/pid"
export PWD PAREDOWN_SLOT="$here" TMPDIR="$here/tmp" TMP="$here/tmp" TEMP="$here/tmp"@HOME@
start= end= rest=
(own sh "$0" watch "$$") < /dev/null &
watch=$!
# Until it has a session of its own, what kills this script kills it too, and nobody would end the check.
until [ -e "$job/watched-$number" ]; do
  [ -e "$job/wanted-$number" ] || fail "this query is not wanted any more"
  sleep 0.01
done
read -r start rest 2> /dev/null < /proc/uptime
(
@LIMITS@
  own sh -c 'echo $$ > "$0" && [ -e "$1" ] || kill -s KILL $$; shift; exec "$@"' "$job/check-$number" "$job/wanted-$number" @WORDS@
) < @STDIN@ > @STDOUT@ 2> @STDERR@ &
check=$!
wait "$check"
status=$?
slay "$check"
read -r end rest 2> /dev/null < /proc/uptime
if [ -e "$job/late-$number" ]; then status=late; fi
# Who ends a job sends the signal to the check too, which may be the first to end. Then there will be one for us.
case $status in 129 | 130 | 137 | 143) sleep 1 ;; esac
slay "$watch"
[ -e "$job/wanted-$number" ] || fail "nobody wants the verdict any more"
echo "paredown $number $status ${start:-0} ${end:-0} end" > "$job/verdict" || fail "cannot write the verdict"
exit 0
