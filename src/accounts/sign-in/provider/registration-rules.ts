import type { Role } from '../../roles.ts'
import type { ProviderPerson } from './person-claims.ts'
import type { SignInProblem } from './sign-in-problems.ts'

/** Who gets an account at the first sign-in with the provider, and who is an admin. Empty lists do not apply. */
export type RegistrationRules = {
  domains: readonly string[]
  groups: readonly string[]
  adminGroups: readonly string[]
  /** Whether an address counts as verified when the provider says nothing about it. */
  trustsEmail: boolean
}

export function hasVerifiedEmail(
  { email, isEmailVerified }: ProviderPerson,
  { trustsEmail }: Pick<RegistrationRules, 'trustsEmail'>,
): boolean {
  return email !== null && (isEmailVerified ?? trustsEmail)
}

/** Null when a person without an account may get one. Without any rule nobody does. */
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

/** The role that the groups of a person decide; null when the provider does not decide it. */
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
