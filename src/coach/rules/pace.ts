import { MAX_INSIGHT_SEGMENTS, type RecentSpeechCounts } from '../speech/recent-speech.ts'
import { formatSpeakerName } from '../text/display-text.ts'
import type { CoachRule } from './rule.ts'

/** The current speaker speaks too fast, measured over recent speech of known duration. */
export const paceRule: CoachRule = {
  category: 'pace',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ last, recent }, thresholds) {
    const speaker = last?.speaker ?? ''
    if (speaker === '' || recent.totalsOf(speaker).measuredMs < thresholds.minMeasuredMs) return []
    const { words, ms, numbers } = latestSpeech(recent, speaker, thresholds.minMeasuredMs)
    const rate = (words / ms) * 60_000
    if (ms < thresholds.minMeasuredMs || rate <= thresholds.maxWordsPerMinute) return []
    return [
      {
        speaker,
        title: `${formatSpeakerName(speaker)} is speaking fast`,
        text: `${formatSpeakerName(speaker)} has been speaking at ${Math.floor(rate)} words per minute or more. A short pause helps others to follow.`,
        segmentNumbers: numbers,
        key: null,
      },
    ]
  },
}

function latestSpeech(
  recent: RecentSpeechCounts,
  speaker: string,
  enoughMs: number,
): { words: number; ms: number; numbers: number[] } {
  const all = recent.entries()
  const numbers: number[] = []
  let [words, ms] = [0, 0]
  for (let i = all.length - 1; i >= 0 && ms < enoughMs; i -= 1) {
    const entry = all[i]
    if (entry?.speaker !== speaker) continue
    words += entry.measuredWords
    ms += entry.measuredMs
    if (numbers.length < MAX_INSIGHT_SEGMENTS) numbers.unshift(entry.number)
  }
  return { words, ms, numbers }
}
