import type { LaneRecord } from '../lane/lane-record.ts'

/** Access can change while a listener is connected, so its lanes are tried again after this time. */
const RETRY_MS = 15_000

/**
 * Lanes whose listeners are connected to this node, but may not answer its callbacks. They stay due, because a listener that
 * may can be connected to another node. This node leaves them alone for a while instead of claiming them again at once.
 */
export interface RefusedLanes {
  add(lane: Pick<LaneRecord, 'id' | 'url'>): void
  /** Forgets the lanes of a listener, because another one connected under its name. */
  clear(url: string): void
  listIds(): string[]
}

export function createRefusedLanes(now: () => number): RefusedLanes {
  const lanes = new Map<string, { url: string; retryAt: number }>()
  return {
    add({ id, url }) {
      lanes.set(id, { url, retryAt: now() + RETRY_MS })
    },
    clear(url) {
      for (const [id, lane] of lanes) if (lane.url === url) lanes.delete(id)
    },
    listIds() {
      for (const [id, { retryAt }] of lanes) if (retryAt <= now()) lanes.delete(id)
      return [...lanes.keys()]
    },
  }
}
