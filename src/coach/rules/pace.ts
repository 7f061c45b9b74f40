import { MOST_NUMBERS, type Recent } from '../recent.ts'
import { nameOf } from '../wording.ts'
import type { Rule } from './rule.ts'

/** Who has just spoken does so too fast, over the latest minutes of speech whose duration is known. */
export const pace: Rule = {
  category: 'pace',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ last, recent }, rules) {
    const speaker = last?.speaker ?? ''
    if (speaker === '' || recent.of(speaker).measuredMs < rules.paceMs) return []
    const { words, ms, numbers } = latest(recent, speaker, rules.paceMs)
    const rate = (words / ms) * 60_000
    if (ms < rules.paceMs || rate <= rules.paceWordsPerMinute) return []
    return [
      {
        speaker,
        title: `${nameOf(speaker)} is speaking fast`,
        text: `${nameOf(speaker)} has been speaking at some ${Math.floor(rate)} words a minute or more. A short pause helps others to follow.`,
        segmentNumbers: numbers,
        key: null,
      },
    ]
  },
}

function latest(
  recent: Recent,
  speaker: string,
  enoughMs: number,
): { words: number; ms: number; numbers: number[] } {
  const all = recent.all()
  const numbers: number[] = []
  let [words, ms] = [0, 0]
  for (let i = all.length - 1; i >= 0 && ms < enoughMs; i -= 1) {
    const entry = all[i]
    if (entry?.speaker !== speaker) continue
    words += entry.measuredWords
    ms += entry.measuredMs
    if (numbers.length < MOST_NUMBERS) numbers.unshift(entry.number)
  }
  return { words, ms, numbers }
}
