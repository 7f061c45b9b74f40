import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { type SecretBox, sha256, newId, randomBase62 } from '../../lib/crypto.ts'
import { addSecondsToDate, type Clock } from '../../lib/time/clock.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { requireActiveUser } from '../users/deactivation.ts'
import { toUser, userColumns, type User } from '../users/users.ts'

const IDLE_SECONDS = 12 * 3_600
const ABSOLUTE_SECONDS = 7 * 24 * 3_600
/** `last_seen_at` of a session is updated at most this often. */
const LAST_SEEN_INTERVAL_SECONDS = 60

export type ClientInfo = { ip: string; userAgent: string }

export type Session = ClientInfo & { id: string; createdAt: Date; lastSeenAt: Date }

export type AuthenticatedSession = { session: Session; user: User; csrfToken: string }

type Parts = { db: Db; clock: Clock; secretBox: SecretBox }

/** A user who has just signed in. The secret is the value of the session cookie. */
export type StartedSession = {
  user: User
  secret: string
  csrfToken: string
  /** The browser keeps this text to be recognised at the next sign-in. */
  knownDeviceToken: string
}

/** `knownDeviceToken` is the browser's text from an earlier sign-in. */
export type SignInClient = ClientInfo & { knownDeviceToken: string | null }

/** How a user proved who they are, in the words of the audit log. */
type SignInMethod =
  | 'password'
  | 'new password'
  | 'passkey'
  | 'sign-in provider'
  | 'reset link'
  | 'invitation'
  | 'setup link'

/** Starts a session and records it in the audit log. `idToken` is the provider's, if there is one. */
export type StartSession = (
  tx: Db,
  user: User,
  client: ClientInfo,
  proof: { method: SignInMethod; idToken?: string },
) => Promise<StartedSession>

const LABEL = 'known device'

type StartSessionParts = { clock: Clock; sessions: Sessions; knownDevices: KnownDevices }

export function createSessions({ db, clock, secretBox }: Parts) {
  const selectActive = () => {
    const now = clock.now()
    return db
      .selectFrom('session')
      .where('session.last_seen_at', '>', addSecondsToDate(now, -IDLE_SECONDS))
      .where('session.created_at', '>', addSecondsToDate(now, -ABSOLUTE_SECONDS))
  }
  return {
    /** Returns the secret for the session cookie. Only its hash is stored. `idToken` comes from a provider sign-in. */
    async start(tx: Db, userId: string, client: ClientInfo, idToken?: string) {
      const id = newId('ses')
      const secret = randomBytes(32).toString('base64url')
      await tx
        .insertInto('session')
        .values({
          id,
          secret_hash: sha256(secret),
          user_id: userId,
          ip: client.ip,
          user_agent: client.userAgent.slice(0, 300),
          created_at: clock.now(),
          last_seen_at: clock.now(),
          id_token: idToken === undefined ? null : secretBox.seal(idToken, id),
        })
        .execute()
      return { secret, csrfToken: csrfTokenOf(secret) }
    },

    async find(secret: string): Promise<AuthenticatedSession | null> {
      const row = await selectActive()
        .innerJoin('app_user', 'app_user.id', 'session.user_id')
        .select([
          'session.id as session_id',
          'session.created_at as began_at',
          'session.last_seen_at',
        ])
        .select(['session.ip', 'session.user_agent', ...userColumns])
        .where('session.secret_hash', '=', sha256(secret))
        .executeTakeFirst()
      if (row === undefined) return null
      if (row.last_seen_at < addSecondsToDate(clock.now(), -LAST_SEEN_INTERVAL_SECONDS)) {
        await updateLastSeen(db, row.session_id, clock.now())
      }
      return {
        session: toSession({ ...row, id: row.session_id, created_at: row.began_at }),
        user: toUser(row),
        csrfToken: csrfTokenOf(secret),
      }
    },

    async list(userId: string): Promise<Session[]> {
      const rows = await selectActive()
        .select(['id', 'created_at', 'last_seen_at', 'ip', 'user_agent'])
        .where('user_id', '=', userId)
        .orderBy('last_seen_at', 'desc')
        .execute()
      return rows.map(toSession)
    },

    async end(userId: string, sessionId: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('session')
          .where('user_id', '=', userId)
          .where('id', '=', sessionId)
          .executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) throw new ServiceError('session_not_found')
        await appendAudit(tx, clock.now(), actor, 'session ended', sessionId)
      })
    },

    /** Returns the number of ended sessions. */
    async endAll(tx: Db, userId: string): Promise<number> {
      const { numDeletedRows } = await tx
        .deleteFrom('session')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    async endOthers(userId: string, keptId: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await tx
          .deleteFrom('session')
          .where('user_id', '=', userId)
          .where('id', '<>', keptId)
          .execute()
        await appendAudit(tx, clock.now(), actor, 'sessions ended', userId)
      })
    },

    /** Ends the session. Returns its ID token if the sign-in was with a provider. */
    async signOut({ session }: AuthenticatedSession, actor: Actor) {
      const ended = await db.transaction().execute(async (tx) => {
        const row = await tx
          .deleteFrom('session')
          .where('id', '=', session.id)
          .returning('id_token')
          .executeTakeFirst()
        await appendAudit(tx, clock.now(), actor, 'signed out', session.id)
        return row
      })
      const sealed = ended?.id_token ?? null
      return { idToken: sealed === null ? null : secretBox.open(sealed, session.id) }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('session')
    .where((eb) =>
      eb.or([
        eb('last_seen_at', '<', addSecondsToDate(now, -IDLE_SECONDS)),
        eb('created_at', '<', addSecondsToDate(now, -ABSOLUTE_SECONDS)),
      ]),
    )
    .execute()
}

