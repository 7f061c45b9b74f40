import type { Timers } from '../../../lib/time/clock.ts'
import type { SoundPage } from '../sound-call/sound-page.ts'

/** Data packets of the bot that wait until its connection is open. */
export type Publisher = ReturnType<typeof createPublisher>

/** The label of the data channel that delivers everything in order. */
export const RELIABLE = '_reliable'
/** How often the bot tries again while its connection opens, and for how long. */
const SEND_AGAIN_MS = 250
const MAX_TRIES = 80
const MAX_PACKETS = 200

type Options = {
  page: SoundPage
  timers: Timers
  /** Packets could not be sent. */
  onUnsent(): void
  onError(error: unknown): void
}

export function createPublisher({ page, timers, onUnsent, onError }: Options) {
  let packets: Uint8Array[] = []
  let isOver = false
  let cancel = () => {}

  async function send(tries: number): Promise<void> {
    const [packet] = packets
    if (isOver || packet === undefined) return
    const isSent = await page.sendData('publisher', RELIABLE, packet)
    if (isOver) return
    if (isSent) {
      packets = packets.slice(1)
      return send(0)
    }
    if (tries < MAX_TRIES) cancel = timers.after(SEND_AGAIN_MS, () => start(tries + 1))
    else {
      packets = []
      onUnsent()
    }
  }
  function start(tries: number): void {
    send(tries).catch(onError)
  }
  return {
    publish(given: readonly Uint8Array[]) {
      if (packets.length + given.length > MAX_PACKETS) return onUnsent()
      const isIdle = packets.length === 0
      packets = [...packets, ...given]
      if (isIdle) start(0)
    },
    [Symbol.dispose]() {
      isOver = true
      cancel()
    },
  }
}
