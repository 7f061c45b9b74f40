import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import { storeZoomEvent } from './stream-store.ts'
import {
  answerUrlValidation,
  isSignedByZoom,
  parseZoomEvent,
  type SignedDelivery,
} from './webhook.ts'

type Parts = { db: Db; clock: Pick<Clock, 'now'>; log: Log; secret: string }

export type WebhookAnswer = ReturnType<typeof answerUrlValidation> | { status: 'ok' | 'ignored' }

/** Receives the webhooks of the Zoom app. */
export function createZoomWebhooks({ db, clock, log, secret }: Parts) {
  return {
    isSigned: (delivery: SignedDelivery) => isSignedByZoom(delivery, secret, clock.now()),
    /** Stores what a signed webhook says. `problem`: it has not the form that Zoom documents. */
    async receive(body: unknown): Promise<WebhookAnswer | { problem: string }> {
      const event = parseZoomEvent(body)
      if (event.kind === 'invalid') return { problem: event.problem }
      if (event.kind === 'validation') return answerUrlValidation(event.plainToken, secret)
      if (event.kind === 'other') return { status: 'ignored' }
      await storeZoomEvent({ db, clock }, event)
      if (event.kind === 'started' && event.meetingNumber === null)
        log.warn(
          { streamId: event.streamId },
          'Zoom announced a stream without the number of its meeting, so no meeting can be matched with it',
        )
      return { status: 'ok' }
    },
  }
}

export type ZoomWebhooks = ReturnType<typeof createZoomWebhooks>
