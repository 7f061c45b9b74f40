import { createRulesRecap } from '../../src/recap/rules-recap.ts'
import {
  findAmiAnnotations,
  readAmiMeetings,
  type AmiLabel,
  type AmiMeeting,
  type AmiPart,
} from '../support/ami-meetings.ts'

type Entry = { text: string; segmentNumbers: readonly number[] }
type Result = { labels: readonly AmiLabel[]; entries: readonly Entry[] }

/** How far an entry may be from a line that people linked, because labels begin and end at arbitrary lines. */
const DISTANCES = [0, 2]

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
  const count = (of: (result: Result) => number) =>
    results.reduce((sum, result) => sum + of(result), 0)
  const [labels, entries] = [count((r) => r.labels.length), count((r) => r.entries.length)]
  const shares = DISTANCES.map((distance) => {
    const right = count((r) =>
      countNear(r.entries.map(segmentsOfEntry), r.labels.map(segmentsOfLabel), distance),
    )
    const found = count((r) =>
      countNear(r.labels.map(segmentsOfLabel), r.entries.map(segmentsOfEntry), distance),
    )
    return `${share(right, entries)}, ${share(found, labels)}`.padEnd(21)
  })
  console.log(
    `    ${title.padEnd(15)}${labels} labels, ${entries} found`.padEnd(41) + shares.join(''),
  )
}

const segmentsOfEntry = ({ segmentNumbers }: Entry) => segmentNumbers
const segmentsOfLabel = ({ segments }: AmiLabel) => segments

type Lines = readonly number[]

function countNear(all: readonly Lines[], others: readonly Lines[], distance: number): number {
  const near = new Set<number>()
  for (const line of others.flat()) {
    for (let step = -distance; step <= distance; step += 1) near.add(line + step)
  }
  return all.filter((lines) => lines.some((line) => near.has(line))).length
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : (part / whole).toFixed(2)
}
