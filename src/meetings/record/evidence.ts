import { sql } from 'kysely'
import type { FailureEvidence, PageSummary } from '../../bots/platforms/platform.ts'
import type { Db } from '../../db/database.ts'
import { countRows } from '../../db/query-helpers.ts'
import { ServiceError } from '../../errors.ts'
import { cleanText } from '../../language/clean-text.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { requireMeeting, runTransactionUnderLease, type MeetingLease } from './meeting-store.ts'

/** Maximum pieces of evidence per meeting. The oldest are deleted, because the newest explain best why it ended. */
const MAX_PER_MEETING = 10
const MAX_SCREENSHOT_BYTES = 2 * 1024 * 1024
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff])
const MAX_ITEMS = { marks: 30, headings: 50, buttons: 100 }
const MAX_TEXT_CHARS = 300
const MAX_ADDRESS_CHARS = 2_000

export type StoredEvidence = {
  number: number
  at: Date
  state: string
  marks: string[]
  survey: PageSummary
  hasScreenshot: boolean
}

export async function saveEvidence(
  db: Db,
  lease: MeetingLease,
  evidence: FailureEvidence,
  at: Date,
): Promise<void> {
  const { meetingId } = lease
  const { state, marks, survey, screenshot } = cleanAndShortenEvidence(evidence)
  await runTransactionUnderLease(db, lease, async (tx) => {
    const { number } = await tx
      .insertInto('evidence')
      .values({
        meeting_id: meetingId,
        number: sql`(select coalesce(max(number), 0) + 1 from evidence where meeting_id = ${meetingId})`,
        at,
        state,
        marks,
        survey: JSON.stringify(survey),
        screenshot,
      })
      .returning('number')
      .executeTakeFirstOrThrow()
    await tx
      .deleteFrom('evidence')
      .where('meeting_id', '=', meetingId)
      .where('number', '<=', number - MAX_PER_MEETING)
      .execute()
  })
}

/** Cleans and shortens every field of the evidence, because platform pages cannot be trusted. */
export function cleanAndShortenEvidence({ state, marks, survey, screenshot }: FailureEvidence): {
  state: string
  marks: string[]
  survey: PageSummary
  screenshot: Buffer | null
} {
  const { headings, buttons } = survey
  return {
    state: sanitizeText(state),
    marks: marks.slice(0, MAX_ITEMS.marks).map(sanitizeText),
    survey: {
      address: withoutSecrets(survey.address),
      title: sanitizeText(survey.title),
      language: sanitizeText(survey.language),
      headings: headings.slice(0, MAX_ITEMS.headings).map(sanitizeText),
      buttons: buttons.slice(0, MAX_ITEMS.buttons).map(sanitizeText),
    },
    screenshot:
      screenshot !== null && isAcceptableJpeg(screenshot) ? Buffer.from(screenshot) : null,
  }
}

function sanitizeText(text: string): string {
  return cleanText(text.slice(0, MAX_TEXT_CHARS))
}

/** Removes the query and the fragment of an address, which can contain passcodes and tokens. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return ''
  return cleanText(`${url.origin}${url.pathname}`.slice(0, MAX_ADDRESS_CHARS))
}

function isAcceptableJpeg(bytes: Uint8Array): boolean {
  return (
    bytes.length <= MAX_SCREENSHOT_BYTES && JPEG_START.equals(bytes.subarray(0, JPEG_START.length))
  )
}

export async function readEvidence(db: Db, meetingId: string): Promise<StoredEvidence[]> {
  await requireMeeting(db, meetingId)
  return db
    .selectFrom('evidence')
    .select(['number', 'at', 'state', 'marks', 'survey'])
    .select((eb) => eb('screenshot', 'is not', null).$castTo<boolean>().as('hasScreenshot'))
    .where('meeting_id', '=', meetingId)
    .orderBy('number')
    .execute()
}

export async function readScreenshot(
  db: Db,
  meetingId: string,
  evidenceNumber: number,
): Promise<Buffer> {
  await requireMeeting(db, meetingId)
  const row = await db
    .selectFrom('evidence')
    .select('screenshot')
    .where('meeting_id', '=', meetingId)
    .where('number', '=', evidenceNumber)
    .executeTakeFirst()
  if (row?.screenshot) return row.screenshot
  throw new ServiceError('evidence_not_found')
}

export function countEvidence(db: Db, meetingId: string): Promise<number> {
  return countRows(db.selectFrom('evidence').where('meeting_id', '=', meetingId))
}

export async function deleteExpiredEvidence(db: Db, now: Date, days: number): Promise<void> {
  await db
    .deleteFrom('evidence')
    .where('at', '<', new Date(now.getTime() - days * DAY_MS))
    .execute()
}
