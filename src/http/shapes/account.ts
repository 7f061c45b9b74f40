import { z } from 'zod'
import { Count, InstantInput, Instant, RequestWarnings } from './common.ts'
import { hasControlCharacters } from '../../lib/text/control-characters.ts'
import { EmailAddress } from '../../lib/text/email-address.ts'
import { ROLES, API_TOKEN_SCOPES } from './values.ts'

/** Requests and responses of accounts, tokens, sessions and invitations. The console imports the types below. */

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  createdAt: Instant,
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
    createdAt: Instant,
    createdBy: z
      .string()
      .nullable()
      .describe(
        'Name of the user who created it, also after the user was removed; null for the command line',
      ),
    lastUsedAt: Instant.nullable().describe('Null when it was never used'),
    lastUsedFrom: z.string().nullable().describe('IP address of the last use'),
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
  email: z.string().nullable(),
  role: z.enum(ROLES),
  createdAt: Instant,
  expiresAt: Instant,
})

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !hasControlCharacters(text), 'Must not contain control characters')
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
})
export const InviteBody = z.object({
  email: email.optional(),
  role: z.enum(ROLES).default('member'),
})

/** The first response the console reads: the signed-in user, and whether the instance still needs its first user. */
export const ConsoleStateResponse = z.object({
  version: z.string(),
  setupNeeded: z.boolean(),
  user: User.nullable(),
  csrfToken: z.string().nullable().describe('Send it as X-CSRF-Token with every change'),
})
export const SignedInResponse = z.object({
  user: User,
  csrfToken: z.string(),
  warnings: RequestWarnings,
})
export const UserResponse = z.object({ user: User, warnings: RequestWarnings })
export const TokenWithManagePermission = Token.extend({
  canManage: z
    .boolean()
    .describe('Whether the signed-in user may rotate and revoke it: its creator and admins may'),
})
export const TokensResponse = z.object({ tokens: z.array(TokenWithManagePermission) })
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
})
export const UsersAndInvitationsResponse = z.object({
  users: z.array(UserWithLiveTokenCount),
  invitations: z.array(Invitation),
})
export const RemoveUserQuery = z.object({
  tokens: z
    .enum(['revoke'])
    .optional()
    .describe('Also revokes the API tokens of this user; without it they stay valid'),
})
export const RemovedUserResponse = z.object({
  success: z.literal(true),
  revokedTokens: Count.describe('How many tokens this call revoked'),
})
export const InvitationResponse = z.object({ invitation: Invitation, warnings: RequestWarnings })
export const CreatedInvitationResponse = z.object({
  invitation: Invitation,
  link: z.string().describe('Shown once'),
  warnings: RequestWarnings,
})

/** The type of a shape as JSON carries it, which is what the console reads. */
export type WireTypeOf<T extends z.ZodType> = z.input<T>
export type WireUser = WireTypeOf<typeof User>
export type WireUserWithLiveTokenCount = WireTypeOf<typeof UserWithLiveTokenCount>
export type WireToken = WireTypeOf<typeof Token>
export type WireListedToken = WireTypeOf<typeof TokenWithManagePermission>
export type WireSession = WireTypeOf<typeof Session>
export type WireInvitation = WireTypeOf<typeof Invitation>
export type WireConsoleState = WireTypeOf<typeof ConsoleStateResponse>
export type WireSignedIn = WireTypeOf<typeof SignedInResponse>
export type WireCreatedToken = WireTypeOf<typeof CreatedTokenResponse>
export type WireNextSigningSecret = WireTypeOf<typeof NextSigningSecretResponse>
export type WireUsersAndInvitations = WireTypeOf<typeof UsersAndInvitationsResponse>
export type WireCreatedInvitation = WireTypeOf<typeof CreatedInvitationResponse>
export type { Role, ApiTokenScope } from './values.ts'
