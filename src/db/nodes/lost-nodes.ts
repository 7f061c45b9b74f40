import type { OtherNode } from './node-rows.ts'

/** Compares what a node reads about the other nodes with what it read before. */
export interface LostNodes {
  /** `unlocked`: nodes whose lock has been free for long enough without a heartbeat. `gone`: nodes that are not listed any more. */
  update(others: readonly OtherNode[], nowMs: number): { unlocked: OtherNode[]; gone: string[] }
}

/**
 * `suspectForMs` is the time that a node gets whose connection broke. It is longer than the time between two heartbeats,
 * so that only a node that is not running, or cannot reach the database, is lost.
 */
export function createLostNodes(suspectForMs: number): LostNodes {
  let listed = new Set<string>()
  let suspects = new Map<string, { beatMs: number; sinceMs: number }>()
  return {
    update(others, nowMs) {
      const before = { listed, suspects }
      listed = new Set(others.map(({ id }) => id))
      suspects = new Map()
      const unlocked = others.filter(({ id, beatAt, isLocked }) => {
        if (isLocked) return false
        const known = before.suspects.get(id)
        const beatMs = beatAt.getTime()
        const sinceMs = known?.beatMs === beatMs ? known.sinceMs : nowMs
        suspects.set(id, { beatMs, sinceMs })
        return nowMs - sinceMs >= suspectForMs
      })
      return { unlocked, gone: [...before.listed].filter((id) => !listed.has(id)) }
    },
  }
}
