import { createClient, type Client, type HansardError } from 'hansard/client'
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

/**
 * The error of a request to the service at this address, for people. `options` are the options of the command by the
 * fields of the request that they fill.
 */
export function explainClientError(
  error: HansardError,
  url: string,
  options: Readonly<Record<string, string>> = {},
): OperatorError {
  const details = error.details
    .map(({ path, message }) => ` ${options[path] ?? path}: ${message}.`)
    .join('')
  const isUnreachable = error.code === 'no_connection' || error.code === 'timeout'
  const fix = isUnreachable ? `Check that the service runs at ${url}` : (error.hint ?? undefined)
  return new OperatorError(`${error.message}.${details}`, fix, error)
}
