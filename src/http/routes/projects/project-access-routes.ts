import { strict as assert } from 'node:assert'
import type { ProjectAccessStore } from '../../../access/project-access.ts'
import { ServiceError } from '../../../errors.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor, requireViewer } from '../../pipeline/access/caller.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  AddAdminBody,
  ProjectAccessResponse,
  ProjectMemberParams,
  ProjectMemberResponse,
  ProjectMembersResponse,
  ProjectSummariesResponse,
  SetProjectAccessBody,
  SetProjectAccessResponse,
  SetProjectMemberBody,
} from '../../shapes/project-access.ts'
import { ProjectParams } from '../../shapes/projects.ts'

type Parts = { projectAccess: ProjectAccessStore }
const TAGS = ['Projects']

/** Who may use a project. */
export function projectAccessRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  accessRoutes(app, surface, parts)
  memberRoutes(app, surface, parts)
}

function accessRoutes(app: FastifyApp, surface: ApiSurface, { projectAccess }: Parts): void {
  const url = `${surface.prefix}/projects/:projectId/access`
  app.get(
    url,
    {
      config: {
        ...surface.read,
        subject: PROJECT_SUBJECT.read,
        errorCodes: ['project_not_found'],
      },
      schema: {
        summary: 'Who may use a project',
        description:
          'Every user of the instance, or only the members of the project. Owners also see which admins added themselves.',
        tags: TAGS,
        params: ProjectParams,
        response: { 200: ProjectAccessResponse },
      },
    },
    async (request) => {
      const { projectId: project } = request.params
      const access = await projectAccess.getAccess(project)
      const adminEntries = await projectAccess.listAdminEntries(requireViewer(request), project)
      return { project, access, adminEntries }
    },
  )

  app.put(
    url,
    {
      config: {
        ...surface.manage,
        subject: PROJECT_SUBJECT.manage,
        errorCodes: ['project_not_found', 'forbidden', 'last_project_owner'],
      },
      schema: {
        summary: 'Open a project to the team, or make it private',
        description:
          'Only its owners may. A user who makes a project private becomes its owner if it has none, and its share links end.',
        tags: TAGS,
        params: ProjectParams,
        body: SetProjectAccessBody,
        response: { 200: SetProjectAccessResponse },
      },
    },
    async (request) => {
      const { projectId: project } = request.params
      const { access } = request.body
      const { endedShares } = await projectAccess.setAccess(
        requireViewer(request),
        project,
        access,
        readAuditActor(request),
      )
      return { project, access, endedShares }
    },
  )
}

function memberRoutes(app: FastifyApp, surface: ApiSurface, { projectAccess }: Parts): void {
  const url = `${surface.prefix}/projects/:projectId/members`
  app.get(
    url,
    {
      config: {
        ...surface.read,
        subject: PROJECT_SUBJECT.read,
        errorCodes: ['project_not_found'],
      },
      schema: {
        summary: 'Members of a project',
        description: 'Longest in their role first, with who added them or changed their role.',
        tags: TAGS,
        params: ProjectParams,
        response: { 200: ProjectMembersResponse },
      },
    },
    async (request) => {
      const { projectId: project } = request.params
      return { project, members: await projectAccess.listMembers(project) }
    },
  )

  app.post(
    url,
    {
      config: {
        ...surface.manage,
        subject: PROJECT_SUBJECT.manage,
        errorCodes: ['project_not_found', 'forbidden', 'user_not_found', 'last_project_owner'],
      },
      schema: {
        summary: 'Add a member to a project, or change their role',
        description: 'Only its owners may. A private project keeps at least one owner.',
        tags: TAGS,
        params: ProjectParams,
        body: SetProjectMemberBody,
        response: { 200: ProjectMemberResponse },
      },
    },
    async (request) => {
      const { userId, email } = request.body
      if ((userId === undefined) === (email === undefined)) throw USER_OR_EMAIL_REQUIRED
      const { projectId } = request.params
      const actor = readAuditActor(request)
      return {
        member: await projectAccess.setMember(
          requireViewer(request),
          projectId,
          request.body,
          actor,
        ),
      }
    },
  )

  app.delete(
    `${url}/:userId`,
    {
      config: {
        ...surface.manage,
        subject: PROJECT_SUBJECT.manage,
        errorCodes: ['project_not_found', 'forbidden', 'member_not_found', 'last_project_owner'],
      },
      schema: {
        summary: 'Remove a member from a project',
        description: 'Only its owners may. Open streams of the member end within two seconds.',
        tags: TAGS,
        params: ProjectMemberParams,
        response: { 200: SuccessResponse },
      },
    },
    async (request) => {
      const { projectId, userId } = request.params
      await projectAccess.removeMember(
        requireViewer(request),
        projectId,
        userId,
        readAuditActor(request),
      )
      return { success: true as const }
    },
  )
}

/** Projects by name, for admins, who can add themselves to one. Before that they see nothing of a private project. */
export function projectAdminRoutes(app: FastifyApp, { projectAccess }: Parts): void {
  const config = { access: 'admin', subject: 'instance' } as const

  app.get(
    '/web/system/projects',
    { config, schema: { response: { 200: ProjectSummariesResponse } } },
    async ({ signedIn }) => {
      assert(signedIn)
      return { projects: await projectAccess.listAll(signedIn.user.id) }
    },
  )

  app.post(
    '/web/system/projects/:projectId/join',
    {
      config,
      schema: {
        params: ProjectParams,
        body: AddAdminBody,
        response: { 200: ProjectMemberResponse },
      },
    },
    async (request) => {
      const { projectId } = request.params
      const userId = request.signedIn?.user.id
      assert(userId)
      const { role } = request.body
      const actor = readAuditActor(request)
      return { member: await projectAccess.addAdmin(projectId, userId, role, actor) }
    },
  )
}

const USER_OR_EMAIL_REQUIRED = new ServiceError('invalid_request', {
  details: [{ path: 'userId', message: 'Send either userId or email' }],
})
