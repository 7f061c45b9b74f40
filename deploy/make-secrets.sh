#!/bin/sh
# Writes the secrets of compose.yaml into the folder secrets/, and leaves existing ones alone.
set -eu
cd "$(dirname "$0")"
mkdir -p -m 0700 secrets
# The folder is closed to other accounts. The files are not, because the containers read them under other user ids.
umask 022
write() {
  if [ -e "secrets/$1" ]; then echo "secrets/$1 exists"; return; fi
  printf '%s' "$2" > "secrets/$1"
  echo "secrets/$1 written"
}
if [ -e secrets/POSTGRES_PASSWORD ]; then
  password=$(cat secrets/POSTGRES_PASSWORD)
else
  password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
fi
write POSTGRES_PASSWORD "$password"
write DATABASE_URL "postgres://hansard:$password@postgres:5432/hansard"
write HANSARD_MASTER_KEY "$(head -c 32 /dev/urandom | base64)"
echo 'Keep a copy of secrets/HANSARD_MASTER_KEY: a backup cannot be used without it.'
