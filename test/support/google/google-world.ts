import type { ServiceOverrides } from '../../../src/app/service.ts'
import type { Db } from '../../../src/db/database.ts'
import type { ApiConnection } from '../../../src/http/shapes/connections.ts'
import type { Log } from '../../../src/log.ts'
import type { HttpClient } from '../http/http-client.ts'
import { ORGANIZER, postConnection, PROJECT } from '../microsoft/connection-world.ts'
import { startService, type TestService } from '../service/start-service.ts'
import { createManualClock } from '../time/manual-clock.ts'
import { startGoogleServer, type GoogleServer } from './google-server.ts'
import { addUser, formatKeyFile, type WorkspaceUser } from './workspace.ts'

/** A service, an organization of Google Workspace, and a clock of both that only the test advances. */
export type GoogleWorld = AsyncDisposable & {
  service: TestService
  google: GoogleServer
  clock: ReturnType<typeof createManualClock>
  db: Db
  admin: HttpClient
  organizer: WorkspaceUser
}

export async function startGoogleWorld(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
  log?: Log,
): Promise<GoogleWorld> {
  await using stack = new AsyncDisposableStack()
  const clock = createManualClock()
  const google = stack.use(await startGoogleServer(clock))
  let db: Db | undefined
  const routes = (_: unknown, opened: Db) => void (db = opened)
  const overrides = { clock, googleHosts: google.hosts, routes, ...extras }
  const service = stack.use(await startService(env, overrides, log))
  if (db === undefined) throw new Error('the service opened no database')
  const admin = await service.adminClient()
  const project = { project: PROJECT, access: 'team', created_by: null } as const
  await db
    .insertInto('project_access')
    .values({ ...project, created_at: clock.now() })
    .execute()
  const organizer = addUser(google.workspace, ORGANIZER)
  const opened = stack.move()
  return {
    service,
    google,
    clock,
    db,
    admin,
    organizer,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The fields of a connection that reads everything of the last day, with titles. */
export function googleFields(clock: { now(): Date }) {
  return {
    kind: 'google',
    name: 'Example Ltd',
    serviceAccountKey: formatKeyFile(),
    organizers: [ORGANIZER],
    project: PROJECT,
    readsFrom: new Date(clock.now().getTime() - 24 * 3_600_000).toISOString(),
  }
}

/** Adds a connection, and waits until it was read or could not be read. */
export function addGoogleConnection(
  world: Pick<GoogleWorld, 'admin' | 'clock'>,
  fields: object = {},
): Promise<ApiConnection> {
  return postConnection(world, { ...googleFields(world.clock), ...fields })
}
