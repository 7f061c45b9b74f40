import { createClient, HansardError, type Client } from 'hansard/client'
import { loadClientSettings } from '../config/load-config.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { askForApiKey } from './ask-secrets.ts'

/** A client for a running service. `service` is the address in the option, which overrides the settings. */
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

/** The options of every command that calls a running service. */
export type ServiceOptions = { service?: string; json?: true }

/** Calls the service for a command. `options` names the command's options by request field, for messages about a field. */
export function createServiceCaller(options: Readonly<Record<string, string>>) {
  return <Result>(
    given: ServiceOptions,
    send: (client: Client) => Promise<Result>,
  ): Promise<Result> => callService(given, send, options)
}

/**
 * Sends requests to the service in the settings or the option `--service`. `options` maps request fields to the
 * command's options that fill them.
 */
export async function callService<Result>(
  { service }: ServiceOptions,
  send: (client: Client) => Promise<Result>,
  options: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const settings = loadClientSettings()
  const apiKey = settings.apiKey ?? (await askForApiKey())
  const client = openClient(service, { url: settings.url, apiKey })
  try {
    return await send(client)
  } catch (error) {
    if (error instanceof HansardError)
      throw explainClientError(error, service ?? settings.url, options)
    throw error
  }
}

/** The error of a request to the service at this address. `options` maps request fields to the command's options. */
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
