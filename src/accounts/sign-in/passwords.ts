import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createConcurrencyLimit } from '../../lib/async/queues.ts'
import { MIN_PASSWORD_LENGTH, PASSWORD_LENGTH_RULE } from './password-length.ts'

const derive = promisify(argon2)

/** The cost of a guess. */
export type Argon2Cost = { memoryKib: number; passes: number }

const COST: Argon2Cost = { memoryKib: 19_456, passes: 2 }
const TAG_BYTES = 32

/**
 * Hashes with argon2id in the thread pool, at most two at a time, so that a burst of sign-ins can't use up memory or
 * threads. Only tests pass another cost.
 */
export function createPasswordHasher(cost = COST) {
  const limit = createConcurrencyLimit(2)
  const header = `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=1$`
  const encode = (salt: Buffer, tag: Buffer) => `${header}${unpadded(salt)}$${unpadded(tag)}`
  const dummyHash = encode(randomBytes(16), randomBytes(TAG_BYTES))

  return {
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16)
      return encode(salt, await limit(() => tagOf(password, salt, cost)))
    },
    /**
     * True if the password matches the hash. Without a hash (unknown user) it returns false after the same time, so that
     * timing does not reveal which users exist.
     */
    async verify(password: string, hash: string | undefined): Promise<boolean> {
      const stored = decode(hash ?? dummyHash, header)
      const tag = await limit(() => tagOf(password, stored.salt, cost))
      return timingSafeEqual(tag, stored.tag) && hash !== undefined
    },
  }
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

async function tagOf(password: string, salt: Buffer, cost: Argon2Cost): Promise<Buffer> {
  return derive('argon2id', {
    // Keyboards encode accented letters differently. NFKC gives the same bytes for the same password.
    message: password.normalize('NFKC'),
    nonce: salt,
    parallelism: 1,
    tagLength: TAG_BYTES,
    memory: cost.memoryKib,
    passes: cost.passes,
  })
}

function decode(hash: string, header: string): { salt: Buffer; tag: Buffer } {
  if (!hash.startsWith(header)) throw new Error('a password hash with unknown parameters')
  const [salt = '', tag = ''] = hash.slice(header.length).split('$')
  return { salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** Why a password is refused, as a phrase that follows the word "Password". Null if it is acceptable. */
export async function findPasswordProblem(password: string): Promise<string | null> {
  if (Array.from(password).length < MIN_PASSWORD_LENGTH) return PASSWORD_LENGTH_RULE
  // Loaded on first use, because the list of common passwords is large and rarely needed.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (dictionary['passwords-common'].includes(password.toLowerCase())) {
    return 'is one of the most common passwords; try a few unrelated words'
  }
  return null
}
