import type { RawHttpRequest } from '../../test/support/callbacks/loopback-receivers.ts'
import type { CountedCall } from './delivery-counts.ts'

export type RawCall = CountedCall & { meetingId: string; timestamp: string }

/** The path of a raw request, such as `/receiver/3`. */
export function readPath({ head }: RawHttpRequest): string {
  return head.split(' ')[1] ?? ''
}

export function readRawCall({ head, body }: RawHttpRequest, isAccepted: boolean): RawCall {
  const event = JSON.parse(body.toString()) as {
    meetingId: string
    sequence: number
    type: string
    timestamp: string
  }
  const [, deliveryId = ''] = /^x-service-delivery-id: (\S+)/im.exec(head) ?? []
  return { ...event, body, deliveryId, isAccepted }
}
