import type { Caption } from '../../platform.ts'

/** After this many captions, of which at most one in five has a name, the platform shows no names. */
const MIN_NAMELESS = 8
const NAMELESS_PER_NAMED = 4

/** Reports once when captions have no speaker names. A few nameless captions are normal: a name can arrive late. */
export function createSpeakerNameCheck(report: (detail: string) => void): {
  add(caption: Caption): void
} {
  const nameless = new Set<string>()
  let lastNamedId = ''
  let named = 0
  let isReported = false
  return {
    add({ captionId, speaker }) {
      if (isReported) return
      if (speaker !== '') {
        nameless.delete(captionId)
        if (captionId !== lastNamedId) named += 1
        lastNamedId = captionId
        return
      }
      nameless.add(captionId)
      if (nameless.size < Math.max(MIN_NAMELESS, NAMELESS_PER_NAMED * named)) return
      isReported = true
      nameless.clear()
      report('The captions do not say who is speaking')
    },
  }
}
