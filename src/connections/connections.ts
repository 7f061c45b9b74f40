import { mayAccess } from '../access/subjects.ts'
import type { Viewer } from '../access/viewer.ts'
import { appendAudit, type Actor } from '../accounts/audit.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { newId, type SecretBox } from '../lib/crypto.ts'
import type { Connection, ConnectionKind, TranscriptState } from './connection.ts'
import {
  countConnections,
  insertConnection,
  listConnections,
  readSealedCredential,
  requireConnection,
  updateConnection,
  type ConnectionSettings,
  type CredentialColumns,
} from './connection-store.ts'
import { checkConnection } from './check-connection.ts'
import type {
  CheckLine,
  CredentialFields,
  ReadCredential,
  TranscriptProviders,
} from './provider.ts'
import { requestPoll } from './poll-runner.ts'
import { requireKnownReader } from './read-organizers.ts'
import { listProviderIds } from './subscriptions.ts'
import { listTranscripts } from './transcript-store.ts'
import { openCredential, sealCredential } from './sealed-credential.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { ReadProblem } from './problems.ts'

type SettingFields = {
  name?: string | undefined
  project?: string | null | undefined
  organizers?: string[] | undefined
  excludedTitles?: string[] | undefined
  readsCalendar?: boolean | undefined
  isPaused?: boolean | undefined
}

export type NewConnectionRequest = SettingFields &
  CredentialFields & {
    name: string
    organizers: string[]
    kind?: ConnectionKind | undefined
    readsFrom?: Date | undefined
  }

export type ConnectionChange = SettingFields & CredentialFields

type Parts = {
  db: Db
  secretBox: SecretBox
  clock: Clock
  log: Log
  providers: TranscriptProviders
  /** Called after the commit of a change, so that all nodes look for what is due. */
  onChanged(): void
}

const MAX_CONNECTIONS = 100
const STOP_REPORTS_MS = 5_000

/** The connections of the organization, for admins. */
export function createConnections(parts: Parts) {
  const { db, clock, secretBox, providers, onChanged } = parts
  return {
    list: () => listConnections(db),

    async create(
      viewer: Viewer,
      request: NewConnectionRequest,
      actor: Actor,
      beforeCommit?: (tx: Tx, connection: Connection) => Promise<void>,
    ) {
      const now = clock.now()
      const { kind = 'microsoft', project = null } = request
      const { identity, ...read } = requireIdentity(
        kind,
        providers[kind].readCredential(request, now),
      )
      await requireProject(db, viewer, project)
      const id = newId('con')
      const { readsFrom = now } = request
      const { readsCalendar = kind === 'google' } = request
      const settings = mergeSettings(NEW_SETTINGS, { ...request, readsCalendar, project })
      requireUsableSettings(kind, settings)
      const created = await db.transaction().execute(async (tx) => {
        if ((await countConnections(tx)) >= MAX_CONNECTIONS)
          throw new ServiceError('too_many_connections')
        const connection = { id, kind, readsFrom, ...identity }
        await insertConnection(
          tx,
          { ...connection, ...settings, ...seal(secretBox, id, read) },
          now,
        )
        await appendAudit(tx, now, actor, 'connection added', id, settings.name)
        const stored = await requireConnection(tx, id)
        await beforeCommit?.(tx, stored)
        return stored
      })
      onChanged()
      return created
    },

    async update(viewer: Viewer, id: string, change: ConnectionChange, actor: Actor) {
      const now = clock.now()
      if (change.project !== undefined) await requireProject(db, viewer, change.project)
      const updated = await db.transaction().execute(async (tx) => {
        await lockConnection(tx, id)
        const { organizers, ...before } = await requireConnection(tx, id)
        const read = providers[before.kind].readCredential(change, now)
        requireSameIdentity(before, read)
        const addresses = organizers.map(({ address }) => address)
        const settings = mergeSettings({ ...before, addresses }, change)
        requireUsableSettings(before.kind, settings)
        const credential = read && seal(secretBox, id, read)
        await updateConnection(tx, id, settings, credential, now)
        await appendAudit(tx, now, actor, 'connection changed', id, listChanges(change))
        return requireConnection(tx, id)
      })
      onChanged()
      return updated
    },

    /** Removes a connection with its list of transcripts. The meetings stay. */
    async remove(id: string, actor: Actor): Promise<void> {
      const removed = await db.transaction().execute(async (tx) => {
        await lockConnection(tx, id)
        const connection = await requireConnection(tx, id)
        const sealed = await readSealedCredential(tx, id)
        const providerIds = await listProviderIds(tx, id)
        await tx.deleteFrom('connection').where('id', '=', id).execute()
        await appendAudit(tx, clock.now(), actor, 'connection removed', id, connection.name)
        return { connection, sealed, providerIds }
      })
      onChanged()
      await stopReports(parts, removed)
    },

    /** Tries everything that reading needs. Stores nothing. */
    async check(id: string, signal: AbortSignal): Promise<CheckLine[]> {
      const connection = await requireConnection(db, id)
      const credential = openCredential(secretBox, id, await readSealedCredential(db, id))
      const session = providers[connection.kind].open({ ...connection, credential }, signal)
      const requireReader = (address: string) => requireKnownReader(db, connection, address)
      return checkConnection(connection, requireReader, session, signal)
    },

    /** Makes a node read the connection now. */
    async readNow(id: string): Promise<Connection> {
      const connection = await db.transaction().execute(async (tx) => {
        await requestPoll(tx, id, clock.now())
        return requireConnection(tx, id)
      })
      onChanged()
      return connection
    },

    async listTranscripts(
      id: string,
      filter: { state?: TranscriptState | undefined },
      limit: number,
      cursor: string | undefined,
    ) {
      const { kind } = await requireConnection(db, id)
      return listTranscripts(db, id, kind, filter, limit, cursor)
    },
  }
}

