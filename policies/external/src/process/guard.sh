live=" "
while read -r what group; do
    case $what in
        begins) live="$live$group " ;;
        ends) live="${live%% $group *} ${live#* $group }" ;;
    esac
done
for group in $live; do kill -s KILL -- "-$group"; done
for round in 1 2 3 4 5; do
    marked=$(grep -ls "BATCHLAB_CHILD=$1" /proc/[0-9]*/environ)
    [ -n "$marked" ] || exit
    for process in $marked; do process=${process#/proc/}; kill -s KILL "${process%/environ}"; done
done
