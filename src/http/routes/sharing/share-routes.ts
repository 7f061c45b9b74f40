import type { FastifyRequest } from 'fastify'
import type { ShareLink, ShareLinks, SharedSubject } from '../../../access/sharing/share-links.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor, requireViewer } from '../../pipeline/access/caller.ts'
import { MEETING_SUBJECT, PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import { MeetingParams } from '../../shapes/meetings/meeting-fields.ts'
import { ProjectParams } from '../../shapes/projects.ts'
import {
  CreateDocumentShareBody,
  CreateShareBody,
  CreateShareResponse,
  MeetingShareParams,
  ProjectShareParams,
  ProjectSharesQuery,
  SharesResponse,
} from '../../shapes/shares.ts'

type Parts = {
  shares: ShareLinks
  /** Throws unless a meeting with this id exists. */
  requireMeeting(id: string): Promise<unknown>
  /** Throws unless the project exists. */
  requireProject(id: string): Promise<unknown>
  /** Throws if links can't show this document. */
  requireShareableDocument(project: string, path: string): Promise<void>
  /** The URL that links start with. */
  baseUrl(): string
}

const TAGS = ['Sharing']
const MEETING_ERRORS = ['meeting_not_found', 'forbidden'] as const
const PROJECT_ERRORS = ['project_not_found', 'forbidden'] as const

/** Creates, lists and ends the links to one meeting. */
export function meetingShareRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const { shares, requireMeeting } = parts
  const url = `${surface.prefix}/meetings/:meetingId/shares`
  const subject = MEETING_SUBJECT.manage

  app.post(
    url,
    {
      config: { ...surface.manage, subject, errorCodes: [...MEETING_ERRORS, 'sharing_off'] },
      schema: {
        summary: 'Share a meeting by a read-only link',
        description:
          'Everyone with the link reads the recap and the transcript until it expires or is revoked. Only owners of the project may.',
        tags: TAGS,
        params: MeetingParams,
        body: CreateShareBody,
        response: { 201: CreateShareResponse },
      },
    },
    async (request, reply) => {
      const { meetingId } = request.params
      return reply.code(201).send(await createShare(parts, request, { meetingId }, request.body))
    },
  )

  app.get(
    url,
    {
      config: { ...surface.manage, subject, errorCodes: MEETING_ERRORS },
      schema: {
        summary: 'Share links of a meeting',
        description: 'Newest first, with links that ended in the last 30 days.',
        tags: TAGS,
        params: MeetingParams,
        response: { 200: SharesResponse },
      },
    },
    async (request) => {
      const { meetingId } = request.params
      await requireMeeting(meetingId)
      return { shares: (await shares.list({ meetingId })).map(toApiShare), isOn: shares.isOn }
    },
  )

  app.delete(
    `${url}/:shareId`,
    {
      config: { ...surface.manage, subject, errorCodes: [...MEETING_ERRORS, 'share_not_found'] },
      schema: {
        summary: 'Revoke a share link of a meeting',
        description: 'It does not open any more. This cannot be undone.',
        tags: TAGS,
        params: MeetingShareParams,
        response: { 200: SuccessResponse },
      },
    },
    async (request) => {
      const { meetingId, shareId } = request.params
      await requireMeeting(meetingId)
      await shares.revoke({ meetingId }, shareId, readAuditActor(request))
      return { success: true as const }
    },
  )
}

/** Creates links to documents, and lists and ends all links of a project. */
export function projectShareRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const { shares, requireProject, requireShareableDocument } = parts
  const url = `${surface.prefix}/projects/:projectId/shares`
  const subject = PROJECT_SUBJECT.manage

  app.post(
    url,
    {
      config: {
        ...surface.manage,
        subject,
        errorCodes: [...PROJECT_ERRORS, 'document_not_found', 'sharing_off'],
      },
      schema: {
        summary: 'Share a document by a read-only link',
        description:
          'Everyone with the link reads the current text of the document until it expires or is revoked. Only owners of the project may.',
        tags: TAGS,
        params: ProjectParams,
        body: CreateDocumentShareBody,
        response: { 201: CreateShareResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project } = request.params
      const { path, ...share } = request.body
      await requireProject(project)
      await requireShareableDocument(project, path)
      return reply.code(201).send(await createShare(parts, request, { project, path }, share))
    },
  )

  app.get(
    url,
    {
      config: { ...surface.manage, subject, errorCodes: PROJECT_ERRORS, allowsLongUrl: true },
      schema: {
        summary: 'Share links of a project',
        description:
          'To its meetings and documents, newest first, with links that ended in the last 30 days.',
        tags: TAGS,
        params: ProjectParams,
        querystring: ProjectSharesQuery,
        response: { 200: SharesResponse },
      },
    },
    async (request) => {
      const scope = { project: request.params.projectId, path: request.query.path }
      await requireProject(scope.project)
      return { shares: (await shares.list(scope)).map(toApiShare), isOn: shares.isOn }
    },
  )

  app.delete(
    `${url}/:shareId`,
    {
      config: { ...surface.manage, subject, errorCodes: [...PROJECT_ERRORS, 'share_not_found'] },
      schema: {
        summary: 'Revoke a share link of a project',
        description:
          'To a meeting or a document. It does not open any more. This cannot be undone.',
        tags: TAGS,
        params: ProjectShareParams,
        response: { 200: SuccessResponse },
      },
    },
    async (request) => {
      const { projectId: project, shareId } = request.params
      await requireProject(project)
      await shares.revoke({ project }, shareId, readAuditActor(request))
      return { success: true as const }
    },
  )
}

async function createShare(
  { shares, baseUrl }: Parts,
  request: FastifyRequest,
  subject: SharedSubject,
  share: { days: number; password?: string | undefined },
) {
  const viewer = requireViewer(request)
  const created = await shares.create(viewer, subject, share, readAuditActor(request))
  return { share: toApiShare(created.share), url: `${baseUrl()}/s/${created.secret}` }
}

function toApiShare({ id: shareId, ...share }: ShareLink) {
  return { shareId, ...share }
}
