#!/bin/sh
# Checks one saved callback by hand; needs openssl:
#   SIGNING_SECRET=ss_… ./verify.sh BODY_FILE SIGNATURE
# BODY_FILE holds the body byte for byte, SIGNATURE is the value of X-Service-Signature. Ends with 0 when it is
# genuine, 1 when it is not, 2 when it cannot tell.
#
# No receiver: a shell cannot compare in constant time, and openssl shows the secret to whoever can list the
# processes of this machine while it runs.
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

# Not quoted: there are two secrets with a space between during a rotation.
for secret in $SIGNING_SECRET; do
  line=$(openssl dgst -sha256 -hmac "$secret" -r <"$1") || exit 2
  if [ "sha256=${line%% *}" = "$2" ]; then
    echo 'genuine'
    exit 0
  fi
done
echo 'not genuine'
exit 1
