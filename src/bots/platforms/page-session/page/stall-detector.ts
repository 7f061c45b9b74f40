import type { Timers } from '../../../../lib/time/timers.ts'
import type { PlatformEvent } from '../../platform.ts'

/** A page in a call reports every 500 ms. Shorter than the time after which unchanged captions can become final. */
const STALL_MS = 900

/** Reports when a page in a call sends no messages for a while, and when it sends messages again. */
export interface StallDetector {
  start(): void
  messageReceived(): void
  stop(): void
}

export function createStallDetector(
  timers: Timers,
  emit: (event: PlatformEvent) => void,
): StallDetector {
  let receivedAt = timers.now()
  let isStalled = false
  let cancel: (() => void) | null = null

  function check(): void {
    const leftMs = receivedAt + STALL_MS - timers.now()
    if (leftMs <= 0 && !isStalled) {
      isStalled = true
      emit({ kind: 'page stalled' })
    }
    cancel = timers.after(leftMs > 0 ? leftMs : STALL_MS, check)
  }

  return {
    start() {
      if (cancel !== null) return
      receivedAt = timers.now()
      check()
    },
    messageReceived() {
      receivedAt = timers.now()
      if (!isStalled) return
      isStalled = false
      emit({ kind: 'page resumed' })
    },
    stop() {
      cancel?.()
      cancel = null
    },
  }
}
