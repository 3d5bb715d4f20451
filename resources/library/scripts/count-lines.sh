# Counts the lines of every file: "<lines> <path>", sorted by path.
set -eu
find . -type f -print0 | LC_ALL=C sort -z | while IFS= read -r -d '' path; do
  printf '%d %s\n' "$(wc -l < "$path")" "${path#./}"
done
