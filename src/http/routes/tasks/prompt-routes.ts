import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { appendAudit } from '../../../accounts/audit.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { TryPrompt } from '../../../tasks/prompts/editing/preview-prompt.ts'
import type { PromptEditing, GalleryPrompt } from '../../../tasks/prompts/editing/prompt-editing.ts'
import { toShownUse, type RecordPromptChange } from '../../../tasks/prompts/editing/prompt-store.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import { TASK_SURFACES } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { readPreconditions } from '../projects/document-routes.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  PreviewPromptBody,
  PromptFileParams,
  PromptFileResponse,
  PromptGalleryResponse,
  PromptPreviewResponse,
  TryPromptBody,
  TryPromptResponse,
  WritePromptBody,
  WrittenPromptResponse,
} from '../../shapes/prompts.ts'

type Parts = { promptEditing: PromptEditing; tryPrompt: TryPrompt; clock: Clock }

/** A text of the largest size, with every character as an escape sequence. */
const BODY_LIMIT = 2 * 1024 * 1024

/** Prompts for people in the console. Not below /prompts, which programs also use, and where any word can be a name. */
export function promptRoutes(app: FastifyApp, parts: Parts): void {
  const routes = defineRoutes(app, TASK_SURFACES.consoleApi)

  const { promptEditing, clock } = parts
  const { store, preview, gallery, adminNames } = promptEditing
  const file = '/prompt-files/*'
  const recorderOf = (request: FastifyRequest, name: string): RecordPromptChange => {
    const actor = readAuditActor(request)
    return (tx, action) => appendAudit(tx, clock.now(), actor, action, name)
  }

  routes.get('/prompt-gallery', {
    subject: 'list',
    response: PromptGalleryResponse,
    handler: async (request) => {
      const prompts = await gallery(request.viewer)
      return { prompts: prompts.map(toGalleryPrompt), admins: await adminNames() }
    },
  })

  routes.get(file, {
    subject: 'list',
    params: PromptFileParams,
    response: PromptFileResponse,
    handler: async (request) => {
      const { author, use, ...prompt } = await store.read(request.viewer, request.params['*'])
      const shownUse = toShownUse(use, prompt.refusal)
      return { prompt: { ...prompt, authorName: author?.name ?? null, ...shownUse } }
    },
  })

  routes.put(file, {
    subject: 'list',
    params: PromptFileParams,
    body: WritePromptBody,
    status: [200, 201],
    response: WrittenPromptResponse,
    bodyLimit: BODY_LIMIT,
    tooLargeText: 'The prompt is larger than 256 KiB',
    handler: async (request, reply) => {
      const name = request.params['*']
      const { etag, isNew } = await store.write(
        request.viewer,
        { name, text: request.body.text },
        readPreconditions(request),
        recorderOf(request, name),
      )
      return reply.code(isNew ? 201 : 200).send({ name, etag })
    },
  })

  routes.delete(file, {
    subject: 'list',
    params: PromptFileParams,
    response: SuccessResponse,
    handler: async (request) => {
      const name = request.params['*']
      const conditions = readPreconditions(request)
      await store.remove(request.viewer, name, conditions, recorderOf(request, name))
    },
  })

  routes.post('/prompt-preview', {
    subject: ['list', MEETING_SUBJECT.readInBody],
    body: PreviewPromptBody,
    response: PromptPreviewResponse,
    bodyLimit: BODY_LIMIT,
    tooLargeText: 'The prompt is larger than 256 KiB',
    handler: async (request) => {
      const { text, meetingId = null } = request.body
      return preview(request.viewer, { text, meetingId })
    },
  })

  routes.post('/prompt-trials', {
    subject: 'list',
    body: TryPromptBody,
    status: 202,
    response: TryPromptResponse,
    handler: async (request) => {
      const executionId = await parts.tryPrompt(request.viewer, request.body.promptName)
      return { executionId }
    },
  })
}

function toGalleryPrompt(
  prompt: GalleryPrompt,
): z.output<typeof PromptGalleryResponse>['prompts'][number] {
  const { settings, use, ...rest } = prompt
  return {
    ...rest,
    description: settings?.description ?? null,
    model: settings?.model ?? null,
    builtin: settings?.builtin ?? null,
    project: settings?.project ?? null,
    tools: settings?.tools ?? [],
    ...toShownUse(use, prompt.refusal),
  }
}
