import { wordKeys } from '../../../lib/text/split-words.ts'
import type { Caption } from '../platform.ts'
import type { TrackedRow } from './row-tracker.ts'
import { mayBeSameSpeaker, withoutDuplicates, type WireUtterance } from './text-overlap.ts'

const MAX_UTTERANCES = 200
const MAX_WORDS_PER_UTTERANCE = 2_000
/** Enough to know a place in a row by. */
const MAX_JOINED = 8
const MAX_SKIPPED = 500
/** So late a page may be with words that it has not shown yet. */
const LATE_MS = 15_000

/** What the wire has told lately, and what of it is the page's to tell. */
export function createWireLog(inStepMs: number) {
  let utterances: WireUtterance[] = []
  /** Utterances that are the page's: when they were last heard of, or null when they are over. */
  const skipped = new Map<string, number | null>()

  function skip({ captionId, isFinal = false }: Caption, at: number): void {
    skipped.delete(captionId)
    skipped.set(captionId, isFinal ? null : at)
    if (skipped.size > MAX_SKIPPED) skipped.delete(skipped.keys().next().value ?? '')
  }

  function isAbout(one: WireUtterance, at: number): boolean {
    const since = one.shownAt ?? (one.at >= at - LATE_MS ? at : one.at)
    return Math.max(one.at, since) >= at - inStepMs
  }

  return {
    skip,
    isSkipped: (captionId: string) => skipped.has(captionId),
    /** When the last utterance that is the page's was heard of and not over. */
    skippedOpenAt: () => Math.max(-Infinity, ...[...skipped.values()].map((at) => at ?? -Infinity)),
    remember(caption: Caption & { version: number }, at: number): void {
      const { captionId, speaker, text, version, isFinal = false } = caption
      const before = utterances.find((utterance) => utterance.captionId === captionId)
      const words = [...(before?.wordsOfAllVersions ?? []), ...wordKeys(text)].slice(
        -MAX_WORDS_PER_UTTERANCE,
      )
      utterances = utterances.filter((utterance) => utterance !== before).slice(1 - MAX_UTTERANCES)
      const shownAt = before?.shownAt ?? null
      utterances.push({
        captionId,
        speaker,
        text,
        version,
        isFinal,
        at,
        wordsOfAllVersions: new Set(words),
        shownAt,
      })
    },
    /** What was told of a speaker about some time or later, or before it without being shown. */
    about: (speaker: string, at: number) =>
      utterances.filter((one) => isAbout(one, at) && mayBeSameSpeaker(one.speaker, speaker)),
    /** What was told of a speaker at some time or later. */
    since: (speaker: string, since: number) =>
      utterances.filter((one) => one.at >= since && mayBeSameSpeaker(one.speaker, speaker)),
    /** The utterances that a row may show, newest last. */
    of(row: TrackedRow): WireUtterance[] {
      const own = utterances.filter(
        (one) => isAbout(one, row.appearedAt) && mayBeSameSpeaker(one.speaker, row.speaker),
      )
      return withoutDuplicates(own.slice(-2 * MAX_JOINED)).slice(-MAX_JOINED)
    },
    /** From now on the page speaks, also of what was told so far. */
    skipAll(): void {
      for (const utterance of utterances) skip(utterance, utterance.at)
    },
    forget(): void {
      utterances = []
    },
  }
}
