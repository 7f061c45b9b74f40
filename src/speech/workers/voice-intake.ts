import type { VoiceSound } from '../../bots/platforms/speech/recognition.ts'
import { findPeak, FRAME_SAMPLES, measureLevel, SAMPLES_PER_MS, toMs } from '../sound.ts'
import { createEnergyDetector, type SpeechDetector } from '../utterance-cutter.ts'
import { mergeItems, type QueueItem } from './sound-queue.ts'

/** Sound with only samples below this is silence: about -54 dB. */
const SILENCE_PEAK = 64
/** Small chunks are sent together, so that thirty voices need only a few messages. */
const MESSAGE_SAMPLES = 100 * SAMPLES_PER_MS
/** A long chunk is split, so that other voices and sessions get their turn. */
const LONGEST_ITEM_SAMPLES = 500 * SAMPLES_PER_MS
/** The silence before the first sound that is sent with it. */
const LEAD_MS = 350
/** Chunks with a larger gap between them are not joined. */
const JOINED_GAP_MS = 5
/** Speech after a pause of this length starts a new utterance, as in the worker. */
const PAUSE_MS = 512
/** Speech without a pause starts a new utterance at a quiet moment after the first, and always after the second. */
const LONG_UTTERANCE_MS = 8_000
const LONGEST_UTTERANCE_MS = 12_000

/**
 * Receives one voice's sound and decides what a worker must hear. While no one speaks, silence is dropped here, so that
 * a silent meeting costs almost nothing.
 */
export type VoiceIntake = ReturnType<typeof createVoiceIntake>

export function createVoiceIntake(voice: string) {
  let nextPosition = 0
  let audibleTo = 0
  let held: QueueItem | null = null
  let lead: QueueItem[] = []
  let markUtterances = createUtteranceMarker()

  const flush = (): QueueItem[] => {
    const items = held === null ? [] : [held]
    held = null
    return items
  }
  const keepAsLead = (items: readonly QueueItem[]) => {
    lead.push(...items)
    let leadMs = lead.reduce((sum, { samples }) => sum + toMs(samples.length), 0)
    while (lead.length > 1 && leadMs - toMs(lead[0]!.samples.length) >= LEAD_MS)
      leadMs -= toMs(lead.shift()!.samples.length)
  }
  const hold = (item: QueueItem): QueueItem[] => {
    const ready = held !== null && isFollowing(held, item) ? [] : flush()
    held = held === null ? item : mergeItems(held, item)
    return held.samples.length >= MESSAGE_SAMPLES ? [...ready, ...flush()] : ready
  }

  return {
    /** Returns what can be sent now. `isListening`: the worker is in an utterance, or has not heard all sound. */
    add({ startsAt, samples }: VoiceSound, isListening: boolean): QueueItem[] {
      const items: QueueItem[] = []
      for (let offset = 0; offset < samples.length; offset += LONGEST_ITEM_SAMPLES) {
        // A copy, because the caller may reuse its memory.
        const part = samples.slice(offset, offset + LONGEST_ITEM_SAMPLES)
        const item: QueueItem = {
          voice,
          isEnd: false,
          isHeard: false,
          startsUtterance: false,
          position: nextPosition,
          startsAt: startsAt + toMs(offset),
          samples: part,
        }
        nextPosition += part.length
        const isSilent = findPeak(part) < SILENCE_PEAK
        if (isSilent && !isListening) {
          keepAsLead([...flush(), item])
          continue
        }
        isListening = true
        if (!isSilent) audibleTo = nextPosition
        items.push(...lead.flatMap(hold), ...hold(item))
        lead = []
      }
      markUtterances(items)
      return items
    },
    /** The voice is silent from now on. Returns the sound that was held back to be sent with more sound. */
    end(): QueueItem[] {
      const items = flush()
      markUtterances(items)
      markUtterances = createUtteranceMarker()
      return items
    },
    /** True if sound that is not silence is held back. */
    isHolding: () => held !== null && held.position < audibleTo,
    /** The end of the last sound that was not silence. */
    audibleTo: () => audibleTo,
  }
}

/**
 * Marks where utterances start, judged only by loudness, because a worker has not heard sound that is given up. The
 * mark is on the quiet sound before the first word.
 */
function createUtteranceMarker(): (items: readonly QueueItem[]) => void {
  const detector = createEnergyDetector()
  let last: QueueItem | null = null
  let pauseMs = Infinity
  let utteranceMs = 0
  let loudest = 0

  const start = (item: QueueItem) => {
    item.startsUtterance = true
    utteranceMs = 0
    loudest = 0
  }
  const mark = (item: QueueItem) => {
    const { samples, startsAt } = item
    const gapMs = last === null ? 0 : startsAt - last.startsAt - toMs(last.samples.length)
    // The quiet sound before the first word belongs to it.
    const isAfterQuietSound = last !== null && pauseMs > 0 && gapMs <= JOINED_GAP_MS
    pauseMs += Math.max(0, gapMs)
    const level = measureLevel(samples)
    loudest = Math.max(loudest, level)
    const isQuiet = utteranceMs >= LONG_UTTERANCE_MS && level < loudest / 3
    if (hasSpeech(detector, samples)) {
      if (pauseMs >= PAUSE_MS) start(isAfterQuietSound ? last! : item)
      else if (isQuiet || utteranceMs >= LONGEST_UTTERANCE_MS) start(item)
      pauseMs = 0
    } else pauseMs += toMs(samples.length)
    utteranceMs += toMs(samples.length)
    last = item
  }
  return (items) => items.forEach(mark)
}

function hasSpeech(detector: SpeechDetector, samples: Int16Array): boolean {
  let isSpeech = false
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES)
    isSpeech = detector.isSpeech(samples.subarray(at, at + FRAME_SAMPLES)) || isSpeech
  return isSpeech
}

function isFollowing(first: QueueItem, second: QueueItem): boolean {
  const gapMs = second.startsAt - (first.startsAt + toMs(first.samples.length))
  return (
    Math.abs(gapMs) <= JOINED_GAP_MS && second.position === first.position + first.samples.length
  )
}
