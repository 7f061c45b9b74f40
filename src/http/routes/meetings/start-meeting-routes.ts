import { strict as assert } from 'node:assert'
import type { z } from 'zod'
import { LISTENER_SCHEME } from '../../../deliveries/listeners/listeners.ts'
import { ServiceError } from '../../../errors.ts'
import type { LeaveRules } from '../../../meetings/meeting.ts'
import type { Meetings, StartedMeeting, StartMeetingRequest } from '../../../meetings/meetings.ts'
import { SURFACES } from '../../pipeline/access/api-surfaces.ts'
import { saveResponse } from '../../pipeline/idempotency-store.ts'
import {
  MeetingLinkResponse,
  MeetingLinkBody,
  ConsoleStartMeetingBody,
  StartMeetingResponse,
  StartMeetingBody,
} from '../../shapes/meetings.ts'
import type { FastifyApp } from '../../fastify-app.ts'

type Parts = { meetings: Meetings; defaults: { botName: string; leave: LeaveRules } }

/** A program begins a meeting: with a callback URL, and an Idempotency-Key where it wants to be sure. */
export function startMeetingRoute(app: FastifyApp, { meetings, defaults }: Parts): void {
  const { prefix, change } = SURFACES.publicApi
  app.post(
    `${prefix}/meetings/start`,
    {
      config: { ...change, idempotent: true, rateLimit: 'starts' },
      schema: {
        summary: 'Join and transcribe a meeting',
        tags: ['Meetings'],
        body: StartMeetingBody,
        response: { 201: StartMeetingResponse },
      },
    },
    async (request, reply) => {
      assert(request.token)
      const { idempotencyClaim: claim } = request
      const started = await meetings.start(
        toStartRequest(request.body, defaults),
        request.token.id,
        async (tx, made) => {
          // In the transaction that makes the meeting: a repeated request finds both or neither.
          const body = JSON.stringify({
            ...toStartResponse(made),
            ...collectWarnings(made, request.warnings),
          })
          if (claim !== null) await saveResponse(tx, claim, 201, body)
        },
      )
      request.idempotencyClaim = null
      request.warnings = collectWarnings(started, request.warnings).warnings ?? null
      return reply.code(201).send(toStartResponse(started))
    },
  )
}

/** A person begins a meeting, and learns beforehand whether a link leads to one. */
export function consoleStartMeetingRoutes(app: FastifyApp, { meetings, defaults }: Parts): void {
  const { prefix, change } = SURFACES.consoleApi

  app.post(
    `${prefix}/meetings/link`,
    { config: change, schema: { body: MeetingLinkBody, response: { 200: MeetingLinkResponse } } },
    async (request) => meetings.recognise(request.body.url),
  )

  app.post(
    `${prefix}/meetings/start`,
    {
      config: change,
      schema: { body: ConsoleStartMeetingBody, response: { 201: StartMeetingResponse } },
    },
    async (request, reply) => {
      const { tokenId, callbackUrl, ...body } = request.body
      if ((tokenId === undefined) !== (callbackUrl === undefined)) throw CALLBACK_NEEDS_TOKEN
      const wanted =
        callbackUrl === undefined ? { ...NO_RECEIVER, ...body } : { callbackUrl, ...body }
      const started = await meetings.start(toStartRequest(wanted, defaults), tokenId ?? null)
      request.warnings = collectWarnings(started, request.warnings).warnings ?? null
      return reply.code(201).send(toStartResponse(started))
    },
  )
}

/** Who only wants to read along has no receiver: the meeting has a lane like any other, on which nothing is sent. */
const NO_RECEIVER = { callbackUrl: `${LISTENER_SCHEME}nobody`, events: [] }

const CALLBACK_NEEDS_TOKEN = new ServiceError('invalid_request', {
  details: [
    { path: 'tokenId', message: 'Give callbackUrl and the token whose secret signs, or neither' },
  ],
})

function toStartRequest(
  body: z.output<typeof StartMeetingBody>,
  defaults: Parts['defaults'],
): StartMeetingRequest {
  const { silence, ...leave } = body.leave ?? {}
  const given = Object.fromEntries(Object.entries(leave).filter(([, value]) => value !== undefined))
  return {
    url: body.url,
    title: body.title ?? null,
    callbackUrl: body.callbackUrl,
    project: body.project ?? 'api',
    saveTranscript: body.saveTranscript ?? true,
    options: {
      language: body.language ?? null,
      botName: body.botName ?? defaults.botName,
      account: body.account ?? null,
      coach: body.coach ?? true,
      events: body.events ?? null,
      leave: { ...defaults.leave, ...given, ...(silence !== undefined && { silence }) },
    },
  }
}

function toStartResponse({ meeting }: StartedMeeting) {
  const { id: meetingId, status, platform, project, documentPath } = meeting
  return { meetingId, status, platform, project, documentPath }
}

function collectWarnings(
  { otherMeetingIds }: StartedMeeting,
  known: Array<{ path: string; message: string }> | null,
) {
  const doubles = otherMeetingIds.map((id) => ({
    path: 'url',
    message: `Another bot attends the same room: ${id}`,
  }))
  const warnings = [...(known ?? []), ...doubles]
  return warnings.length === 0 ? {} : { warnings }
}
