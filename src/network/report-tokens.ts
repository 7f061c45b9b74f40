import { newId, randomBase62, sha256 } from '../lib/crypto.ts'

const SECRET_CHARS = 32

/** An id for a new subscription, and the token that the provider sends with each report. Only a hash of the secret is stored. */
export function createReportToken(kind: string) {
  const id = newId(kind)
  const secret = randomBase62(SECRET_CHARS)
  return { id, token: `${id}.${secret}`, secretHash: sha256(secret) }
}

/** The tokens as keys that can be compared with those of stored subscriptions, and the ids in them. */
export function readReportTokens(tokens: readonly string[]) {
  const parts = tokens.map((token): [id: string, secret: string] => {
    const dot = token.indexOf('.')
    return [token.slice(0, dot), token.slice(dot + 1)]
  })
  return {
    ids: [...new Set(parts.map(([id]) => id))],
    keys: parts.map(([id, secret]) => toReportKey({ id, secretHash: sha256(secret) })),
  }
}

/** A hash of a long random secret, so comparing keys reveals nothing. */
export function toReportKey({ id, secretHash }: { id: string; secretHash: Buffer }): string {
  return `${id}.${secretHash.toString('hex')}`
}
