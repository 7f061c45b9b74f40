import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { ClaimedConnection } from './poll-runner.ts'
import { POLL_INTERVAL_MS } from './poll-runner.ts'
import { ReadProblem } from './problems.ts'
import { CursorLost, type ProviderSession, type TranscriptPage } from './provider.ts'
import {
  changeOrganizer,
  listDueOrganizers,
  storePage,
  type DueOrganizer,
} from './transcript-store.ts'

type Parts = { db: Db; clock: Clock }

/** Further pages of an organizer are read in the next poll, so that a long list does not delay other people's meetings. */
const MAX_PAGES = 20
/** Of all organizers. The next poll goes on with the others, after it stored what was found. */
const MAX_PAGES_PER_POLL = 100
/** A poll that continues another one does not read the organizers again. */
const READ_AGAIN_AFTER_MS = 0.8 * POLL_INTERVAL_MS

/**
 * Lists the new transcripts of the organizers and stores them as waiting. Returns true if there are more pages. Throws
 * problems of the whole connection; an organizer's own problem is stored, and the others are read.
 */
export async function readOrganizers(
  { db, clock }: Parts,
  claimed: ClaimedConnection,
  session: ProviderSession,
): Promise<boolean> {
  const { connectionId } = claimed
  const since = new Date(clock.now().getTime() - READ_AGAIN_AFTER_MS)
  let hasMore = false
  let pagesLeft = MAX_PAGES_PER_POLL
  for (const organizer of await listDueOrganizers(db, connectionId, since)) {
    if (pagesLeft <= 0) return true
    try {
      await requireKnownReader(db, claimed, organizer.address)
      const limit = Math.min(pagesLeft, MAX_PAGES)
      const read = await readOrganizer({ db, clock }, claimed, session, organizer, limit)
      pagesLeft -= read.pages
      if (!read.isFinished) hasMore = true
    } catch (error) {
      if (!(error instanceof ReadProblem) || error.scope !== 'organizer') throw error
      pagesLeft -= 1
      // A user who was created again has another id.
      const reset = error.code === 'organizer_not_found' ? { userId: null, syncLink: null } : {}
      const change = { ...reset, problem: error, polledAt: clock.now() }
      await changeOrganizer(db, claimed, organizer.address, change)
    }
  }
  return hasMore
}

/** Who may read the transcripts has to be known before the first of them is stored. */
export async function requireKnownReader(
  db: Db,
  { project }: Pick<ClaimedConnection, 'project'>,
  address: string,
): Promise<void> {
  if (project !== null || (await findAccount(db, address)) !== null) return
  throw new ReadProblem('no_account')
}

/** The person with this email address who has an active account here. */
export async function findAccount(db: Db, address: string) {
  const user = await db
    .selectFrom('app_user')
    .select(['id', 'role', 'email'])
    .where(sql`lower(email)`, '=', address)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  return user ?? null
}

async function readOrganizer(
  { db, clock }: Parts,
  claimed: ClaimedConnection,
  session: ProviderSession,
  { address, userId: knownId, syncLink }: DueOrganizer,
  maxPages: number,
): Promise<{ pages: number; isFinished: boolean }> {
  const startedAt = clock.now()
  const userId = knownId ?? (await session.findPersonId(address))
  let cursor = syncLink
  for (let pages = 1; pages <= maxPages; pages += 1) {
    const page = await readPageOrRestart(session, userId, cursor)
    const now = clock.now()
    const end = page.isLastPage ? { polledAt: startedAt, readAt: now } : {}
    const change = { userId, syncLink: page.cursor, problem: null, ...end }
    const { transcripts } = page
    await storePage(
      db,
      { lease: claimed, address, userId, transcripts, readsFrom: claimed.readsFrom, change },
      now,
    )
    if (page.isLastPage) return { pages, isFinished: true }
    cursor = page.cursor
  }
  return { pages: maxPages, isFinished: false }
}

/** The unique key of the transcripts prevents doubles when everything is listed again. */
async function readPageOrRestart(
  session: ProviderSession,
  userId: string,
  cursor: string | null,
): Promise<TranscriptPage> {
  try {
    return await session.listTranscripts(userId, cursor)
  } catch (error) {
    if (!(error instanceof CursorLost)) throw error
    if (cursor === null) throw new ReadProblem('bad_answer', 'the list of transcripts')
    return readPageOrRestart(session, userId, null)
  }
}
