import { z } from 'zod'
import { expandRepeatSteps, buildTimeline, type TimelineEntry } from '../timeline.ts'
import { SCRIPT_SCHEMA, type MeetingScript } from './script-schema.ts'

/** The participant id of the bot in practice meetings. */
export const BOT_PARTICIPANT_ID = 'self'

/** Throws an error that lists every problem of the script. A script that passes can be played to its end. */
export function parseScript(raw: unknown): MeetingScript {
  const { data, error } = SCRIPT_SCHEMA.safeParse(raw)
  if (error) throw new Error(z.prettifyError(error))
  const problems = findScriptProblems(data)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return data
}

/** Problems of a script that its schema cannot detect, one sentence each. */
function findScriptProblems(script: MeetingScript): string[] {
  const early = [
    ...problemsOfOrder(script),
    ...problemsOfPeople(script),
    ...problemsOfCaptions(script),
  ]
  return early.length > 0 ? early : problemsOfMoments(buildTimeline(script))
}

function problemsOfOrder({ steps }: MeetingScript): string[] {
  const problems: string[] = []
  const check = (list: ReadonlyArray<{ at: number; do: string }>, where: string): void => {
    list.reduce((from, step) => {
      if (step.at < from) problems.push(`${where}${step.do} at ${step.at} comes after ${from}`)
      return step.at
    }, 0)
  }
  check(steps, '')
  for (const [i, step] of steps.entries()) {
    if (step.do !== 'repeat') continue
    check(step.steps, 'repeated ')
    const end = step.at + step.times * step.every
    const next = steps[i + 1]
    if (next && next.at < end) problems.push(`${next.do} at ${next.at} is before a repeat's ${end}`)
  }
  return problems
}

function problemsOfPeople(script: MeetingScript): string[] {
  const ids = script.people.map(({ id }) => id)
  const named = expandRepeatSteps(script).flatMap((step) => [
    ...('who' in step ? step.who : []),
    ...('speaker' in step ? [step.speaker] : []),
  ])
  return [
    ...findDuplicates([...ids, BOT_PARTICIPANT_ID]).map(
      (id) => `${id} is the id of two participants`,
    ),
    ...[...new Set(named)]
      .filter((id) => !ids.includes(id))
      .map((id) => `${id} is not a participant`),
  ]
}

function problemsOfCaptions(script: MeetingScript): string[] {
  const steps = expandRepeatSteps(script)
  const said = steps.flatMap((step) => (step.do === 'say' ? [step.captionId] : []))
  const known = new Set(steps.flatMap((step) => ('captionId' in step ? [step.captionId] : [])))
  const twins = steps.flatMap((step) =>
    'twinOf' in step && step.twinOf !== undefined ? [step.twinOf] : [],
  )
  return [
    ...findDuplicates(said).map((id) => `${id} is the id of two say steps`),
    ...twins
      .filter((id) => !known.has(id))
      .map((id) => `${id} is named by twinOf, but is not a caption`),
  ]
}

function findDuplicates(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  return ids.filter((id) => seen.size === seen.add(id).size)
}

function problemsOfMoments(timeline: readonly TimelineEntry[]): string[] {
  const problems: string[] = []
  const speakers = new Map<string, string>()
  const present = new Set<string>()
  let isAdmitted = false
  let isOver = false
  for (const { atMs, event } of timeline) {
    const report = (problem: string): void => void problems.push(`at ${atMs} ms: ${problem}`)
    if (isOver) report(`${event.kind} after the meeting is over`)
    if (event.kind === 'over') isOver = true
    else if (event.kind === 'admitted') isAdmitted = true
    else if (event.kind !== 'lobby' && !isAdmitted) report(`${event.kind} before admission`)
    if (event.kind === 'people') for (const { name } of event.people) present.add(name)
    if (event.kind !== 'caption') continue
    const { captionId, speaker, text } = event
    if (!present.has(speaker)) report(`${speaker} speaks without having joined`)
    if ((speakers.get(captionId) ?? speaker) !== speaker) report(`${captionId} has two speakers`)
    if (/[{}]/.test(captionId + text)) report(`${captionId} has a placeholder without words`)
    speakers.set(captionId, speaker)
  }
  return problems
}
