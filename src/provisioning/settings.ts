import { appendAudit, type Actor } from '../accounts/audit.ts'
import { isWellFormedKey, newApiKey } from '../accounts/tokens/api-keys.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { newId, sha256 } from '../lib/crypto.ts'
import type { Clock } from '../lib/time/clock.ts'

export type ProvisioningSettings = { isOn: boolean; revokesServiceTokens: boolean }

export type ProvisioningToken = {
  id: string
  name: string
  last4: string
  createdAt: Date
  lastUsedAt: Date | null
}

/** The admins' switch, and the tokens of provisioning clients. */
export interface ProvisioningAdmin {
  settings(): Promise<ProvisioningSettings>
  changeSettings(
    changes: Partial<ProvisioningSettings>,
    actor: Actor,
  ): Promise<ProvisioningSettings>
  listTokens(): Promise<ProvisioningToken[]>
  /** The returned secret is never shown again. */
  createToken(
    name: string,
    creatorId: string | null,
    actor: Actor,
  ): Promise<{ token: ProvisioningToken; secret: string }>
  revokeToken(id: string, actor: Actor): Promise<void>
  /** Finds the token of a request. Reads the database each time, so a revoked token is refused at once on all nodes. */
  verify(secret: string): Promise<{ id: string } | null>
}

const MAX_TOKENS = 20
/** `last_used_at` of a token is updated at most this often. */
const LAST_USED_INTERVAL_MS = 60_000

const DEFAULTS: ProvisioningSettings = { isOn: false, revokesServiceTokens: true }

export async function readSettings(db: Db): Promise<ProvisioningSettings> {
  return (await selectSettings(db).executeTakeFirst()) ?? DEFAULTS
}

function selectSettings(db: Db) {
  return db
    .selectFrom('provisioning')
    .select(['is_on as isOn', 'revokes_service_tokens as revokesServiceTokens'])
}

/** The first change creates the row, because a new database has no rows that a restore would meet. */
async function lockSettings(tx: Tx): Promise<ProvisioningSettings> {
  await tx
    .insertInto('provisioning')
    .values({ is_on: DEFAULTS.isOn, revokes_service_tokens: DEFAULTS.revokesServiceTokens })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return selectSettings(tx).forUpdate().executeTakeFirstOrThrow()
}

export function createProvisioningAdmin({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): ProvisioningAdmin {
  return {
    settings: () => readSettings(db),

    changeSettings: ({ isOn, revokesServiceTokens }, actor) =>
      db.transaction().execute(async (tx) => {
        const before = await lockSettings(tx)
        const after = {
          isOn: isOn ?? before.isOn,
          revokesServiceTokens: revokesServiceTokens ?? before.revokesServiceTokens,
        }
        await tx
          .updateTable('provisioning')
          .set({ is_on: after.isOn, revokes_service_tokens: after.revokesServiceTokens })
          .execute()
        const now = clock.now()
        if (after.isOn !== before.isOn)
          await appendAudit(
            tx,
            now,
            actor,
            after.isOn ? 'provisioning turned on' : 'provisioning turned off',
            null,
          )
        if (after.revokesServiceTokens !== before.revokesServiceTokens) {
          const detail = after.revokesServiceTokens
            ? 'deactivation revokes service tokens'
            : 'deactivation keeps service tokens'
          await appendAudit(tx, now, actor, 'provisioning changed', null, detail)
        }
        return after
      }),

    listTokens: () => selectTokens(db).orderBy('created_at').orderBy('id').execute(),

    async createToken(name, creatorId, actor) {
      const secret = newApiKey('sp')
      const id = newId('prv')
      const token = await db.transaction().execute(async (tx) => {
        // The row of the settings makes two creations wait for each other, so that both are counted.
        await lockSettings(tx)
        if ((await selectTokens(tx).execute()).length >= MAX_TOKENS)
          throw new ServiceError('too_many_provisioning_tokens')
        await tx
          .insertInto('provisioning_token')
          .values({
            id,
            name,
            token_hash: sha256(secret),
            last4: secret.slice(-4),
            created_by: creatorId,
            created_at: clock.now(),
          })
          .execute()
        await appendAudit(tx, clock.now(), actor, 'provisioning token created', id, name)
        return selectTokens(tx).where('id', '=', id).executeTakeFirstOrThrow()
      })
      return { token, secret }
    },

    async revokeToken(id, actor) {
      await db.transaction().execute(async (tx) => {
        const row = await tx
          .deleteFrom('provisioning_token')
          .where('id', '=', id)
          .returning('name')
          .executeTakeFirst()
        if (row === undefined) throw new ServiceError('token_not_found')
        await appendAudit(tx, clock.now(), actor, 'provisioning token revoked', id, row.name)
      })
    },

    async verify(secret) {
      if (!isWellFormedKey(secret, 'sp')) return null
      const row = await db
        .selectFrom('provisioning_token')
        .select(['id', 'last_used_at'])
        .where('token_hash', '=', sha256(secret))
        .executeTakeFirst()
      if (row === undefined) return null
      const now = clock.now()
      if (now.getTime() - (row.last_used_at?.getTime() ?? 0) > LAST_USED_INTERVAL_MS)
        await db
          .updateTable('provisioning_token')
          .set({ last_used_at: now })
          .where('id', '=', row.id)
          .execute()
      return { id: row.id }
    },
  }
}

function selectTokens(db: Db) {
  return db
    .selectFrom('provisioning_token')
    .select(['id', 'name', 'last4', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
}
