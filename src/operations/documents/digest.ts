import { createHash, type Hash } from 'node:crypto'
import { OperatorError } from '../../errors.ts'
import type { FileSnapshot } from '../backup/data-files.ts'

/** The SHA-256 digest of a file; null when there is none. */
export async function digestFile(opened: FileSnapshot | null): Promise<string | null> {
  await using file = opened
  if (file === null) return null
  const hash = createHash('sha256')
  for await (const chunk of file.chunks()) hash.update(chunk)
  return hash.digest('hex')
}

/** Yields the chunks of a file and adds each to the hash. */
export async function* hashWhileRead(file: FileSnapshot, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of file.chunks()) {
    hash.update(chunk)
    yield chunk
  }
}

/** Compares a copy with what was read from the source. */
export function requireSameDigest(path: string, source: string, copy: string | null): void {
  if (source === copy) return
  throw new OperatorError(
    `The copy of ${path} differs from the original, so nothing was switched`,
    'Run the move again. If this happens again, check the disk and the database',
  )
}
