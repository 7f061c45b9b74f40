import { joinSamples, toMs, type SoundChunk } from '../sound.ts'

/** Sound of a voice, or its end, on the way to a worker. */
export type QueueItem = SoundChunk & {
  voice: string
  isEnd: boolean
  /** Speech starts here after a pause, so everything before it can be given up without cutting a word. */
  startsUtterance: boolean
  /** The worker has confirmed it, but may need it until its utterance is complete. */
  isHeard: boolean
}

/**
 * One session's sound in the order of arrival: first the sound that waits for the worker, and then sent sound until the
 * worker no longer needs it.
 */
export type SoundQueue = ReturnType<typeof createSoundQueue>

export function createSoundQueue() {
  let waiting: QueueItem[] = []
  let sent: QueueItem[] = []
  let waitingSamples = 0

  return {
    add(item: QueueItem) {
      waiting.push(item)
      waitingSamples += item.samples.length
    },
    /** Moves the oldest waiting item to the sent items. */
    next(): QueueItem | null {
      const item = waiting.shift()
      if (item === undefined) return null
      waitingSamples -= item.samples.length
      sent.push(item)
      return item
    },
    /** Removes the oldest utterance of which nothing was sent, and returns its sound; empty if nothing waits. */
    dropOldestUtterance(): QueueItem[] {
      const start = waiting.findIndex(({ startsUtterance }) => startsUtterance)
      // Without one, all waiting sound is the end of utterances that were partly sent.
      const first = start === -1 ? waiting.findIndex(({ isEnd }) => !isEnd) : start
      const dropped = waiting.slice(first, first + 1)
      if (first === -1) return []
      for (const item of waiting.slice(first + 1)) {
        if (item.voice !== dropped[0]?.voice) continue
        if (start === -1 || item.isEnd || item.startsUtterance) break
        dropped.push(item)
      }
      waiting = waiting.filter((item) => !dropped.includes(item))
      for (const { samples } of dropped) waitingSamples -= samples.length
      return dropped
    },
    /** The worker has heard a voice up to one position, and no longer needs its sound before another one. */
    confirm(voice: string, heardTo: number, keepFrom: number) {
      const endOf = (item: QueueItem) => item.position + item.samples.length
      const isOther = (item: QueueItem) => item.voice !== voice || item.isEnd
      sent = sent.filter((item) => isOther(item) || endOf(item) > keepFrom)
      for (const item of sent) if (!isOther(item) && endOf(item) <= heardTo) item.isHeard = true
    },
    /** The worker has handled a voice's oldest end. */
    confirmEnd(voice: string) {
      const index = sent.findIndex((item) => item.voice === voice && item.isEnd)
      if (index !== -1) sent.splice(index, 1)
    },
    /** Returns all sent items to the queue, after the worker was lost. */
    takeBack() {
      waiting = [...sent.map((item) => ({ ...item, isHeard: false })), ...waiting]
      sent = []
      waitingSamples = waiting.reduce((sum, { samples }) => sum + samples.length, 0)
    },
    /** Removes a voice's sound between two positions, and returns it. */
    cutOut(voice: string, from: number, to: number): QueueItem[] {
      const removed: QueueItem[] = []
      const cut = (item: QueueItem): QueueItem[] => {
        const end = item.position + item.samples.length
        if (item.voice !== voice || item.isEnd || end <= from || item.position >= to) return [item]
        removed.push(...cutItem(item, Math.max(item.position, from), Math.min(end, to)))
        return [
          ...cutItem(item, item.position, Math.min(end, from)),
          ...cutItem(item, Math.max(item.position, to), end),
        ]
      }
      sent = sent.flatMap(cut)
      waiting = waiting.flatMap(cut)
      waitingSamples = waiting.reduce((sum, { samples }) => sum + samples.length, 0)
      return removed
    },
    /** The oldest sound that was sent and not confirmed. */
    oldestUnconfirmed: () => sent.find(isUnheardSound) ?? null,
    /** The oldest sound that was not confirmed, sent or not. */
    oldestUnheard: () => sent.find(isUnheardSound) ?? waiting.find(isUnheardSound) ?? null,
    waitingMs: () => toMs(waitingSamples),
    /** Length of the sound that was sent but not confirmed. */
    unconfirmedMs: () =>
      toMs(sent.reduce((sum, { isHeard, samples }) => sum + (isHeard ? 0 : samples.length), 0)),
    /** True if something of a voice, or of any voice, waits or was not confirmed. */
    isPending(voice?: string) {
      const isOfVoice = (item: QueueItem) => voice === undefined || item.voice === voice
      return waiting.some(isOfVoice) || sent.some((item) => isOfVoice(item) && !item.isHeard)
    },
    /** Removes everything, and returns the sound. */
    clear(): QueueItem[] {
      const cleared = [...sent, ...waiting]
      waiting = []
      sent = []
      waitingSamples = 0
      return cleared
    },
  }
}

function isUnheardSound({ isHeard, isEnd }: QueueItem): boolean {
  return !isHeard && !isEnd
}

/** The part of an item between two positions; empty if there is none. */
export function cutItem(item: QueueItem, from: number, to: number): QueueItem[] {
  if (to <= from) return []
  const offset = from - item.position
  return [
    {
      ...item,
      position: from,
      startsAt: item.startsAt + toMs(offset),
      samples: item.samples.slice(offset, offset + to - from),
    },
  ]
}

export function mergeItems(first: QueueItem, second: QueueItem): QueueItem {
  return { ...first, samples: joinSamples([first.samples, second.samples]) }
}
