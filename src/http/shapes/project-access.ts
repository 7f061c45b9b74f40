import { z } from 'zod'
import { EmailAddress } from '../../lib/text/validation.ts'
import { Count, Instant, RequestWarnings, NullableText } from './common.ts'
import { MEMBER_ROLES, PROJECT_ACCESS_LEVELS } from './values.ts'

/** Who may use a project, and its members. */
const ProjectAccessField = z
  .enum(PROJECT_ACCESS_LEVELS)
  .describe('`team`: every user of the instance; `private`: only its members')
const memberRole = z
  .enum(MEMBER_ROLES)
  .describe('`reader`: reads; `editor`: also changes; `owner`: also decides who may')

export const ProjectMember = z
  .object({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    role: memberRole,
    groupRole: memberRole
      .nullable()
      .describe('The role that groups of the identity provider give; null when none does'),
    addedBy: NullableText.describe(
      'Who added the member or last changed the role: `user:` or `token:` and an id; `provisioning` for a member through a group; null for the user who created the project',
    ),
    addedAt: Instant,
  })
  .meta({ id: 'ProjectMember' })

const ProjectAccess = z.object({
  project: z.string(),
  access: ProjectAccessField,
  warnings: RequestWarnings,
})
const AdminEntry = z
  .object({
    userName: z.string().describe('The email address when the user was removed'),
    role: memberRole,
    at: Instant,
  })
  .meta({ id: 'AdminEntry' })
export const ProjectAccessResponse = ProjectAccess.extend({
  adminEntries: z
    .array(AdminEntry)
    .describe(
      'Admins who added themselves in the last 90 days, newest first. Empty for callers who are not owners.',
    ),
})
export const SetProjectAccessBody = z
  .object({ access: ProjectAccessField })
  .meta({ examples: [{ access: 'private' }] })
export const SetProjectAccessResponse = ProjectAccess.extend({
  endedShares: Count.describe('How many share links ended because the project was made private'),
})
export const ProjectMembersResponse = z.object({
  project: z.string(),
  members: z.array(ProjectMember),
})
export const SetProjectMemberBody = z
  .object({
    userId: z.string().min(1).max(100).optional().describe('Send this or email'),
    email: z.string().trim().toLowerCase().max(254).pipe(EmailAddress).optional(),
    role: memberRole,
  })
  .meta({ examples: [{ email: 'ada@example.com', role: 'editor' }] })
export const ProjectMemberResponse = z.object({ member: ProjectMember, warnings: RequestWarnings })
export const AddAdminBody = z.object({ role: memberRole.default('reader') })
export const ProjectSummariesResponse = z.object({
  projects: z.array(
    z.object({
      id: z.string(),
      access: ProjectAccessField,
      owners: z.array(z.string()).describe('Names'),
      memberCount: Count,
      isMember: z.boolean().describe('Whether the signed-in admin is a member'),
    }),
  ),
})

/** Each `Api…` type is the JSON form of a response, with times as text, for the console. */
export type ApiProjectAccess = z.input<typeof ProjectAccessResponse>
export type ApiProjectMember = z.input<typeof ProjectMember>
export type ApiAdminEntry = z.input<typeof AdminEntry>
export type ApiProjectMembers = z.input<typeof ProjectMembersResponse>
export type ApiProjectSummaries = z.input<typeof ProjectSummariesResponse>