/** Reports that cannot be stopped have no effect, and end by themselves within days. */
async function stopReports(
  { secretBox, providers, log }: Pick<Parts, 'secretBox' | 'providers' | 'log'>,
  removed: { connection: Connection; sealed: Buffer; providerIds: readonly string[] },
): Promise<void> {
  const { connection, sealed, providerIds } = removed
  if (providerIds.length === 0) return
  const signal = AbortSignal.timeout(STOP_REPORTS_MS)
  try {
    const credential = openCredential(secretBox, connection.id, sealed)
    const { reports } = providers[connection.kind].open({ ...connection, credential }, signal)
    for (const providerId of providerIds) await reports?.stop(providerId)
  } catch (error) {
    if (!(error instanceof ReadProblem) && !signal.aborted) throw error
    const fields = { connectionId: connection.id, problem: String(error) }
    log.info(fields, 'failed to stop reports about transcripts')
  }
}

export type Connections = ReturnType<typeof createConnections>

const NEW_SETTINGS = {
  name: '',
  project: null,
  excludedTitles: [],
  readsCalendar: false,
  isPaused: false,
  addresses: [],
}

function mergeSettings(before: ConnectionSettings, change: SettingFields): ConnectionSettings {
  return {
    name: change.name ?? before.name,
    project: change.project === undefined ? before.project : change.project,
    excludedTitles: change.excludedTitles ?? before.excludedTitles,
    readsCalendar: change.readsCalendar ?? before.readsCalendar,
    isPaused: change.isPaused ?? before.isPaused,
    addresses: change.organizers === undefined ? before.addresses : [...new Set(change.organizers)],
  }
}

/** The names of the changed fields. Their values may be secret, or too long. */
function listChanges(change: ConnectionChange): string {
  return Object.entries(change)
    .flatMap(([field, value]) => (value === undefined ? [] : [field]))
    .join(', ')
}

/** The project must exist, and the admin must be able to write into it, because the meetings are stored there. */
async function requireProject(db: Db, viewer: Viewer, project: string | null): Promise<void> {
  if (project === null) return
  const subject = { kind: 'project', id: project, action: 'edit' } as const
  if (!(await mayAccess(db, viewer, subject))) throw new ServiceError('project_not_found')
}

const MISSING_CREDENTIALS: Readonly<Record<ConnectionKind, [path: string, message: string]>> = {
  microsoft: ['clientSecret', 'Send tenant, clientId, and clientSecret or certificate'],
  google: ['serviceAccountKey', 'Send the JSON key of the service account'],
}

function requireIdentity(kind: ConnectionKind, read: ReadCredential | null) {
  const identity = read?.identity ?? null
  if (read === null || identity === null) throw invalidField(...MISSING_CREDENTIALS[kind])
  return { ...read, identity }
}

/** Another service account would list the same transcripts, and nobody would notice that its rights differ. */
function requireSameIdentity(
  before: Pick<Connection, 'clientId'>,
  read: ReadCredential | null,
): void {
  const clientId = read?.identity?.clientId ?? before.clientId
  if (clientId !== before.clientId)
    throw invalidField('serviceAccountKey', 'Belongs to another service account')
}

/** What a rule needs must be read, so that nothing is stored that the rule excludes. */
function requireUsableSettings(kind: ConnectionKind, settings: ConnectionSettings): void {
  const { readsCalendar, excludedTitles } = settings
  if (kind === 'microsoft' && readsCalendar) throw invalidField('readsCalendar', 'Only for Google')
  if (kind === 'google' && !readsCalendar && excludedTitles.length > 0)
    throw invalidField('excludedTitles', 'Titles are known only with readsCalendar')
}

function seal(
  box: SecretBox,
  id: string,
  {
    credential,
    thumbprint,
    expiresAt,
  }: Pick<ReadCredential, 'credential' | 'thumbprint' | 'expiresAt'>,
): CredentialColumns {
  return {
    credential: credential.kind,
    thumbprint,
    credentialExpiresAt: expiresAt,
    sealed: sealCredential(box, id, credential),
  }
}

async function lockConnection(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('connection').select('id').where('id', '=', id).forUpdate().execute()
}

function invalidField(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', { details: [{ path, message }] })
}
