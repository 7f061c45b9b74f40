import type { BridgeMessage, PageStateObservation } from './messages.ts'

/** Merges the observations of the frames of a page into one of the whole page. */
export interface ObservationMerger {
  /** The message with the observation of the whole page instead of that of one frame. */
  merge(frameId: string, message: BridgeMessage): BridgeMessage
  /** The document of the frame is gone. */
  remove(frameId: string): void
}

/** The main document comes first: it reports before the frames inside it exist. */
export function createObservationMerger(): ObservationMerger {
  const byFrame = new Map<string, PageStateObservation>()
  let hasChanged = false

  return {
    merge(frameId, message) {
      if (message.kind !== 'observation' && message.kind !== 'unchanged') return message
      if (message.kind === 'observation') byFrame.set(frameId, message.observation)
      if (message.kind === 'unchanged' && !hasChanged) return message
      hasChanged = false
      const [first, ...rest] = byFrame.values()
      if (first === undefined) return message
      return { kind: 'observation', observation: rest.reduce(mergeTwo, first) }
    },
    remove(frameId) {
      if (byFrame.delete(frameId)) hasChanged = true
    },
  }
}

function mergeTwo(outer: PageStateObservation, inner: PageStateObservation): PageStateObservation {
  const found = Object.entries(outer.found).map(([part, index]) => [
    part,
    index ?? inner.found[part] ?? null,
  ])
  return {
    address: outer.address,
    language: inner.language || outer.language,
    words: [outer.words, inner.words].filter((words) => words !== '').join('\n'),
    parts: { ...inner.parts, ...outer.parts },
    found: Object.fromEntries(found) as PageStateObservation['found'],
    count: outer.count ?? inner.count,
  }
}
