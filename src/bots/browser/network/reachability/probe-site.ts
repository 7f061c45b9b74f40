import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { errorCode, errorMessageOf } from '../../../../lib/error-code.ts'
import { overridesEgressProxy } from '../../launch/chromium-arguments.ts'
import { BlockedAddressError, type Dial, createEgressDial } from '../egress-proxy.ts'
import type { NetworkFault, NetworkFaultName } from './network-faults.ts'

/** The status with which the website answered, or the step that failed. */
export type ProbeResult = { ok: true; status: number } | { ok: false; fault: NetworkFault }

/**
 * Opens the start page of a website, step by step, with the rules that the browsers of bots have. The signal ends the
 * current step, and with it the probe, as if the step took too long.
 */
export type ProbeSite = (host: string, signal?: AbortSignal) => Promise<ProbeResult>

type ProbeOptions = {
  /** How browsers connect, with the same restrictions. */
  dial: Dial
  /** Whether the machine has no network at all, which needs no attempt. */
  isOffline?: () => boolean
  /** For each of the four steps. */
  stepMs?: number
  /** Aborts when a step takes too long; tests abort when something has happened. */
  limitTime?: (ms: number) => AbortSignal
  /** Trusted authorities; by default those of Node. */
  ca?: string
}

type StepLimits = Required<Pick<ProbeOptions, 'stepMs' | 'limitTime'>>

const STEP_MS = 5_000
const HTTPS_PORT = 443

/** The settings that decide how the browsers of bots reach the network. */
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

/** Resolves with what `step` gives; throws a ProbeStepError when it fails or takes too long. */
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

/** The name and the connection have one time limit each. */
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
      // Also after a step has failed: an unhandled error of a socket ends the process.
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

/** Node tries several addresses of a name; the error of all of them together has no code of its own. */
function firstCodeOf(error: unknown): string {
  if (error instanceof AggregateError) return firstCodeOf(error.errors[0])
  return errorCode(error)
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}

/** OpenSSL and Node name the problems of certificates by these words. */
function isCertificateError(code: string): boolean {
  return /CERT|CRL|CA_|VERIFY|SIGNATURE|HOSTNAME_MISMATCH/.test(code) && !code.startsWith('ERR_SSL')
}

/** Whether no network interface has an address that leads out of this machine. */
function hasNoNetwork(): boolean {
  return Object.values(networkInterfaces()).every((addresses = []) =>
    addresses.every(({ internal, address }) => internal || /^(fe80:|169\.254\.)/i.test(address)),
  )
}

/** Why the network of the browsers cannot be checked from this process; null when it can. */
export function findProbeObstacle(settings: NetworkSettings): string | null {
  if (settings.reachabilityCheck === 'off') return 'HANSARD_REACHABILITY_CHECK is off'
  if (settings.browserCdp !== undefined)
    return 'bots use the browser at HANSARD_BROWSER_CDP, which has its own network'
  if (settings.browserArgs.some(overridesEgressProxy))
    return 'bots use the proxy in HANSARD_BROWSER_ARGS'
  return null
}

/** A probe that connects under the same rules as the browsers of bots. */
export function createBrowserNetworkProbe(): ProbeSite {
  return createSiteProbe({ dial: createEgressDial() })
}
