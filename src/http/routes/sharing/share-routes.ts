import type { ShareLink, ShareLinks, SharedSubject } from '../../../access/sharing/share-links.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, type ApiRequest } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { MEETING_SUBJECT, PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  CreateDocumentShareBody,
  CreateShareBody,
  CreateShareResponse,
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

/** Creates, lists and ends the links to one meeting. */
export function meetingShareRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Sharing')

  const { shares, requireMeeting } = parts
  const url = '/meetings/:meetingId/shares'
  const subject = MEETING_SUBJECT.manage

  routes.post(url, {
    allows: 'manage',
    subject,
    errorCodes: ['sharing_off'],
    summary: 'Share a meeting by a read-only link',
    description:
      'Everyone with the link reads the recap and the transcript until it expires or is revoked. Only owners of the project may.',
    body: CreateShareBody,
    status: 201,
    response: CreateShareResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      return createShare(parts, request, { meetingId }, request.body)
    },
  })

  routes.get(url, {
    allows: 'manage',
    subject,
    summary: 'Share links of a meeting',
    description: 'Newest first, with links that ended in the last 30 days.',
    response: SharesResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      await requireMeeting(meetingId)
      return { shares: (await shares.list({ meetingId })).map(toApiShare), isOn: shares.isOn }
    },
  })

  routes.delete(`${url}/:shareId`, {
    allows: 'manage',
    subject,
    errorCodes: ['share_not_found'],
    summary: 'Revoke a share link of a meeting',
    description: 'It no longer opens. This cannot be undone.',
    response: SuccessResponse,
    handler: async (request) => {
      const { meetingId, shareId } = request.params
      await requireMeeting(meetingId)
      await shares.revoke({ meetingId }, shareId, readAuditActor(request))
    },
  })
}

/** Creates links to documents, and lists and ends all links of a project. */
export function projectShareRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Sharing')

  const { shares, requireProject, requireShareableDocument } = parts
  const url = '/projects/:projectId/shares'
  const subject = PROJECT_SUBJECT.manage

  routes.post(url, {
    allows: 'manage',
    subject,
    errorCodes: ['document_not_found', 'sharing_off'],
    summary: 'Share a document by a read-only link',
    description:
      'Everyone with the link reads the current text of the document until it expires or is revoked. Only owners of the project may.',
    body: CreateDocumentShareBody,
    status: 201,
    response: CreateShareResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      const { path, ...share } = request.body
      await requireProject(project)
      await requireShareableDocument(project, path)
      return createShare(parts, request, { project, path }, share)
    },
  })

  routes.get(url, {
    allows: 'manage',
    subject,
    allowsLongUrl: true,
    summary: 'Share links of a project',
    description:
      'To its meetings and documents, newest first, with links that ended in the last 30 days.',
    query: ProjectSharesQuery,
    response: SharesResponse,
    handler: async (request) => {
      const scope = { project: request.params.projectId, path: request.query.path }
      await requireProject(scope.project)
      return { shares: (await shares.list(scope)).map(toApiShare), isOn: shares.isOn }
    },
  })

  routes.delete(`${url}/:shareId`, {
    allows: 'manage',
    subject,
    errorCodes: ['share_not_found'],
    summary: 'Revoke a share link of a project',
    description: 'To a meeting or a document. It no longer opens. This cannot be undone.',
    response: SuccessResponse,
    handler: async (request) => {
      const { projectId: project, shareId } = request.params
      await requireProject(project)
      await shares.revoke({ project }, shareId, readAuditActor(request))
    },
  })
}

async function createShare(
  { shares, baseUrl }: Parts,
  request: ApiRequest,
  subject: SharedSubject,
  share: { days: number; password?: string | undefined },
) {
  const actor = readAuditActor(request)
  const created = await shares.create(request.viewer, subject, share, actor)
  return { share: toApiShare(created.share), url: `${baseUrl()}/s/${created.secret}` }
}

function toApiShare({ id: shareId, ...share }: ShareLink) {
  return { shareId, ...share }
}
