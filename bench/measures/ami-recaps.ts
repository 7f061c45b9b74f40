import { createRulesRecap } from '../../src/recap/rules-recap.ts'
import {
  findAmiAnnotations,
  readAmiMeetings,
  type AmiLabel,
  type AmiMeeting,
  type AmiPart,
} from '../../src/recap/trial/ami-meetings.ts'
import { addScores, formatPartScore, NEAR_LINES, scorePart } from '../../src/recap/trial/scores.ts'

type Entry = { text: string; segmentNumbers: readonly number[] }
type Result = { labels: readonly AmiLabel[]; entries: readonly Entry[] }

/** Scores recaps by rules on meetings that nobody here wrote. Returns false if the folder does not have them. */
export function measureAmiRecaps(folder: string): boolean {
  const annotations = findAmiAnnotations(folder)
  if (annotations === null) return false
  const meetings = readAmiMeetings(annotations)
  const results = meetings.map((meeting) => ({ meeting, recap: createRulesRecap(meeting.source) }))
  const print = (title: string, isIncluded: (meeting: AmiMeeting) => boolean) => {
    const included = results.filter(({ meeting }) => isIncluded(meeting))
    const resultsOf = (
      part: AmiPart,
      entriesOf: (recap: (typeof included)[0]['recap']) => readonly Entry[],
    ) =>
      included.map(({ meeting, recap }) => ({
        labels: meeting.labels[part],
        entries: entriesOf(recap),
      }))
    console.log(`  ${title}: ${included.length} meetings`)
    console.log('                                     precision, recall    within two lines')
    printScores(
      'actions',
      resultsOf('actions', ({ actions }) => actions),
    )
    printScores(
      'decisions',
      resultsOf('decisions', ({ decisions }) => decisions),
    )
    printScores(
      'open questions',
      resultsOf('problems', ({ openQuestions }) => openQuestions),
    )
    printScores(
      'summary',
      resultsOf('abstract', ({ summary }) => summary),
    )
  }
  print('AMI, TS series, never trained on', ({ isHeldOut }) => isHeldOut)
  print('AMI, ES and IS series, trained on', ({ isHeldOut }) => !isHeldOut)
  return true
}

function printScores(title: string, results: readonly Result[]): void {
  const scoreWithin = (distance: number) =>
    addScores(results.map(({ labels, entries }) => scorePart(labels, entries, distance)))
  const exact = scoreWithin(0)
  console.log(
    `    ${title.padEnd(15)}${exact.labels} labels, ${exact.entries} found`.padEnd(41) +
      [exact, scoreWithin(NEAR_LINES)].map((score) => formatPartScore(score).padEnd(21)).join(''),
  )
}
