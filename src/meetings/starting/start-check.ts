import { ServiceError } from '../../errors.ts'
import { explainRejectedLink } from '../../bots/platforms/links/explain-rejected-link.ts'
import type { MeetingLink, Platform, PlatformName } from '../../bots/platforms/platform.ts'
import { callbackBlockedError } from '../../deliveries/deliveries.ts'
import type { SpeechMode } from '../../bots/platforms/speech/speech-mode.ts'
import type { MeetingCapacityCheck } from '../attending/claiming/capacity.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Meeting } from '../meeting.ts'
import { findJoinTimeProblem } from '../scheduling/join-times.ts'

/** Where a bot is sent: the platform of a link and the meeting that the link names. */
export type MeetingPlace = { platform: Platform; link: MeetingLink }

/** The fields of a start request that are checked; a field that is not given, or whose form is invalid, is not. */
export type StartFields = {
  url?: string | undefined
  callbackUrl?: string | undefined
  account?: string | null | undefined
  /** When the bot joins, as a time or as its text. */
  joinAt?: Date | string | null | undefined
  speech?: SpeechMode | undefined
  language?: string | null | undefined
}

export interface StartFieldChecks {
  /** Finds the platform of a meeting link; throws `unsupported_meeting_url` when the URL is not a meeting link. */
  requirePlace(url: string): MeetingPlace
  /** One error for each field with a problem. */
  findProblems(fields: StartFields): Promise<ServiceError[]>
}

type Parts = {
  clock: Clock
  platforms: readonly Platform[]
  /** Null when callbacks may be sent to that URL, otherwise the reason why not. */
  findCallbackProblem(url: string): Promise<string | null>
  /**
   * Null when a bot may use that account on that platform, otherwise the reason why not. Without a platform it checks
   * only that the account exists.
   */
  findAccountProblem(platform: PlatformName | null, account: string): Promise<string | null>
  /** Null when speech in that language can be recognized, otherwise the reason why not. */
  findSpeechProblem(language: string | null): Promise<string | null>
}

/** Checks the fields of a start request that need more than a look at their form. */
export function createStartCheck(parts: Parts): StartFieldChecks {
  const { clock, platforms, findCallbackProblem, findAccountProblem, findSpeechProblem } = parts
  return {
    requirePlace(url) {
      const place = findPlace(platforms, url)
      if (place === null) throw unsupportedLinkError(platforms, url)
      return place
    },
    async findProblems({ url, callbackUrl, account, joinAt, speech, language = null }) {
      const place = url === undefined ? null : findPlace(platforms, url)
      const [callbackProblem, accountProblem, speechProblem] = await Promise.all([
        callbackUrl === undefined ? null : findCallbackProblem(callbackUrl),
        account ? findAccountProblem(place?.platform.name ?? null, account) : null,
        speech === 'always' ? findSpeechProblem(language) : null,
      ])
      const timeProblem = joinAt ? findJoinTimeProblem(new Date(joinAt), clock.now()) : null
      return [
        ...(url === undefined || place !== null ? [] : [unsupportedLinkError(platforms, url)]),
        ...(callbackProblem === null ? [] : [callbackBlockedError(callbackProblem)]),
        ...(accountProblem === null ? [] : [accountProblemError(accountProblem)]),
        ...(speechProblem === null ? [] : [speechProblemError(speechProblem)]),
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

function speechProblemError(message: string): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'speech', message }],
    hint: 'Leave `speech` out to use captions, or see docs/speech.md',
  })
}

/** Throws when there is no space for another transcript, or no bot in time for a meeting that begins at once. */
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
