import { createHash } from 'node:crypto'
import { ServiceError } from '../../errors.ts'
import { openDocumentAt, type DocumentRef } from '../document-ref.ts'

/** What must hold of the file that is there: tags of versions, `*` for any, or none. */
export type Preconditions = { ifMatch: string | undefined; ifNoneMatch: string | undefined }

/** Of the version that is there; null: none. */
export async function computeFileEtag(root: string, place: DocumentRef): Promise<string | null> {
  await using handle = await openDocumentAt(root, place)
  if (handle === null) return null
  const hash = createHash('sha256')
  for await (const chunk of handle.createReadStream({ autoClose: false }))
    hash.update(chunk as Buffer)
  return `"${hash.digest('base64url')}"`
}

export function computeEtag(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`
}

/** Refuses what was asked for under a condition that does not hold. */
export function requirePreconditions(
  etag: string | null,
  { ifMatch, ifNoneMatch }: Preconditions,
): void {
  const isMatch = ifMatch === undefined || isEtagInList(etag, ifMatch)
  const isNoneMatch = ifNoneMatch === undefined || !isEtagInList(etag, ifNoneMatch)
  if (!isMatch || !isNoneMatch) throw new ServiceError('precondition_failed')
}

/** Whether a list of tags, as the headers carry it, names this version. */
export function isEtagInList(etag: string | null, list: string): boolean {
  if (etag === null) return false
  return list.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag)
}
