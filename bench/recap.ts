import { createRulesRecap } from '../src/recap/rules-recap.ts'
import { readLabelledMeetings, type LabelledMeeting } from '../src/recap/trial/labelled-meetings.ts'
import {
  addScores,
  checkCitations,
  precisionOf,
  recallOf,
  scoreActions,
  scoreStatements,
  type LabelScore,
} from '../src/recap/trial/scores.ts'
import { measureAmiRecaps } from './measures/ami-recaps.ts'
import { buildLongMeeting } from './support/long-meeting.ts'
import { RECAP_MEETINGS_FOLDER } from './support/recap-meetings.ts'

/** A meeting of two hours has this many segments. */
const TWO_HOURS = 2_000
const RUNS = 3

export const recap = {
  about: 'precision and recall of recaps by rules on labelled meetings, and their processor time',
  /** The first part may name a folder with the annotations of the AMI corpus. */
  async run([folder]: readonly string[] = []) {
    if (folder !== undefined && !measureAmiRecaps(folder)) {
      throw new Error(`${folder} has no annotations of the AMI corpus.`)
    }
    const meetings = readLabelledMeetings(RECAP_MEETINGS_FOLDER)
    const languages = [...Map.groupBy(meetings, ({ language }) => language)]
    for (const [language, group] of languages.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      printScores(language, group)
    }
    printScores(
      'tuned on',
      meetings.filter(({ isHeldOut }) => !isHeldOut),
    )
    printScores(
      'held out',
      meetings.filter(({ isHeldOut }) => isHeldOut),
    )
    printScores('all', meetings)
    for (const [language, group] of languages) {
      for (const segments of [TWO_HOURS, 10 * TWO_HOURS]) {
        console.log(
          `  ${language}, ${segments} segments: ${measureProcessorMs(group, segments)} ms of processor`,
        )
      }
    }
  },
}

function printScores(title: string, meetings: readonly LabelledMeeting[]): void {
  const results = meetings.map((meeting) => ({ meeting, recap: createRulesRecap(meeting.source) }))
  const actions = addScores(results.map(({ meeting, recap }) => scoreActions(meeting, recap)))
  const decisions = addScores(
    results.map(({ meeting, recap }) => scoreStatements(meeting.decisions, recap.decisions)),
  )
  const questions = addScores(
    results.map(({ meeting, recap }) =>
      scoreStatements(meeting.openQuestions, recap.openQuestions),
    ),
  )
  const citations = results.map(({ meeting, recap }) => checkCitations(meeting.source, recap))
  const cited = citations.reduce((sum, { all }) => sum + all, 0)
  const resolved = citations.reduce((sum, { found }) => sum + found, 0)
  console.log(`  ${title}: ${meetings.length} meetings`)
  console.log(`    actions        ${describe(actions)}`)
  console.log(
    `                   owner right ${percent(actions.rightOwner, actions.right)}, due date right ${percent(actions.rightDue, actions.right)}`,
  )
  console.log(`    decisions      ${describe(decisions)}`)
  console.log(`    open questions ${describe(questions)}`)
  console.log(`    citations that resolve: ${percent(resolved, cited)} of ${cited}`)
}

function describe(score: LabelScore): string {
  const { right, wrong, missed } = score
  return `precision ${precisionOf(score).toFixed(2)}, recall ${recallOf(score).toFixed(2)} (${right} right, ${wrong} wrong, ${missed} missed)`
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`
}

/** The median of several runs. The first run also loads and compiles the code, so it is left out. */
function measureProcessorMs(meetings: readonly LabelledMeeting[], segments: number): number {
  const source = buildLongMeeting(meetings, segments)
  const times = Array.from({ length: RUNS + 1 }, () => {
    const before = process.cpuUsage()
    createRulesRecap(source)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.round(times.slice(1).toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0)
}
