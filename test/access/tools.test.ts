import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { sql } from 'kysely'
import { TOOLS } from '../../src/mcp/tool-table.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type ProjectThings,
} from '../support/access/access-world.ts'

/** Tests the tools of assistants for every kind of caller and subject. */

const MISSING: ProjectThings = {
  project: 'missing',
  meeting: 'meeting_1763195400000_k3v9x0q2m4za',
  action_item: 'action_4fJq0Zb1y9nB4Q2wKxT5',
  delivery: 'dlv_1',
  task: 'task-missing',
  execution: 'execution_0ToY1a2B5b0c6a1f9d2f1a7e3b4c',
  calendar: 'cal_4fJq0Zb1y9nB4Q2wKxT5',
  upcoming: 'occ_0ToY1a2B5b0c6a1f9d2f1a7e3b4c',
  recording: 'recording_0ToY1a2B5b0c6a1f9d2f1a7e3b4c',
}

const IN_ONE_HOUR = new Date(Date.now() + 3_600_000).toISOString()

/** The arguments of each tool that is about one thing, and the right that it needs. None for tools that list. */
const ARGUMENTS: Record<
  string,
  { action: 'read' | 'edit'; of(things: ProjectThings): object } | null
> = {
  search: null,
  ask: null,
  list_meetings: null,
  list_actions: null,
  list_decisions: null,
  list_projects: null,
  list_tasks: null,
  list_calendars: null,
  list_upcoming: null,
  list_receivers: null,
  get_brief: { action: 'read', of: ({ upcoming }) => ({ upcomingId: upcoming }) },
  set_attendance: {
    action: 'edit',
    of: ({ upcoming }) => ({ upcomingId: upcoming, attendance: 'rules' }),
  },
  get_meeting: { action: 'read', of: ({ meeting }) => ({ meetingId: meeting }) },
  read_transcript: { action: 'read', of: ({ meeting }) => ({ meetingId: meeting }) },
  get_recap: { action: 'read', of: ({ meeting }) => ({ meetingId: meeting }) },
  reschedule_meeting: {
    action: 'edit',
    of: ({ meeting }) => ({ meetingId: meeting, joinAt: IN_ONE_HOUR }),
  },
  rename_meeting: {
    action: 'edit',
    of: ({ meeting, project }) => ({ meetingId: meeting, title: `Meeting of ${project}` }),
  },
  stop_meeting: { action: 'edit', of: ({ meeting }) => ({ meetingId: meeting }) },
  update_action: {
    action: 'edit',
    of: (things) => ({ actionId: things.action_item, state: 'open' }),
  },
  add_recap_item: {
    action: 'edit',
    of: ({ meeting }) => ({
      meetingId: meeting,
      kind: 'question',
      text: 'Who pays?',
      segmentNumbers: [1],
    }),
  },
  update_recap_item: {
    action: 'edit',
    of: (things) => ({
      meetingId: things.meeting,
      itemId: things.action_item,
      dueDate: '2026-12-24',
    }),
  },
  list_documents: { action: 'read', of: ({ project }) => ({ project }) },
  read_document: {
    action: 'read',
    of: ({ project }) => ({ project, path: `notes/${project}.md` }),
  },
  list_executions: { action: 'read', of: ({ task }) => ({ name: task }) },
  get_execution: { action: 'read', of: ({ execution }) => ({ executionId: execution }) },
  run_task: { action: 'edit', of: ({ task }) => ({ name: task }) },
  // No bot joins, because the link is invalid, but the access check comes first.
  start_meeting: {
    action: 'edit',
    of: ({ project }) => ({ url: 'https://example.com/', project }),
  },
  // Nothing is stored, because this is not a transcript.
  import_transcript: { action: 'edit', of: ({ project }) => ({ content: '%PDF-', project }) },
}

/** The arguments of listing tools that need a text. */
const LIST_ARGUMENTS: Record<string, (word: string) => object> = {
  search: (query) => ({ query }),
  ask: (word) => ({ question: `Who talked about ${word}?` }),
}

/** Errors of requests that passed the access check. */
const AFTER_ACCESS =
  /meeting_not_scheduled|recap_not_ready|prompt_not_found|unsupported_meeting_url|transcript cannot be read/
const HIDDEN =
  /meeting_not_found|project_not_found|action_not_found|task_not_found|execution_not_found|upcoming_not_found/

