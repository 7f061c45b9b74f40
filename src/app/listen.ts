import { isTrustProxySettingMissing, type Config } from '../config/config.ts'
import { OperatorError } from '../errors.ts'
import type { FastifyApp } from '../http/fastify-app.ts'
import { errorCode, errorMessageOf } from '../lib/error-code.ts'
import { localHttpUrl } from '../lib/net/local-url.ts'

/** Opens the port of the settings, or throws an error that names the setting to change. */
export async function listenOnConfiguredPort(app: FastifyApp, config: Config): Promise<void> {
  const { host, port } = config
  if (isTrustProxySettingMissing(config)) {
    app.log.warn(
      'HANSARD_PUBLIC_URL is https but no proxy is trusted, so all clients share one IP address; set HANSARD_TRUST_PROXY',
    )
  }
  try {
    await app.listen({ host, port })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `Port ${port} on ${host} is in use`,
        'Set HANSARD_PORT to another one',
        error,
      )
    }
    throw new OperatorError(
      `Cannot listen on ${host}, port ${port}: ${errorMessageOf(error)}`,
      'Check HANSARD_HOST and HANSARD_PORT',
      error,
    )
  }
}

/** The URL of the service on this machine, independent of the public URL. */
export function localUrlOf(app: FastifyApp, host: string): string {
  return localHttpUrl(host, listeningPortOf(app))
}

export function listeningPortOf(app: FastifyApp): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string')
    throw new Error('the server is not listening')
  return address.port
}
