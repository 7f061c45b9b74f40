import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { errorCode, errorMessageOf } from '../../../../lib/error-code.ts'
import { overridesEgressProxy } from '../../launch/chromium-arguments.ts'
import { BlockedAddressError, type Dial, createEgressDial } from '../egress-proxy.ts'
import type { NetworkFault, NetworkFaultName } from './network-faults.ts'

/** The status of the website's answer, or the step that failed. */
export type ProbeResult = { ok: true; status: number } | { ok: false; fault: NetworkFault }

/**
 * Opens a website's start page step by step, under the same network rules as the bots' browsers. The signal ends the
 * current step, and the probe with it, as if the step took too long.
 */
export type ProbeSite = (host: string, signal?: AbortSignal) => Promise<ProbeResult>

type ProbeOptions = {
  /** Connects under the same restrictions as the browsers. */
  dial: Dial
  /** True if the machine has no network at all. The probe then makes no attempt. */
  isOffline?: () => boolean
  /** The limit of each of the four steps. */
  stepMs?: number
  /** Aborts when a step takes too long. Tests abort when something has happened. */
  limitTime?: (ms: number) => AbortSignal
  /** Trusted authorities; Node's own by default. */
  ca?: string
}

type StepLimits = Required<Pick<ProbeOptions, 'stepMs' | 'limitTime'>>

const STEP_MS = 5_000
const HTTPS_PORT = 443

/** The settings that decide how the bots' browsers reach the network. */
type NetworkSettings = {
  reachabilityCheck: 'on' | 'off'
  browserCdp?: string | undefined
  browserArgs: readonly string[]
}

export function createSiteProbe({
  dial,
  isOffline = hasNoNetwork,
  stepMs = STEP_MS,
  limitTime = AbortSignal.timeout,
  ca,
}: ProbeOptions): ProbeSite {
  return async (host, signal) => {
    const limits = {
      stepMs,
      limitTime: (ms: number) =>
        signal === undefined ? limitTime(ms) : AbortSignal.any([limitTime(ms), signal]),
    }
    const fail = (name: NetworkFaultName, reason = ''): ProbeResult => ({
      ok: false,
      fault: { name, host, reason },
    })
    if (isOffline()) return fail('offline')
    const opened: Array<{ destroy(): void }> = []
    try {
      const socket = await connect(dial, host, limits, opened)
      const secure = await encrypt(socket, { host, ca, limits }, opened)
      const { statusCode = 0 } = await askForPage(secure, host, limits)
      return statusCode >= 500
        ? fail('page_error', `status ${statusCode}`)
        : { ok: true, status: statusCode }
    } catch (error) {
      if (!(error instanceof ProbeStepError)) throw error
      return fail(error.fault, error.reason)
    } finally {
      for (const { destroy } of opened) destroy()
    }
  }
}

class ProbeStepError extends Error {
  override readonly name = 'ProbeStepError'
  readonly fault: NetworkFaultName
  readonly reason: string

  constructor(fault: NetworkFaultName, reason: string) {
    super(`${fault} ${reason}`)
    this.fault = fault
    this.reason = reason
  }
}

/** Resolves with the result of `step`. Throws a ProbeStepError if the step fails or takes too long. */
async function runStep<T>(
  signal: AbortSignal,
  step: (signal: AbortSignal) => Promise<T>,
  toFault: (error: unknown, isLate: boolean) => NetworkFaultName,
): Promise<T> {
  try {
    return await step(signal)
  } catch (error) {
    const isLate = signal.aborted
    const reason = errorCode(error) || errorMessageOf(error)
    throw new ProbeStepError(toFault(error, isLate), isLate ? '' : reason)
  }
}

const FAULT_BY_CONNECT_CODE: Readonly<Record<string, NetworkFaultName>> = {
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  EAI_NODATA: 'name_not_found',
  EAI_NONAME: 'name_not_found',
  EAI_AGAIN: 'dns_silent',
  EAI_FAIL: 'dns_silent',
  ENETDOWN: 'offline',
  ENETUNREACH: 'offline',
  ETIMEDOUT: 'connection_silent',
}

