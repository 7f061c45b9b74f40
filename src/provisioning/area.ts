import type { ProjectAccessStore } from '../access/project-access.ts'
import type { AccountsArea } from '../accounts/area.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import { createGroupRoles, type GroupRoles } from './group-roles.ts'
import { createScimGroups, type ScimGroups } from './scim/groups.ts'
import { createScimUsers, type ScimUsers } from './scim/users.ts'
import { createProvisioningAdmin, readSettings, type ProvisioningAdmin } from './settings.ts'

export type ProvisioningArea = {
  admin: ProvisioningAdmin
  users: ScimUsers
  groups: ScimGroups
  groupRoles: GroupRoles
}

/** Users and groups that an identity provider manages (SCIM 2.0), for the service and for the command line. */
export function createProvisioningArea(parts: {
  db: Db
  clock: Clock
  accounts: Pick<AccountsArea, 'users' | 'userChanges' | 'removeUser'>
  projectAccess: Pick<ProjectAccessStore, 'getAccess'>
}): ProvisioningArea {
  return {
    admin: createProvisioningAdmin(parts),
    users: createScimUsers({ ...parts, ...parts.accounts, readSettings }),
    groups: createScimGroups(parts),
    groupRoles: createGroupRoles({ ...parts, requireProject: parts.projectAccess.getAccess }),
  }
}
