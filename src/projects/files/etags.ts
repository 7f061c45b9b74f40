import { createHash, type Hash } from 'node:crypto'
import { ServiceError } from '../../errors.ts'
import type { DocumentRef } from '../document-ref.ts'
import type { DocumentFiles } from './store/document-files.ts'

/** The If-Match and If-None-Match headers: entity tags, `*` for any version, or undefined. */
export type Preconditions = { ifMatch: string | undefined; ifNoneMatch: string | undefined }

/** The entity tag of the stored file, or null when there is none. */
export async function computeFileEtag(
  files: DocumentFiles,
  ref: DocumentRef,
): Promise<string | null> {
  const file = await files.open(ref)
  if (file === null) return null
  const hash = createHash('sha256')
  for await (const chunk of file.stream()) hash.update(chunk as Buffer)
  return formatEtag(hash)
}

export function computeEtag(content: Buffer): string {
  return formatEtag(createHash('sha256').update(content))
}

function formatEtag(hash: Hash): string {
  return `"${hash.digest('base64url')}"`
}

/** Throws `precondition_failed` when a condition of the request does not hold. */
export function requirePreconditionsMet(
  etag: string | null,
  { ifMatch, ifNoneMatch }: Preconditions,
): void {
  const isMatch = ifMatch === undefined || isEtagInList(etag, ifMatch)
  const isNoneMatch = ifNoneMatch === undefined || !isEtagInList(etag, ifNoneMatch)
  if (!isMatch || !isNoneMatch) throw new ServiceError('precondition_failed')
}

/** Whether the list of an If-Match or If-None-Match header contains this entity tag or `*`. */
export function isEtagInList(etag: string | null, list: string): boolean {
  if (etag === null) return false
  return list.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag)
}
