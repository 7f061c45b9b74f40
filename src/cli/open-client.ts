import { createClient, type Client } from 'hansard/client'
import { OperatorError } from '../errors.ts'

/** A client for a running service. */
export function openClient(url: string, apiKey: string): Client {
  try {
    return createClient({ url, apiKey })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new OperatorError(`${url} is not a valid service address`, 'Check HANSARD_URL', error)
  }
}
