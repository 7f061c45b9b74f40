import { z } from 'zod'
import { isUserMarkKey } from '../../accounts/users/mark-keys.ts'
import { hasControlCharacters } from '../../lib/text/plain-text.ts'
import { EmailAddress } from '../../lib/text/validation.ts'
import { Count, InstantInput, Instant, ProjectId, RequestWarnings, NullableText } from './common.ts'
import {
  API_TOKEN_KINDS,
  API_TOKEN_SCOPES,
  PROJECT_ACCESS_LEVELS,
  ROLES,
  USER_NOTICES,
  USER_MARK_KINDS,
} from './values.ts'

/** What the console remembers for the signed-in user: first steps that are done, and dismissed notices. */

export const MarkParams = z
  .object({ kind: z.enum(USER_MARK_KINDS), key: z.string().min(1).max(200) })
  .refine(({ kind, key }) => isUserMarkKey(kind, key), {
    message: 'Is not a key of this kind',
    path: ['key'],
  })
export const MarksResponse = z.object({
  marks: z.array(z.object({ kind: z.enum(USER_MARK_KINDS), key: z.string(), at: Instant })),
})

export type ApiMarks = z.input<typeof MarksResponse>

/** Requests and responses of accounts, tokens, sessions and invitations. The console imports the types below. */

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  createdAt: Instant,
  deactivatedAt: Instant.nullable(),
})

export const Token = z
  .object({
    id: z.string().meta({ examples: ['tok_4fJq0Zb1y9nB4Q2wKxT5'] }),
    name: z.string().meta({ examples: ['Reports'] }),
    keyPrefix: z.string().describe('The first characters of the API key'),
    keyLast4: z.string().describe('The last four characters of the API key'),
    scopes: z
      .array(z.enum(API_TOKEN_SCOPES))
      .nullable()
      .describe('null: the key has all permissions'),
    kind: z
      .enum(API_TOKEN_KINDS)
      .describe('`service`: acts for the instance; `personal`: has the rights of its creator'),
    projects: z
      .array(z.string())
      .nullable()
      .describe('The only projects that the key may use; null for all'),
    isTeamOnly: z
      .boolean()
      .describe('Whether it uses no private project; true for tokens that removed users left'),
    createdAt: Instant,
    createdBy: NullableText.describe(
      'Name of the user who created it, even if the user was removed; null for the command line',
    ),
    creatorId: NullableText.describe(
      'Id of the user who created it; null for the command line and after the user was removed',
    ),
    lastUsedAt: Instant.nullable().describe('Null when it was never used'),
    lastUsedFrom: NullableText.describe('IP address of the last use'),
    expiresAt: Instant.nullable().describe('Null when it does not expire'),
    revokedAt: Instant.nullable().describe('Null when it is not revoked'),
    nextSecretSince: Instant.nullable().describe(
      'When the next signing secret was created; null when none is pending',
    ),
    nextSecretDue: Instant.nullable().describe(
      'When the next signing secret becomes active even if no user activates it',
    ),
    oldSecretUntil: Instant.nullable().describe(
      'Until when the previous signing secret stays valid; null when there is none',
    ),
    assistant: z
      .object({
        host: z.string().describe('Where it receives its access'),
        isVerified: z.boolean().describe('True if that host also publishes its name'),
      })
      .nullable()
      .describe('Set when a person connected an assistant by the address of this instance'),
  })
  .meta({ id: 'Token' })

export const Session = z.object({
  id: z.string(),
  createdAt: Instant,
  lastSeenAt: Instant,
  ip: z.string(),
  userAgent: z.string(),
  isCurrent: z.boolean(),
})

export const Invitation = z.object({
  id: z.string(),
  email: NullableText,
  role: z.enum(ROLES),
  createdAt: Instant,
  expiresAt: Instant,
})

/** The name of a person, a token or a passkey. */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !hasControlCharacters(text), 'Must not contain control characters')
const name = personName
const email = z.string().trim().toLowerCase().max(254).pipe(EmailAddress)
const password = z.string().min(1).max(1024)
const code = z.string().min(1).max(200)

export const SetupBody = z.object({ code, name, email, password })
export const SignInBody = z.object({ email, password })
export const InvitationCodeBody = z.object({ code })
export const AcceptInvitationBody = z.object({ code, name, email, password })
export const UpdateProfileBody = z.object({ name })
export const ChangePasswordBody = z.object({ currentPassword: password, newPassword: password })
export const CreateTokenBody = z.object({
  name,
  scopes: z.array(z.enum(API_TOKEN_SCOPES)).min(1).optional(),
  expiresAt: InstantInput.optional(),
  kind: z.enum(API_TOKEN_KINDS).optional().describe('Only admins create service tokens'),
  projects: z.array(ProjectId).min(1).max(100).optional(),
})
export const ResetPasswordBody = z.object({ code, password })
export const ChangeUserBody = z
  .object({
    role: z.enum(ROLES).optional(),
    email: email.optional(),
    isActive: z.boolean().optional(),
    tokens: z
      .enum(['revoke'])
      .optional()
      .describe('Also revokes the service tokens of this user; without it they stay valid'),
  })
  .refine((body) => [body.role, body.email, body.isActive].some((value) => value !== undefined), {
    message: 'Send a role, an email address or isActive',
    path: ['role'],
  })
