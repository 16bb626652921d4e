# Runs one check where a launcher has put it, and writes down how it ended. Made by paredown, for one query.
here=${0%/*/*} job=${0%/*} number=@NUMBER@ check= watch=
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
# Beside the check: ends it when its time is over, when nobody wants the answer, and when the one who waits for it has gone.
if [ "$1" = watch ]; then
  left=@MILLISECONDS@
  while [ -e "$job/wanted-$number" ] && kill -0 "$3" 2> /dev/null; do
    if [ "$left" -le 1000 ]; then
      sleep "$((left / 1000)).$(printf %03d "$((left % 1000))")"
      echo late > "$job/late-$number"
      break
    fi
    sleep 1
    left=$((left - 1000))
  done
  slay "$2"
  exit
fi
[ -e "$job/wanted-$number" ] || fail "this query is not wanted any more"
@CANDIDATE@
command -v @PROGRAM@ > /dev/null || fail "cannot find @PROGRAM@"
cd @WORK@ || fail "cannot enter the working directory"
trap 'slay "$check"; slay "$watch"; exit 9' HUP INT TERM
echo "$$" > "$job/pid"
export PWD PAREDOWN_SLOT="$here" TMPDIR="$here/tmp" TMP="$here/tmp" TEMP="$here/tmp"@HOME@
start= end= rest=
read -r start rest 2> /dev/null < /proc/uptime
(
@LIMITS@
  own @WORDS@
) < @STDIN@ > @STDOUT@ 2> @STDERR@ &
check=$!
(own sh "$0" watch "$check" "$$") < /dev/null &
watch=$!
wait "$check"
status=$?
slay "$check"
read -r end rest 2> /dev/null < /proc/uptime
slay "$watch"
if [ -e "$job/late-$number" ]; then status=late; fi
echo "paredown $number $status ${start:-0} ${end:-0} end" > "$job/verdict" || fail "cannot write the verdict"
exit 0
