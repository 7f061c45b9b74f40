import { z } from 'zod'

import { InstantInput, Instant, Warnings } from './common.ts'
import { hasControlCharacters } from '../../lib/text/control-characters.ts'
import { ROLES, SCOPES } from './values.ts'

/** What the account area sends and receives. The console imports the types below, so there is one truth. */

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  createdAt: Instant,
})

export const Token = z
  .object({
    id: z.string(),
    name: z.string(),
    keyPrefix: z.string().describe('The first characters of the API key'),
    keyLast4: z.string(),
    scopes: z.array(z.enum(SCOPES)).nullable().describe('null: the key may do everything'),
    createdAt: Instant,
    createdBy: z
      .string()
      .nullable()
      .describe('Name of the person who made it, also once removed; null for the command line'),
    lastUsedAt: Instant.nullable(),
    lastUsedFrom: z.string().nullable(),
    expiresAt: Instant.nullable(),
    revokedAt: Instant.nullable(),
    nextSecretSince: Instant.nullable().describe(
      'When the next signing secret was made; null: none is pending',
    ),
    nextSecretDue: Instant.nullable().describe(
      'When the next signing secret signs even if nobody activates it',
    ),
    oldSecretUntil: Instant.nullable().describe(
      'Until when the signing secret before is valid too; null: there is none',
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
  .refine((text) => !hasControlCharacters(text), 'Must not hold control characters')
const email = z.string().trim().toLowerCase().max(254).pipe(z.email())
const password = z.string().min(1).max(1024)
const code = z.string().min(1).max(200)

export const SetupBody = z.object({ code, name, email, password })
export const SignInBody = z.object({ email, password })
export const InvitationCodeBody = z.object({ code })
export const AcceptInvitationBody = z.object({ code, name, email, password })
export const ProfileBody = z.object({ name })
export const PasswordBody = z.object({ currentPassword: password, newPassword: password })
export const CreateTokenBody = z.object({
  name,
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  expiresAt: InstantInput.optional(),
})
export const InviteBody = z.object({
  email: email.optional(),
  role: z.enum(ROLES).default('member'),
})

/** What the console asks first: is somebody signed in, and does the instance still need its first user? */
export const ConsoleStateResponse = z.object({
  version: z.string(),
  setupNeeded: z.boolean(),
  user: User.nullable(),
  csrfToken: z.string().nullable().describe('To be sent back as X-CSRF-Token with every change'),
})
export const SignedInResponse = z.object({ user: User, csrfToken: z.string(), warnings: Warnings })
export const UserResponse = z.object({ user: User, warnings: Warnings })
export const TokensResponse = z.object({ tokens: z.array(Token) })
export const TokenResponse = z.object({ token: Token })
export const RevokeTokenQuery = z.object({
  meetings: z
    .enum(['stop'])
    .optional()
    .describe('Also stops its meetings; without it they deliver until they end'),
})
export const RevokedTokenResponse = z.object({
  token: Token,
  stoppedMeetings: z.int().describe('Those told to stop by this call'),
})
export const CreatedTokenResponse = z.object({
  token: Token,
  apiKey: z.string().describe('Shown once'),
  signingSecret: z.string().describe('Shown once'),
  warnings: Warnings,
})
export const NextSecretResponse = z.object({
  token: Token,
  signingSecret: z.string().describe('Shown once'),
})
export const SessionsResponse = z.object({ sessions: z.array(Session) })
export const ListedUser = User.extend({
  liveTokens: z.int().describe('API tokens they made that still work'),
})
export const TeamResponse = z.object({
  users: z.array(ListedUser),
  invitations: z.array(Invitation),
})
export const RemoveUserQuery = z.object({
  tokens: z
    .enum(['revoke'])
    .optional()
    .describe('Also revokes the API tokens they made; without it those go on working'),
})
export const RemovedUserResponse = z.object({
  success: z.literal(true),
  revokedTokens: z.int().describe('Those revoked by this call'),
})
export const InvitationResponse = z.object({ invitation: Invitation, warnings: Warnings })
export const CreatedInvitationResponse = z.object({
  invitation: Invitation,
  link: z.string().describe('Shown once'),
  warnings: Warnings,
})
export const SuccessResponse = z.object({ success: z.literal(true) })

/** The same shapes as they travel: what the console's code sees. */
export type WireShape<T extends z.ZodType> = z.input<T>
export type WireUser = WireShape<typeof User>
export type WireListedUser = WireShape<typeof ListedUser>
export type WireToken = WireShape<typeof Token>
export type WireSession = WireShape<typeof Session>
export type WireInvitation = WireShape<typeof Invitation>
export type WireConsoleState = WireShape<typeof ConsoleStateResponse>
export type WireSignedIn = WireShape<typeof SignedInResponse>
export type WireCreatedToken = WireShape<typeof CreatedTokenResponse>
export type WireNextSecret = WireShape<typeof NextSecretResponse>
export type WireTeam = WireShape<typeof TeamResponse>
export type WireCreatedInvitation = WireShape<typeof CreatedInvitationResponse>
export type { Role, Scope } from './values.ts'
