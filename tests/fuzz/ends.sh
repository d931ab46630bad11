# SIGTERM ends a fuzz run in the middle of a case: the worker here is stopped, and would never finish its own.
"$1" --seed 1 --minutes 60 --out "$2" &
run=$!
until worker=$(pgrep -P $run); do sleep 0.1; done
kill -STOP "$worker"
kill -TERM $run
wait $run
