import type { Db } from '../../../db/database.ts'
import { ServiceError } from '../../../errors.ts'
import { newId } from '../../../lib/crypto.ts'
import { removeControlCharacters } from '../../../lib/text/plain-text.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { appendAudit, type Actor } from '../../audit.ts'
import { toUser, userColumns, type User } from '../../users/users.ts'
import { lockUserForRemoval, type UsableMethods } from '../sign-in-methods.ts'
import type { ProviderPerson } from './person-claims.ts'

/** A user's account at a provider, which lets the user sign in. */
export type LinkedIdentity = {
  id: string
  issuer: string
  email: string | null
  createdAt: Date
  lastUsedAt: Date | null
}

export async function listIdentities(db: Db, userId: string): Promise<LinkedIdentity[]> {
  const rows = await db
    .selectFrom('external_identity')
    .select(['id', 'issuer', 'email', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    issuer: row.issuer,
    email: row.email,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}

/** The user of a provider account, found only by issuer and subject, because an email address can change owners. */
export async function findUserOfIdentity(tx: Db, person: ProviderPerson): Promise<User | null> {
  const row = await tx
    .selectFrom('external_identity')
    .innerJoin('app_user', 'app_user.id', 'external_identity.user_id')
    .select(userColumns)
    .where('issuer', '=', person.issuer)
    .where('subject', '=', person.subject)
    .executeTakeFirst()
  return row === undefined ? null : toUser(row)
}

export async function markIdentityUsed(tx: Db, person: ProviderPerson, now: Date): Promise<void> {
  await tx
    .updateTable('external_identity')
    .set({ last_used_at: now, email: person.email })
    .where('issuer', '=', person.issuer)
    .where('subject', '=', person.subject)
    .execute()
}

/** False if the provider account is already linked to this or another user. */
export async function linkIdentity(
  tx: Db,
  userId: string,
  person: ProviderPerson,
  { now, actor }: { now: Date; actor: Actor },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('external_identity')
    .values({
      id: newId('idn'),
      issuer: person.issuer,
      subject: person.subject,
      user_id: userId,
      email: person.email,
      created_at: now,
      last_used_at: now,
    })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) return false
  await appendAudit(tx, now, actor, 'identity linked', userId, describeIdentity(person))
  return true
}

type UnlinkerParts = { db: Db; clock: Clock; usableMethods: UsableMethods }

/** Removes a linked account, unless the user could then no longer sign in. */
export function createIdentityUnlinker({ db, clock, usableMethods }: UnlinkerParts) {
  return async (userId: string, identityId: string, actor: Actor): Promise<void> => {
    await db.transaction().execute(async (tx) => {
      await lockUserForRemoval(tx, userId)
      const row = await tx
        .deleteFrom('external_identity')
        .where('id', '=', identityId)
        .where('user_id', '=', userId)
        .returning(['issuer', 'email'])
        .executeTakeFirst()
      if (row === undefined) throw new ServiceError('identity_not_found')
      if (usableMethods.isOwnIssuer(row.issuer)) await usableMethods.requireOne(tx, userId)
      await appendAudit(tx, clock.now(), actor, 'identity unlinked', userId, describeIdentity(row))
    })
  }
}

/** A person at the provider who could not sign in here, for the audit log. */
export function describePerson({ email, subject, issuer }: ProviderPerson): string {
  return `${email ?? 'no email'} (${removeControlCharacters(subject)}) at ${issuer}`
}

function describeIdentity({ issuer, email }: { issuer: string; email: string | null }): string {
  return `${email ?? 'no email'} at ${issuer}`
}
