
set -eu
for size in 8 24 40 56 72 88; do
    mkdir disk
    mount -t tmpfs -o size=${size}k tmpfs disk
    code=0
    "$0" run small.toml --out disk/r -q > /dev/null 2> "told-$size" || code=$?
    find disk -name '.?*' > "hidden-$size"
    echo $code > "code-$size"
    mount -o remount,size=20M disk
    "$0" run small.toml --out disk/r -q --resume > /dev/null
    cp -r disk/r "later-$size"
    umount disk
    rmdir disk
done
