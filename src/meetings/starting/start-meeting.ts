import type { Viewer } from '../../access/viewer.ts'
import { explainRejectedLink } from '../../bots/platforms/explain-rejected-link.ts'
import type { MeetingLink, Platform, PlatformName } from '../../bots/platforms/platform.ts'
import type { SpeechMode } from '../../bots/platforms/speech/speech-mode.ts'
import type { Tx } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { callbackBlockedError } from '../../deliveries/deliveries.ts'
import { insertLane } from '../../deliveries/lane/lane-rows.ts'
import { ServiceError, throwIfAnyErrors } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { MeetingCapacityCheck } from '../attending/claiming/capacity.ts'
import type { MeetingsContext } from '../context.ts'
import type { Meeting } from '../meeting.ts'
import { DEFAULT_CAPTURE, findFirstStatus, type Capture } from '../official/capture.ts'
import { appendEvents } from '../record/meeting-store.ts'
import {
  isWithinLead,
  MAX_SCHEDULED,
  toFutureJoinTime,
  countScheduledBy,
  findJoinTimeProblem,
} from '../scheduling/scheduled-meetings.ts'
import {
  createTranscriptFile,
  findActiveInRoom,
  findOutcome,
  insertMeeting,
  newLaneFor,
  newMeeting,
  removeUnusedDocument,
  type StartedMeeting,
  type StartMeetingRequest,
} from './new-meeting.ts'

/** Runs in the transaction that creates the meeting. */
export type BeforeStartCommit = (tx: Tx, started: StartedMeeting) => Promise<void>

export type StartMeeting = (
  viewer: Viewer,
  request: StartMeetingRequest,
  tokenId: string | null,
  beforeCommit?: BeforeStartCommit,
) => Promise<StartedMeeting>

export type StarterParts = MeetingsContext & {
  startCheck: StartFieldChecks
  capacity: MeetingCapacityCheck
  membership: Pick<NodeMembership, 'requireFreshHeartbeat'>
  /** Wakes the meeting runners of all nodes, because a meeting was started or has to stop. */
  wake(): void
  /** How many meetings one person or token can have scheduled. Default: `MAX_SCHEDULED`. Only tests change it. */
  maxScheduled?: number | undefined
  /** Wakes the meeting scheduler of this node, because a meeting was scheduled or moved to another time. */
  wakeScheduler(): void
}

type NewStart = {
  viewer: Viewer
  request: StartMeetingRequest
  tokenId: string | null
  beforeCommit: BeforeStartCommit | undefined
  place: MeetingPlace
  now: Date
}

/** Where a bot is sent: the platform of a link, and the meeting in the link. */
type MeetingPlace = { platform: Platform; link: MeetingLink }

/** The fields of a start request to check. Fields that are absent or malformed are not checked. */
export type StartFields = {
  url?: string | undefined
  callbackUrl?: string | undefined
  account?: string | null | undefined
  /** When the bot joins, as a date or as text. */
  joinAt?: Date | string | null | undefined
  speech?: SpeechMode | undefined
  language?: string | null | undefined
  capture?: Capture | undefined
}

export type StartFieldChecks = ReturnType<typeof createStartCheck>

export type StartCheckParts = {
  clock: Clock
  platforms: readonly Platform[]
  /** Returns null if callbacks may be sent to that URL, otherwise the reason why not. */
  findCallbackProblem(url: string): Promise<string | null>
  /**
   * Returns null if a bot may use that account on that platform, otherwise the reason why not. Without a platform it
   * checks only that the account exists.
   */
  findAccountProblem(platform: PlatformName | null, account: string): Promise<string | null>
  /** Returns null if speech in that language can be recognized, otherwise the reason why not. */
  findSpeechProblem(language: string | null): Promise<string | null>
  /** Returns null if official transcripts of that platform are read, otherwise the reason why not. */
  findCaptureProblem(platform: PlatformName): Promise<string | null>
}

