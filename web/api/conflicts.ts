import { ApiError, isNotFoundError } from './api-error.ts'

/** The version of a text that another user saved during editing. Both fields are null if it was deleted. */
export type ConflictingVersion = { text: string | null; etag: string | null }

/** Headers that let the API save only if the stored version is `etag`, or, if null, only if there is no such text. */
export function preconditionHeaders(etag: string | null): Record<string, string> {
  return etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }
}

/** True if a request was refused because the stored version is not the one in `preconditionHeaders`. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'precondition_failed'
}

export async function readConflictingVersion(
  read: () => Promise<ConflictingVersion>,
): Promise<ConflictingVersion> {
  try {
    const { text, etag } = await read()
    return { text, etag }
  } catch (error) {
    if (isNotFoundError(error)) return { text: null, etag: null }
    throw error
  }
}
