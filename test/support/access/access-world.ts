import { sql } from 'kysely'
import type { MemberRole, ProjectAccess } from '../../../src/access/rules.ts'
import type { ApiTokenScope, Role } from '../../../src/accounts/roles.ts'
import { INSTANCE_VIEWER } from '../../../src/access/viewer.ts'
import { createSessions } from '../../../src/accounts/sign-in/sessions.ts'
import type { Db } from '../../../src/db/database.ts'
import type { FastifyApp } from '../../../src/http/fastify-app.ts'
import { createSecretBox, newId, newOrderedId } from '../../../src/lib/crypto.ts'
import { systemClock, type Clock } from '../../../src/lib/time/clock.ts'
import type { Log } from '../../../src/log.ts'
import { toSearchVector } from '../../../src/projects/search/words/search-vector.ts'
import { MEETING_OPTIONS } from '../meetings/seed-meeting.ts'
import { startService, type TestService } from '../service/start-service.ts'
import { eventually } from '../time/eventually.ts'
import { plantCalendar } from './planted-calendar.ts'

/** A personal token, or a service token without a creator. */
type NewTestToken = { creatorId?: string | null; projects?: string[]; scopes?: ApiTokenScope[] }

/** A caller's authentication on both surfaces: by an API key and by a session. */
export type Credentials = { key: Record<string, string>; session: Record<string, string> }

/** The ids of things that belong to one project. */
export type ProjectThings = {
  project: string
  meeting: string
  action_item: string
  delivery: string
  task: string
  execution: string
  /** A calendar of the instance. */
  calendar: string
  /** An occurrence of that calendar. */
  upcoming: string
  recording: string
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type AccessWorld = TestService & {
  app: FastifyApp
  db: Db
  addUser(role?: Role): Promise<{ userId: string } & Credentials>
  addToken(token: NewTestToken): Promise<{ id: string; key: Record<string, string> }>
  setAccess(project: string, access: ProjectAccess): Promise<void>
  addMember(project: string, userId: string, role: MemberRole): Promise<void>
  removeMember(project: string, userId: string): Promise<void>
  waitForEnd(meetingId: string): Promise<void>
  /** Sends a request without a socket. A request to a document has a note as its text. */
  call(
    headers: Record<string, string>,
    method: Method,
    url: string,
    payload?: object,
  ): Promise<{ status: number; body: Record<string, unknown> }>
  /** Writes a document into a project, which creates the project if it does not exist. */
  write(headers: Record<string, string>, project: string): Promise<number>
  /** Stores one thing of each kind in a project. Each contains the word. */
  plant(project: string, word: string): Promise<ProjectThings>
}

/** With this header, the service answers an allowed request with 299 instead of calling the handler. */
export const STOP_BEFORE_HANDLER = { 'x-test-stop': 'before-handler' }

/** Starts a service whose users, projects and contents are stored directly. */
export async function startAccessWorld(
  env: Record<string, string> = {},
  { log, ...options }: { clock?: Clock; log?: Log } = {},
): Promise<AccessWorld> {
  let opened: { app: FastifyApp; db: Db } | undefined
  const service = await startService(
    { HANSARD_RATE_LIMIT: 'off', ...env },
    {
      ...options,
      routes(app, db) {
        opened = { app, db }
        app.addHook('preHandler', async (request, reply) => {
          if (request.headers['x-test-stop'] !== undefined) await reply.code(299).send()
        })
      },
    },
    log,
  )
  if (opened === undefined) throw new Error('the service has no routes')
  const { app, db } = opened
  const { clock = systemClock } = options
  // A provider's sessions would need the service's key. These have no ID token.
  const secretBox = createSecretBox(Buffer.alloc(32))
  const sessions = createSessions({ db, clock, secretBox })
  const sessionsByUser = new Map<string, Record<string, string>>()
  const addPerson = async (role: Role) => {
    const userId = newId('usr')
    const email = `${userId.toLowerCase()}@example.com`
    await db
      .insertInto('app_user')
      .values({ id: userId, email, name: userId, role, password_hash: 'none' })
      .execute()
    const client = { ip: '127.0.0.1', userAgent: 'test' }
    const { secret, csrfToken } = await sessions.start(db, userId, client)
    const session = { cookie: `hansard=${secret}`, 'x-csrf-token': csrfToken }
    sessionsByUser.set(userId, session)
    return { userId, session }
  }
  // An admin whom no test uses creates the service tokens.
  const { userId: keeperId } = await addPerson('admin')
  const addToken = async ({ creatorId = null, projects, scopes }: NewTestToken) => {
    const kind = creatorId === null ? 'service' : 'personal'
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/web/tokens',
      headers: sessionsByUser.get(creatorId ?? keeperId) ?? {},
      payload: { name: 'test', kind, ...(projects && { projects }), ...(scopes && { scopes }) },
    })
    if (statusCode !== 201) throw new Error(body)
    const { token, apiKey } = JSON.parse(body) as { token: { id: string }; apiKey: string }
    return { id: token.id, key: { 'x-api-key': apiKey } }
  }
  const serviceToken = await addToken({})
  const call: AccessWorld['call'] = async (headers, method, url, payload) => {
    const isDocument = url.includes('/documents/')
    const { statusCode, body } = await app.inject({
      method,
      url,
      headers: { ...headers, ...(isDocument && { 'content-type': 'text/markdown' }) },
      ...(payload !== undefined && { payload }),
      ...(isDocument && method === 'PUT' && { payload: 'A note' }),
    })
    // A response with status 204 has no body.
    return { status: statusCode, body: JSON.parse(body || '{}') as Record<string, unknown> }
  }
  return {
    ...service,
    app,
    db,
    addToken,
    call,
    write: async (headers, project) =>
      (await call(headers, 'PUT', `/api/v1/projects/${project}/documents/note.md`)).status,
    async addUser(role = 'member') {
      const person = await addPerson(role)
      const { key } = await addToken({ creatorId: person.userId })
      return { ...person, key }
    },
    async setAccess(project, access) {
      await db
        .insertInto('project_access')
        .values({ project, access, created_by: null, created_at: new Date() })
        .onConflict((conflict) => conflict.column('project').doUpdateSet({ access }))
        .execute()
    },
    async addMember(project, userId, role) {
      await db
        .insertInto('project_member')
        .values({ project, user_id: userId, role, added_by: null, added_at: new Date() })
        .onConflict((conflict) => conflict.columns(['user_id', 'project']).doUpdateSet({ role }))
        .execute()
    },
    async removeMember(project, userId) {
      await db
        .deleteFrom('project_member')
        .where('project', '=', project)
        .where('user_id', '=', userId)
        .execute()
    },
    async waitForEnd(meetingId) {
      await eventually(async () => {
        const row = await db
          .selectFrom('meeting')
          .select('ended_at')
          .where('id', '=', meetingId)
          .executeTakeFirst()
        return row?.ended_at ?? null
      })
    },
    async plant(project, word) {
      const answer = await app.inject({
        method: 'PUT',
        url: `/api/v1/projects/${project}/documents/notes/${word}.md`,
        headers: { ...serviceToken.key, 'content-type': 'text/markdown' },
        payload: `---\ntitle: Notes on ${word}\n---\nA note about ${word} here\n`,
      })
      if (answer.statusCode !== 201) throw new Error(answer.body)
      return plantThings(db, project, word)
    },
  }
}

