import type { Clock } from '../../lib/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { appendAudit } from '../audit.ts'
import type { User } from '../users/users.ts'
import type { KnownDevices } from './known-device.ts'
import type { ClientInfo, Sessions } from './sessions.ts'

/** A user who has just signed in. The secret is the value of the session cookie. */
export type StartedSession = {
  user: User
  secret: string
  csrfToken: string
  /** What the browser keeps to be recognised at the next sign-in. */
  knownDeviceToken: string
}

/** `knownDeviceToken` is what the browser kept from an earlier sign-in. */
export type SignInClient = ClientInfo & { knownDeviceToken: string | null }

/** How a user has proved who they are, as the audit log says it. */
export type SignInMethod =
  | 'password'
  | 'new password'
  | 'passkey'
  | 'sign-in provider'
  | 'reset link'
  | 'invitation'
  | 'setup link'

/** Starts a session and records it in the audit log. `idToken` is that of the provider, if there is one. */
export type StartSession = (
  tx: Db,
  user: User,
  client: ClientInfo,
  proof: { method: SignInMethod; idToken?: string },
) => Promise<StartedSession>

type Parts = { clock: Clock; sessions: Sessions; knownDevices: KnownDevices }

export function createSessionStarter({ clock, sessions, knownDevices }: Parts): StartSession {
  return async (tx, user, client, { method, idToken }) => {
    const actor = { name: `user:${user.id}`, ip: client.ip }
    await appendAudit(tx, clock.now(), actor, 'signed in', null, method)
    return {
      user,
      ...(await sessions.start(tx, user.id, client, idToken)),
      knownDeviceToken: knownDevices.remember(user.id),
    }
  }
}
