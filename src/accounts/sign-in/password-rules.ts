const MIN_LENGTH = 8

/** Why a password is refused, in words that follow "Password"; null when it will do. */
export async function passwordProblem(password: string): Promise<string | null> {
  if (Array.from(password).length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`
  // Loaded on first use: passwords are chosen rarely, and the list is long.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (dictionary['passwords-common'].includes(password.toLowerCase())) {
    return 'is one of the most common passwords; a few unrelated words make a good one'
  }
  return null
}