let world: AccessWorld
let things: Record<'own' | 'others' | 'team' | 'missing', ProjectThings>
let keys: Record<string, Record<string, string>>
before(async () => {
  world = await startAccessWorld()
  const [outside, reader, editor, admin] = await Promise.all([
    world.addUser(),
    world.addUser(),
    world.addUser(),
    world.addUser('admin'),
  ])
  const narrowed = await world.addToken({ creatorId: editor.userId, projects: ['wordown'] })
  things = {
    own: await world.plant('wordown', 'wordown'),
    others: await world.plant('wordothers', 'wordothers'),
    team: await world.plant('wordteam', 'wordteam'),
    missing: MISSING,
  }
  // The planted receivers fail, and are not due before the test ends.
  await world.db
    .updateTable('lane')
    .set({ failures: 1, delivered_through: 0, due_at: sql`now() + interval '30 minutes'` })
    .execute()
  await world.setAccess('wordown', 'private')
  await world.setAccess('wordothers', 'private')
  await world.addMember('wordown', reader.userId, 'reader')
  await world.addMember('wordown', editor.userId, 'editor')
  const { key: service } = await world.addToken({})
  keys = {
    reader: reader.key,
    narrowed: narrowed.key,
    service,
    // The tools call the API. The matrix checks its access for every caller.
    ...(IS_FULL_SIZE && {
      outside: outside.key,
      editor: editor.key,
      admin: admin.key,
    }),
  }
})
after(() => world[Symbol.asyncDispose]())

const SUBJECTS = ['own', 'others', 'team', 'missing'] as const
const PLAIN_LIST_SUBJECTS = ['own'] as const

/** The caller's rights to read or edit in each project. */
const RIGHTS: Record<string, Partial<Record<string, 'read' | 'edit'>>> = {
  outside: { team: 'edit' },
  reader: { own: 'read', team: 'edit' },
  editor: { own: 'edit', team: 'edit' },
  admin: { team: 'edit' },
  narrowed: { own: 'edit' },
  service: { own: 'edit', others: 'edit', team: 'edit' },
}

/** The planted calendars belong to the instance. Only the service token acts for it. */
const INSTANCE_TOOLS = new Set(['list_calendars', 'list_upcoming', 'get_brief', 'set_attendance'])

function rightsOf(caller: string, tool: string): (typeof RIGHTS)[string] {
  return INSTANCE_TOOLS.has(tool) && caller !== 'service' ? {} : (RIGHTS[caller] ?? {})
}

async function connect(key: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const url = new URL(`http://127.0.0.1:${world.port}/mcp`)
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: key } })
  await client.connect(transport)
  return client
}

test('every tool gives every caller what the table allows, and nothing else', async () => {
  assert.deepEqual(Object.keys(ARGUMENTS).toSorted(), TOOLS.map(({ name }) => name).toSorted())
  const wrong: string[] = []
  for (const [caller, key] of Object.entries(keys)) {
    const client = await connect(key)
    for (const [tool, about] of Object.entries(ARGUMENTS)) {
      // A list without arguments is the same for each project.
      const isPlainList = about === null && LIST_ARGUMENTS[tool] === undefined
      for (const name of isPlainList ? PLAIN_LIST_SUBJECTS : SUBJECTS) {
        const args = about?.of(things[name]) ?? LIST_ARGUMENTS[tool]?.(`word${name}`) ?? {}
        const result = await client.callTool({ name: tool, arguments: args as never })
        const text = JSON.stringify(result.content)
        const rights = rightsOf(caller, tool)
        const right = rights[name]
        const isCreating =
          name === 'missing' && (tool === 'start_meeting' || tool === 'import_transcript')
        const answer = { text, isError: result.isError === true }
        const asked = LIST_ARGUMENTS[tool] === undefined ? null : name
        const problem =
          about === null
            ? findListProblem(answer, rights, asked)
            : findProblem(answer, about.action, right, isCreating)
        if (problem !== null) wrong.push(`${tool} ${caller} ${name}: ${problem} ${text}`)
      }
    }
    await client.close()
  }
  assert.deepEqual(wrong.slice(0, 20), [])
})

type Answer = { text: string; isError: boolean }

/** A list must show nothing of projects that the caller may not read, and everything requested of the others. */
function findListProblem(
  { text, isError }: Answer,
  rights: (typeof RIGHTS)[string],
  asked: string | null,
): string | null {
  const names = ['own', 'others', 'team']
  const isShown = (name: string) => text.includes(`word${name}`)
  const leaked = names.filter((name) => rights[name] === undefined && isShown(name))
  if (leaked.length > 0) return `shows ${leaked.join(', ')}`
  const readable = names.filter((name) => rights[name] !== undefined)
  const lacking = readable.filter((name) => (asked === null || asked === name) && !isShown(name))
  if (lacking.length > 0) return `lacks ${lacking.join(', ')}`
  return isError ? 'is refused' : null
}

function findProblem(
  { text, isError }: Answer,
  action: 'read' | 'edit',
  right: 'read' | 'edit' | undefined,
  isCreating: boolean,
): string | null {
  const isHidden = HIDDEN.test(text)
  const isForbidden = /\(forbidden\)/.test(text)
  if (isCreating) return null
  if (right === undefined) return isHidden ? null : 'is not hidden'
  if (action === 'edit' && right === 'read') return isForbidden ? null : 'is not refused'
  const isRefused = isError && !AFTER_ACCESS.test(text)
  return isHidden || isForbidden || isRefused ? 'is refused' : null
}
