import { setNewest, addIfNew } from '../../../lib/newest-entries.ts'
import { extractWordKeys } from '../../../lib/text/words.ts'
import type { Caption } from '../platform.ts'
import type { WireRoster } from './wire-roster.ts'
import type { WireCaption } from './wire-types.ts'

/**
 * Adds speaker names to captions. Names may arrive before or after a caption, and the name of a stored segment never
 * changes. A name comes from the roster, the caption itself or the page, in this order.
 */
export type CaptionSpeakerResolver = ReturnType<typeof createCaptionSpeakerResolver>

/**
 * Finds the only name next to which the page shows a text; null if there is none or more than one. `minWords` words
 * must be equal, or all words of a shorter text.
 */
type FindSpeakerOnPage = (text: string, minWords: number, at: number) => string | null

/** Rosters arrive shortly after the first caption. The next one comes a minute later, which is too late. */
const WAIT_MS = 3_000
const MAX_WAITING = 200
/**
 * If this many words are equal, the page names a speaker at once. Fewer words can belong to several speakers: they name
 * at most one finished caption, and are never stored as the speaker's name.
 */
const MIN_NAMING_WORDS = 3
const MAX_LEARNED_NAMES = 2_000

type WaitingCaption = { caption: WireCaption; since: number; changedAt: number }

export function createCaptionSpeakerResolver(
  roster: Pick<WireRoster, 'nameOf' | 'isSelf'>,
  findOnPage: FindSpeakerOnPage = () => null,
) {
  /** The newest version of each caption, oldest caption first. */
  const waiting = new Map<string, WaitingCaption>()
  /** Captions that were emitted without a name. They do not wait again. */
  const nameless = new Set<string>()
  /** Names that the page showed for speakers who are not on the roster, by speaker id. */
  const learned = new Map<string, string>()

  function toCaption(caption: WireCaption, name: string): Caption {
    const { captionId, channel, text, version, isFinal } = caption
    return {
      captionId,
      speaker: name,
      text,
      version,
      ...(channel !== undefined && { channel }),
      ...(isFinal && { isFinal }),
    }
  }
  function nameFor(caption: WireCaption, at: number): string | null {
    const { speakerId, speakerName } = caption
    const known = roster.nameOf(speakerId) ?? speakerName ?? learned.get(speakerId)
    return known ?? learnName(caption, at)
  }
  function learnName({ speakerId, text, isFinal }: WireCaption, at: number): string | null {
    const isShort = extractWordKeys(text).length < MIN_NAMING_WORDS
    if (isShort && !isFinal) return null
    const name = findOnPage(text, MIN_NAMING_WORDS, at)
    if (name === null || isShort) return name
    setNewest(learned, speakerId, name, MAX_LEARNED_NAMES)
    return name
  }
  function withoutName(caption: WireCaption): Caption {
    addIfNew(nameless, caption.captionId, MAX_WAITING)
    return toCaption(caption, '')
  }
  function release(at: number, isEnd: boolean): Caption[] {
    return [...waiting].flatMap(([id, { caption, since, changedAt }]) => {
      const isDue = isEnd || at - since >= WAIT_MS || waiting.size > MAX_WAITING
      const name = nameFor(caption, at) ?? (isDue ? findOnPage(caption.text, 1, at) : null)
      if (name === null && !isDue) return []
      waiting.delete(id)
      if (roster.isSelf(caption.speakerId)) return []
      const late = { startedMs: at - since, changedMs: at - changedAt }
      const released = name === null ? withoutName(caption) : toCaption(caption, name)
      return [late.startedMs > 0 ? { ...released, late } : released]
    })
  }

  return {
    /** The captions that can be emitted now: the caption, or nothing if it waits for a name or is the bot's own. */
    resolve(caption: WireCaption, at: number): Caption[] {
      if (roster.isSelf(caption.speakerId)) return []
      const entry = waiting.get(caption.captionId)
      const name = entry ? null : nameFor(caption, at)
      if (name !== null) return [toCaption(caption, name)]
      if (!entry && nameless.has(caption.captionId)) return [toCaption(caption, '')]
      if (!entry || isNewer(caption, entry.caption)) {
        waiting.set(caption.captionId, { caption, since: entry?.since ?? at, changedAt: at })
      }
      return release(at, false)
    },
    /** The captions that no longer need to wait, after a change of the roster or the page, or after some time. */
    releaseWaiting: (at: number) => release(at, false),
    /** All waiting captions, with or without a name, because no more names will arrive. */
    releaseAll: (at: number) => release(at, true),
    isWaiting: (captionId: string) => waiting.has(captionId),
  }
}

function isNewer(a: WireCaption, b: WireCaption): boolean {
  return a.version > b.version || (a.version === b.version && a.isFinal && !b.isFinal)
}
