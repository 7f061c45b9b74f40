import { strict as assert } from 'node:assert'
import type { z } from 'zod'
import type { Deliveries } from '../../deliveries/deliveries.ts'
import type { LeaveRules } from '../../meetings/meeting.ts'
import type { Meetings, Started, StartRequest } from '../../meetings/meetings.ts'
import { saveAnswer } from '../idempotency-store.ts'
import {
  HistoryAnswer,
  HistoryQuery,
  MeetingAnswer,
  MeetingParams,
  RemovedAnswer,
  StartAnswer,
  StartBody,
  StatusAnswer,
  StopAnswer,
  StopBody,
} from '../shapes/meetings.ts'
import type { App } from '../type-provider.ts'
import { pageSize } from '../page-size.ts'
import { toDetail, toPastMeeting, toWire } from '../shapes/meeting-wire.ts'

type Parts = {
  meetings: Meetings
  deliveries: Deliveries
  defaults: { botName: string; leave: LeaveRules }
}

const TAGS = ['Meetings']
const CHANGE = { access: 'key', scopes: ['meetings'] } as const
const READ = { access: 'key', scopes: ['read', 'meetings'] } as const

/** The meetings of the interface: begin, end, look at, remove. Reading what was said is in transcripts.ts. */
export function meetingRoutes(app: App, { meetings, deliveries, defaults }: Parts): void {
  const tags = TAGS

  startRoute(app, { meetings, defaults })

  app.post(
    '/api/v1/meetings/stop',
    {
      config: CHANGE,
      schema: { summary: 'Leave a meeting', tags, body: StopBody, response: { 200: StopAnswer } },
    },
    async (request) => {
      const { meetingId } = request.body
      return { meetingId, status: await meetings.stop(meetingId) }
    },
  )

  app.get(
    '/api/v1/meetings/status',
    {
      config: READ,
      schema: { summary: 'Meetings being transcribed now', tags, response: { 200: StatusAnswer } },
    },
    async () => {
      const active = await meetings.listActive()
      const summaries = await deliveries.summaries(active.map(({ id }) => id))
      return {
        meetings: active.map((meeting) => ({
          ...toWire(meeting),
          delivery: summaries.get(meeting.id) ?? null,
        })),
      }
    },
  )

  app.get(
    '/api/v1/meetings',
    {
      config: READ,
      schema: {
        summary: 'Meetings, newest first',
        tags,
        querystring: HistoryQuery,
        response: { 200: HistoryAnswer },
      },
    },
    async (request) => {
      const { q: text, limit, cursor, ...filter } = request.query
      const page = await meetings.history({ ...filter, text }, pageSize(limit), cursor)
      return { meetings: page.meetings.map(toPastMeeting), nextCursor: page.nextCursor }
    },
  )

  app.get(
    '/api/v1/meetings/:meetingId',
    {
      config: READ,
      schema: {
        summary: 'One meeting',
        tags,
        params: MeetingParams,
        response: { 200: MeetingAnswer },
      },
    },
    async (request) => {
      const detail = await meetings.detail(request.params.meetingId)
      const { id } = detail.meeting
      const delivery = (await deliveries.summaries([id])).get(id) ?? null
      return { meeting: { ...toDetail(detail), delivery } }
    },
  )

  app.delete(
    '/api/v1/meetings/:meetingId',
    {
      config: CHANGE,
      schema: {
        summary: 'Remove a meeting that is over',
        tags,
        params: MeetingParams,
        response: { 200: RemovedAnswer },
      },
    },
    async (request) => {
      assert(request.token)
      const { meetingId, counts } = await meetings.remove(
        request.params.meetingId,
        request.token.id,
      )
      return { success: true as const, meetingId, removed: counts }
    },
  )
}

function startRoute(app: App, { meetings, defaults }: Pick<Parts, 'meetings' | 'defaults'>): void {
  app.post(
    '/api/v1/meetings/start',
    {
      config: { ...CHANGE, idempotent: true, limit: 'starts' },
      schema: {
        summary: 'Join and transcribe a meeting',
        tags: TAGS,
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
