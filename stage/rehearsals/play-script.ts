import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import type { MeetingScript } from '../../src/bots/platforms/practice/script-reading/script-schema.ts'
import { expandRepeatSteps, buildTimeline } from '../../src/bots/platforms/practice/timeline.ts'
import { paceCaptions, roughenEnd } from '../meeting/captions/caption-pacing.ts'
import { SCREEN_BY_END_REASON } from '../meeting/screens.ts'
import type { StagedMeeting } from '../meeting/staged-meeting.ts'
import type { Cue, Rehearsal } from './rehearsal.ts'

/** Shorter waits are added to the next one, because timers are too coarse for them. */
const SHORTEST_WAIT_MS = 10

type ScheduledStep = { atMs: number; kind: PlatformEvent['kind'] | null; act: () => void }

/** Plays a rehearsal until its end, or until the meeting closes. Admits no page before `admission` resolves. */
export async function playRehearsal(
  meeting: StagedMeeting,
  rehearsal: Rehearsal,
  admission: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  const waitForCaptions = () =>
    meeting.knobs.waitsForCaptions ? meeting.waitFor('captions on') : Promise.resolve()
  try {
    await playSteps(meeting, scheduleSteps(meeting, rehearsal), {
      admitted: () => admission,
      caption: waitForCaptions,
    })
  } catch (error) {
    if (!meeting.isClosed()) throw error
  }
}

/** The first step of a kind waits for the promise in `conditions`, and all later steps wait with it. */
async function playSteps(
  meeting: StagedMeeting,
  steps: readonly ScheduledStep[],
  conditions: Partial<Record<PlatformEvent['kind'], () => Promise<unknown>>>,
): Promise<void> {
  const { timers, knobs } = meeting
  await meeting.waitFor('knocked')
  let startedMs = timers.now()
  const met = new Set<PlatformEvent['kind']>()
  for (const { atMs, kind, act } of steps) {
    const remainingMs = startedMs + atMs - timers.now()
    if (remainingMs / knobs.speed >= SHORTEST_WAIT_MS) await timers.sleep(remainingMs)
    const condition = kind === null || met.has(kind) ? undefined : conditions[kind]
    if (condition !== undefined && kind !== null) {
      met.add(kind)
      await condition()
      startedMs = Math.max(startedMs, timers.now() - atMs)
    }
    act()
  }
}

function scheduleSteps(meeting: StagedMeeting, { script, cues }: Rehearsal): ScheduledStep[] {
  const act = createEventPlayer(meeting, script)
  const scripted = paceCaptions(buildTimeline(script), meeting.knobs.cadenceMs).map(
    ({ atMs, event }) => ({
      atMs,
      kind: event.kind,
      act: () => act(event),
    }),
  )
  const cued = cues.map((cue) => ({
    atMs: cue.at * 1_000,
    kind: null,
    act: () => performCue(meeting, cue),
  }))
  return [...scripted, ...cued].toSorted((a, b) => a.atMs - b.atMs)
}

function performCue(meeting: StagedMeeting, cue: Cue): void {
  if (cue.do === 'chat') meeting.chat(cue.speaker, cue.text)
  else meeting.setConnectionLost(cue.do === 'connection lost')
}

function createEventPlayer(
  meeting: StagedMeeting,
  script: MeetingScript,
): (event: PlatformEvent) => void {
  const idByName = new Map(script.people.map(({ id, name }) => [name, id]))
  const twins = new Set(
    expandRepeatSteps(script).flatMap((step) =>
      step.do === 'caption' && step.twinOf !== undefined ? [step.captionId] : [],
    ),
  )
  const lastTexts = new Map(
    buildTimeline(script).flatMap(({ event }) =>
      event.kind === 'caption' ? [[event.captionId, event.text]] : [],
    ),
  )
  let presentIds: readonly string[] = []

  function changeParticipants(ids: readonly string[]): void {
    const came = ids.filter((id) => !presentIds.includes(id))
    const went = presentIds.filter((id) => !ids.includes(id))
    presentIds = ids
    if (came.length > 0) meeting.join(...came)
    if (went.length > 0) meeting.leave(...went)
  }
  function caption(event: Extract<PlatformEvent, { kind: 'caption' }>): void {
    const { captionId, text, isGone = false } = event
    const isFinal = lastTexts.get(captionId) === text
    meeting.caption({
      captionId,
      speaker: idByName.get(event.speaker) ?? event.speaker,
      text: isFinal ? text : roughenEnd(text, meeting.knobs.correctionDepth),
      isFinal,
      isGone,
      isTwin: twins.has(captionId),
    })
  }

  return (event) => {
    if (event.kind === 'lobby') meeting.lobby()
    else if (event.kind === 'admitted') meeting.admit()
    else if (event.kind === 'people') changeParticipants(event.people.map(({ id }) => id))
    else if (event.kind === 'caption') caption(event)
    else if (event.kind === 'captions lost') meeting.setCaptionsAvailable(false)
    else if (event.kind === 'captions back') meeting.setCaptionsAvailable(true)
    else if (event.kind === 'way in') meeting.showScreen('prejoin')
    else if (event.kind === 'not started') meeting.showScreen('host-absent')
    else if (event.kind === 'over') {
      const screen = SCREEN_BY_END_REASON[event.because]
      if (screen === undefined) throw new Error(`the stage has no screen for ${event.because}`)
      meeting.showScreen(screen)
    }
  }
}