async function plantThings(db: Db, project: string, word: string): Promise<ProjectThings> {
  const meeting = await insertMeeting(db, project, word)
  const delivery = await insertDelivery(db, meeting, word)
  const action_item = newId('action')
  const at = new Date()
  await insertRecap(db, meeting, word)
  await db
    .insertInto('action_item')
    .values({
      id: action_item,
      meeting_id: meeting,
      number: 1,
      text: `Send the ${word}`,
      owner: null,
      due_text: null,
      due_date: null,
      segment_numbers: [1],
      state: 'open',
      source: 'rules',
      found_text: word,
      created_at: at,
      edited_at: null,
    })
    .execute()
  const calendar = await plantCalendar(db, project, word)
  const recording = await insertRecording(db, project, word)
  const task = await insertTask(db, project, word)
  return { project, meeting, action_item, delivery, recording, ...calendar, ...task }
}

/** A recording whose upload never ends. */
async function insertRecording(db: Db, project: string, word: string): Promise<string> {
  const id = newId('recording')
  const at = new Date()
  await db
    .insertInto('recording')
    .values({
      id,
      project,
      viewer: JSON.stringify(INSTANCE_VIEWER),
      token_id: null,
      file_name: `${word}.mp3`,
      title: `About ${word}`,
      started_at: null,
      language: null,
      recap_language: null,
      byte_count: 1,
      key_sealed: Buffer.alloc(0),
      state: 'uploading',
      created_at: at,
      changed_at: at,
      due_at: at,
    })
    .execute()
  return id
}