/** Returns a function that starts a meeting now, or schedules it if its join time is in the future. */
export function createMeetingStarter(parts: StarterParts): StartMeeting {
  return async (viewer, request, tokenId, beforeCommit) => {
    const { url, callbackUrl, joinAt } = request
    const { account, speech, language, capture } = request.options
    const fields = { url, callbackUrl, account, joinAt, speech, language, capture }
    throwIfAnyErrors(await parts.startCheck.findProblems(fields))
    const place = parts.startCheck.requirePlace(url)
    await parts.membership.requireFreshHeartbeat()
    const now = parts.clock.now()
    const start = { viewer, request, tokenId, beforeCommit, place, now }
    const futureJoinAt = toFutureJoinTime(joinAt, now)
    return futureJoinAt === null
      ? startNow(parts, start)
      : scheduleMeeting(parts, start, futureJoinAt)
  }
}

async function startNow(parts: StarterParts, start: NewStart): Promise<StartedMeeting> {
  const { db } = parts
  const { viewer, request, tokenId, beforeCommit, place, now } = start
  const meeting = newMeeting(request, place, { now, joinAt: null })
  const hasBot = meeting.status === 'joining'
  if (hasBot) await assertCanBegin(parts, place.platform.name, request.options.account)
  // Before the folder exists. Otherwise the index or a crash could turn it into a team project.
  await parts.registerProject(db, viewer, meeting.project)
  const document =
    hasBot && request.saveTranscript
      ? await createTranscriptFile(parts.files, parts.timeZone, meeting)
      : null
  let started: StartedMeeting
  let stored = null as StartedMeeting | null
  try {
    started = await db.transaction().execute(async (tx) => {
      // Checked again, because the viewer may have lost access while the file was created.
      await parts.registerProject(tx, viewer, meeting.project)
      const otherMeetingIds = await findActiveInRoom(tx, viewer, place.link.room)
      const saved = { ...meeting, documentPath: document?.documentPath ?? null }
      const { callbackUrl, expectedEndAt } = request
      const documentSize = document?.size ?? 0
      await insertMeeting(tx, {
        meeting: saved,
        link: place.link,
        callbackUrl,
        tokenId,
        documentSize,
        expectedEndAt,
        startedBy: viewer,
      })
      const payload = { status: findFirstStatus(meeting.options), previousStatus: null }
      await appendEvents(tx, meeting.id, now, [{ type: 'meeting_status', payload }])
      await insertLane(tx, newLaneFor(saved, callbackUrl, tokenId), now)
      await beforeCommit?.(tx, { meeting: saved, otherMeetingIds })
      stored = { meeting: saved, otherMeetingIds }
      return stored
    })
  } catch (error) {
    // The connection may have broken during the commit.
    const outcome = stored === null ? 'not stored' : await findOutcome(parts, meeting.id)
    if (outcome === 'not stored' && document !== null) await removeUnusedDocument(parts, document)
    if (outcome !== 'stored' || stored === null) throw error
    started = stored
  }
  parts.wake()
  if (document !== null) await parts.documentChanged(document.documentPath)
  return started
}

/** Stores only the meeting. Its document, lane and first event follow when it begins. */
async function scheduleMeeting(
  parts: StarterParts,
  start: NewStart,
  joinAt: Date,
): Promise<StartedMeeting> {
  const { viewer, request, tokenId, beforeCommit, place, now } = start
  // It begins at once, like a meeting without a join time.
  if (isWithinLead(joinAt, now) && request.options.capture !== 'official')
    await assertCanBegin(parts, place.platform.name, request.options.account)
  const limit = parts.maxScheduled ?? MAX_SCHEDULED
  if ((await countScheduledBy(parts.db, { viewer, tokenId }, limit)) >= limit) {
    const who = viewer.kind === 'user' ? 'person' : 'API token'
    throw new ServiceError('too_many_scheduled', {
      text: `This ${who} has already scheduled ${limit.toLocaleString('en')} meetings`,
    })
  }
  const meeting = newMeeting(request, place, { now, joinAt })
  const { callbackUrl, expectedEndAt } = request
  const started = { meeting, otherMeetingIds: [] }
  await parts.db.transaction().execute(async (tx) => {
    await parts.registerProject(tx, viewer, meeting.project)
    const { link } = place
    const startedBy = viewer
    await insertMeeting(tx, { meeting, link, callbackUrl, tokenId, expectedEndAt, startedBy })
    await beforeCommit?.(tx, started)
  })
  parts.wakeScheduler()
  return started
}