/** The CSRF token of a session, derived from its cookie's secret, which other sites can't read. So none is stored. */
function csrfTokenOf(secret: string): string {
  return sha256(`csrf:${secret}`).toString('base64url')
}

async function updateLastSeen(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('session').set({ last_seen_at: now }).where('id', '=', id).execute()
}

type SessionRow = {
  id: string
  created_at: Date
  last_seen_at: Date
  ip: string
  user_agent: string
}

function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    ip: row.ip,
    userAgent: row.user_agent,
  }
}

export function createSessionStarter({
  clock,
  sessions,
  knownDevices,
}: StartSessionParts): StartSession {
  return async (tx, user, client, { method, idToken }) => {
    await requireActiveUser(tx, user.id)
    const actor = { name: `user:${user.id}`, ip: client.ip }
    await appendAudit(tx, clock.now(), actor, 'signed in', null, method)
    return {
      user,
      ...(await sessions.start(tx, user.id, client, idToken)),
      knownDeviceToken: knownDevices.remember(user.id),
    }
  }
}

/**
 * Recognises a browser where a user has signed in before, by an encrypted text that the browser keeps. The text gives
 * no access. It only lets failed sign-ins from such a browser be counted separately from other people's.
 */
export function createKnownDevices(secretBox: SecretBox) {
  return {
    /** The text for a browser where the user has just signed in. */
    remember: (userId: string) =>
      secretBox.seal(`${randomBase62(20)} ${userId}`, LABEL).toString('base64url'),
    /** The key for counting this browser's failures. Null if the text does not belong to this user. */
    findKey(text: string | null, userId: string): string | null {
      const [key = '', of] = openText(secretBox, text)?.split(' ') ?? []
      return of === userId ? key : null
    },
  }
}

export type KnownDevices = ReturnType<typeof createKnownDevices>

/** Null if this instance did not make the text. */
function openText(secretBox: SecretBox, text: string | null): string | null {
  if (text === null) return null
  try {
    return secretBox.open(Buffer.from(text, 'base64url'), LABEL)
  } catch {
    return null
  }
}