async function insertMeeting(db: Db, project: string, word: string): Promise<string> {
  const id = newId('meeting')
  const at = new Date()
  await db
    .insertInto('meeting')
    .values({
      id,
      platform: 'practice',
      url: `practice://${word}`,
      room: word,
      label: word,
      title: `About ${word}`,
      project,
      document_path: null,
      callback_url: 'listen:nobody',
      token_id: null,
      options: JSON.stringify(MEETING_OPTIONS),
      status: 'ended',
      reason: 'stopped',
      started_at: at,
      ended_at: at,
      last_sequence: 1,
      segment_count: 1,
      tasks_started: true,
    })
    .execute()
  const text = `We talked about ${word} today`
  await db
    .insertInto('segment')
    .values({
      meeting_id: id,
      number: 1,
      caption_id: 'c1',
      speaker: 'Zoe',
      text,
      started_at: at,
      words: toSearchVector(text, 'Zoe'),
    })
    .execute()
  return id
}

async function insertRecap(db: Db, meetingId: string, word: string): Promise<void> {
  const now = new Date()
  await db
    .insertInto('recap')
    .values({
      meeting_id: meetingId,
      step: 'done',
      version: 1,
      method: 'rules',
      due_at: null,
      owner: null,
      model: null,
      error: null,
      data: JSON.stringify({
        language: 'en',
        summary: [{ text: `It was about ${word}`, segmentNumbers: [1] }],
        decisions: [{ text: `We chose ${word}`, speaker: 'Zoe', segmentNumbers: [1] }],
        openQuestions: [],
        topics: [],
        coverage: { segmentsRead: 1, segmentsTotal: 1 },
      }),
      cost_usd: null,
      created_at: now,
      made_at: now,
    })
    .execute()
}

async function insertDelivery(db: Db, meetingId: string, word: string): Promise<string> {
  const at = new Date()
  const id = newOrderedId('dlv', at)
  const laneId = newId('lane')
  await db
    .insertInto('event')
    .values({
      meeting_id: meetingId,
      sequence: 1,
      type: 'segment_finalized',
      at,
      body: JSON.stringify({
        type: 'segment_finalized',
        meetingId,
        sequence: 1,
        payload: { word },
      }),
    })
    .execute()
  await db
    .insertInto('lane')
    .values({
      id: laneId,
      meeting_id: meetingId,
      kind: 'meeting',
      url: `http://127.0.0.1:9/${word}`,
      token_id: null,
      events: null,
      failing_since: null,
      due_at: null,
      last_error: null,
      owner: null,
      ends_at: null,
      delivered_through: 1,
      created_at: at,
    })
    .execute()
  await db
    .insertInto('delivery_attempt')
    .values({
      id,
      lane_id: laneId,
      meeting_id: meetingId,
      sequence: 1,
      type: 'segment_finalized',
      started_at: at,
      duration_ms: 1,
      outcome: 'delivered',
      status: 200,
      error: null,
      answer: word,
      next_attempt_at: null,
    })
    .execute()
  await db
    .insertInto('dead_letter')
    .values({ meeting_id: meetingId, sequence: 1, reason: 'rejected', at })
    .execute()
  return id
}

async function insertTask(
  db: Db,
  project: string,
  word: string,
): Promise<Pick<ProjectThings, 'task' | 'execution'>> {
  const now = new Date()
  const id = newId('task')
  const name = `task-${word}`
  await db
    .insertInto('task')
    .values({
      id,
      name,
      prompt_name: word,
      timezone: 'UTC',
      enabled: false,
      timeout_ms: 1_000,
      last_number: 1,
      project,
      created_at: now,
      updated_at: now,
    })
    .execute()
  const execution = newOrderedId('execution', now)
  await db
    .insertInto('execution')
    .values({
      id: execution,
      task_id: id,
      number: 1,
      execution_type: 'on_demand',
      trigger_type: 'manual',
      status: 'completed',
      created_at: now,
      started_at: now,
      completed_at: now,
      missed: 0,
      is_catch_up: false,
      output: `The result is ${word}`,
      result_summary: word,
    })
    .execute()
  await sql`insert into model_usage (day, task_name, model, project, executions, input_tokens, cached_input_tokens,
      output_tokens, cost_usd, unpriced)
    values (${now.toISOString().slice(0, 10)}, ${name}, 'a/b', ${project}, 1, 1, 0, 1, 0, 0)`.execute(
    db,
  )
  return { task: name, execution }
}
