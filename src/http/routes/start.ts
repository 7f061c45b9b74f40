import { strict as assert } from 'node:assert'
import type { z } from 'zod'
import { LISTENER_SCHEME } from '../../deliveries/listeners.ts'
import { ServiceError } from '../../errors.ts'
import type { LeaveRules } from '../../meetings/meeting.ts'
import type { Meetings, Started, StartRequest } from '../../meetings/meetings.ts'
import { DOORS } from '../doors.ts'
import { saveAnswer } from '../idempotency-store.ts'
import {
  LinkAnswer,
  LinkBody,
  PersonStartBody,
  StartAnswer,
  StartBody,
} from '../shapes/meetings.ts'
import type { App } from '../type-provider.ts'

type Parts = { meetings: Meetings; defaults: { botName: string; leave: LeaveRules } }

/** A program begins a meeting: with a callback URL, and an Idempotency-Key where it wants to be sure. */
export function startRoute(app: App, { meetings, defaults }: Parts): void {
  const { prefix, change } = DOORS.programs
  app.post(
    `${prefix}/meetings/start`,
    {
      config: { ...change, idempotent: true, limit: 'starts' },
      schema: {
        summary: 'Join and transcribe a meeting',
        tags: ['Meetings'],
        body: StartBody,
        response: { 201: StartAnswer },
      },
    },
    async (request, reply) => {
      assert(request.token)
      const { claim } = request
      const started = await meetings.start(
        toRequest(request.body, defaults),
        request.token.id,
        async (tx, made) => {
          // In the transaction that makes the meeting: a repeated request finds both or neither.
          const body = JSON.stringify({
            ...toStartAnswer(made),
            ...warningsOf(made, request.warnings),
          })
          if (claim !== null) await saveAnswer(tx, claim, 201, body)
        },
      )
      request.claim = null
      request.warnings = warningsOf(started, request.warnings).warnings ?? null
      return reply.code(201).send(toStartAnswer(started))
    },
  )
}

/** A person begins a meeting, and learns beforehand whether a link leads to one. */
export function personStartRoutes(app: App, { meetings, defaults }: Parts): void {
  const { prefix, change } = DOORS.people

  app.post(
    `${prefix}/meetings/link`,
    { config: change, schema: { body: LinkBody, response: { 200: LinkAnswer } } },
    async (request) => meetings.recognise(request.body.url),
  )

  app.post(
    `${prefix}/meetings/start`,
    { config: change, schema: { body: PersonStartBody, response: { 201: StartAnswer } } },
    async (request, reply) => {
      const { tokenId, callbackUrl, ...body } = request.body
      if ((tokenId === undefined) !== (callbackUrl === undefined)) throw BOTH_OR_NEITHER
      const wanted = callbackUrl === undefined ? { ...NOBODY, ...body } : { callbackUrl, ...body }
      const started = await meetings.start(toRequest(wanted, defaults), tokenId ?? null)
      request.warnings = warningsOf(started, request.warnings).warnings ?? null
      return reply.code(201).send(toStartAnswer(started))
    },
  )
}

/** Who only wants to read along has no receiver: the meeting has a lane like any other, on which nothing is sent. */
const NOBODY = { callbackUrl: `${LISTENER_SCHEME}nobody`, events: [] }

const BOTH_OR_NEITHER = new ServiceError('invalid_request', {
  details: [
    { path: 'tokenId', message: 'Give callbackUrl and the token whose secret signs, or neither' },
  ],
})

function toRequest(body: z.output<typeof StartBody>, defaults: Parts['defaults']): StartRequest {
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

function toStartAnswer({ meeting }: Started) {
  const { id: meetingId, status, platform, project, documentPath } = meeting
  return { meetingId, status, platform, project, documentPath }
}

function warningsOf({ others }: Started, known: Array<{ path: string; message: string }> | null) {
  const doubles = others.map((id) => ({
    path: 'url',
    message: `Another bot attends the same room: ${id}`,
  }))
  const warnings = [...(known ?? []), ...doubles]
  return warnings.length === 0 ? {} : { warnings }
}
