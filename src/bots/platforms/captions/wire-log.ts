import { setNewest } from '../../../lib/newest-entries.ts'
import { extractWordKeys } from '../../../lib/text/words.ts'
import type { Caption } from '../platform.ts'
import {
  isBeginningShown,
  mayBeSameSpeaker,
  removeDuplicateUtterances,
  type WireUtterance,
  findUtterancesContainingLastRowWord,
} from './text-overlap.ts'
import type { TrackedPageRow } from './tracked-row.ts'

const MAX_UTTERANCES = 200
const MAX_WORDS_PER_UTTERANCE = 2_000
/** How many utterances are compared with a row. This is enough to find how much of the row is published. */
const MAX_JOINED = 8
const MAX_SKIPPED = 500
/** After the wire has published words, the page may take this long to show them. */
const LATE_MS = 15_000
/** After one data channel has delivered an utterance, another one may take this long to deliver it. */
const LATE_CHANNEL_MS = 10_000

export type WireUtteranceHistory = ReturnType<typeof createWireUtteranceHistory>

/** Largest observed delay between the wire and the page. */
const MAX_SKEW_MS = 1_000

type Parts = {
  wireLog: WireUtteranceHistory
  /** The part of a row's text that the wire has not published. */
  missingTextOf(row: TrackedPageRow, text: string): string
  isPublishedLineDrawnAgain(row: TrackedPageRow, firstText: { text: string; at: number }): boolean
  /** When the wire last delivered a caption. */
  wireAt(): number
}

/** Records what the wire published recently, and which utterances the page publishes instead. */
export function createWireUtteranceHistory(rowMatchToleranceMs: number) {
  let utterances: WireUtterance[] = []
  /** Utterances that the page publishes instead of the wire, by caption id. The last changed one is at the end. */
  const skipped = new Map<string, WireUtterance>()

  /** Words that the page published because the wire had left them out, by caption id. */
  const gaps = new Map<string, { speaker: string; text: string; at: number }>()

  function skip(caption: Caption & { version: number }, at: number): void {
    const { captionId } = caption
    const before = skipped.get(captionId)
    const original = before === undefined ? findSkippedOriginal(caption, at) : undefined
    const utterance = toWireUtterance(caption, at, before ?? findRecorded(captionId))
    // The next caption with the same words is not a copy of these two, because the speaker repeated the words.
    original?.copiedOn.add(utterance.channel ?? '')
    if (original?.channel !== undefined) utterance.copiedOn.add(original.channel)
    setNewest(skipped, captionId, utterance, MAX_SKIPPED)
  }
  /** If a new caption is a copy of a skipped utterance on another data channel, returns that utterance. */
  function findSkippedOriginal(
    caption: Caption & { version: number },
    at: number,
  ): WireUtterance | undefined {
    return [...skipped.values()].find((one) => isLateCopy(caption, one, at))
  }
  function findRecorded(captionId: string): WireUtterance | undefined {
    return utterances.find((utterance) => utterance.captionId === captionId)
  }

  /** True if a new caption begins with words that the page published because the wire was late. */
  function repeatsFilledInWords({ speaker, text }: Caption, at: number): boolean {
    return [...gaps.values()].some(
      (gap) =>
        at - gap.at <= LATE_CHANNEL_MS &&
        mayBeSameSpeaker(gap.speaker, speaker) &&
        isBeginningShown(text, gap.text, 1),
    )
  }
  function isAbout(one: WireUtterance, at: number): boolean {
    const since = one.shownAt ?? (one.at >= at - LATE_MS ? at : one.at)
    return Math.max(one.at, since) >= at - rowMatchToleranceMs
  }

  return {
    skip,
    /** The last change of the newest unfinished utterance that the page publishes instead of the wire. */
    skippedOpenAt: () =>
      Math.max(
        -Infinity,
        ...[...skipped.values()].map((one) => (one.isFinal ? -Infinity : one.at)),
      ),
    /** A speaker's utterances that the page publishes instead of the wire and that changed since the given time. */
    skippedSince: (speaker: string, since: number) =>
      [...skipped.values()].filter(
        (one) => one.at >= since && mayBeSameSpeaker(one.speaker, speaker),
      ),
    /**
     * True if the page publishes a caption of the wire, which is then skipped. That includes a late copy of a skipped
     * utterance on another data channel, and late words that the page filled in.
     */
    isPublishedByPage(caption: Caption & { version: number }, at: number): boolean {
      if (skipped.has(caption.captionId)) return true
      if (findRecorded(caption.captionId) !== undefined) return false
      const isLate =
        findSkippedOriginal(caption, at) !== undefined || repeatsFilledInWords(caption, at)
      if (isLate) skip(caption, at)
      return isLate
    },
    /** Records words that the page publishes because the wire left them out. */
    recordGap({ captionId, speaker, text }: Caption, at: number): void {
      gaps.set(captionId, { speaker, text, at })
      for (const [id, gap] of gaps) if (at - gap.at > LATE_CHANNEL_MS) gaps.delete(id)
    },
    /** Records a version of an utterance. `isHeld`: the wire has it, but does not publish it yet. */
    record(caption: Caption & { version: number }, at: number, isHeld = false): void {
      const before = findRecorded(caption.captionId)
      utterances = utterances.filter((utterance) => utterance !== before).slice(1 - MAX_UTTERANCES)
      utterances.push({ ...toWireUtterance(caption, at, before), isHeld })
    },
    /** A speaker's utterances that were published around the given time or later, or earlier but not shown yet. */
    about: (speaker: string, at: number) =>
      utterances.filter((one) => isAbout(one, at) && mayBeSameSpeaker(one.speaker, speaker)),
    /** True if an utterance of the speaker is unfinished and changed after the given time. */
    isGrowing: (speaker: string, since: number) =>
      utterances.some(
        (one) => one.at > since && !one.isFinal && mayBeSameSpeaker(one.speaker, speaker),
      ),
    /** A speaker's utterances that were published at the given time or later. */
    since: (speaker: string, since: number) =>
      utterances.filter((one) => one.at >= since && mayBeSameSpeaker(one.speaker, speaker)),
    /** The wire's utterances whose text a caption row of the page may show, newest last. */
    utterancesFor(row: TrackedPageRow): WireUtterance[] {
      const own = utterances.filter(
        (one) =>
          !one.isHeld && isAbout(one, row.appearedAt) && mayBeSameSpeaker(one.speaker, row.speaker),
      )
      return removeDuplicateUtterances(own.slice(-2 * MAX_JOINED)).slice(-MAX_JOINED)
    },
    /** Marks all utterances recorded so far as published by the page instead of the wire. */
    skipAll(): void {
      for (const utterance of utterances) skip(utterance, utterance.at)
    },
    clear(): void {
      utterances = []
    },
  }
}

