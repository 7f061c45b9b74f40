import { ServiceError } from '../errors.ts'

const DEFAULT = 50
const MAX = 100

/** A limit that is too large is cut; one that is too small is a mistake. */
export function pageSize(limit: number | undefined): number {
  if (limit !== undefined && limit < 1) {
    throw new ServiceError('invalid_request', {
      details: [{ path: 'limit', message: 'Must be at least 1' }],
    })
  }
  return Math.min(limit ?? DEFAULT, MAX)
}
