import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../src/db/database.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { createTaskDataFolder } from '../support/tasks/task-service.ts'
import { eventually } from '../support/time/eventually.ts'

/** A service that makes recaps by rules, unless `hasRecaps` is false. A recap changes the document after the end. */
export async function openEditing({ hasRecaps = true } = {}) {
  await using stack = new AsyncDisposableStack()
  const data = stack.use(createTaskDataFolder({}))
  let opened: Db | undefined
  const service = stack.use(
    await startService(
      { HANSARD_DATA: data.path, HANSARD_RECAP: hasRecaps ? 'on' : 'off' },
      {
        routes(_app, database) {
          opened = database
        },
      },
    ),
  )
  assert.ok(opened)
  const db = opened
  const program = await openMeetingsClient(service)
  const moved = stack.move()
  return { service, data, program, db, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
type EditingWorld = Awaited<ReturnType<typeof openEditing>>

function toVtt(lines: ReadonlyArray<{ speaker: string; text: string }>): string {
  const time = (seconds: number) => `00:00:${String(seconds).padStart(2, '0')}.000`
  const cues = lines.map(
    ({ speaker, text }, i) => `${time(i * 5)} --> ${time(i * 5 + 4)}\n<v ${speaker}>${text}</v>`,
  )
  return ['WEBVTT', ...cues, ''].join('\n\n')
}

/** Imports a transcript, and returns functions that make requests about the meeting. */
export async function importMeeting(
  { program, data }: EditingWorld,
  lines: ReadonlyArray<{ speaker: string; text: string }>,
) {
  const request = { content: toVtt(lines), title: 'Sync', project: 'edits' }
  const { status, body } = await program.post('/import', request)
  assert.equal(status, 201, JSON.stringify(body))
  const id = String(body['meetingId'])
  const path = join(data.path, String(body['documentPath']))
  return {
    id,
    path,
    document: () => readFileSync(path, 'utf8'),
    rename: (from: string, to: string) => program.post(`/${id}/speakers/rename`, { from, to }),
    undo: (editNumber: number) => program.post(`/${id}/edits/${editNumber}/undo`, {}),
    patch: (body: object) => program.ask('PATCH', `/meetings/${id}`, body),
    get: async (part = '') => (await program.get(`/${id}${part}`)).body,
    detail: async () => (await program.get(`/${id}`)).body['meeting'] as MeetingDetail,
    edits: async () => (await program.get(`/${id}/edits`)).body['edits'] as Edit[],
    waitForRecap: (isExpected: (recap: Recap) => boolean = () => true) =>
      eventually(async () => {
        const { status: found, body: recap } = await program.get(`/${id}/recap`)
        const isWritten = found === 200 && recap['documentState'] === 'written'
        return isWritten && isExpected(recap as Recap) ? (recap as Recap) : null
      }),
  }
}

export type Edit = {
  editNumber: number
  kind: string
  from: string | null
  to: string | null
  by: string
  canUndo: boolean
}
export type Recap = {
  madeAt: string
  decisions: Array<{ id: string; speaker: string | null; text: string }>
  actions: Array<{ owner: string | null; text: string; dueDate: string | null }>
}
type MeetingDetail = {
  title: string
  startedAt: string
  endedAt: string | null
  editCount: number
  renamedSpeakers: Array<{ platformName: string; name: string }>
  participants: Array<{ name: string; joinedAt: string; leftAt: string | null }>
  talkTime: Array<{ speaker: string }>
}
