import { omitUndefined } from '../../../lib/omit-undefined.ts'
import type { ProvisioningArea } from '../../../provisioning/area.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { ADMIN_RULE } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { defineConsoleRoutes } from '../../pipeline/define-routes.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  ChangeProvisioningBody,
  CreatedProvisioningTokenResponse,
  CreateProvisioningTokenBody,
  GroupRoleResponse,
  GroupsQuery,
  GroupsResponse,
  ProvisioningResponse,
  ProvisioningSettingsResponse,
  SetGroupRoleBody,
} from '../../shapes/provisioning.ts'

type Parts = { provisioning: ProvisioningArea; baseUrl(): string }

/** The admins' switch, tokens and roles of groups. */
export function provisioningRoutes(app: FastifyApp, { provisioning, baseUrl }: Parts): void {
  const { admin, groupRoles } = provisioning
  const routes = defineConsoleRoutes(app, ADMIN_RULE)

  routes.get('/provisioning', {
    response: ProvisioningResponse,
    handler: async () => ({
      ...(await admin.settings()),
      url: `${baseUrl()}/scim/v2`,
      tokens: await admin.listTokens(),
    }),
  })

  routes.put('/provisioning', {
    body: ChangeProvisioningBody,
    response: ProvisioningSettingsResponse,
    handler: async (request) => {
      const { isOn, revokesServiceTokens } = request.body
      const changes = omitUndefined({ isOn, revokesServiceTokens })
      return admin.changeSettings(changes, readAuditActor(request))
    },
  })

  routes.post('/provisioning/tokens', {
    body: CreateProvisioningTokenBody,
    status: 201,
    response: CreatedProvisioningTokenResponse,
    handler: async (request) =>
      admin.createToken(request.body.name, request.signedIn.user.id, readAuditActor(request)),
  })

  routes.delete('/provisioning/tokens/:id', {
    response: SuccessResponse,
    handler: async (request) => {
      await admin.revokeToken(request.params.id, readAuditActor(request))
    },
  })

  routes.get('/provisioning/groups', {
    query: GroupsQuery,
    response: GroupsResponse,
    handler: async ({ query }) => groupRoles.list(query.search ?? ''),
  })

  routes.put('/provisioning/groups/:id/role', {
    body: SetGroupRoleBody,
    response: GroupRoleResponse,
    handler: async (request) => {
      const change = { groupId: request.params.id, ...request.body }
      await groupRoles.set(change, readAuditActor(request))
      return { success: true as const }
    },
  })
}
