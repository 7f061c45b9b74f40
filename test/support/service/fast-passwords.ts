import { createPasswordHasher } from '../../../src/accounts/sign-in/passwords.ts'

/**
 * Hashes with the lowest cost, because most tests sign in but do not test passwords. The real cost is tested in
 * passwords.test.ts, in set-up.test.ts and by every service that runs in its own process.
 */
export const FAST_PASSWORDS = createPasswordHasher({ memoryKib: 8, passes: 1 })
