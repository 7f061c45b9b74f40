import { ApiError, isNotFoundError } from './api-error.ts'

/** The version of a text that another user saved during editing. Both fields are null if it was deleted. */
export type ConflictingVersion = { text: string | null; etag: string | null }

/** Headers that make the API save only over the version `etag`, or, if null, only if there is no such text. */
export function preconditionHeaders(etag: string | null): Record<string, string> {
  return etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }
}

/** Whether a request was refused because another version is stored than `preconditionHeaders` named. */
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
