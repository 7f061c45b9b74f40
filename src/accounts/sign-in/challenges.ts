import type { Db } from '../../db/database.ts'
import { type SecretBox, sha256 } from '../../lib/crypto.ts'
import { addSecondsToDate, type Clock } from '../../lib/time/clock.ts'

export const CHALLENGE_SECONDS = 600

export type ChallengeKind =
  | 'provider sign-in'
  | 'provider link'
  | 'passkey sign-in'
  | 'new passkey'
  | 'calendar account'

export type NewChallenge = {
  kind: ChallengeKind
  /** A random value that the answer must contain. */
  key: string
  /** A secret that only the browser that started the challenge has. */
  browser: string
  /** The signed-in user who started the challenge. Null for a sign-in. */
  userId: string | null
  /** The data that checks the answer, as text. */
  data: string
}

/**
 * Challenges that a browser must answer within ten minutes. They are in the database, so that another node can check
 * the answer. The first answer deletes a challenge, so no answer can be used twice.
 */
export interface SignInChallenges {
  create(challenge: NewChallenge): Promise<void>
  /** Null if the key is unknown, used, expired, of another kind, or came from another browser. */
  redeem<Kind extends ChallengeKind>(
    kinds: readonly Kind[],
    key: string,
    browser: string | null,
  ): Promise<{ kind: Kind; userId: string | null; data: string } | null>
}

type Parts = { db: Db; clock: Clock; secretBox: SecretBox }

export function createSignInChallenges({ db, clock, secretBox }: Parts): SignInChallenges {
  return {
    async create({ kind, key, browser, userId, data }) {
      await db
        .insertInto('sign_in_challenge')
        .values({
          key_hash: sha256(key),
          kind,
          browser_hash: sha256(browser),
          user_id: userId,
          data: secretBox.seal(data, kind),
          expires_at: addSecondsToDate(clock.now(), CHALLENGE_SECONDS),
        })
        .execute()
    },

    async redeem(kinds, key, browser) {
      if (browser === null) return null
      const row = await db
        .deleteFrom('sign_in_challenge')
        .where('key_hash', '=', sha256(key))
        .where('browser_hash', '=', sha256(browser))
        .where('kind', 'in', kinds)
        .where('expires_at', '>', clock.now())
        .returning(['kind', 'user_id', 'data'])
        .executeTakeFirst()
      const kind = kinds.find((name) => name === row?.kind)
      if (row === undefined || kind === undefined) return null
      return { kind, userId: row.user_id, data: secretBox.open(row.data, kind) }
    },
  }
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_challenge').where('expires_at', '<', now).execute()
}
