export const MIN_PASSWORD_LENGTH = 8

/** The rule about the length of passwords, as a phrase that follows the word "Password". */
export const PASSWORD_LENGTH_RULE = `must have at least ${MIN_PASSWORD_LENGTH} characters`

/** The hint beside fields for a new password. It states the same rule as the error. */
export const PASSWORD_HINT = `Must have at least ${MIN_PASSWORD_LENGTH} characters. Try a few unrelated words.`
