import { z } from 'zod'
import { personName } from './account.ts'
import { Count, Instant, ProjectId, RequestWarnings } from './common.ts'
import { GROUP_ROLES } from './values.ts'

/** Provisioning by an identity provider (SCIM), for admins. */

const ProvisioningToken = z.object({
  id: z.string(),
  name: z.string(),
  last4: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})

const ProvisionedGroup = z.object({
  id: z.string(),
  displayName: z.string(),
  memberCount: Count,
  updatedAt: Instant,
  roles: z.array(z.object({ project: z.string(), role: z.enum(GROUP_ROLES) })),
})

const settings = { isOn: z.boolean(), revokesServiceTokens: z.boolean() }

export const ProvisioningResponse = z.object({
  ...settings,
  /** The address for the identity provider. */
  url: z.string(),
  tokens: z.array(ProvisioningToken),
})
export const ChangeProvisioningBody = z.object({
  isOn: settings.isOn.optional(),
  revokesServiceTokens: settings.revokesServiceTokens.optional(),
})
export const ProvisioningSettingsResponse = z.object({ ...settings, warnings: RequestWarnings })

export const CreateProvisioningTokenBody = z.object({ name: personName })
export const CreatedProvisioningTokenResponse = z.object({
  token: ProvisioningToken,
  secret: z.string(),
  warnings: RequestWarnings,
})

export const GroupsQuery = z.object({ search: z.string().max(200).optional() })
export const GroupsResponse = z.object({ groups: z.array(ProvisionedGroup), total: Count })
/** Null takes the role away. */
export const SetGroupRoleBody = z.object({
  project: ProjectId,
  role: z.enum(GROUP_ROLES).nullable(),
})
export const GroupRoleResponse = z.object({ success: z.literal(true), warnings: RequestWarnings })

export type ApiProvisioning = z.input<typeof ProvisioningResponse>
export type ApiProvisionedGroup = z.input<typeof ProvisionedGroup>
