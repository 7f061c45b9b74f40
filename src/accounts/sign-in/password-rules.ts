import { MIN_PASSWORD_LENGTH, PASSWORD_LENGTH_RULE } from './password-length.ts'

/** Why a password is refused, as a phrase that follows the word "Password"; null when the password is acceptable. */
export async function findPasswordProblem(password: string): Promise<string | null> {
  if (Array.from(password).length < MIN_PASSWORD_LENGTH) return PASSWORD_LENGTH_RULE
  // Loaded on first use: the list of common passwords is large and rarely needed.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (dictionary['passwords-common'].includes(password.toLowerCase())) {
    return 'is one of the most common passwords; try a few unrelated words'
  }
  return null
}
