import { mayAccess } from '../access/subjects.ts'
import type { Viewer } from '../access/viewer.ts'
import { appendAudit, type Actor } from '../accounts/audit.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { newId, type SecretBox } from '../lib/crypto.ts'
import type { Connection, MicrosoftCloud, TranscriptState } from './connection.ts'
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
import {
  openCredential,
  readCertificate,
  sealCredential,
  type ReadCredential,
} from './microsoft/credential.ts'
import {
  openGraphSession,
  PERMISSIONS,
  type GraphSession,
  type Permission,
} from './microsoft/graph-session.ts'
import type { MicrosoftHostsByCloud } from './microsoft/hosts.ts'
import type { MicrosoftHttp } from './microsoft/http.ts'
import { requestPoll } from './poll-runner.ts'
import { requireKnownReader } from './read-organizers.ts'
import { listTranscripts } from './transcript-store.ts'
import { describeClockDifference } from './microsoft/access-token.ts'
import { findUserId, firstTranscriptsLink, readTranscriptPage } from './microsoft/graph-requests.ts'
import { describeProblem, ReadProblem } from './problems.ts'

/** One of them proves who the application is. */
type CredentialFields = { clientSecret?: string | undefined; certificate?: string | undefined }

type SettingFields = {
  name?: string | undefined
  project?: string | null | undefined
  organizers?: string[] | undefined
  excludedTitles?: string[] | undefined
  isPaused?: boolean | undefined
}

export type NewConnectionRequest = SettingFields &
  CredentialFields & {
    name: string
    organizers: string[]
    cloud?: MicrosoftCloud | undefined
    tenant: string
    clientId: string
    readsFrom?: Date | undefined
  }

export type ConnectionChange = SettingFields & CredentialFields

type Parts = {
  db: Db
  secretBox: SecretBox
  http: MicrosoftHttp
  hosts: MicrosoftHostsByCloud
  /** Called after the commit of a change, so that all nodes look for what is due. */
  onChanged(): void
}

const MAX_CONNECTIONS = 100

/** One line of a check: what was tried, and how it went. */
type CheckLine = { name: string; ok: boolean; text: string }

/** More requests would take too long for one answer. Each read checks all organizers. */
const MAX_CHECKED_ORGANIZERS = 5

