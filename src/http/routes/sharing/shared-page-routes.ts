import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FoundShare, ShareOpener } from '../../../access/sharing/open-share.ts'
import { ipToRateLimitKey } from '../../../accounts/sign-in/sign-in-throttle.ts'
import { ServiceError } from '../../../errors.ts'
import { iterateInSlices } from '../../../lib/async/map-in-slices.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Meetings } from '../../../meetings/meetings.ts'
import type { Recaps } from '../../../recap/recaps.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { clientIp } from '../../pipeline/access/caller.ts'
import { acceptOnlyEmptyBodies } from '../../pipeline/json-body.ts'
import type { RequestCounter } from '../../pipeline/rate-limit.ts'
import { renderMeetingPage, renderDocumentPage } from './content-pages.ts'
import {
  formatWait,
  NOT_FOUND_PAGE,
  renderBusyPage,
  renderPasswordPage,
  SHARED_PAGE_HEADERS,
} from './page-frame.ts'

type Parts = {
  shares: ShareOpener
  meetings: Pick<Meetings, 'transcript'>
  recaps: Pick<Recaps, 'get'>
  /** The text of a document. Null if there is none. */
  readDocument(project: string, path: string): Promise<string | null>
  timeZone: string
  limit: SharedPageLimit
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
const MAX_FORM_BYTES = 4_096
const MAX_PASSWORD_LENGTH = 200

/**
 * Pages per minute: of all links for one address, and of one link or feed for all addresses. A page reads a whole
 * transcript, a feed several digests.
 */
const PAGES_PER_MINUTE = { address: 60, link: 300, feed: 12 } as const

/** Counts a request. Null if its page may be shown, otherwise the seconds to wait. */
export type SharedPageLimit = (scope: keyof typeof PAGES_PER_MINUTE, key: string) => number | null

type PageLimitParts = { counts: Pick<RequestCounter, 'add'>; clock: Clock; isOn: boolean }

/** The public page of a share link. The secret is the only credential: cookies and API keys are not read. */
export function sharedPageRoutes(app: FastifyApp, parts: Parts): void {
  const route = {
    config: { access: 'open', subject: 'none' },
    onRequest: async (_request: FastifyRequest, reply: FastifyReply) =>
      void reply.header('x-robots-tag', SHARED_PAGE_HEADERS['x-robots-tag']),
  } as const
  const url = '/s/:secret'

  app.get(url, route, async (request, reply) => {
    const found = await findWithinLimits(parts, request)
    if ('waitSeconds' in found) return sendBusy(reply, found.waitSeconds)
    const { share } = found
    if (share?.passwordHash) return sendPage(reply, 200, renderPasswordPage(null))
    return sendShared(parts, request, reply, share)
  })

  // Only this Fastify scope accepts forms. The password is asked each time, so no cookie is needed.
  void app.register(async (scope: FastifyApp) => {
    scope.removeAllContentTypeParsers()
    const form = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const
    scope.addContentTypeParser(FORM_TYPE, form, (_request, body: unknown, done) => {
      done(null, typeof body === 'string' ? new URLSearchParams(body).get('password') : null)
    })
    acceptOnlyEmptyBodies(
      scope,
      () => new ServiceError('unsupported_media_type', { text: 'Send the password as a form' }),
    )
    scope.post(url, route, async (request, reply) => {
      const found = await findWithinLimits(parts, request)
      if ('waitSeconds' in found) return sendBusy(reply, found.waitSeconds)
      const { share } = found
      const problem = share === null ? null : await checkPassword(parts, request, reply, share)
      return problem === null
        ? sendShared(parts, request, reply, share)
        : sendPage(reply, problem.status, renderPasswordPage(problem.text))
    })
  })
}

/** The link of a request. Null if it does not open. Both limits are checked before the link is read. */
async function findWithinLimits(
  { shares, limit }: Parts,
  request: FastifyRequest,
): Promise<{ share: FoundShare | null } | { waitSeconds: number }> {
  const ofAddress = limit('address', ipToRateLimitKey(clientIp(request)))
  if (ofAddress !== null) return { waitSeconds: ofAddress }
  const share = await shares.find((request.params as { secret: string }).secret)
  const ofLink = share === null ? null : limit('link', share.id)
  return ofLink === null ? { share } : { waitSeconds: ofLink }
}

function sendBusy(reply: FastifyReply, waitSeconds: number): FastifyReply {
  void reply.header('retry-after', waitSeconds)
  return sendPage(reply, 429, renderBusyPage(waitSeconds))
}

async function checkPassword(
  { shares }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  share: FoundShare,
): Promise<{ status: number; text: string } | null> {
  if (share.passwordHash === null) return null
  const password = typeof request.body === 'string' ? request.body : ''
  const wrong = { status: 403, text: 'That is not the password of this link.' }
  if (password === '' || password.length > MAX_PASSWORD_LENGTH) return wrong
  try {
    return (await shares.checkPassword(share, password, clientIp(request))) ? null : wrong
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'too_many_attempts') throw error
    const { retryAfterSeconds = 1 } = error.extras
    void reply.header('retry-after', retryAfterSeconds)
    const text = `Too many wrong passwords. Try again in ${formatWait(retryAfterSeconds)}.`
    return { status: error.status, text }
  }
}

/** Sends the link's content and counts the use. A removed meeting or document looks like an unknown link. */
async function sendShared(
  parts: Parts,
  { method }: FastifyRequest,
  reply: FastifyReply,
  share: FoundShare | null,
): Promise<FastifyReply> {
  const page = share === null ? null : await renderShared(parts, share)
  if (share === null || page === null) return sendPage(reply, 404, NOT_FOUND_PAGE)
  if (method !== 'HEAD' && !(await parts.shares.recordUse(share)))
    return sendPage(reply, 404, NOT_FOUND_PAGE)
  return sendPage(reply, 200, Readable.from(iterateInSlices(page)))
}

async function renderShared(
  { meetings, recaps, readDocument, timeZone }: Parts,
  { meetingId, project, path, expiresAt }: FoundShare,
): Promise<Iterable<string> | null> {
  if (path !== null) {
    const text = await readDocument(project, path)
    return text === null ? null : renderDocumentPage({ path, text, expiresAt, timeZone })
  }
  if (meetingId === null) return null
  const found = await orNull('meeting_not_found', meetings.transcript(meetingId, {}))
  if (found === null) return null
  const recap = await orNull('recap_not_ready', recaps.get(meetingId))
  const { title } = found.meeting
  return renderMeetingPage({ title, transcript: found.source, recap, expiresAt, timeZone })
}

async function orNull<T>(code: ServiceError['code'], value: Promise<T>): Promise<T | null> {
  try {
    return await value
  } catch (error) {
    if (error instanceof ServiceError && error.code === code) return null
    throw error
  }
}

function sendPage(reply: FastifyReply, status: number, page: string | Readable): FastifyReply {
  return reply.code(status).headers(SHARED_PAGE_HEADERS).send(page)
}

export function createSharedPageLimit({ counts, clock, isOn }: PageLimitParts): SharedPageLimit {
  return (scope, key) => {
    if (!isOn || counts.add(`shared_${scope}:${key}`) <= PAGES_PER_MINUTE[scope]) return null
    return 60 - clock.now().getUTCSeconds()
  }
}
