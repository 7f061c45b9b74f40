import { countBrief } from '../../../src/brief/brief.ts'
import { createBriefCollector } from '../../../src/brief/collect-brief.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createProjectAccessStore } from '../../../src/access/project-access.ts'
import { INSTANCE_VIEWER, type Viewer } from '../../../src/access/viewer.ts'
import { createAccountsArea } from '../../../src/accounts/area.ts'
import type { Role } from '../../../src/accounts/roles.ts'
import { beforeUserRemoval } from '../../../src/app/revocation/before-user-removal.ts'
import { afterTokensRevoked } from '../../../src/app/revocation/cancel-token-meetings.ts'
import type { Db } from '../../../src/db/database.ts'
import { ServiceError } from '../../../src/errors.ts'
import { createSecretBox, newId } from '../../../src/lib/crypto.ts'
import { NO_TRACER } from '../../../src/lib/tracer.ts'
import { createLog } from '../../../src/log.ts'
import type { ChangeContext } from '../../../src/meetings/editing/change-meeting.ts'
import { createMeetingEditor } from '../../../src/meetings/editing/meeting-editor.ts'
import type { Meeting } from '../../../src/meetings/meeting.ts'
import { createMeetings } from '../../../src/meetings/meetings.ts'
import type { BegunMeeting } from '../../../src/meetings/scheduling/begin-meeting.ts'
import { createMeetingScheduler } from '../../../src/meetings/scheduling/meeting-scheduler.ts'
import type { StartMeetingRequest } from '../../../src/meetings/starting/new-meeting.ts'
import { createFolderDocuments } from '../../../src/projects/files/store/folder-documents.ts'
import { openTestDatabase, requireEnv } from '../database/test-database.ts'
import { createManualClock } from '../time/manual-clock.ts'
import { createScriptedPlatform } from './scripted-platform.ts'
import { MEETING_OPTIONS } from './seed-meeting.ts'

/** How many meetings one person or token can schedule here. */
export const MAX_SCHEDULED_IN_TESTS = 5
const ACTOR = { name: 'command line', ip: null }

/** Meetings and their scheduler on a real database. The test sets the time and starts each check. No bot joins. */
export async function openTestMeetingScheduler(start = '2099-11-15T12:00:00.000Z') {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'scheduled-'))
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const clock = createManualClock(start)
  const log = createLog('silent')
  const world = { hasDiskSpace: true, hasCapacity: true, callbackProblem: null as string | null }
  const platforms = [createScriptedPlatform()]
  const projectAccess = createProjectAccessStore({ db, clock, defaultAccess: 'team' })
  const shared = {
    db,
    clock,
    log,
    tracer: NO_TRACER,
    files: createFolderDocuments(root),
    timeZone: 'UTC',
    platforms,
    hasDiskSpace: () => world.hasDiskSpace,
    registerProject: projectAccess.registerProject,
    findCallbackProblem: async () => world.callbackProblem,
  }
  const accounts = createAccountsArea({
    db,
    clock,
    log,
    secretBox: createSecretBox(Buffer.alloc(32)),
    beforeUserRemoval,
    afterTokensRevoked,
    signIn: { hasLocalSignIn: true, provider: null, baseUrl: () => '' },
  })
  const meetings = createMeetings({
    ...shared,
    capacity: {
      assertAvailable: async () => {
        if (!world.hasCapacity) throw new ServiceError('at_capacity')
      },
    },
    maxScheduled: MAX_SCHEDULED_IN_TESTS,
    membership: { requireFreshHeartbeat: () => Promise.resolve() },
    findAccountProblem: () => Promise.resolve(null),
    findSpeechProblem: () => Promise.resolve(null),
    findCaptureProblem: () => Promise.resolve(null),
    onStoppedWithoutBot: () => undefined,
    documentChanged: () => Promise.resolve(),
    wake: () => undefined,
    wakeScheduler: () => undefined,
    onCancelled: () => undefined,
    editor: createMeetingEditor({
      ...shared,
      documentChanged: () => Promise.resolve(),
      onEdited: () => undefined,
      publishLateEvents: () => undefined,
    }),
  })
  const noDocuments = { results: [], matched: 'all' as const, nextCursor: null, corrections: [] }
  const collectBrief = createBriefCollector({ db, search: async () => noDocuments })
  const begun: BegunMeeting[] = []
  const makeScheduler = (more: { db?: Db } = {}) =>
    createMeetingScheduler({
      ...shared,
      ...more,
      membership: { hasFreshHeartbeat: () => true },
      findBriefCounts: async (viewer, id) => countBrief(await collectBrief(viewer, id)),
      onBegun: async (meeting) => void begun.push(meeting),
    })
  const secondsFromNow = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000)
  const opened = stack.move()
  return {
    db,
    root,
    clock,
    world,
    accounts,
    projectAccess,
    meetings,
    /** Every meeting that a scheduler began, in order. */
    begun,
    scheduler: makeScheduler(),
    makeScheduler,
    secondsFromNow,
    /** Schedules a meeting on behalf of the instance, unless `by` names another viewer. */
    async schedule(
      inSeconds: number,
      more: Partial<StartMeetingRequest> = {},
      by: { viewer?: Viewer; tokenId?: string } = {},
    ): Promise<Meeting> {
      const request = {
        url: 'stage://room',
        title: 'Review',
        callbackUrl: 'http://127.0.0.1:9/',
        project: 'api',
        saveTranscript: true,
        options: MEETING_OPTIONS,
        joinAt: secondsFromNow(inSeconds),
        expectedEndAt: null,
        ...more,
      }
      const { viewer = INSTANCE_VIEWER, tokenId = null } = by
      return (await meetings.start(viewer, request, tokenId)).meeting
    },
    async payloads(meetingId: string): Promise<Array<Record<string, unknown>>> {
      const rows = await db
        .selectFrom('event')
        .select('body')
        .where('meeting_id', '=', meetingId)
        .orderBy('sequence')
        .execute()
      return rows.map(({ body }) => (JSON.parse(body) as { payload: object }).payload as never)
    },
    async countLanes(meetingId: string): Promise<number> {
      const rows = await db
        .selectFrom('lane')
        .select('id')
        .where('meeting_id', '=', meetingId)
        .execute()
      return rows.length
    },
    async addUser(role: Role = 'member'): Promise<Extract<Viewer, { kind: 'user' }>> {
      const userId = newId('usr')
      const email = `${userId.toLowerCase()}@example.com`
      await db
        .insertInto('app_user')
        .values({ id: userId, email, name: userId, role, password_hash: 'none' })
        .execute()
      return { kind: 'user', userId, role, projects: null }
    },
    async addToken(expiresInSeconds?: number, creatorId: string | null = null): Promise<string> {
      const expiresAt = expiresInSeconds === undefined ? null : secondsFromNow(expiresInSeconds)
      const created = await accounts.tokens.create(
        { name: 'test', scopes: null, expiresAt, kind: 'service', creatorId },
        ACTOR,
      )
      return created.token.id
    },
    revokeToken: (id: string) => accounts.tokens.revoke(id, ACTOR),
    removeUser: (userId: string) => accounts.removeUser(userId, { revokesTokens: false }, ACTOR),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The context of an unaudited change. */
export const CHANGE_CONTEXT: ChangeContext = {
  author: { actor: 'user:test', name: 'Ada' },
  beforeCommit: async () => undefined,
  beforeMove: async () => undefined,
}