/** The connections of the organization, for admins. */
export function createConnections(parts: Parts) {
  const { db, secretBox, http, hosts, onChanged } = parts
  const { clock } = http
  return {
    list: () => listConnections(db),

    async create(
      viewer: Viewer,
      request: NewConnectionRequest,
      actor: Actor,
      beforeCommit?: (tx: Tx, connection: Connection) => Promise<void>,
    ) {
      const now = clock.now()
      const read = readCredentialFields(request, now)
      if (read === null) throw invalidField('clientSecret', 'Send clientSecret or certificate')
      const { project = null } = request
      await requireProject(db, viewer, project)
      const id = newId('con')
      const { organizers, cloud = 'global', tenant, clientId, readsFrom = now } = request
      const settings = mergeSettings(NEW_SETTINGS, { ...request, organizers, project })
      const created = await db.transaction().execute(async (tx) => {
        if ((await countConnections(tx)) >= MAX_CONNECTIONS)
          throw new ServiceError('too_many_connections')
        const connection = { id, kind: 'microsoft', cloud, tenant, clientId, readsFrom } as const
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
      const read = readCredentialFields(change, now)
      if (change.project !== undefined) await requireProject(db, viewer, change.project)
      const updated = await db.transaction().execute(async (tx) => {
        await lockConnection(tx, id)
        const { organizers, ...before } = await requireConnection(tx, id)
        const addresses = organizers.map(({ address }) => address)
        const settings = mergeSettings({ ...before, addresses }, change)
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
      await db.transaction().execute(async (tx) => {
        await lockConnection(tx, id)
        const { name } = await requireConnection(tx, id)
        await tx.deleteFrom('connection').where('id', '=', id).execute()
        await appendAudit(tx, clock.now(), actor, 'connection removed', id, name)
      })
      onChanged()
    },

    /** Tries everything that reading needs. Stores nothing. */
    async check(id: string, signal: AbortSignal): Promise<CheckLine[]> {
      const connection = await requireConnection(db, id)
      const { tenant, clientId, cloud } = connection
      const credential = openCredential(secretBox, id, await readSealedCredential(db, id))
      const app = { tenant, clientId, credential, hosts: hosts[cloud] }
      const graph = openGraphSession(http, app, signal)
      const requireReader = (address: string) => requireKnownReader(db, connection, address)
      return checkConnection(http, connection, requireReader, graph, signal)
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
      await requireConnection(db, id)
      return listTranscripts(db, id, filter, limit, cursor)
    },
  }
}

export type Connections = ReturnType<typeof createConnections>

const NEW_SETTINGS = { name: '', project: null, excludedTitles: [], isPaused: false, addresses: [] }

function mergeSettings(before: ConnectionSettings, change: SettingFields): ConnectionSettings {
  return {
    name: change.name ?? before.name,
    project: change.project === undefined ? before.project : change.project,
    excludedTitles: change.excludedTitles ?? before.excludedTitles,
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

function readCredentialFields(
  { clientSecret, certificate }: CredentialFields,
  now: Date,
): ReadCredential | null {
  if (clientSecret !== undefined && certificate !== undefined)
    throw invalidField('certificate', 'Send clientSecret or certificate, not both')
  if (clientSecret !== undefined)
    return {
      credential: { kind: 'secret', secret: clientSecret },
      thumbprint: null,
      expiresAt: null,
    }
  if (certificate === undefined) return null
  const read = readCertificate(certificate, now)
  if (typeof read === 'string') throw invalidField('certificate', read)
  return read
}

function seal(
  box: SecretBox,
  id: string,
  { credential, thumbprint, expiresAt }: ReadCredential,
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

/** Tries everything that reading needs, and stores nothing. Stops where the rest cannot work. */
async function checkConnection(
  { clock }: Pick<MicrosoftHttp, 'clock'>,
  { organizers, readsFrom }: Pick<Connection, 'organizers' | 'readsFrom'>,
  requireReader: (address: string) => Promise<void>,
  graph: GraphSession,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const attempt = (name: string, success: string, run: () => Promise<void>) =>
    runAttempt({ name, ok: true, text: success }, run, signal)
  const signIn = await attempt('Sign in', 'Microsoft accepts the application', async () => {
    await graph.token()
  })
  if (!signIn.ok) return [signIn]
  const { permissions, serverTime } = await graph.token()
  const difference = describeClockDifference(serverTime, clock.now())
  const clockLine =
    difference === null ? [] : [toLine('Clock', describeProblem('clock_wrong', difference).text)]
  const lines = [signIn, ...clockLine, ...checkPermissions(permissions)]
  if (lines.some(({ ok, name }) => !ok && name.startsWith('Permission'))) return lines
  const first = organizers
    .toSorted((a, b) => Number(b.problem !== null) - Number(a.problem !== null))
    .slice(0, MAX_CHECKED_ORGANIZERS)
  for (const { address } of first) {
    const line = await attempt(address, 'The transcripts of this person can be read', async () => {
      await requireReader(address)
      const userId = await findUserId(graph, address)
      await readTranscriptPage(graph, firstTranscriptsLink(userId, readsFrom))
    })
    lines.push(line)
  }
  const others = organizers.length - first.length
  if (others > 0)
    lines.push({
      name: 'Others',
      ok: true,
      text: `${others} more people are checked with each read`,
    })
  return lines
}

/** Without a list in the token, the requests for the organizers show what is missing. */
function checkPermissions(granted: readonly string[] | null): CheckLine[] {
  if (granted === null) return []
  const all = Object.entries(PERMISSIONS) as Array<[Permission, string]>
  return all.map(([permission, use]) => ({
    name: `Permission ${permission}`,
    ok: granted.includes(permission),
    text: granted.includes(permission)
      ? `Granted, for ${use}`
      : describeProblem('permission_missing', permission).text,
  }))
}

function toLine(name: string, problem: string): CheckLine {
  return { name, ok: false, text: problem }
}

async function runAttempt(
  success: CheckLine,
  run: () => Promise<void>,
  signal: AbortSignal,
): Promise<CheckLine> {
  try {
    await run()
    return success
  } catch (error) {
    if (signal.aborted) return toLine(success.name, 'Microsoft did not answer within a minute')
    if (!(error instanceof ReadProblem)) throw error
    return toLine(success.name, error.message)
  }
}
