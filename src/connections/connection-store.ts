import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { Connection, Organizer, TranscriptState } from './connection.ts'
import { describeProblem, type ProblemCode } from './problems.ts'

/** The fields of a connection that an admin can change, besides its credential. */
export type ConnectionSettings = Pick<
  Connection,
  'name' | 'project' | 'excludedTitles' | 'readsCalendar' | 'isPaused'
> & { addresses: readonly string[] }

export type CredentialColumns = Pick<
  Connection,
  'credential' | 'thumbprint' | 'credentialExpiresAt'
> & { sealed: Buffer }

export type NewConnection = ConnectionSettings &
  CredentialColumns &
  Pick<Connection, 'id' | 'kind' | 'cloud' | 'tenant' | 'clientId' | 'readsFrom'>

export async function insertConnection(tx: Tx, connection: NewConnection, now: Date) {
  await tx
    .insertInto('connection')
    .values({
      id: connection.id,
      kind: connection.kind,
      cloud: connection.cloud,
      tenant: connection.tenant,
      client_id: connection.clientId,
      reads_from: connection.readsFrom,
      ...toSettingColumns(connection),
      ...toCredentialColumns(connection),
      next_poll_at: now,
      created_at: now,
    })
    .execute()
  await insertOrganizers(tx, connection.id, connection.addresses)
}

/** Changes the settings. A running poll loses its lease, and a node reads the connection again at once. */
export async function updateConnection(
  tx: Tx,
  id: string,
  settings: ConnectionSettings,
  credential: CredentialColumns | null,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('connection')
    .set({ ...toSettingColumns(settings), ...(credential && toCredentialColumns(credential)) })
    .set({ owner: null, fence: sql`fence + 1` })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('connection')
    .set({ problem: null, problem_detail: null, broken_since: null, failures: 0 })
    .set({ next_poll_at: now })
    .where('id', '=', id)
    // A change must not shorten the wait that the provider asked for.
    .where(sql<boolean>`problem is distinct from 'throttled'`)
    .execute()
  await tx
    .deleteFrom('connection_organizer')
    .where('connection_id', '=', id)
    .where(sql<boolean>`address <> all(${settings.addresses}::text[])`)
    .execute()
  await insertOrganizers(tx, id, settings.addresses)
  // Found for a person who is no longer read, and not stored yet.
  await tx
    .deleteFrom('connection_transcript')
    .where('connection_id', '=', id)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`organizer <> all(${settings.addresses}::text[])`)
    .execute()
  // What could not be read may be readable now.
  await tx
    .updateTable('connection_transcript')
    .set({ next_attempt_at: now })
    .where('connection_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

function toSettingColumns(settings: ConnectionSettings) {
  const { name, project, excludedTitles, readsCalendar, isPaused } = settings
  return {
    name,
    project,
    excluded_titles: excludedTitles,
    reads_calendar: readsCalendar,
    is_paused: isPaused,
  }
}

function toCredentialColumns(columns: CredentialColumns) {
  return {
    credential_kind: columns.credential,
    credential_sealed: columns.sealed,
    thumbprint: columns.thumbprint,
    credential_expires_at: columns.credentialExpiresAt,
  }
}

async function insertOrganizers(tx: Tx, id: string, addresses: readonly string[]): Promise<void> {
  await tx
    .insertInto('connection_organizer')
    .values(addresses.map((address) => ({ connection_id: id, address })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type ConnectionRow = Omit<Connection, 'organizers' | 'problem' | 'transcripts'> & {
  problem: ProblemCode | null
  problemDetail: string | null
}

/** All connections by name, or the one with this id. */
async function readConnections(db: Db, id?: string): Promise<Connection[]> {
  const rows: ConnectionRow[] = await db
    .selectFrom('connection')
    .select(['id', 'kind', 'name', 'cloud', 'tenant', 'client_id as clientId', 'thumbprint'])
    .select(['credential_kind as credential', 'credential_expires_at as credentialExpiresAt'])
    .select(['project', 'excluded_titles as excludedTitles', 'reads_from as readsFrom'])
    .select(['reads_calendar as readsCalendar'])
    .select(['is_paused as isPaused', 'problem', 'problem_detail as problemDetail'])
    .select(['broken_since as brokenSince', 'polled_at as polledAt', 'read_at as readAt'])
    .select(['next_poll_at as nextPollAt', 'created_at as createdAt'])
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  const ids = rows.map((row) => row.id)
  const organizers = await readOrganizers(db, ids)
  const counts = await countTranscripts(db, ids)
  return rows.map(({ problem, problemDetail, ...row }) => ({
    ...row,
    problem: problem && describeProblem(problem, problemDetail, row.kind),
    organizers: organizers.get(row.id) ?? [],
    transcripts: { ...NO_TRANSCRIPTS, ...counts.get(row.id) },
  }))
}

const NO_TRANSCRIPTS = { waiting: 0, imported: 0, excluded: 0, expired: 0, failed: 0 }

export const listConnections = (db: Db): Promise<Connection[]> => readConnections(db)

export async function requireConnection(db: Db, id: string): Promise<Connection> {
  const [connection] = await readConnections(db, id)
  if (connection === undefined) throw new ServiceError('connection_not_found')
  return connection
}

async function readOrganizers(db: Db, ids: readonly string[]): Promise<Map<string, Organizer[]>> {
  const rows = await db
    .selectFrom('connection_organizer as organizer')
    .innerJoin('connection', 'connection.id', 'connection_id')
    .select(['connection_id as id', 'kind', 'address', 'organizer.read_at as readAt'])
    .select(['organizer.problem', 'organizer.problem_detail as detail'])
    .where('connection_id', 'in', ids.length === 0 ? [''] : ids)
    .orderBy('address')
    .execute()
  const groups = Map.groupBy(rows, (row) => row.id)
  return new Map(
    [...groups].map(([id, members]) => [
      id,
      members.map(({ kind, address, problem, detail, readAt }) => ({
        address,
        problem: problem && describeProblem(problem, detail, kind),
        readAt,
      })),
    ]),
  )
}

async function countTranscripts(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Partial<Record<TranscriptState, number>>>> {
  const { rows } = await sql<{ id: string; state: TranscriptState; count: number }>`
    select connection_id as id, state, count(*)::int as count from connection_transcript
    where connection_id = any(${ids}::text[]) group by connection_id, state`.execute(db)
  const groups = Map.groupBy(rows, (row) => row.id)
  return new Map(
    [...groups].map(([id, members]) => [
      id,
      Object.fromEntries(members.map(({ state, count }) => [state, count])),
    ]),
  )
}

export async function countConnections(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('connection')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What a node needs to sign in for a connection. */
export async function readSealedCredential(db: Db, id: string): Promise<Buffer> {
  const row = await db
    .selectFrom('connection')
    .select('credential_sealed')
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('connection_not_found')
  return row.credential_sealed
}

/** A node's right to write what it reads from a connection. The fence rises with every claim and every change. */
export type ConnectionLease = { connectionId: string; nodeId: string; fence: number }

/** SQL condition: the lease is valid, and stays valid until the transaction ends. */
export function holdsLease({ connectionId, nodeId, fence }: ConnectionLease): RawBuilder<boolean> {
  return sql<boolean>`exists (select from connection
    where id = ${connectionId} and owner = ${nodeId} and fence = ${fence} for share)`
}
