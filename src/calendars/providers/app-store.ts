import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { AreaContext } from '../../db/context.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import type { MicrosoftCloud } from '../../network/microsoft-hosts.ts'
import type { CalendarProviderName } from '../calendar.ts'
import type { CalendarApp } from './provider.ts'

/** What people may see of a registered application. */
export type ListedApp = Omit<CalendarApp, 'clientSecret'> & { changedAt: Date }

export type AppRequest = {
  clientId: string
  /** Absent to keep the stored one. */
  clientSecret?: string | undefined
  tenant?: string | undefined
  cloud?: MicrosoftCloud | undefined
}

type Parts = Pick<AreaContext, 'db' | 'clock'> & { secretBox: SecretBox; onChanged(): void }

/** The applications that admins registered at the providers. */
export function createCalendarApps({ db, clock, secretBox, onChanged }: Parts) {
  return {
    list: (): Promise<ListedApp[]> =>
      db
        .selectFrom('calendar_app')
        .select(['provider', 'client_id as clientId', 'tenant', 'cloud', 'changed_at as changedAt'])
        .orderBy('provider')
        .execute(),

    /** Null if the provider has no application. */
    find: (provider: CalendarProviderName) => findApp(db, secretBox, provider),

    /** Registers or changes an application. With another client ID, people have to connect their accounts again. */
    async set(
      provider: CalendarProviderName,
      { clientId, clientSecret, tenant = 'common', cloud = 'global' }: AppRequest,
      actor: Actor,
    ): Promise<ListedApp> {
      const now = clock.now()
      const place = provider === 'microsoft' ? { tenant, cloud } : { tenant: null, cloud: null }
      const stored = await db.transaction().execute(async (tx) => {
        const before = await findApp(tx, secretBox, provider)
        const secret = clientSecret ?? (before?.clientId === clientId ? before.clientSecret : null)
        if (secret === null) throw secretNeeded()
        const columns = {
          client_id: clientId,
          secret_sealed: secretBox.seal(secret, labelOf(provider)),
          ...place,
          changed_at: now,
        }
        await tx
          .insertInto('calendar_app')
          .values({ provider, ...columns })
          .onConflict((conflict) => conflict.column('provider').doUpdateSet(columns))
          .execute()
        await appendAudit(tx, now, actor, 'calendar application changed', provider)
        return { provider, clientId, ...place, changedAt: now }
      })
      onChanged()
      return stored
    },

    /** Calendars of the provider are not read until it has an application again. */
    async remove(provider: CalendarProviderName, actor: Actor): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('calendar_app')
          .where('provider', '=', provider)
          .executeTakeFirst()
        if (numDeletedRows === 0n) throw new ServiceError('calendar_app_not_found')
        await appendAudit(tx, clock.now(), actor, 'calendar application removed', provider)
      })
    },
  }
}

export type CalendarApps = ReturnType<typeof createCalendarApps>

async function findApp(
  db: Db,
  secretBox: SecretBox,
  provider: CalendarProviderName,
): Promise<CalendarApp | null> {
  const row = await db
    .selectFrom('calendar_app')
    .select(['client_id as clientId', 'secret_sealed as sealed', 'tenant', 'cloud'])
    .where('provider', '=', provider)
    .executeTakeFirst()
  if (row === undefined) return null
  const { sealed, ...app } = row
  return { provider, ...app, clientSecret: secretBox.open(sealed, labelOf(provider)) }
}

/** Binds the encrypted secret to its row. */
function labelOf(provider: CalendarProviderName): string {
  return `calendar-app:${provider}`
}

function secretNeeded(): ServiceError {
  const message = 'Is needed for a new client ID'
  return new ServiceError('invalid_request', { details: [{ path: 'clientSecret', message }] })
}
