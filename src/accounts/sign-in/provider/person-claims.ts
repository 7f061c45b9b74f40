import { removeControlCharacters } from '../../../lib/text/plain-text.ts'
import { EmailAddress } from '../../../lib/text/validation.ts'
import type { Role } from '../../roles.ts'
import { ProviderSignInError, type SignInProblem } from './sign-in-problems.ts'

/** A person as the provider describes them, after all checks of the ID token. */
export type ProviderPerson = {
  issuer: string
  /** Identifies the person at the issuer forever. */
  subject: string
  name: string
  /** In lower case. Null if the provider gave no usable address. */
  email: string | null
  /** The provider's statement about the address. Null if it makes none. */
  isEmailVerified: boolean | null
  groups: readonly string[]
  idToken: string
  /** The claim `oid`, with which Microsoft identifies a person to all applications. */
  objectId: string | null
}

const MAX_NAME_LENGTH = 100
const MAX_SUBJECT_LENGTH = 255

/** Who gets an account at the first sign-in with the provider, and who is an admin. Empty lists do not apply. */
export type RegistrationRules = {
  domains: readonly string[]
  groups: readonly string[]
  adminGroups: readonly string[]
  /** True if an address is treated as verified when the provider says nothing about that. */
  trustsEmail: boolean
}

export function parsePersonClaims(
  claims: Readonly<Record<string, unknown>>,
  { groupsClaim, idToken }: { groupsClaim: string; idToken: string },
): ProviderPerson {
  const { iss, sub } = claims
  if (typeof iss !== 'string' || typeof sub !== 'string' || !isUsableSubject(sub))
    throw new ProviderSignInError('answer_rejected')
  const email = parseEmail(claims['email'])
  const verified = claims['email_verified']
  const candidates = [claims['name'], claims['preferred_username'], email, sub]
  return {
    issuer: iss,
    subject: sub,
    name: candidates.map(toName).find((name) => name !== '') ?? 'Unnamed',
    email,
    // Some providers send the text instead of the boolean.
    isEmailVerified: verified === undefined ? null : verified === true || verified === 'true',
    groups: parseGroups(claims[groupsClaim]),
    idToken,
    objectId: isUsableObjectId(claims['oid']) ? claims['oid'] : null,
  }
}

function isUsableObjectId(value: unknown): value is string {
  return typeof value === 'string' && isUsableSubject(value)
}

function isUsableSubject(subject: string): boolean {
  return subject !== '' && subject.length <= MAX_SUBJECT_LENGTH && !subject.includes('\0')
}

function parseEmail(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 254) return null
  return EmailAddress.safeParse(value.trim().toLowerCase()).data ?? null
}

function toName(value: unknown): string {
  if (typeof value !== 'string') return ''
  return removeControlCharacters(value).trim().slice(0, MAX_NAME_LENGTH).trim().toWellFormed()
}

/** A list of names, or one name. */
function parseGroups(value: unknown): string[] {
  return [value].flat().filter((group) => typeof group === 'string')
}

export function hasVerifiedEmail(
  { email, isEmailVerified }: ProviderPerson,
  { trustsEmail }: Pick<RegistrationRules, 'trustsEmail'>,
): boolean {
  return email !== null && (isEmailVerified ?? trustsEmail)
}

/** Null if a person without an account may get one. Without any rule, no one may. */
export function findRegistrationProblem(
  person: ProviderPerson,
  rules: RegistrationRules,
): SignInProblem | null {
  if (!hasVerifiedEmail(person, rules)) return 'email_not_verified'
  const { domains, groups } = rules
  if (domains.length === 0 && groups.length === 0) return 'not_allowed'
  const domain = person.email?.split('@').at(-1) ?? ''
  if (domains.length > 0 && !domains.includes(domain)) return 'not_allowed'
  if (groups.length > 0 && !hasAnyGroup(person, groups)) return 'not_allowed'
  return null
}

/** The role from a person's groups. Null if the provider does not decide it. */
export function findRoleByGroups(
  person: ProviderPerson,
  { adminGroups }: Pick<RegistrationRules, 'adminGroups'>,
): Role | null {
  if (adminGroups.length === 0) return null
  return hasAnyGroup(person, adminGroups) ? 'admin' : 'member'
}

function hasAnyGroup({ groups }: ProviderPerson, wanted: readonly string[]): boolean {
  return groups.some((group) => wanted.includes(group))
}