/** Checks fields of a start request that need more than a check of their format. */
export function createStartCheck(parts: StartCheckParts) {
  const { clock, platforms, findCallbackProblem, findAccountProblem, findSpeechProblem } = parts
  return {
    /** Finds the platform of a meeting link. Throws `unsupported_meeting_url` if the URL is not a meeting link. */
    requirePlace(url: string): MeetingPlace {
      const place = findPlace(platforms, url)
      if (place === null) throw unsupportedLinkError(platforms, url)
      return place
    },
    /** Returns an error for each field with a problem. */
    async findProblems({
      url,
      callbackUrl,
      account,
      joinAt,
      speech,
      language = null,
      capture = DEFAULT_CAPTURE,
    }: StartFields): Promise<ServiceError[]> {
      const place = url === undefined ? null : findPlace(platforms, url)
      const [callbackProblem, accountProblem, speechProblem, captureProblem] = await Promise.all([
        callbackUrl === undefined ? null : findCallbackProblem(callbackUrl),
        account ? findAccountProblem(place?.platform.name ?? null, account) : null,
        speech === 'always' && capture !== 'official' ? findSpeechProblem(language) : null,
        capture === DEFAULT_CAPTURE || place === null
          ? null
          : parts.findCaptureProblem(place.platform.name),
      ])
      const timeProblem = joinAt ? findJoinTimeProblem(new Date(joinAt), clock.now()) : null
      return [
        ...(url === undefined || place !== null ? [] : [unsupportedLinkError(platforms, url)]),
        ...(callbackProblem === null ? [] : [callbackBlockedError(callbackProblem)]),
        ...(accountProblem === null ? [] : [accountProblemError(accountProblem)]),
        ...(speechProblem === null ? [] : [speechProblemError(speechProblem)]),
        ...(captureProblem === null ? [] : [captureProblemError(captureProblem)]),
        ...(timeProblem === null ? [] : [joinTimeError(timeProblem)]),
      ]
    },
  }
}

function findPlace(platforms: readonly Platform[], url: string): MeetingPlace | null {
  for (const platform of platforms) {
    const link = platform.parseLink(url)
    if (link !== null) return { platform, link }
  }
  return null
}

function unsupportedLinkError(platforms: readonly Platform[], url: string): ServiceError {
  const examples = platforms.flatMap(({ linkExamples }) => linkExamples)
  return new ServiceError('unsupported_meeting_url', {
    details: [{ path: 'url', message: explainRejectedLink(url) }],
    hint: `Supported: ${examples.join(', ')}`,
  })
}

function accountProblemError(message: string): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'account', message }],
    hint: 'GET /api/v1/bot-accounts lists the bot accounts; `hansard account add` adds one',
  })
}

function captureProblemError(message: string): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'capture', message }],
    hint: 'Leave `capture` out to send only a bot, or see docs/connections.md',
  })
}

function speechProblemError(message: string): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'speech', message }],
    hint: 'Leave `speech` out to use captions, or see docs/speech.md',
  })
}

/** Throws if there is no space for another transcript, or no free bot for a meeting that begins at once. */
export async function assertCanBegin(
  { hasDiskSpace, capacity }: { hasDiskSpace(): boolean; capacity: MeetingCapacityCheck },
  platform: Meeting['platform'],
  account: string | null,
): Promise<void> {
  if (!hasDiskSpace()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
  await capacity.assertAvailable(platform, account)
}

export function joinTimeError(message: string): ServiceError {
  return new ServiceError('invalid_request', { details: [{ path: 'joinAt', message }] })
}
