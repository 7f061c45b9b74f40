import type { ProjectAccessStore } from '../../../access/project-access.ts'
import { invalidField } from '../../../errors.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, defineConsoleRoutes } from '../../pipeline/define-routes.ts'
import { ADMIN_RULE, type ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  AddAdminBody,
  ProjectAccessResponse,
  ProjectMemberResponse,
  ProjectMembersResponse,
  ProjectSummariesResponse,
  SetProjectAccessBody,
  SetProjectAccessResponse,
  SetProjectMemberBody,
} from '../../shapes/project-access.ts'

type Parts = { projectAccess: ProjectAccessStore }

/** Who may use a project. */
export function projectAccessRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { projectAccess }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Projects')

  routes.get('/projects/:projectId/access', {
    subject: PROJECT_SUBJECT.read,
    summary: 'Who may use a project',
    description:
      'Every user of the instance, or only the members of the project. Owners also see which admins added themselves.',
    response: ProjectAccessResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      const access = await projectAccess.getAccess(project)
      const adminEntries = await projectAccess.listAdminEntries(request.viewer, project)
      return { project, access, adminEntries }
    },
  })

  routes.put('/projects/:projectId/access', {
    allows: 'manage',
    subject: PROJECT_SUBJECT.manage,
    errorCodes: ['last_project_owner'],
    summary: 'Open a project to the team, or make it private',
    description:
      'Only its owners may. A user who makes a project private becomes its owner if it has none, and its share links end.',
    body: SetProjectAccessBody,
    response: SetProjectAccessResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      const { access } = request.body
      const { endedShares } = await projectAccess.setAccess(
        request.viewer,
        project,
        access,
        readAuditActor(request),
      )
      return { project, access, endedShares }
    },
  })

  routes.get('/projects/:projectId/members', {
    subject: PROJECT_SUBJECT.read,
    summary: 'Members of a project',
    description: 'Longest in their role first, with who added them or changed their role.',
    response: ProjectMembersResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      return { project, members: await projectAccess.listMembers(project) }
    },
  })

  routes.post('/projects/:projectId/members', {
    allows: 'manage',
    subject: PROJECT_SUBJECT.manage,
    errorCodes: ['user_not_found', 'last_project_owner'],
    summary: 'Add a member to a project, or change their role',
    description: 'Only its owners may. A private project keeps at least one owner.',
    body: SetProjectMemberBody,
    response: ProjectMemberResponse,
    handler: async (request) => {
      const { userId, email } = request.body
      if ((userId === undefined) === (email === undefined)) throw USER_OR_EMAIL_REQUIRED
      const { projectId } = request.params
      const actor = readAuditActor(request)
      return {
        member: await projectAccess.setMember(request.viewer, projectId, request.body, actor),
      }
    },
  })

  routes.delete('/projects/:projectId/members/:userId', {
    allows: 'manage',
    subject: PROJECT_SUBJECT.manage,
    errorCodes: ['member_not_found', 'last_project_owner'],
    summary: 'Remove a member from a project',
    description: 'Only its owners may. Open streams of the member end within two seconds.',
    response: SuccessResponse,
    handler: async (request) => {
      const { projectId, userId } = request.params
      await projectAccess.removeMember(request.viewer, projectId, userId, readAuditActor(request))
    },
  })
}

/** Projects by name, for admins, who can add themselves to one. Before that they see nothing of a private project. */
export function projectAdminRoutes(app: FastifyApp, { projectAccess }: Parts): void {
  const routes = defineConsoleRoutes(app, ADMIN_RULE)

  routes.get('/system/projects', {
    response: ProjectSummariesResponse,
    handler: async ({ signedIn }) => {
      return { projects: await projectAccess.listAll(signedIn.user.id) }
    },
  })

  routes.post('/system/projects/:projectId/join', {
    body: AddAdminBody,
    response: ProjectMemberResponse,
    handler: async (request) => {
      const { projectId } = request.params
      const userId = request.signedIn.user.id
      const { role } = request.body
      const actor = readAuditActor(request)
      return { member: await projectAccess.addAdmin(projectId, userId, role, actor) }
    },
  })
}

const USER_OR_EMAIL_REQUIRED = invalidField('userId', 'Send either userId or email')
