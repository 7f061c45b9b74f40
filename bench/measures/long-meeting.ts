import { createTranscriptDocumentWriter } from '../../src/meetings/record/transcript-document.ts'
import { createMeetingBatchWriter } from '../../src/meetings/record/batch-writer.ts'
import { createMeetingWriter } from '../../src/meetings/record/meeting-writer.ts'
import type { Platform } from '../../src/bots/platforms/platform.ts'
import { openInstanceDatabase, openInstance, type Instance } from '../support/instance.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { median } from '../support/figures.ts'

const SEGMENTS = 20_000
const SEGMENTS_PER_FLUSH = 4
/** How many flushes at the start and at the end are compared, after a warm-up. */
const COMPARED = 200
const READS = 9

/** A meeting of 36 hours: compares the cost of its first and last flushes, and measures reading all of it. */
export async function measureLongMeeting(): Promise<void> {
  await using instance = await openInstance({}, { platforms: [silentPlatform] })
  const flushMs = await fillMeeting(instance)
  const first = median(flushMs.slice(COMPARED, 2 * COMPARED))
  const last = median(flushMs.slice(-COMPARED))
  console.log(`  a meeting of ${SEGMENTS} segments`)
  console.log(
    `  last flush       ${(last / first).toFixed(2)} times the first (${first.toFixed(2)} ms; goal: at most 2)`,
  )
  const { body } = await instance.call('GET', '/api/v1/meetings/status')
  const [meeting] = body['meetings'] as Array<{ meetingId: string }>
  const meetingId = meeting?.meetingId ?? ''
  const readMs: number[] = []
  for (let i = 0; i < READS; i += 1) {
    const began = performance.now()
    const text = await instance.read(`/api/v1/meetings/${meetingId}/transcript`)
    readMs.push(performance.now() - began)
    const { segments } = JSON.parse(text) as { segments: unknown[] }
    if (segments.length !== SEGMENTS) throw new Error('not all there')
  }
  console.log(
    `  whole transcript ${median(readMs).toFixed(0)} ms to its last byte (goal: below 200)`,
  )
}

/** A platform that admits the bot and emits no captions, because the bench itself writes them. */
const silentPlatform: Platform = {
  name: 'practice',
  title: 'Silence',
  linkExamples: [],
  parseLink: (url) => (url === 'practice://silence' ? { url, room: url, label: 'Silence' } : null),
  async *attend(_visit, signal) {
    yield { kind: 'admitted' }
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  },
}

async function fillMeeting({ call, data }: Instance): Promise<number[]> {
  const body = { url: 'practice://silence', callbackUrl: 'http://127.0.0.1:9/', events: [] }
  const { body: started } = await call('POST', '/api/v1/meetings/start', body)
  const meetingId = String(started['meetingId'])
  const documentPath = String(started['documentPath'])
  while (!(await isLive(call))) continue
  await using database = await openInstanceDatabase(data)
  const { db, pool } = database
  const { lastSequence } = await db
    .selectFrom('meeting')
    .select('last_sequence as lastSequence')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const writer = createMeetingWriter({
    db,
    ledger: createMeetingBatchWriter(pool),
    lease: { meetingId, fence: 1 },
    counters: { lastSequence, reservedSequence: 0, segmentCount: 0 },
    gaps: [],
    onWritten: () => undefined,
  })
  const document = createTranscriptDocumentWriter({
    db,
    files: createFolderDocuments(data),
    meetingId,
    documentPath,
    writer,
    limitWrites: (work) => work(),
  })
  const flushMs: number[] = []
  for (let said = 0; said < SEGMENTS; said += SEGMENTS_PER_FLUSH) {
    const at = new Date()
    document.addSegments(await writer.writeSegments(speech(said, at), at))
    const began = performance.now()
    await document.flush(at)
    flushMs.push(performance.now() - began)
  }
  return flushMs
}

async function isLive(call: Instance['call']): Promise<boolean> {
  const { body } = await call('GET', '/api/v1/meetings/status')
  return (body['meetings'] as Array<{ status: string }>).some(({ status }) => status === 'live')
}

function speech(from: number, at: Date) {
  return Array.from({ length: SEGMENTS_PER_FLUSH }, (_, i) => ({
    captionId: `c${from + i}`,
    speaker: ['Ana', 'Ben'][(from + i) % 2] ?? '',
    text: `Sentence ${from + i} of a long meeting, as long as people usually speak at a time, or so.`,
    startedAt: at.getTime(),
  }))
}
