import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { rewriteTranscriptDocument } from '../../src/meetings/record/transcript-document.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { seedMeeting } from '../support/meetings/seed-meeting.ts'
import type { TestService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'

export type ApiAction = {
  actionId: string
  text: string
  owner: string | null
  dueDate: string | null
  state: string
  source: string
  segmentNumbers: number[]
  editedAt: string | null
}
export type ApiSentence = {
  id: string
  text: string
  segmentNumbers: number[]
  editedAt: string | null
}
export type ApiStatement = ApiSentence & { speaker: string | null }
export type ApiRecap = {
  status: string
  method: string
  model: string | null
  error: string | null
  version: number
  language: string | null
  writtenLanguage: string | null
  title: string | null
  sections: string[]
  summary: ApiSentence[]
  decisions: Array<ApiStatement & { reason?: string | null }>
  openQuestions: ApiStatement[]
  topics: Array<{ title: string }>
  coverage: { segmentsRead: number; segmentsTotal: number }
  actions: ApiAction[]
  droppedStatements: number
  tokens: number
  documentState: string
}

/** A service that makes recaps, and a client for them. */
export async function openRecapService(env: Record<string, string> = {}) {
  const service = await startService({ HANSARD_RECAP: 'on', ...env })
  const program = await openMeetingsClient(service)
  const recap = async (id: string) => (await program.get(`/${id}/recap`)).body as ApiRecap
  const pathOf = async (id: string) => {
    const { body } = await program.get(`/${id}`)
    const { documentPath } = body['meeting'] as { documentPath: string }
    return join(service.dataFolder, documentPath)
  }
  return {
    service,
    program,
    recap,
    /** Waits until the recap satisfies the condition. Default: until all work on it is done. */
    waitForRecap: (
      id: string,
      isEnough = ({ documentState }: ApiRecap) => documentState !== 'waiting',
    ): Promise<ApiRecap> =>
      eventually(async () => {
        const { status, body } = await program.get(`/${id}/recap`)
        return status === 200 && isEnough(body as ApiRecap) ? (body as ApiRecap) : null
      }, 60_000),
    /** Runs a practice meeting to its end. */
    async runMeeting(more: Record<string, unknown> = {}): Promise<string> {
      const id = await program.start('practice://standup?speed=1000', more)
      await program.waitForStatus(id)
      return id
    },
    /** An ended meeting with these lines and a document, as if a bot had recorded it. Its recap must be requested. */
    seedEndedMeeting: (lines: readonly SpokenLine[], title: string | null = 'Seeded') =>
      seedEndedMeeting(service, lines, title),
    /** Requests a recap and waits until all work on it is done. */
    async makeRecap(id: string): Promise<ApiRecap> {
      const before = (await program.get(`/${id}/recap`)).body['version'] ?? 0
      const { status } = await program.ask('POST', `/meetings/${id}/recap`)
      if (status !== 202) throw new Error(`the recap was refused with ${status}`)
      return eventually(async () => {
        const now = await recap(id)
        const isNew = now.version > Number(before) && now.status === 'completed'
        return isNew && now.documentState !== 'waiting' ? now : null
      }, 120_000)
    },
    readDocument: async (id: string) => readFileSync(await pathOf(id), 'utf8'),
    writeDocument: async (id: string, text: string) => writeFileSync(await pathOf(id), text),
    async updateAction(actionId: string, change: Record<string, unknown>) {
      return program.ask('PATCH', `/actions/${actionId}`, change)
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

export type SpokenLine = readonly [speaker: string, text: string]

/** Meetings that are this old get no recap without a request. */
const LONG_AGO = new Date('2020-01-06T09:00:00.000Z')
let seededCount = 0

async function seedEndedMeeting(
  { databaseUrl, dataFolder }: TestService,
  lines: readonly SpokenLine[],
  title: string | null,
): Promise<string> {
  const { db, close } = await connectToDatabase(
    { connectionString: databaseUrl },
    { max: 1, log: createLog('silent') },
  )
  try {
    const documentPath = `deployed-md-files/docs/api/meetings/seeded-${(seededCount += 1)}.md`
    const id = await seedMeeting(db, {
      status: 'ended',
      started_at: LONG_AGO,
      ended_at: new Date(LONG_AGO.getTime() + lines.length * 1000),
      segment_count: lines.length,
      title,
      document_path: documentPath,
    })
    const [speakers, texts] = [lines.map(([speaker]) => speaker), lines.map(([, text]) => text)]
    await sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at)
      select ${id}, number, 'c' || number, speaker, text, ${LONG_AGO}::timestamptz + number * interval '1 second'
      from unnest(${speakers}::text[], ${texts}::text[]) with ordinality as l(speaker, text, number)`.execute(
      db,
    )
    mkdirSync(dirname(join(dataFolder, documentPath)), { recursive: true })
    const size = await rewriteTranscriptDocument(db, createFolderDocuments(dataFolder), id, null)
    await db.updateTable('meeting').set({ document_size: size }).where('id', '=', id).execute()
    return id
  } finally {
    await close()
  }
}
