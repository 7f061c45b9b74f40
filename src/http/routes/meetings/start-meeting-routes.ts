import { strict as assert } from 'node:assert'
import type { z } from 'zod'
import { DEFAULT_PROJECT } from '../../../access/registered-projects.ts'
import type { Db } from '../../../db/database.ts'
import { combineErrors, invalidField } from '../../../errors.ts'
import { canonicalLanguageTag } from '../../../lib/text/language-tag.ts'
import { formatChatNotice } from '../../../meetings/chat/notice-and-commands.ts'
import type { ChatOptions, LeaveRules, MeetingOptions } from '../../../meetings/meeting.ts'
import type { Meetings } from '../../../meetings/meetings.ts'
import {
  NO_RECEIVER,
  type StartedMeeting,
  type StartMeetingRequest,
} from '../../../meetings/starting/new-meeting.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import { MEETING_SURFACES } from '../../pipeline/access/api-surfaces.ts'
import {
  MEETING_SUBJECT,
  SIGNING_TOKEN_SUBJECT,
  type CheckedSubject,
} from '../../pipeline/access/subject-access.ts'
import {
  CheckMeetingLinkResponse,
  CheckMeetingLinkBody,
  ConsoleStartMeetingBody,
  RetryMeetingBody,
  StartMeetingResponse,
  StartMeetingBody,
} from '../../shapes/meetings/start-meeting.ts'
import { DEFAULT_SPEECH_MODE } from '../../shapes/values.ts'

type Parts = {
  meetings: Meetings
  defaults: {
    botName: string
    leave: LeaveRules
    /** The operator's text. Undefined for the default text, null for no notice. */
    chatNotice: string | null | undefined
  }
}

export const NEW_MEETING_SUBJECT: CheckedSubject = {
  kind: 'new_project',
  action: 'edit',
  from: 'body',
  field: 'project',
  default: DEFAULT_PROJECT,
}

/** Lets a program start a meeting whose events go to a callback URL. */
export function startMeetingRoute(app: FastifyApp, { meetings, defaults }: Parts): void {
  const routes = defineRoutes(app, MEETING_SURFACES.publicApi, 'Meetings')

  routes.idempotentPost('/meetings/start', {
    subject: NEW_MEETING_SUBJECT,
    rateLimit: 'starts',
    findFieldProblems: meetings.findStartProblems,
    errorCodes: [
      'unsupported_meeting_url',
      'callback_url_blocked',
      'too_many_scheduled',
      'at_capacity',
    ],
    summary: 'Join and transcribe a meeting',
    description:
      'A bot joins the meeting, now or at `joinAt`, and sends its events to the callback URL as they happen. The response does not wait for the bot.',
    body: StartMeetingBody,
    status: 201,
    response: StartMeetingResponse,
    run(request, beforeCommit: (tx: Db, started: StartedMeeting) => Promise<void>) {
      assert(request.token)
      return meetings.start(
        request.viewer,
        toStartRequest(request.body, defaults),
        request.token.id,
        beforeCommit,
      )
    },
    toResponse: toStartResponse,
  })
}

/** Lets a signed-in user start a meeting, and check a meeting link before. */
export function consoleStartMeetingRoutes(app: FastifyApp, { meetings, defaults }: Parts): void {
  const routes = defineRoutes(app, MEETING_SURFACES.consoleApi)

  routes.post('/meetings/link', {
    subject: 'list',
    body: CheckMeetingLinkBody,
    response: CheckMeetingLinkResponse,
    handler: async (request) => {
      const { activeMeetingIds, ...link } = await meetings.recognise(
        request.viewer,
        request.body.url,
      )
      return { ...link, others: activeMeetingIds }
    },
  })

  routes.post('/meetings/start', {
    subject: [NEW_MEETING_SUBJECT, SIGNING_TOKEN_SUBJECT],
    findFieldProblems: meetings.findStartProblems,
    body: ConsoleStartMeetingBody,
    status: 201,
    response: StartMeetingResponse,
    handler: async (request) => {
      const { tokenId, callbackUrl, ...body } = request.body
      if ((tokenId === undefined) !== (callbackUrl === undefined)) {
        const others = await meetings.findStartProblems(request.body)
        throw combineErrors([CALLBACK_NEEDS_TOKEN, ...others])
      }
      const startBody =
        callbackUrl === undefined ? { ...NO_RECEIVER, ...body } : { callbackUrl, ...body }
      const started = await meetings.start(
        request.viewer,
        toStartRequest(startBody, defaults),
        tokenId ?? null,
      )
      return toStartResponse(started)
    },
  })

  // Starts an ended meeting again. The stored callback settings are used without being sent to the browser.
  routes.post('/meetings/:meetingId/retry', {
    subject: MEETING_SUBJECT.edit,
    body: RetryMeetingBody,
    status: 201,
    response: StartMeetingResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      const started = await meetings.retry(request.viewer, meetingId, request.body)
      return toStartResponse(started)
    },
  })
}

const CALLBACK_NEEDS_TOKEN = invalidField(
  'tokenId',
  'Send both callbackUrl and tokenId, or neither: the secret of the token signs the callbacks',
)

function toStartRequest(
  body: z.output<typeof StartMeetingBody>,
  defaults: Parts['defaults'],
): StartMeetingRequest {
  const botName = body.botName ?? defaults.botName
  return {
    url: body.url,
    title: body.title ?? null,
    callbackUrl: body.callbackUrl,
    project: body.project ?? DEFAULT_PROJECT,
    saveTranscript: body.saveTranscript ?? true,
    joinAt: body.joinAt === undefined ? null : new Date(body.joinAt),
    expectedEndAt: null,
    options: {
      language: body.language ?? null,
      ...toRecapLanguage(body.recapLanguage),
      botName,
      account: body.account ?? null,
      speech: body.speech ?? DEFAULT_SPEECH_MODE,
      ...(body.capture !== undefined && { capture: body.capture }),
      coach: body.coach ?? true,
      events: body.events ?? null,
      leave: { ...defaults.leave, ...omitUndefined(body.leave ?? {}) },
      chat: toChatOptions(body.chat, botName, defaults.chatNotice),
    },
  }
}

function toRecapLanguage(tag: string | undefined): Pick<MeetingOptions, 'recapLanguage'> {
  const recapLanguage = tag === undefined ? null : canonicalLanguageTag(tag)
  return recapLanguage === null ? {} : { recapLanguage }
}

function toChatOptions(
  {
    notice,
    commands = true,
    store = false,
  }: NonNullable<z.output<typeof StartMeetingBody>['chat']> = {},
  botName: string,
  defaultNotice: Parts['defaults']['chatNotice'],
): ChatOptions {
  const custom = notice === undefined ? defaultNotice : notice
  return { notice: formatChatNotice(custom, { botName, hasCommands: commands }), commands, store }
}

function toStartResponse({ meeting, otherMeetingIds }: StartedMeeting) {
  const { id: meetingId, status, platform, project, documentPath, joinAt } = meeting
  const warnings = otherMeetingIds.map((id) => ({
    path: 'url',
    message: `Another bot already attends this meeting: ${id}`,
  }))
  const response = { meetingId, status, platform, project, documentPath, joinAt }
  return warnings.length === 0 ? response : { ...response, warnings }
}
