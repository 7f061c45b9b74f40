import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../lib/error-code.ts'
import { apiUrl, type ListenRequest } from './event-stream.ts'
import type { ListenedCallback, ListenerAnswer } from './forwarder.ts'

const RETRY_DELAYS_MS = [200, 1_000]
const TIMEOUT_MS = 5_000

/** Tells the service what the receiver answered. If that fails, the callback comes again: nothing is lost. */
export function createAnswerReporter(
  { service, name, apiKey }: ListenRequest,
  note: (text: string) => void,
) {
  const url = apiUrl(service, `/listeners/${encodeURIComponent(name)}/answers`)

  /** Null: it is told; else why not. */
  const tell = async (body: string): Promise<string | null> => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await answer.body?.cancel()
      return answer.ok ? null : `status ${answer.status}`
    } catch (error) {
      if (error instanceof TypeError || error instanceof DOMException) return messageOf(error)
      throw error
    }
  }
  return async (deliveryId: string, outcome: ListenerAnswer): Promise<void> => {
    const body = JSON.stringify({ deliveryId, ...outcome })
    let problem = await tell(body)
    for (const pauseMs of RETRY_DELAYS_MS) {
      if (problem === null) return
      await sleep(pauseMs)
      problem = await tell(body)
    }
    if (problem !== null) note(`The service was not told what the receiver answered (${problem})`)
  }
}

/** One line for a person: time, type, meeting, sequence, what the receiver answered. */
export function formatCallbackLine(
  { headers, body }: ListenedCallback,
  outcome: ListenerAnswer,
  now: Date,
): string {
  const { sequence } = JSON.parse(body) as { sequence: number }
  const type = headers['x-service-event'] ?? ''
  const meeting = headers['x-service-meeting-id'] ?? ''
  const result = outcome.status ?? outcome.error
  return `${clockTime(now)}  ${type.padEnd(20)} ${meeting} #${sequence}  ${result}  ${outcome.durationMs} ms`
}

/** In the zone of whoever reads it. */
function clockTime(now: Date): string {
  return [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
