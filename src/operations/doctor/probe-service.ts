import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { errorCode } from '../../lib/error-code.ts'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'

const HEALTH_TIMEOUT_MS = 3_000
const Health = z.object({ status: z.literal('ok'), version: z.string() })

/** Whether a Hansard service answers at the address in time. */
export async function isHansardService(address: string): Promise<boolean> {
  const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS)
  try {
    return Health.safeParse(tryParseJson(await readBody(`${address}/healthz`, signal))).success
  } catch (error) {
    if (errorCode(error) === '' && !signal.aborted) throw error
    return false
  }
}

/** Not with `fetch`: it refuses some ports, and its requests can go through a proxy, which cannot reach this machine. */
async function readBody(url: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  get(url, { signal, agent: false }, (response) => {
    text(response).then(resolve, reject)
  }).once('error', reject)
  return promise
}
