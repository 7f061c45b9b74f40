#!/bin/sh
# Verifies the signature of one saved callback. Needs openssl:
#   SIGNING_SECRET=ss_… ./verify.sh BODY_FILE SIGNATURE
# BODY_FILE contains the unchanged body. SIGNATURE is the value of X-Service-Signature. The exit status is 0 if the
# signature is valid, 1 if it is not, and 2 if it could not be checked.
#
# Do not use this in a receiver: a shell does not compare in constant time, and while openssl runs, every user who
# can list this machine's processes can read the secret.
set -euf

if [ $# -ne 2 ] || [ -z "${SIGNING_SECRET:-}" ]; then
  echo 'usage: SIGNING_SECRET=ss_… verify.sh BODY_FILE SIGNATURE' >&2
  exit 2
fi
if [ ! -f "$1" ] || [ ! -r "$1" ]; then
  echo "cannot read $1" >&2
  exit 2
fi
if ! command -v openssl >/dev/null; then
  echo 'openssl is not installed' >&2
  exit 2
fi

# Not quoted, because the variable contains two secrets separated by a space during a rotation.
for secret in $SIGNING_SECRET; do
  line=$(openssl dgst -sha256 -hmac "$secret" -r <"$1") || exit 2
  if [ "sha256=${line%% *}" = "$2" ]; then
    echo 'genuine'
    exit 0
  fi
done
echo 'not genuine: another secret, or the file is not exactly the body that arrived'
exit 1