/** The utterance with the text of its next version. `before` is the utterance so far. */
function toWireUtterance(
  { captionId, channel, speaker, text, version, isFinal = false }: Caption & { version: number },
  at: number,
  before: WireUtterance | undefined,
): WireUtterance {
  const words = [...(before?.wordsOfAllVersions ?? []), ...extractWordKeys(text)].slice(
    -MAX_WORDS_PER_UTTERANCE,
  )
  return {
    captionId,
    ...(channel !== undefined && { channel }),
    speaker,
    text,
    version,
    isFinal,
    isHeld: false,
    at,
    wordsOfAllVersions: new Set(words),
    shownAt: before?.shownAt ?? null,
    copiedOn: before?.copiedOn ?? new Set(),
  }
}

/** True if a caption has a version of the utterance that another data channel delivered before. */
function isLateCopy(
  { channel, speaker, text, version }: Caption & { version: number },
  utterance: WireUtterance,
  at: number,
): boolean {
  return (
    channel !== undefined &&
    utterance.channel !== undefined &&
    utterance.channel !== channel &&
    !utterance.copiedOn.has(channel) &&
    utterance.version >= version &&
    at - utterance.at <= LATE_CHANNEL_MS &&
    mayBeSameSpeaker(utterance.speaker, speaker) &&
    extractWordKeys(text).every((word) => utterance.wordsOfAllVersions.has(word))
  )
}

/** Finds the page's text that the wire has not published. */
export function createMissingWordsCheck(parts: Parts) {
  const { wireLog, missingTextOf, isPublishedLineDrawnAgain, wireAt } = parts
  let gaps = 0

  /** True if the wire has published later words, which the page may not show yet. */
  function hasContinued(row: TrackedPageRow, since: number): boolean {
    const cover = findUtterancesContainingLastRowWord(row.text, wireLog.since(row.speaker, since))
    return wireAt() >= since + MAX_SKEW_MS || cover === null || cover.length > 0
  }
  function gapIn(row: TrackedPageRow, due: { text: string; at: number }, at: number): Caption {
    row.gapCaptionId ??= `${row.id}/gap${++gaps}`
    const text = missingTextOf(row, due.text)
    const late = { startedMs: at - due.at, changedMs: at - due.at }
    return { captionId: row.gapCaptionId, speaker: row.speaker, text, late }
  }

  return {
    /**
     * Checks a row's texts that the wire should have published within `waitMs`. The wire may have left words out
     * (`gap`), or may have published nothing since (`isMissing`).
     */
    check(row: TrackedPageRow, at: number, waitMs: number): { isMissing: boolean; gap: Caption[] } {
      const gap: Caption[] = []
      while (row.pendingTexts[0] !== undefined && at - row.pendingTexts[0].at >= waitMs) {
        const [due] = row.pendingTexts
        const cover = findUtterancesContainingLastRowWord(
          due.text,
          wireLog.about(row.speaker, due.at),
        )
        const isHeld = cover !== null && cover.length > 0 && cover.every((one) => one.isHeld)
        if (isHeld) return { isMissing: false, gap }
        const isPublished =
          cover === null ||
          cover.length > 0 ||
          isPublishedLineDrawnAgain(row, due) ||
          missingTextOf(row, due.text) === ''
        for (const utterance of cover ?? []) utterance.shownAt ??= due.at
        // A late wire is still delivering an utterance of the speaker, and its next words may be these.
        if (!isPublished && wireLog.isGrowing(row.speaker, at - waitMs))
          return { isMissing: false, gap }
        if (isPublished) row.gapCaptionId = null
        // The wire has published later words, so only the words in between are missing.
        else if (hasContinued(row, due.at)) gap.push(gapIn(row, due, at))
        else return { isMissing: true, gap }
        row.pendingTexts.splice(0, 1)
      }
      return { isMissing: false, gap }
    },
  }
}
