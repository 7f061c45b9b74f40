import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'

/** `skipped`: the platform let the bot in without this step. */
type JoinStepState = 'done' | 'current' | 'ahead' | 'skipped'

export const JOIN_STEP_LABELS = {
  opening: 'Opening the meeting',
  knocking: 'Knocking',
  waiting: 'Waiting for the host',
  inCall: 'In the call',
  captions: 'Captions on',
} as const

type JoinStepName = keyof typeof JOIN_STEP_LABELS

export interface JoinStep {
  name: JoinStepName
  state: JoinStepState
  /** When the current step began. Null for the other steps. */
  since: string | null
}

/** The current step of a meeting without captions. With `live`, the bot is in the call and waits for speech. */
const CURRENT_STEPS = { joining: 'opening', lobby: 'waiting', live: 'captions' } as const

export function isJoining(status: string): status is keyof typeof CURRENT_STEPS {
  return Object.hasOwn(CURRENT_STEPS, status)
}

/** The bot's progress in a meeting without captions. Empty if the bot is not about to join. */
export function listJoinSteps(
  meeting: Pick<ApiMeetingDetail, 'status' | 'statuses' | 'startedAt'>,
): JoinStep[] {
  const { status, statuses, startedAt } = meeting
  if (!isJoining(status)) return []
  const current = CURRENT_STEPS[status]
  const names = Object.keys(JOIN_STEP_LABELS) as JoinStepName[]
  const at = names.indexOf(current)
  const hasWaited = statuses.some((entry) => entry.status === 'lobby')
  return names.map((name, i) => {
    if (i === at) {
      const since = statuses.findLast((entry) => entry.status === status)?.at ?? startedAt
      return { name, state: 'current', since }
    }
    if (i > at) return { name, state: 'ahead', since: null }
    return { name, state: name === 'waiting' && !hasWaited ? 'skipped' : 'done', since: null }
  })
}
