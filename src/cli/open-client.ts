import { createClient, type Client } from 'hansard/client'
import { OperatorError } from '../errors.ts'

/** A client for a running service. `service` is the address of the option, which precedes the one of the settings. */
export function openClient(
  service: string | undefined,
  { url: settingsUrl, apiKey }: { url: string; apiKey: string },
): Client {
  const url = service ?? settingsUrl
  try {
    return createClient({ url, apiKey })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const fix = `Check ${service === undefined ? 'HANSARD_URL' : '--service'}`
    throw new OperatorError(`${url} is not a valid service address`, fix, error)
  }
}
