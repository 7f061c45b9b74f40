import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../lib/crypto.ts'
import { hasControlCharacters } from '../../lib/text/plain-text.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { appendAudit, type Actor } from '../audit.ts'
import type { Role } from '../roles.ts'
import { findPasswordProblem, type PasswordHasher } from '../sign-in/passwords.ts'
import { updateCreatorNameOnTokens } from '../tokens/token-creators.ts'

export type User = {
  id: string
  email: string
  name: string
  role: Role
  createdAt: Date
  /** Since when the user can't sign in. Null for an active user. */
  deactivatedAt: Date | null
}

export type NewUser = { email: string; name: string; password: string; role: Role }

/** `passwordHash` is null for a user who signs in with a provider. */
export type NewUserWithPasswordHash = Omit<NewUser, 'password'> & { passwordHash: string | null }

type Parts = { db: Db; clock: Clock; passwords: PasswordHasher }

export function createUsers({ db, clock, passwords }: Parts) {
  return {
    /** Validates the user and hashes the password. Slow, so call it outside a transaction. */
    async prepare({ password, ...user }: NewUser): Promise<NewUserWithPasswordHash> {
      refuseControlCharacters(user.name)
      await refuseWeakPassword(password, 'password')
      return {
        ...user,
        email: user.email.toLowerCase(),
        passwordHash: await passwords.hash(password),
      }
    },

    async insert(tx: Db, user: NewUserWithPasswordHash, actor: Actor): Promise<User> {
      const row = await tx
        .insertInto('app_user')
        .values({
          id: newId('usr'),
          email: user.email,
          name: user.name,
          role: user.role,
          password_hash: user.passwordHash,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returning(userColumns)
        .executeTakeFirst()
      if (row === undefined) throw new ServiceError('email_taken')
      await appendAudit(tx, clock.now(), actor, 'user created', row.id, describeUser(row))
      return toUser(row)
    },

    async list(): Promise<User[]> {
      const rows = await db.selectFrom('app_user').select(userColumns).orderBy('email').execute()
      return rows.map(toUser)
    },

    async count(within: Db = db): Promise<number> {
      const { count } = await within
        .selectFrom('app_user')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async findIdByEmail(tx: Db, email: string): Promise<string | null> {
      const row = await tx
        .selectFrom('app_user')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirst()
      return row?.id ?? null
    },

    async rename(userId: string, name: string, actor: Actor): Promise<User> {
      refuseControlCharacters(name)
      return db
        .transaction()
        .execute((tx) => renameUser(tx, userId, name, { actor, now: clock.now() }))
    },

    async setPassword(tx: Db, userId: string, passwordHash: string): Promise<void> {
      const { numUpdatedRows } = await tx
        .updateTable('app_user')
        .set({ password_hash: passwordHash })
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw new ServiceError('user_not_found')
    },
  }
}

export type Users = ReturnType<typeof createUsers>

export async function renameUser(
  tx: Db,
  userId: string,
  name: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<User> {
  const row = await tx
    .updateTable('app_user')
    .set({ name })
    .where('id', '=', userId)
    .returning(userColumns)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('user_not_found')
  await updateCreatorNameOnTokens(tx, userId, name)
  await appendAudit(tx, now, actor, 'profile changed', userId)
  return toUser(row)
}

/** Whom to write to. Null if there is no such active user. */
export async function findUserContact(
  db: Db,
  userId: string,
): Promise<{ name: string; email: string; role: Role } | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['name', 'email', 'role'])
    .where('id', '=', userId)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Leaves only the addresses that belong to users. All are in lower case. */
export async function listUserEmails(db: Db, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return []
  const rows = await db
    .selectFrom('app_user')
    .select('email')
    .where('email', 'in', emails)
    .execute()
  return rows.map(({ email }) => email)
}

/** Locks the list of users until the transaction ends, so that the number of users can't change after a count. */
export async function acquireUserListLock(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('hansard users', 0))`.execute(tx)
}

/** Refuses control characters in user names, which could run terminal commands when the command line prints them. */
function refuseControlCharacters(name: string): void {
  if (!hasControlCharacters(name)) return
  throw new ServiceError('invalid_request', {
    details: [{ path: 'name', message: 'A name must not contain control characters' }],
  })
}

export async function refuseWeakPassword(password: string, fieldPath: string): Promise<void> {
  const problem = await findPasswordProblem(password)
  if (problem === null) return
  throw new ServiceError('invalid_request', {
    details: [{ path: fieldPath, message: `Password ${problem}` }],
  })
}

/** A user in the detail of an audit row, which must say who it was after the user is removed. */
export function describeUser({ name, email, role }: Pick<User, 'name' | 'email' | 'role'>): string {
  return `${name} <${email}>, ${role}`
}

export const userColumns = [
  'app_user.id',
  'app_user.email',
  'app_user.name',
  'app_user.role',
  'app_user.created_at',
  'app_user.deactivated_at',
] as const

type UserRow = {
  id: string
  email: string
  name: string
  role: Role
  created_at: Date
  deactivated_at: Date | null
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
    deactivatedAt: row.deactivated_at,
  }
}
