import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessageOf } from '../../../lib/error-code.ts'
import { apiUrl, type ListenRequest } from './event-stream.ts'
import type { ListenedCallback, ReceiverAnswer } from './forwarder.ts'

const RETRY_DELAYS_MS = [200, 1_000]
const TIMEOUT_MS = 5_000

/** Reports the receiver's response to the service. If that fails, the service sends the callback again, so nothing is lost. */
export function createReceiverAnswerUploader(
  { service, name, apiKey }: ListenRequest,
  printNote: (text: string) => void,
) {
  const url = apiUrl(service, `/listeners/${encodeURIComponent(name)}/answers`)

  /** Sends a report to the service; null on success, otherwise the reason of the failure. */
  const send = async (body: string): Promise<string | null> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      return response.ok ? null : `status ${response.status}`
    } catch (error) {
      if (error instanceof TypeError || error instanceof DOMException) return errorMessageOf(error)
      throw error
    }
  }
  return async (deliveryId: string, outcome: ReceiverAnswer): Promise<void> => {
    const body = JSON.stringify({ deliveryId, ...outcome })
    let problem = await send(body)
    for (const delayMs of RETRY_DELAYS_MS) {
      if (problem === null) return
      await sleep(delayMs)
      problem = await send(body)
    }
    if (problem !== null)
      printNote(`Could not report the receiver's response to the service (${problem})`)
  }
}

/** One line for people: time, type, meeting, sequence number and the receiver's response. */
export function formatCallbackLine(
  { headers, body }: ListenedCallback,
  outcome: ReceiverAnswer,
  now: Date,
): string {
  const { sequence } = JSON.parse(body) as { sequence: number }
  const type = headers['x-service-event'] ?? ''
  const meeting = headers['x-service-meeting-id'] ?? ''
  const result = outcome.status ?? outcome.error
  return `${clockTime(now)}  ${type.padEnd(20)} ${meeting} #${sequence}  ${result}  ${outcome.durationMs} ms`
}

/** Local time of day. */
function clockTime(now: Date): string {
  return [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
