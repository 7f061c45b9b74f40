import { z } from 'zod'
import { ROLES, SCOPES } from '../../accounts/roles.ts'
import { GivenInstant, Instant, Warnings } from './common.ts'
import { hasControls } from '../../lib/control-characters.ts'

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
  .refine((text) => !hasControls(text), 'Must not hold control characters')
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
  expiresAt: GivenInstant.optional(),
})
export const InviteBody = z.object({
  email: email.optional(),
  role: z.enum(ROLES).default('member'),
})

/** What the console asks first: is somebody signed in, and does the instance still need its first user? */
export const StateAnswer = z.object({
  version: z.string(),
  setupNeeded: z.boolean(),
  user: User.nullable(),
  csrfToken: z.string().nullable().describe('To be sent back as X-CSRF-Token with every change'),
})
export const SignedInAnswer = z.object({ user: User, csrfToken: z.string(), warnings: Warnings })
export const UserAnswer = z.object({ user: User, warnings: Warnings })
export const TokensAnswer = z.object({ tokens: z.array(Token) })
export const TokenAnswer = z.object({ token: Token })
export const RevokeQuery = z.object({
  meetings: z
    .enum(['stop'])
    .optional()
    .describe('Also stops its meetings; without it they deliver until they end'),
})
export const RevokedTokenAnswer = z.object({
  token: Token,
  stoppedMeetings: z.int().describe('Those told to stop by this call'),
})
export const CreatedTokenAnswer = z.object({
  token: Token,
  apiKey: z.string().describe('Shown once'),
  signingSecret: z.string().describe('Shown once'),
  warnings: Warnings,
})
export const NextSecretAnswer = z.object({
  token: Token,
  signingSecret: z.string().describe('Shown once'),
})
export const SessionsAnswer = z.object({ sessions: z.array(Session) })
export const Person = User.extend({
  liveTokens: z.int().describe('API tokens they made that still work'),
})
export const PeopleAnswer = z.object({ users: z.array(Person), invitations: z.array(Invitation) })
export const RemoveUserQuery = z.object({
  tokens: z
    .enum(['revoke'])
    .optional()
    .describe('Also revokes the API tokens they made; without it those go on working'),
})
export const RemovedUserAnswer = z.object({
  success: z.literal(true),
  revokedTokens: z.int().describe('Those revoked by this call'),
})
export const InvitationAnswer = z.object({ invitation: Invitation, warnings: Warnings })
export const CreatedInvitationAnswer = z.object({
  invitation: Invitation,
  link: z.string().describe('Shown once'),
  warnings: Warnings,
})
export const DoneAnswer = z.object({ success: z.literal(true) })

/** The same shapes as they travel: what the console's code sees. */
export type Wire<T extends z.ZodType> = z.input<T>
export type WireUser = Wire<typeof User>
export type WirePerson = Wire<typeof Person>
export type WireToken = Wire<typeof Token>
export type WireSession = Wire<typeof Session>
export type WireInvitation = Wire<typeof Invitation>
export type WireState = Wire<typeof StateAnswer>
export type WireSignedIn = Wire<typeof SignedInAnswer>
export type WireCreatedToken = Wire<typeof CreatedTokenAnswer>
export type WireNextSecret = Wire<typeof NextSecretAnswer>
export type WirePeople = Wire<typeof PeopleAnswer>
export type WireCreatedInvitation = Wire<typeof CreatedInvitationAnswer>
export type { Role, Scope } from '../../accounts/roles.ts'