/** Finding the name and connecting have one time limit each. */
async function connect(
  dial: Dial,
  host: string,
  { stepMs, limitTime }: StepLimits,
  opened: Array<{ destroy(): void }>,
): Promise<Socket> {
  let isFound = false
  return runStep(
    limitTime(2 * stepMs),
    async (signal) => {
      const socket = dial({ host, port: HTTPS_PORT })
      opened.push({ destroy: () => void socket.destroy() })
      const late = new AbortController()
      // Needed even after a step has failed, because an unhandled socket error ends the process.
      socket.on('error', () => late.abort())
      const nameLimit = setTimeout(() => !isFound && late.abort(), stepMs)
      socket.once('lookup', (error: Error | null) => (isFound = error === null))
      try {
        await once(socket, 'connect', { signal: AbortSignal.any([signal, late.signal]) })
      } catch (error) {
        throw socket.errored ?? error
      } finally {
        clearTimeout(nameLimit)
      }
      return socket
    },
    (error) => {
      if (error instanceof BlockedAddressError) return 'address_blocked'
      const known = FAULT_BY_CONNECT_CODE[firstCodeOf(error)]
      if (known !== undefined) return known
      if (!isAbort(error)) return 'connection_failed'
      return isFound ? 'connection_silent' : 'dns_silent'
    },
  )
}

type EncryptOptions = { host: string; ca: string | undefined; limits: StepLimits }

function encrypt(
  socket: Socket,
  { host, ca, limits: { stepMs, limitTime } }: EncryptOptions,
  opened: Array<{ destroy(): void }>,
): Promise<TLSSocket> {
  return runStep(
    limitTime(stepMs),
    async (signal) => {
      const secure = connectTls({ socket, servername: host, ...(ca !== undefined && { ca }) })
      opened.push({ destroy: () => void secure.destroy() })
      await once(secure, 'secureConnect', { signal })
      secure.on('error', () => secure.destroy())
      return secure
    },
    (error) =>
      isCertificateError(errorCode(error)) ? 'certificate_rejected' : 'encryption_failed',
  )
}

function askForPage(
  socket: TLSSocket,
  host: string,
  { stepMs, limitTime }: StepLimits,
): Promise<IncomingMessage> {
  return runStep(
    limitTime(stepMs),
    async (signal) => {
      const asked = request({
        createConnection: () => socket,
        host,
        path: '/',
        headers: { accept: 'text/html', connection: 'close' },
        signal,
      })
      asked.end()
      const [response] = (await once(asked, 'response', { signal })) as [IncomingMessage]
      response.destroy()
      return response
    },
    (_, isLate) => (isLate ? 'page_silent' : 'page_error'),
  )
}

/** Node tries several addresses of a name, and its error for all of them has no code of its own. */
function firstCodeOf(error: unknown): string {
  if (error instanceof AggregateError) return firstCodeOf(error.errors[0])
  return errorCode(error)
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}

/** OpenSSL and Node use these words in the codes of certificate problems. */
function isCertificateError(code: string): boolean {
  return /CERT|CRL|CA_|VERIFY|SIGNATURE|HOSTNAME_MISMATCH/.test(code) && !code.startsWith('ERR_SSL')
}

/** True if no network interface has an address that leads out of this machine. */
function hasNoNetwork(): boolean {
  return Object.values(networkInterfaces()).every((addresses = []) =>
    addresses.every(({ internal, address }) => internal || /^(fe80:|169\.254\.)/i.test(address)),
  )
}

/** Why this process cannot check the browsers' network; null if it can. */
export function findProbeObstacle(settings: NetworkSettings): string | null {
  if (settings.reachabilityCheck === 'off') return 'HANSARD_REACHABILITY_CHECK is off'
  if (settings.browserCdp !== undefined)
    return 'bots use the browser at HANSARD_BROWSER_CDP, which has its own network'
  if (settings.browserArgs.some(overridesEgressProxy))
    return 'bots use the proxy in HANSARD_BROWSER_ARGS'
  return null
}

/** A probe that connects under the same rules as the bots' browsers. */
export function createBrowserNetworkProbe(): ProbeSite {
  return createSiteProbe({ dial: createEgressDial() })
}
