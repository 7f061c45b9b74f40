import type { Caption } from '../platform.ts'
import type { WireCaption } from './wire-types.ts'
import type { WireRoster } from './wire-roster.ts'

/**
 * Adds speaker names to captions. Names may arrive before or after a caption, and a stored segment never changes its
 * name.
 */
export interface CaptionSpeakerResolver {
  /** The captions that can be emitted now: the caption, or nothing while it waits for a name or is the bot's own. */
  resolve(caption: WireCaption, at: number): Caption[]
  /** The captions that need not wait any more, after a roster change or after a time. */
  releaseWaiting(at: number): Caption[]
}

/** Rosters arrive shortly after the first caption; the next one comes a minute later, which is too late. */
const WAIT_MS = 3_000
const MAX_WAITING = 200

export function createCaptionSpeakerResolver(
  roster: Pick<WireRoster, 'nameOf' | 'isSelf'>,
): CaptionSpeakerResolver {
  /** The newest version of each caption, oldest caption first. */
  const waiting = new Map<string, { caption: WireCaption; since: number }>()
  /** Captions that were emitted without a name; they do not wait again. */
  const nameless = new Set<string>()

  function toCaption(caption: WireCaption, name: string): Caption {
    const { captionId, text, version, isFinal } = caption
    return { captionId, speaker: name, text, version, ...(isFinal && { isFinal }) }
  }
  function nameFor({ speakerId, speakerName }: WireCaption): string | null {
    return roster.nameOf(speakerId) ?? speakerName ?? null
  }
  function withoutName(caption: WireCaption): Caption {
    nameless.add(caption.captionId)
    if (nameless.size > MAX_WAITING) nameless.delete(nameless.keys().next().value ?? '')
    return toCaption(caption, '')
  }
  function release(at: number): Caption[] {
    return [...waiting].flatMap(([id, { caption, since }]) => {
      const name = nameFor(caption)
      const isDue = at - since >= WAIT_MS || waiting.size > MAX_WAITING
      if (name === null && !isDue) return []
      waiting.delete(id)
      if (roster.isSelf(caption.speakerId)) return []
      return [name === null ? withoutName(caption) : toCaption(caption, name)]
    })
  }

  return {
    resolve(caption, at) {
      if (roster.isSelf(caption.speakerId)) return []
      const name = nameFor(caption)
      const waitingEntry = waiting.get(caption.captionId)
      if (name !== null && !waitingEntry) return [toCaption(caption, name)]
      if (name === null && !waitingEntry && nameless.has(caption.captionId))
        return [toCaption(caption, '')]
      if (!waitingEntry || isNewer(caption, waitingEntry.caption)) {
        waiting.set(caption.captionId, { caption, since: waitingEntry?.since ?? at })
      }
      return release(at)
    },
    releaseWaiting: release,
  }
}

function isNewer(a: WireCaption, b: WireCaption): boolean {
  return a.version > b.version || (a.version === b.version && a.isFinal && !b.isFinal)
}
