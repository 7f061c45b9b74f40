/** Why a sign-in with a provider failed. The console has a text for each. */
export const SIGN_IN_PROBLEMS = [
  'provider_unavailable',
  'provider_refused',
  'sign_in_expired',
  'answer_rejected',
  'email_not_verified',
  'not_allowed',
  'setup_first',
  'account_exists',
  'account_deactivated',
  'linked_to_another',
] as const

export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number]

/** A sign-in with a provider that ends with a message for the person. */
export class ProviderSignInError extends Error {
  override readonly name = 'ProviderSignInError'
  readonly problem: SignInProblem
  /** The account that the person did not prove to be theirs. Null if no account is involved. */
  readonly accountId: string | null

  constructor(problem: SignInProblem, cause?: unknown, accountId: string | null = null) {
    super(`the sign-in with the provider failed: ${problem}`, { cause })
    this.problem = problem
    this.accountId = accountId
  }
}
