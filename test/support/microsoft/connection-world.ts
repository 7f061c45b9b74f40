import type { ServiceOverrides } from '../../../src/app/service.ts'
import type { Db } from '../../../src/db/database.ts'
import type {
  ApiConnection,
  ApiConnectionCheck,
  ApiConnectionTranscripts,
} from '../../../src/http/shapes/connections.ts'
import type { Log } from '../../../src/log.ts'
import type { HttpClient } from '../http/http-client.ts'
import { startService, type TestService } from '../service/start-service.ts'
import { eventually } from '../time/eventually.ts'
import { createManualClock } from '../time/manual-clock.ts'
import { startMicrosoftServer, type MicrosoftServer } from './microsoft-server.ts'
import { addUser, CLIENT_ID, CLIENT_SECRET, TENANT_ID, type TenantUser } from './tenant.ts'

export type ApiTranscript = ApiConnectionTranscripts['transcripts'][number]

/** A service, a tenant of Microsoft 365, and a clock of both that only the test advances. */
export type ConnectionWorld = AsyncDisposable & {
  service: TestService
  microsoft: MicrosoftServer
  clock: ReturnType<typeof createManualClock>
  db: Db
  admin: HttpClient
  /** The person of the tenant whose meetings the connection reads. */
  organizer: TenantUser
}

export const ORGANIZER = 'grace@example.com'
/** A team project, which every user can read. */
export const PROJECT = 'research'

export async function startConnectionWorld(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
  log?: Log,
): Promise<ConnectionWorld> {
  await using stack = new AsyncDisposableStack()
  const clock = createManualClock()
  const microsoft = stack.use(await startMicrosoftServer(clock))
  let db: Db | undefined
  const service = stack.use(
    await startService(
      env,
      {
        clock,
        microsoftHosts: microsoft.hosts,
        routes: (_, opened) => void (db = opened),
        ...extras,
      },
      log,
    ),
  )
  if (db === undefined) throw new Error('the service opened no database')
  const admin = await service.adminClient()
  const project = {
    project: PROJECT,
    access: 'team',
    created_by: null,
    created_at: clock.now(),
  } as const
  await db.insertInto('project_access').values(project).execute()
  const organizer = addUser(microsoft.tenant, ORGANIZER)
  const opened = stack.move()
  return {
    service,
    microsoft,
    clock,
    db,
    admin,
    organizer,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The fields of a connection with a client secret. It reads everything of the last day. */
export function connectionFields(clock: { now(): Date }) {
  return {
    name: 'Example Ltd',
    tenant: TENANT_ID,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    organizers: [ORGANIZER],
    project: PROJECT,
    readsFrom: new Date(clock.now().getTime() - 24 * 3_600_000).toISOString(),
  }
}

/** Adds a connection, and waits until it was read or could not be read. */
export function addConnection(
  world: Pick<ConnectionWorld, 'admin' | 'clock'>,
  fields: object = {},
): Promise<ApiConnection> {
  return postConnection(world, { ...connectionFields(world.clock), ...fields })
}

/** Adds a connection of any kind, and waits until it was read or could not be read. */
export async function postConnection(
  world: Pick<ConnectionWorld, 'admin' | 'clock'>,
  request: object,
): Promise<ApiConnection> {
  const { admin } = world
  const { status, body } = await admin.post('/web/connections', request)
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { id } = (body as { connection: ApiConnection }).connection
  return waitUntilRead(world, id)
}

/** Reads the connection again, after the time has passed that it has to wait. */
export async function readAgain(
  world: Pick<ConnectionWorld, 'admin' | 'clock'>,
  id: string,
  seconds = 1,
): Promise<ApiConnection> {
  world.clock.advance(seconds)
  await world.admin.post(`/web/connections/${id}/read`)
  return waitUntilRead(world, id)
}

/** Waits for a read that began at the current time and left nothing to do. */
export function waitUntilRead(
  { admin, clock }: Pick<ConnectionWorld, 'admin' | 'clock'>,
  id: string,
): Promise<ApiConnection> {
  return eventually(async () => {
    const connection = await getConnection(admin, id)
    const isRead = connection.polledAt !== null && new Date(connection.polledAt) >= clock.now()
    return isRead && new Date(connection.nextPollAt) > clock.now() ? connection : null
  })
}

export async function getConnection(admin: HttpClient, id: string): Promise<ApiConnection> {
  const { body } = await admin.get('/web/connections')
  const found = (body as { connections: ApiConnection[] }).connections.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no connection ${id}`)
  return found
}

export async function removeConnections(admin: HttpClient): Promise<void> {
  const { body } = await admin.get('/web/connections')
  for (const { id } of (body as { connections: ApiConnection[] }).connections)
    await admin.delete(`/web/connections/${id}`)
}

export async function check(admin: HttpClient, id: string): Promise<ApiConnectionCheck> {
  return (await admin.post(`/web/connections/${id}/check`)).body as ApiConnectionCheck
}

export async function listTranscripts(admin: HttpClient, id: string): Promise<ApiTranscript[]> {
  const { body } = await admin.get(`/web/connections/${id}/transcripts?limit=100`)
  return (body as ApiConnectionTranscripts).transcripts
}