export const InviteBody = z.object({
  email: email.optional(),
  role: z.enum(ROLES).default('member'),
})

/** The console's first response: the signed-in user, and whether the instance still needs its first user. */
export const ConsoleStateResponse = z.object({
  version: z.string(),
  setupNeeded: z.boolean(),
  user: User.nullable(),
  csrfToken: NullableText.describe('Send it as X-CSRF-Token with every change'),
  signIn: z.object({
    hasLocal: z.boolean().describe('Whether people can sign in with a password or a passkey'),
    provider: NullableText.describe('Name of the sign-in provider'),
    hasPasskeys: z.boolean().describe('Whether passkeys work at this address'),
  }),
  newProjectAccess: z
    .enum(PROJECT_ACCESS_LEVELS)
    .describe('Access of the projects that people create'),
  hasMail: z.boolean().describe('Whether this instance can send mail'),
  hasSpeech: z.boolean().describe('Whether bots can recognize speech, at least English'),
})
export const SignedInResponse = z.object({
  user: User,
  csrfToken: z.string(),
  warnings: RequestWarnings,
})
export const NoticesResponse = z.object({ notices: z.array(z.enum(USER_NOTICES)) })
export const NoticeParams = z.object({ notice: z.enum(USER_NOTICES) })
export const UserResponse = z.object({ user: User, warnings: RequestWarnings })
export const ChangedUserResponse = UserResponse.extend({
  revokedTokens: Count.describe('How many tokens this call revoked'),
})
export const TokensResponse = z.object({
  tokens: z.array(Token),
  assistantAddress: NullableText.describe(
    'The address to enter in an assistant; null when assistants cannot connect',
  ),
})
export const TokenResponse = z.object({ token: Token })
export const RevokeTokenQuery = z.object({
  meetings: z
    .enum(['stop'])
    .optional()
    .describe('Also stops its meetings; without it they send callbacks until they end'),
})
export const RevokedTokenResponse = z.object({
  token: Token,
  stoppedMeetings: Count.describe('How many meetings this call stopped'),
  cancelledMeetings: Count.describe('How many scheduled meetings will not begin'),
})
export const CreatedTokenResponse = z.object({
  token: Token,
  apiKey: z.string().describe('Shown once'),
  signingSecret: z.string().describe('Shown once'),
  warnings: RequestWarnings,
})
export const NextSigningSecretResponse = z.object({
  token: Token,
  signingSecret: z.string().describe('Shown once'),
})
export const SessionsResponse = z.object({ sessions: z.array(Session) })
export const UserWithLiveTokenCount = User.extend({
  liveTokens: Count.describe('API tokens of this user that are still valid'),
  liveServiceTokens: Count.describe('Those of them that stay valid when the user is removed'),
})
export const UsersAndInvitationsResponse = z.object({
  users: z.array(UserWithLiveTokenCount),
  invitations: z.array(Invitation),
})
export const RemoveUserQuery = z.object({
  tokens: z
    .enum(['revoke'])
    .optional()
    .describe('Also revokes the service tokens of this user; without it they stay valid'),
  newOwner: z
    .string()
    .optional()
    .describe('User who owns the private projects that only this user owns'),
})
export const RemovedUserResponse = z.object({
  success: z.literal(true),
  revokedTokens: Count.describe('How many tokens this call revoked'),
})
export const InvitationResponse = z.object({ invitation: Invitation, warnings: RequestWarnings })
export const CreatedInvitationResponse = z.object({
  isMailed: z.boolean().describe('Whether the link is mailed to the person too'),
  invitation: Invitation,
  link: z.string().describe('Shown once'),
  warnings: RequestWarnings,
})

export const CreatedResetLinkResponse = z.object({
  isMailed: z.boolean().describe('Whether the link is mailed to the person too'),
  link: z.string().describe('Shown once'),
  expiresAt: Instant,
  warnings: RequestWarnings,
})
export const ResetLinkUserResponse = z.object({
  name: z.string(),
  email: z.string(),
  warnings: RequestWarnings,
})

/** The type of a shape in its JSON form, which is what the console reads. */
export type ApiTypeOf<T extends z.ZodType> = z.input<T>
export type ApiUser = ApiTypeOf<typeof User>
export type ApiUserWithLiveTokenCount = ApiTypeOf<typeof UserWithLiveTokenCount>
export type ApiListedToken = ApiTypeOf<typeof Token>
export type ApiTokens = ApiTypeOf<typeof TokensResponse>
export type ApiSession = ApiTypeOf<typeof Session>
export type ApiInvitation = ApiTypeOf<typeof Invitation>
export type ApiConsoleState = ApiTypeOf<typeof ConsoleStateResponse>
export type ApiSignedIn = ApiTypeOf<typeof SignedInResponse>
export type ApiNotices = ApiTypeOf<typeof NoticesResponse>
export type ApiCreatedToken = ApiTypeOf<typeof CreatedTokenResponse>
export type ApiCreatedInvitation = ApiTypeOf<typeof CreatedInvitationResponse>
export type ApiCreatedResetLink = ApiTypeOf<typeof CreatedResetLinkResponse>
export type ApiResetLinkUser = ApiTypeOf<typeof ResetLinkUserResponse>
export type { ApiTokenKind, ApiTokenScope, Role } from './values.ts'
